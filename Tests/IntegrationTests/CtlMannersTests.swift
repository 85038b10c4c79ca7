// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl does what it understood")
struct CtlMannersTests {
    @Test("The log has every reload and its outcome, whoever asked")
    func reloadsAreLogged() throws {
        let folder = try TemporaryFolder()
        let good = "version: 1\nactuators:\n  - { name: main, backend: simulated }\n"
        let daemon = try Daemon(["--config", folder.write(good, to: "hapticd.yaml")], in: folder)
        #expect(try daemon.ctl("reload").status == 0)
        try wait(for: "a reload without a change to be logged") {
            daemon.program.errors.contains("the configuration is as it was")
        }
        _ = try folder.write(good + "profile: quiet\n", to: "hapticd.yaml")
        #expect(try daemon.ctl("reload").status == 0)
        try wait(for: "a change to be logged") { daemon.program.errors.contains("the configuration has changed: profile") }
        func rules(_ rules: String...) throws {
            let lines = rules.map { "  - { match: \($0) }\n" }.joined()
            _ = try folder.write(good + "profile: quiet\nevents:\n" + lines, to: "hapticd.yaml")
        }
        try rules("a, pattern: soft", "b, pattern: soft")
        #expect(try daemon.ctl("reload").status == 0)
        try rules("b, pattern: heavy", "c, pattern: soft")
        #expect(try daemon.ctl("reload").output == "changed: events (1 added, 1 removed, 1 changed)\n")
        try wait(for: "the counts to be logged") {
            daemon.program.errors.contains("changed: events (1 added, 1 removed, 1 changed)")
        }
        try rules("d, pattern: soft", "b, pattern: soft")
        #expect(try daemon.ctl("reload").status == 0)
        try wait(for: "an equal count to be logged, too") {
            daemon.program.errors.split(separator: "changed: events (1 added, 1 removed, 1 changed)").count == 3
        }
        try rules("c, pattern: soft", "b, pattern: heavy")
        #expect(try daemon.ctl("reload").status == 0)
        try rules("b, pattern: heavy", "c, pattern: soft")
        #expect(try daemon.ctl("reload").output == "changed: events\n", "the order counts, too")
        _ = try folder.write("version: 2\n", to: "hapticd.yaml")
        #expect(try daemon.ctl("reload").status == 1)
        try wait(for: "a refusal to be logged") { daemon.program.errors.contains("the new configuration cannot be used") }
    }

