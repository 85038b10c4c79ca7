// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("hapticctl, as a person uses it", .ownThreads)
struct CtlTests {
    private static let nowhere = "/tmp/no-such-hapticd.sock"

    /// Rows: arguments, the exit status, and a word that the error must hold.
    @Test("Each mistake has its exit status, and an error with a remedy")
    func mistakes() throws {
        let rows: [([String], Int32, String)] = [
            (["play", "--pattern", "soft", "--socket", Self.nowhere], 3, "hapticd"),
            (["present", "a", "b", "--socket", Self.nowhere], 3, "hapticd"),
            (["hold", "pay", "--socket", Self.nowhere], 3, "hapticd"), (["fly"], 2, "fly"), (["play"], 2, "hapticctl play soft"),
            (["play", "--pattern", "soft", "--steps", "3", "--duration", "5"], 2, "5s"),
            (["play", "--pattern", "sofd", "--simulate"], 1, "did you mean `soft`"), (["progress", "a"], 2, "--stdin"),
            (["cancel"], 2, "--all"), (["task", "a", "ls"], 2, "behind `--`"),
            (["task", "a", "--", "/no/such/command"], 127, "/no/such/command"),
            (["check-config", "/no/such/file.yaml"], 1, "/no/such/file.yaml"),
        ]
        for (arguments, status, word) in rows {
            let ended = try runCtl(arguments)
            #expect((ended.status, ended.output) == (status, ""), "\(arguments)")
            #expect(ended.errors.contains(word), "\(ended.errors)")
        }
    }

