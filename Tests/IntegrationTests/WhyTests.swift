// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl says why, and shows it as it happens")
struct WhyTests {
    @Test("`why` explains the last decision, or one by its number, from its input to its end")
    func why() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("why").errors.contains("nothing has been felt, refused or failed yet"))
        #expect(try daemon.ctl("event", "nobody.cares", "--id", "door", "--value", "3").status == 0)
        #expect(try daemon.ctl("play", "soft", "--class", "notification").status == 0)
        let last = try daemon.ctl("why")
        let user = NSUserName()
        for part in [
            "Decision 2, ", "input      play", "from       \(user), hapticctl (process ", "profile    full", "completed",
        ] {
            #expect(last.output.contains(part), "\(part) in \(last)")
        }
        let first = try daemon.ctl("why", "1")
        #expect(first.output.contains("event nobody.cares door") && first.output.contains("no rule matches it"), "\(first)")
        let json = try daemon.ctl("why", "1", "--json")
        let decision = try #require(json.objects.first?.object("decision"))
        #expect(decision["reason"] as? String == "noRule" && decision["user"] as? Int == Int(getuid()), "\(decision)")
        let missing = try daemon.ctl("why", "99")
        #expect(missing.status == 1 && missing.errors.contains("decision 99 is not kept"), "\(missing)")
        #expect(try daemon.ctl("why", "yesterday").status == 2)
    }

    @Test("The monitor begins with where it looks and how to quit, says who sent what, and shows only what is asked for")
    func monitor() throws {
        let daemon = try Daemon()
        let monitor = try Program(
            "hapticctl",
            [
                "monitor", "--outcome", "felt", "--source", "d*", "--time", "clock", "--playbacks", "1", "--socket",
                daemon.socket,
            ],
            in: daemon.folder)
        try wait(for: "the monitor") { monitor.output.contains("Ctrl-C ends this") }
        #expect(try daemon.ctl("profile", "quiet").status == 0)
        #expect(try daemon.ctl("event", "nobody.cares", "--id", "door").status == 0)
        for id in ["other", "door"] {
            #expect(try daemon.ctl("play", "soft", "--class", "alarm", "--id", id).status == 0)
        }
        let lines = try monitor.wait().output.split(separator: "\n")
        #expect(lines.count == 3, "\(lines)")
        #expect(lines[0].contains(" at \(daemon.socket), profile full, only --source d* --outcome felt; Ctrl-C ends this"))
        #expect(lines[1].contains("the profile is now quiet  by \(NSUserName()) (process "), "\(lines)")
        #expect(lines[2].contains("play door: felt: soft") && lines[2].contains(", hapticctl (process "), "\(lines)")
        #expect(lines[2].prefix(12).allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }, "\(lines)")
    }

    @Test(
        "`status --watch` draws on a terminal in place, goes on where the daemon goes, and ends by Ctrl-C",
        arguments: [false, true])
    func watch(byVariable: Bool) throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        let watch = try Program(
            "hapticctl", ["status", "--watch"] + (byVariable ? [] : ["--socket", daemon.socket]),
            environment: ["TERM": "xterm"].merging(byVariable ? ["HAPTICD_SOCKET": daemon.socket] : [:]) { $1 },
            output: terminal.terminal, in: daemon.folder)
        var shown = ""
        func see(_ text: String) throws {
            try wait(for: "`\(text)` on the screen; it has \(shown)") {
                shown += terminal.written()
                return shown.contains(text)
            }
        }
        try see("Ready: 1 actuator, on time.")
        #expect(shown.hasPrefix("\u{1b}[?1049h"))
        try see("Ctrl-C ends this")
        _ = try daemon.stop()
        try see("hapticd does not answer: no hapticd listens at ")
        #expect(shown.contains(byVariable ? "which $HAPTICD_SOCKET names" : "which --socket names"))
        watch.signal(SIGINT)
        #expect(try watch.wait().status == 0)
        try see("\u{1b}[?1049l")
        let piped = try runCtl(["status", "--watch", "--socket", daemon.socket])
        #expect(piped.status == 2 && piped.errors.contains("draws on a terminal"), "\(piped)")
    }

    @Test("`status --watch` follows the terminal's width, shows no key, and gives the terminal back as it was")
    func watchManners() throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        let dumb = try Program(
            "hapticctl", ["status", "--watch", "--socket", daemon.socket], environment: ["TERM": "dumb"],
            output: terminal.terminal, in: daemon.folder)
        let refused = try dumb.wait()
        #expect(refused.status == 2 && refused.errors.contains("the kind `dumb`"), "\(refused.errors)")
        terminal.setWidth(200)
        let watch = try Program(
            "hapticctl", ["status", "--watch", "--socket", daemon.socket], environment: ["TERM": "xterm"],
            output: terminal.terminal, in: daemon.folder)
        var shown = ""
        func longest() -> Int {
            let screens = shown.components(separatedBy: "\u{1b}[H")
            return (screens.dropLast().last ?? "").components(separatedBy: "\u{1b}[K").map(\.count).max() ?? 0
        }
        try wait(for: "a wide screen") {
            shown += terminal.written()
            return longest() > 60
        }
        terminal.setWidth(50)
        try wait(for: "a narrow screen; there is \(shown)") {
            shown += terminal.written()
            return longest() <= 52
        }
        watch.signal(SIGTERM)
        #expect(try watch.wait().status == 143)
    }

    @Test("SIGTERM ends the monitor with 143, Ctrl-C with 0", arguments: [(SIGTERM, 143), (SIGINT, 0)] as [(Int32, Int32)])
    func endOfMonitor(signal: Int32, status: Int32) throws {
        let daemon = try Daemon()
        let monitor = try Program("hapticctl", ["monitor", "--socket", daemon.socket], in: daemon.folder)
        try wait(for: "the header") { monitor.output.contains("Ctrl-C ends this") }
        monitor.signal(signal)
        #expect(try monitor.wait().status == status)
    }

    @Test("`status --watch --json` waits, too, and says so once")
    func watchAsJSON() throws {
        let daemon = try Daemon()
        let watch = try Program(
            "hapticctl", ["status", "--watch", "--json"], environment: ["HAPTICD_SOCKET": daemon.socket], in: daemon.folder)
        try wait(for: "a status") { !watch.output.isEmpty }
        _ = try daemon.stop()
        try wait(for: "the warning") { watch.errors.contains("hapticd does not answer: ") }
        let again = try Daemon(in: daemon.folder)
        let before = watch.output.split(separator: "\n").count
        try wait(for: "another status") { watch.output.split(separator: "\n").count > before }
        watch.signal(SIGINT)
        let ended = try watch.wait()
        #expect(ended.status == 0 && ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
        withExtendedLifetime(again) {}
    }
}