    @Test("An error about a file writes no escape sequence of its name to a terminal")
    func printableErrors() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("version: 2\n", to: "\u{1b}[31mred.yaml")
        let ended = try runCtl(["check-config", file])
        #expect(ended.status == 1)
        #expect(ended.errors.contains("red"))
        #expect(!ended.errors.contains("\u{1b}"))
    }

    @Test("Where `$HAPTICD_SOCKET` leads nowhere, that variable is named as what to correct")
    func wrongVariable() throws {
        let ended = try runCtl(["status"], environment: ["HAPTICD_SOCKET": "/nonexistent/hapticd.sock"])
        #expect(ended.status == 3)
        #expect(
            ended.errors.contains("which $HAPTICD_SOCKET names; correct or unset") && !ended.errors.contains("systemctl"),
            "\(ended.errors)")
    }

    @Test("Where --socket leads nowhere, that is what to correct, and the version says so plainly")
    func wrongSocket() throws {
        let ended = try runCtl(["status", "--socket", "/nonexistent/a b.sock"])
        #expect(ended.status == 3)
        #expect(
            ended.errors.contains(
                "which --socket names; correct it, or start one there: `hapticd --simulate --socket '/nonexistent/a b.sock'`"),
            "\(ended.errors)")
        let version = try runCtl(["--version"], environment: ["HAPTICD_SOCKET": "/nonexistent/hapticd.sock"])
        #expect(version.status == 0 && version.output.hasSuffix("\nno hapticd at /nonexistent/hapticd.sock\n"), "\(version)")
    }

    @Test("An unknown name and a file that is not there have the codes that programs look for")
    func codes() throws {
        let daemon = try Daemon()
        for arguments in [
            ["play", "sofd"], ["play", "soft", "--actuator", "nope"], ["render", "nope"], ["patterns", "nope"],
        ] {
            let ended = try runCtl(arguments + ["--json", "--socket", daemon.socket])
            #expect(try ended.error()["code"] as? String == "unknownName", "\(arguments): \(ended)")
        }
        for arguments in [["check-config", "/no/such.yaml"], ["play", "soft", "--simulate", "--config", "/no/such.yaml"]] {
            let ended = try runCtl(arguments + ["--json"])
            #expect(try ended.error()["code"] as? String == "unreadable", "\(arguments): \(ended)")
        }
        let unknown = try daemon.ctl("patterns", "sofd")
        #expect(unknown.errors == "unknown pattern `sofd`, did you mean `soft`? `hapticctl patterns` lists all\n")
    }

    @Test("Without a daemon the built-in patterns are listed; one whose socket was named is missed")
    func builtInPatterns() throws {
        try #require(!FileManager.default.fileExists(atPath: "/run/hapticd/hapticd.sock"))
        let list = try runCtl(["patterns"])
        #expect(list.status == 0 && list.output.contains("\nsoft ") && list.errors.contains("no hapticd was asked"), "\(list)")
        let one = try runCtl(["patterns", "success", "--json"])
        #expect(one.status == 0 && one.objects.first?["name"] as? String == "success", "\(one)")
        #expect(try runCtl(["patterns", "nope"]).status == 1)
        #expect(try runCtl(["patterns", "--socket", "/nonexistent/hapticd.sock"]).status == 3)
    }

    @Test("A reload without a configuration file says that there is none, and what to do")
    func reloadWithoutFile() throws {
        try #require(!FileManager.default.fileExists(atPath: "/etc/hapticd/hapticd.yaml"))
        let ended = try Daemon().ctl("reload")
        #expect(ended.status == 0 && ended.output.contains("there is no configuration file"), "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("--config FILE"))
    }

    @Test("A reload says how many actuators and patterns are new, gone or different")
    func reloadCounts() throws {
        let folder = try TemporaryFolder()
        func write(_ actuators: String...) throws -> String {
            let list = actuators.map { "  - { name: \($0) }\n" }.joined()
            return try folder.write("version: 1\nactuators:\n\(list)", to: "hapticd.yaml")
        }
        let path = try write("a, backend: simulated", "b, backend: simulated")
        let daemon = try Daemon(["--config", path], simulate: false, in: folder)
        _ = try write("a, backend: simulated, motor: { minGap: 30ms }", "c, backend: simulated")
        let ended = try daemon.ctl("reload")
        #expect(ended.output == "changed: actuators (1 added, 1 removed, 1 changed)\n", "\(ended.output)\(ended.errors)")
        let nothing = try daemon.ctl("reload")
        #expect(nothing.output == "nothing has changed\n", "\(nothing.output)\(nothing.errors)")
    }

    @Test("A pattern that no line can hold is refused with where to put it")
    func largePattern() throws {
        let folder = try TemporaryFolder()
        let events = (0..<1000).map { "{ at: \($0 * 50)ms, type: transient, intensity: 0.123456789, sharpness: 0.123456789 }" }
        let path = try folder.write(
            "version: 1\nname: large\ntracks: [{ events: [\(events.joined(separator: ",\n"))] }]\n", to: "large.yaml")
        let ended = try runCtl(["play", path, "--simulate"], in: folder)
        #expect(ended.status == 1 && ended.errors.contains("too large to be sent along"), "\(ended.output)\(ended.errors)")
        #expect(ended.errors.contains("`patterns:`"))
    }

    @Test("A play that a person types goes before what is still ringing; one of a program does not")
    func typedPlay() throws {
        let daemon = try Daemon()
        let ring = try Program(
            "hapticctl", ["play", "ring", "--repeat", "20", "--class", "notification", "--socket", daemon.socket],
            in: daemon.folder)
        let client = try daemon.connect()
        try wait(for: "the ring") { try client.result("status").number("playbacks") == 1 }
        #expect(try daemon.ctl("play", "soft").errors.contains("lowerPriority"))
        let terminal = try PseudoTerminal()
        let typed = try Program(
            "hapticctl", ["--socket", daemon.socket, "play", "soft"], environment: ["TERM": "xterm"], errors: terminal.terminal,
            in: daemon.folder)
        #expect(try typed.wait().status == 0, "\(terminal.written())")
        #expect(try ring.wait().errors.contains("preempted"), "a notification goes before one that is as important")
    }

    @Test("`--quiet` leaves errors only, `--color` decides against the terminal, and -V is --version")
    func quietAndColour() throws {
        let daemon = try Daemon()
        let quiet = try daemon.ctl("play", "soft", "--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
        #expect(try daemon.ctl("-q", "play", "nothing").errors.contains("unknown pattern"))
        for (colour, isColoured) in [("always", true), ("never", false)] {
            let monitor = try Program(
                "hapticctl", ["monitor", "--playbacks", "1", "--color", colour, "--socket", daemon.socket], in: daemon.folder)
            let client = try daemon.connect()
            try wait(for: "the monitor") { try client.result("status").number("subscribers") == 1 }
            #expect(try daemon.ctl("play", "soft").status == 0)
            #expect(try monitor.wait().output.contains("\u{1b}[") == isColoured)
            try wait(for: "it to be gone") { try client.result("status").number("subscribers") == 0 }
        }
        #expect(try daemon.ctl("status", "--color", "maybe").status == 2)
        #expect(try runCtl(["-V"]).output == runCtl(["--version"]).output)
    }

    @Test("`--version` says which hapticd answers, and is no failure where none does")
    func versions() throws {
        let daemon = try Daemon()
        let both = try daemon.ctl("--version")
        let version = try #require(both.output.split(separator: "\n").first)
        #expect(
            both.status == 0 && both.errors.isEmpty && both.output == "\(version)\nhapticd \(version) at \(daemon.socket)\n",
            "\(both)")
        let json = try runCtl(["--socket", daemon.socket, "--json", "-V"])
        #expect(json.objects.map { $0.object("hapticd").text("socket") } == [daemon.socket], "\(json)")
        for socket in ["/no/such.sock", daemon.folder.url.path] {
            let none = try runCtl(["--version", "--socket", socket])
            #expect(none.status == 0 && none.output.hasPrefix("\(version)\n") && none.output.contains(socket), "\(none)")
        }
        let folder = try TemporaryFolder()
        let silent = try listeningSocket(at: folder.path("silent.sock"))
        defer { withExtendedLifetime(silent) {} }
        let ended = try runCtl(["--socket", folder.path("silent.sock"), "--version"])
        #expect(ended.status == 0 && ended.output.contains("does not answer"), "\(ended)")
    }

    @Test(
        "Help is as wide as the terminal, and no wider than a page",
        arguments: [("40", 40), ("72", 72), ("200", 100), ("32", 40)])
    func helpWidth(columns: String, width: Int) throws {
        for program in ["hapticctl", "hapticd"] {
            let help = try Program(program, ["--help"], environment: ["COLUMNS": columns], in: TemporaryFolder()).wait()
            // Examples, and the parser's own lines of usage, are never broken.
            let prose = help.output.split(separator: "\n").filter {
                !$0.contains("  hapticctl ") && !$0.contains("[--") && !$0.hasPrefix("  See ")
            }
            let tooLong = prose.filter { line in
                // A word alone cannot be broken either.
                line.count > width && line.dropFirst(26).drop { $0 == " " }.contains(" ")
            }
            #expect(help.status == 0 && tooLong.isEmpty, "\(tooLong)")
            #expect(prose.contains { $0.count > width - 12 }, "\(help.output)")
        }
    }

    @Test("Help, the version and a completion script that cannot be written are a failure")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        for arguments in [["--help"], ["--version"], ["play", "--help"], ["--generate-completion-script", "bash"]] {
            let ended = try Program("hapticctl", arguments, output: full, in: folder).wait()
            #expect(ended.status == 1 && ended.errors.contains("cannot write the output"), "\(arguments): \(ended)")
        }
    }

    @Test("An argument that is not UTF-8 is refused, not sent as another text")
    func notText() throws {
        let daemon = try Daemon()
        let command = "exec \(programs.path)/hapticctl event \"$(printf '\\377\\376')\" --socket \(daemon.socket)"
        let ended = try Program("/bin/sh", ["-c", command], in: daemon.folder).wait()
        #expect(ended.status == 2 && ended.errors.contains("argument 2 is not valid UTF-8"), "\(ended.errors)")
    }

    @Test("`check-config -` reads standard input, and a pattern file is taken for one")
    func checkOthers() throws {
        let good = try runCtl(["check-config", "-"], input: "version: 1\nactuators: [{ name: main, backend: simulated }]\n")
        #expect(good.status == 0 && good.output.contains("standard input: ok, 1 actuator (main)"), "\(good)")
        let bad = try runCtl(["check-config", "-"], input: "version: 1\nprofil: full\n")
        #expect(bad.status == 1 && bad.errors.contains("standard input:2:1: "), "\(bad)")
        #expect(bad.errors.contains("  2 | profil: full\n    | ^\n"), "\(bad)")
        let pattern =
            "version: 1\nname: mine\ndescription: mine\ntracks:\n  - keyframes:\n      - { at: 0ms, intensity: 1 }\n      - { at: 90ms, intensity: 0 }\n"
        let taken = try runCtl(["check-config", "-"], input: pattern)
        #expect(taken.status == 0 && taken.output.contains("ok, the pattern mine, 90 ms"), "\(taken)")
        #expect(try runCtl(["check-config", "-"], input: pattern + "loop: 1\n").errors.contains("unknown key `loop`"))
    }
}