    @Test("A path that leads nowhere is named with the option or the variable that it comes from")
    func wrongSocket() throws {
        let variable = try runCtl(["status"], environment: ["HAPTICD_SOCKET": "/nonexistent/hapticd.sock"])
        #expect(variable.status == 3)
        #expect(variable.errors.contains("which $HAPTICD_SOCKET names; correct or unset"), "\(variable.errors)")
        #expect(!variable.errors.contains("systemctl"))
        let option = try runCtl(["status", "--socket", "/nonexistent/a b.sock"])
        #expect(option.status == 3)
        #expect(
            option.errors.contains("which --socket names; correct it: the folder /nonexistent does not exist"), "\(option.errors)"
        )
        let inFolder = try runCtl(["status", "--socket", "/tmp/a b.sock"])
        let remedy = "which --socket names; correct it, or start one there: `hapticd --simulate --socket '/tmp/a b.sock'`"
        #expect(inFolder.errors.contains(remedy), "\(inFolder.errors)")
    }

    @Test("A variable that leads to no socket is named, by a relative path, too", arguments: ["note", "./sub/../note"])
    func noSocket(path: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("no socket", to: "note")
        try folder.makeFolder("sub")
        let whole = "\(folder.url.path)/\(path)"
        let expected = "which is a file and no socket; correct or unset that variable"
        let absolute = try runCtl(["status"], environment: ["HAPTICD_SOCKET": whole], in: folder)
        #expect(absolute.status == 3)
        #expect(absolute.errors.contains("$HAPTICD_SOCKET names \(whole), \(expected)"), "\(absolute.errors)")
        let hapticctl = programs.appendingPathComponent("hapticctl").path
        let script = ["-c", #"cd "$1" && exec "$2" status"#, "sh", folder.url.path, hapticctl]
        let relative = try Program("/bin/sh", script, environment: ["HAPTICD_SOCKET": path], in: folder).wait()
        #expect(relative.status == 3)
        #expect(relative.errors.contains("$HAPTICD_SOCKET names \(path), \(expected)"), "\(relative.errors)")
    }

    @Test("Built-in patterns need no daemon, unless one is named", .enabled(if: isFree("/run/hapticd/hapticd.sock")))
    func builtIn() throws {
        #expect(try runCtl(["patterns"]).output.contains("\nsoft "))
        #expect(try runCtl(["patterns", "--socket", Self.nowhere]).status == 3)
    }

    /// Whether the system's hapticd has nothing at `path`: it is not the test's.
    private static func isFree(_ path: String) -> Bool { access(path, F_OK) != 0 }

    private static let commands: [[String]] = [
        ["play", "--pattern", "soft", "--steps", "5", "--duration", "50ms"], ["play", "--pattern", "soft", "--no-wait"],
        ["progress", "copy", "60%"], ["release", "copy"], ["event", "payment.succeeded"],
        ["event", "sync.state", "--id", "a", "--value", "failed"], ["cancel", "--all"],
        ["present", "cart.items", "a", "b"], ["task", "copy", "began"], ["task", "copy", "succeeded"],
        ["prepare", "soft", "success"], ["profile", "quiet"], ["profile", "full"], ["status"], ["actuators"],
        ["patterns", "soft"], ["render", "soft"], ["latency", "--count", "2"], ["strength", "80%"], ["off"], ["on"],
        ["settings"],
    ]
    /// Commands that `commands` leaves out, and the test that runs each.
    private static let others = [
        "charge": "RateTests", "check-config": "checkConfig", "condition": "ConditionCommandTests", "convert": "ConvertTests",
        "doctor": "DoctorTests", "hold": "HoldCommandTests", "lint": "LintFindingsTests", "monitor": "MonitorTests",
        "quiet": "KeptSettingsTests",
        "reload": "DaemonTests", "report": "ReportTests", "try": "TryTests", "tune": "TryAndTuneTests", "why": "why",
    ]

    @Test("Every command works with a daemon, and with `--json` writes one JSON text per line")
    func commands() throws {
        try expectEveryCommand(in: Self.commands.map { $0[0] }, or: Self.others)
        let daemon = try Daemon()
        for arguments in Self.commands {
            for json in [[], ["--json"]] {
                let ended = try daemon.start(arguments + json, input: FileHandle(forReadingAtPath: "/dev/null")).wait()
                #expect(ended.status == 0, "\(arguments): \(ended.errors)")
                #expect(!ended.output.isEmpty, "\(arguments)")
                guard !json.isEmpty else { continue }
                for object in ended.objects { #expect(object.number("schema") == 1, "\(arguments): \(ended.output)") }
                #expect(ended.output.hasPrefix(#"{"schema":1,"#), "\(arguments)")
            }
        }
        let large = try daemon.ctl("present", "stock", "--stdin", "--json", input: (0..<20_000).map { "item-\($0)\n" }.joined())
        #expect(large.objects.first?.number("inserted") == 20_000, "\(large)")
    }

    @Test("`why` explains the last decision or one by its number, and refuses a number that is not kept")
    func why() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("why").errors.contains("nothing has been felt, refused or failed yet"))
        _ = try daemon.ctl("event", "nobody.cares", "--id", "door")
        _ = try daemon.ctl("play", "soft")
        let last = try daemon.ctl("why").output
        for part in ["Decision 2, ", "input      play", "from       \(NSUserName()), hapticctl (process ", "completed"] {
            #expect(last.contains(part), "\(last)")
        }
        let first = try daemon.ctl("why", "1", "--json")
        #expect(first.objects.first?.object("decision").text("reason") == "noRule", "\(first)")
        let missing = try daemon.ctl("why", "99")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("decision 99 is not kept"), "\(missing)")
        #expect(try daemon.ctl("why", "yesterday").status == 2)
    }

    @Test("`check-config` reads a configuration or a pattern, also from standard input, and shows each mistake in its line")
    func checkConfig() throws {
        #expect(try runCtl(["check-config", package.appendingPathComponent("configs/hapticd.yaml").path]).status == 0)
        let frames = "tracks:\n  - keyframes:\n      - { at: 0ms, intensity: 1 }\n      - { at: 90ms, intensity: 0 }\n"
        for (input, words) in [
            ("actuators: [{ name: main, backend: simulated }]\n", "standard input: ok, 1 actuator (main)"),
            ("name: mine\n" + frames, "standard input: ok, the pattern mine, 90 ms"),
            (
                "actuators: [{ name: main, backend: simulated }]\naccess: { reload: { groups: [no-such-group] } }\n",
                "groups of `access` are not looked up here; `hapticd --check"
            ),
        ] {
            let ended = try runCtl(["check-config", "-"], input: "version: 1\n" + input)
            #expect(ended.status == 0)
            #expect(ended.output.contains(words), "\(ended)")
        }
        // The keys of a track on top are a mistake in a pattern, not in a configuration.
        let bare = try runCtl(["check-config", "-"], input: "version: 1\nname: mine\nkeyframes: [{ at: 0ms, intensity: 1 }]\n")
        #expect(bare.errors.contains("it belongs into an entry of `tracks`"), "\(bare.errors)")
        let folder = try TemporaryFolder()
        try folder.makeFolder("patterns")
        let broken = "version: 1\nname: mine\n" + frames.replacingOccurrences(of: "90ms", with: "90")
        let pattern = try folder.write(broken, to: "patterns/mine.yaml")
        let ended = try runCtl(["check-config", folder.configure("patterns: [patterns]\nprofile: loud")])
        #expect(ended.status == 1)
        for part in [
            "/hapticd.yaml:4:10: profile: ", "  4 | profile: loud\n    |          ^\n",
            "\(pattern):6:15: tracks[0].keyframes[1].at: 90 has no unit",
            "  6 |       - { at: 90, intensity: 0 }\n    |               ^\n",
        ] { #expect(ended.errors.contains(part), "\(ended.errors)") }
        #expect(ended.errors.hasSuffix("\n2 errors\n"), "\(ended.errors)")
    }

    @Test("The scan needs no daemon, lists every kind, its `--yaml` passes `check-config`, and its `--json` is JSON alone")
    func scan() throws {
        let ended = try runCtl(["actuators", "--scan", "--socket", Self.nowhere])
        #expect(ended.status == 0, "\(ended.errors)")
        for backend in ["gpio", "pwm", "evdev", "led"] { #expect(ended.output.contains("(backend \(backend))")) }
        let yaml = try runCtl(["actuators", "--scan", "--yaml"])
        let checked = try runCtl(["check-config", "-"], input: "version: 1\n" + yaml.output)
        #expect(checked.status == 0, "\(checked.errors)\n\(yaml.output)")
        // A machine may have no devices; a snapshot of `ScanTests` shows their objects.
        let json = try runCtl(["actuators", "--scan", "--json"])
        #expect(json.quietStatus == 0)
        #expect(json.objects.allSatisfy { $0.text("backend") != nil }, "\(json.output)")
    }

    @Test("`render` writes an SVG as a whole: a new file, with --force in place of one, and never through a link")
    func render() throws {
        let folder = try TemporaryFolder()
        let shown = try runCtl(["render", "success", "-o", "-"], in: folder)
        #expect(shown.output.hasPrefix("<svg "))
        #expect(shown.output.hasSuffix("</svg>\n"))
        let render = ["render", "success", "-o", folder.path("s.svg")]
        for arguments in [render, render + ["--force"]] {
            let written = try runCtl(arguments, in: folder)
            #expect((written.quietStatus, written.output) == (0, ""))
            #expect(try folder.read("s.svg") == shown.output)
            try folder.write("another", to: "s.svg")
        }
        for arguments in [render, render + ["--motor", "coin"]] {
            let refused = try runCtl(arguments, in: folder)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("is there already, and is left as it is; give another name, or --force"))
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.svg"), withDestinationPath: "s.svg")
        let link = try runCtl(["render", "success", "--force", "-o", folder.path("link.svg")], in: folder)
        #expect(link.errors.contains("symbolic link"))
        #expect(try folder.read("s.svg") == "another")
    }

    @Test("An input that is not felt ends with status 1, and the reason in words")
    func refused() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("profile", "silent").status == 0)
        let ended = try daemon.ctl("play", "--pattern", "soft")
        #expect(ended.status == 1)
        #expect(ended.errors.contains("silent"), "\(ended.errors)")
        #expect(ended.errorLines.count == 1)
        // With `--json` the decision is shown as well.
        let json = try daemon.ctl("play", "--pattern", "soft", "--json")
        #expect(json.status == 1)
        #expect(json.objects.map { $0.object("decision").text("reason") } == ["profile"], "\(json)")
        #expect(try json.error().text("code") == "notFelt")
    }

    @Test("With `--json` an error leaves standard output empty, and is one line on standard error")
    func refusedAsJSON() throws {
        let daemon = try Daemon()
        for (arguments, code, number, status) in [
            (["play", "sofd"], "unknownName", -32602, 1), (["prepare", "sofd"], "unknownName", -32602, 1),
            (["play", "soft", "--actuator", "nope"], "unknownName", -32602, 1), (["patterns", "sofd"], "unknownName", -32602, 1),
            (["render", "nope"], "unknownName", -32602, 1),
            (["play", "soft", "--simulate", "--config", "/no/such.yaml"], "unreadable", nil, 1),
            (["play", "--stps", "3"], "usage", nil, 2), (["status", "--socket", Self.nowhere], "noDaemon", nil, 3),
        ] as [([String], String, Int?, Int32)] {
            let ended = try runCtl(["--json"] + arguments, environment: ["HAPTICD_SOCKET": daemon.socket])
            #expect((ended.status, ended.output) == (status, ""), "\(arguments)")
            let error = try ended.error()
            #expect(error.text("code") == code, "\(ended)")
            #expect(error["number"] as? Int == number, "\(ended)")
        }
        let stream = try daemon.ctl("progress", "up", "--stdin", "--json", input: "none\n0.5\n")
        #expect(stream.status == 0)
        #expect(stream.errors.hasPrefix(#"{"schema":1,"warning":"#))
        #expect(stream.errors.contains("1 record"), "\(stream)")
    }

    @Test("A reload of a bad configuration fails, and shows each error once")
    func refusedReload() throws {
        let daemon = try Daemon(configuration: "")
        let path = try daemon.folder.configure("progres: []\nevent: []")
        let ended = try daemon.ctl("reload")
        #expect((ended.status, ended.output) == (1, ""))
        #expect(ended.errorLines.count == 3, "\(ended.errors)")
        #expect(ended.errorLines.count { $0.contains("did you mean `progress`") } == 1)
        let json = try daemon.ctl("reload", "--json")
        let checked = try runCtl(["check-config", "--json", path])
        #expect((json.status, json.output) == (1, checked.output))
        #expect((json.objects.count, json.errorLines.count) == (2, 1))
    }

    @Test("The log and hapticctl name the parts that a reload has changed, with counts, whoever asked for it")
    func reloads() throws {
        let daemon = try Daemon(configuration: "")
        func reload(_ rest: String = "") throws -> String {
            try daemon.folder.configure(rest)
            return try daemon.ctl("reload").output
        }
        func rules(_ rules: String...) -> String { "events:\n" + rules.map { "  - { match: \($0) }\n" }.joined() }
        #expect(try reload() == "nothing has changed\n")
        _ = try reload(rules("a, pattern: soft", "b, pattern: soft"))
        #expect(try reload(rules("b, pattern: heavy", "c, pattern: soft")) == "changed: events (1 added, 1 removed, 1 changed)\n")
        try daemon.folder.write("version: 2\n", to: "hapticd.yaml")
        #expect(try daemon.ctl("reload").status == 1)
        for text in [
            "the configuration is as it was", "the configuration has changed: events",
            "changed: events (1 added, 1 removed, 1 changed)", "the new configuration cannot be used",
        ] { try daemon.wait(toLog: text) }
    }

    @Test(
        "A reload of a daemon without a configuration file shows how one is named",
        .enabled(if: isFree("/etc/hapticd/hapticd.yaml")))
    func reloadOfNothing() throws {
        let without = try Daemon().ctl("reload").output
        #expect(without.contains("there is no configuration file"))
        #expect(without.contains("--config FILE"))
    }

    @Test("A pattern file is played; mistakes are shown with their lines, and phases too large for a line with a remedy")
    func patternFile() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("play", package.appendingPathComponent("configs/patterns/success.yaml").path).status == 0)
        let events = (0..<1000).map { "{ at: \($0 * 50)ms, type: transient, intensity: 0.123456789, sharpness: 0.123456789 }" }
        for (text, words) in [
            ("name: bad\ntraks: []\n", "did you mean `tracks`"),
            (
                "name: large\nphases: [{ tracks: [{ events: [\(events.joined(separator: ",\n"))] }] }]\n",
                "too large to be sent along"
            ),
        ] {
            let ended = try daemon.ctl("play", daemon.folder.write("version: 1\n" + text, to: "pattern.yaml"))
            #expect(ended.status == 1)
            #expect(ended.errors.contains(words), "\(ended.errors)")
        }
    }

    @Test(
        "A clip that is larger than a line is played by the daemon and by --simulate",
        arguments: [(10, 493), (59, 4000), (30, 3300)])
    func largeClip(seconds: Int, points: Int) throws {
        // A busy machine may take longer to read it than feedback is of use.
        let daemon = try Daemon(configuration: "classes: { notification: { deadline: none }, interaction: { deadline: none } }\n")
        let clip = LargeClip.haptic(seconds: Double(seconds), points: points)
        let file = try daemon.folder.write(String(decoding: clip, as: UTF8.self), to: "rain.haptic")
        let played = try daemon.ctl("play", file, "--no-wait")
        #expect((played.status, played.errors) == (0, ""))
        #expect(try daemon.status().number("playbacks") == 1)
        let simulated = try daemon.ctl("play", file, "--simulate")
        #expect((simulated.status, simulated.errors) == (0, ""))
        #expect(simulated.output.contains("main: "))
    }

    @Test("Ctrl-C cancels the playback that `play` waits for, and releases a charge: its source goes back to 0")
    func interrupted() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.subscribe("playbacks", "decisions")
        let play = try daemon.start(["play", "--pattern", "alarm", "--repeat", "100"])
        _ = try watcher.notification("decision")
        play.signal(SIGINT)
        #expect(try watcher.notification("playback").text("ended") == "cancelled")
        #expect(try play.wait().status != 0)
        let charge = try daemon.start(["charge", "--tick", "50ms"])
        while try watcher.notification("decision").text("outcome") != "played" {}
        charge.signal(SIGINT)
        while try watcher.notification("decision").text("input") != "release" {}
        #expect(try charge.wait().status == 130)
        #expect(try watcher.result("progress", #"{"id":"charge","value":0.005}"#).text("reason") == "belowStep")
    }

    @Test("A stream of progress is played as it arrives, to its end")
    func stream() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.subscribe("decisions")
        let program = try daemon.start(["progress", "copy", "--stdin"])
        let rsync = "\r     1,000  50%   12.34MB/s    0:00:01"
        program.write(rsync)
        program.write("\r")
        #expect(try watcher.notification("decision").number("value") == 0.5)
        program.write("\r     2,000  100%   12.34MB/s    0:00:00\n")
        program.closeInput()
        #expect(try watcher.notification("decision").text("pattern") == "success")
        #expect(try program.wait().status == 0)
    }
}
