// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl, as a person uses it")
struct CtlTests {
    /// A row: arguments, the exit status, and a word that the error must hold.
    @Test(
        "Each mistake has its exit status and says what to do",
        arguments: [
            (["play", "--pattern", "soft", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"),
            (["status", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"),
            (["fly"], 2, "fly"),
            (["play"], 2, "hapticctl play soft"),
            (["play", "--pattern", "soft", "--steps", "0"], 2, "steps"),
            (["play", "--pattern", "soft", "--steps", "3", "--duration", "5"], 2, "5s"),
            (["play", "--pattern", "soft", "--steps", "3", "--duration", "-5ms"], 2, "duration"),
            (["play", "--pattern", "sofd", "--simulate"], 1, "did you mean `soft`"),
            (["progress", "a"], 2, "--stdin"),
            (["progress", "a", "1.5"], 2, "1"),
            (["event", ""], 2, "name"),
            (["cancel"], 2, "--all"), (["present", "a", "b", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"),
            (["hold", "pay", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"), (["hold", "pay", "--for", "3"], 2, "3s"),
            (["task", "a", "began", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"),
            (["task", "a", "ls"], 2, "behind `--`"), (["task", "a", "--", "/no/such/command"], 127, "/no/such/command"),
            (["check-config", "/no/such/file.yaml"], 1, "/no/such/file.yaml"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, word: String) throws {
        let ended = try runCtl(arguments)
        #expect(ended.status == status, "\(ended.errors)")
        #expect(ended.errors.contains(word), "\(ended.errors)")
        #expect(ended.output.isEmpty)
    }

    @Test("Each command has a help text, and `--version` gives a version")
    func help() throws {
        let top = try runCtl(["--help"])
        #expect(top.status == 0)
        let commands = [
            "play", "progress", "release", "event", "charge", "present", "hold", "task", "cancel", "prepare", "profile", "reload",
            "status", "actuators",
            "patterns", "render", "monitor", "latency", "check-config", "why", "doctor", "report",
        ]
        for command in commands {
            #expect(top.output.contains(command))
            let help = try runCtl([command, "--help"])
            #expect(help.status == 0 && help.output.contains("hapticctl \(command)"), "\(command) gives an example")
        }
        #expect(try runCtl(["--version"]).output.contains("."))
    }

    @Test("Every command works against a daemon, with `--json` one JSON text a line")
    func commands() throws {
        let daemon = try Daemon()
        let all: [[String]] = [
            ["play", "--pattern", "soft", "--steps", "5", "--duration", "50ms"], ["play", "--pattern", "soft", "--no-wait"],
            ["progress", "copy", "0.5"], ["progress", "copy", "60%"], ["release", "copy"], ["event", "payment.succeeded"],
            ["event", "sync.state", "--id", "a", "--value", "failed"], ["cancel", "--all"], ["cancel", "copy"],
            ["present", "cart.items", "a", "b"], ["task", "copy", "began"], ["task", "copy", "succeeded"],
            ["prepare", "soft", "success"], ["profile"], ["profile", "quiet"], ["profile", "full"], ["status"], ["actuators"],
            ["patterns"], ["patterns", "soft"], ["render", "soft"], ["latency", "--count", "2"],
        ]
        for arguments in all {
            for json in [false, true] {
                let program = try Program(
                    "hapticctl", arguments + (json ? ["--json"] : []) + ["--socket", daemon.socket], in: daemon.folder)
                program.closeInput()
                let ended = try program.wait()
                #expect(ended.status == 0, "\(arguments): \(ended.errors)")
                #expect(!ended.output.isEmpty, "\(arguments) says something")
                if json {
                    #expect(ended.objects.allSatisfy { $0["schema"] as? Int == 1 }, "\(arguments): \(ended.output)")
                    #expect(ended.output.hasPrefix(#"{"schema":1,"#))
                }
            }
        }
    }

    @Test("The example of an event with a value is felt with the built-in rules, and felt again once it changes")
    func eventExample() throws {
        let daemon = try Daemon()
        let help = try runCtl(["event", "--help"]).output
        #expect(help.contains("hapticctl event battery.warning --id laptop --value 10"), "\(help)")
        for (value, isFelt) in [("10", true), ("10", false), ("5", true)] {
            let ended = try daemon.ctl("event", "battery.warning", "--id", "laptop", "--value", value)
            #expect(ended.output.contains("not felt") != isFelt, "\(ended)")
            try wait(for: "silence") { try daemon.ctl("status", "--json").objects[0].number("playbacks") == 0 }
        }
    }

    @Test("A built-in pattern and one of the daemon's files are listed and drawn, also where both have one name")
    func onePattern() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("own"), withIntermediateDirectories: false)
        let tap = "version: 1\nname: NAME\ntracks:\n  - events:\n      - { at: 0ms, type: transient, intensity: 0.8 }\n"
        for name in ["knock", "error"] {
            _ = try folder.write(tap.replacingOccurrences(of: "NAME", with: name), to: "own/\(name).yaml")
        }
        let file = "version: 1\npatterns: [own]\nactuators:\n  - { name: main, backend: simulated }\n"
        let daemon = try Daemon(["--config", folder.write(file, to: "hapticd.yaml")], in: folder)
        for (name, mark) in [("success", "100 ms"), ("knock", "4 ms"), ("error", "4 ms")] {
            let ended = try daemon.ctl("patterns", name)
            #expect(ended.status == 0 && ended.output.contains("\n\(name) "), "\(ended)")
            #expect(ended.output.contains("Digits: how sharp") && ended.output.contains(" \(mark)"), "\(ended)")
        }
        let list = try daemon.ctl("patterns").output.split(separator: "\n")
        let knock = try #require(list.first { $0.hasPrefix("knock ") })
        #expect(list.count == 37 && ["▆▆▆▆▆▆▆▆▆▆", "**********"].contains { knock.contains($0) }, "\(knock)")
        #expect(try daemon.ctl("patterns", "success", "--json").objects.count == 1)
        // What is built in needs no daemon, and what is not is asked of it.
        #expect(try runCtl(["render", "error"]).output.contains("felt for 480 ms"))
        #expect(try daemon.ctl("render", "knock").output.contains("felt for 8 ms, at most 80%"))
        #expect(try daemon.ctl("render", "knok").errors.contains("did you mean `knock`"))
        #expect(try runCtl(["render", "knock", "--socket", folder.path("none.sock")]).status == 3)
        #expect(try daemon.ctl("actuators").output.contains("ready"))
    }

    @Test("`render` writes an SVG as a whole: a new file, or in place of one, and never through a link")
    func render() throws {
        let folder = try TemporaryFolder()
        let shown = try runCtl(["render", "success", "-o", "-"], in: folder)
        #expect(shown.status == 0 && shown.output.hasPrefix("<svg ") && shown.output.hasSuffix("</svg>\n"), "\(shown)")
        for _ in 1...2 {
            let written = try runCtl(["render", "success", "-o", folder.path("s.svg")], in: folder)
            #expect(written.status == 0 && written.output.isEmpty && written.errors.isEmpty, "\(written)")
            #expect(try String(contentsOfFile: folder.path("s.svg"), encoding: .utf8) == shown.output)
            _ = try folder.write("another", to: "s.svg")
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.svg"), withDestinationPath: "s.svg")
        #expect(try runCtl(["render", "success", "-o", folder.path("link.svg")], in: folder).errors.contains("symbolic link"))
        #expect(try String(contentsOfFile: folder.path("s.svg"), encoding: .utf8) == "another")
        let file = package.appendingPathComponent("configs/patterns/ring.yaml").path
        let points = try runCtl(["render", file, "--json"], in: folder).objects
        #expect(points.count == 1 && points[0].text("name") == "ring" && points[0]["outline"] is [Any], "\(points)")
    }

    @Test("`render`, `lint` and `try` ask the running daemon how its actuator's motor moves, and else say what to do")
    func motorOfTheDaemon() throws {
        let folder = try TemporaryFolder()
        let file = """
            version: 1
            actuators:
              - { name: main, backend: simulated, variesIntensity: false, motor: coin }
              - { name: plain, backend: simulated, motor: coin, fit: off }
              - { name: other, backend: simulated }

            """
        let config = try folder.write(file, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", config], in: folder)
        for name in ["main", "plain"] {
            let asked = try daemon.ctl("render", "success", "--actuator", name, "--json")
            let read = try runCtl(["render", "success", "--actuator", name, "--config", config, "--json"], in: folder)
            #expect(asked.status == 0 && asked.output == read.output, "\(asked) and \(read)")
        }
        let listed = try daemon.ctl("actuators").output
        for words in ["coin, fitted", "coin, not fitted", "not known"] { #expect(listed.contains(words), "\(listed)") }
        // So faint that it is off where there is nothing between off and on.
        let linted = try daemon.ctl("lint", "frequentTick", "--actuator", "main")
        #expect(linted.output.contains("on main: "), "\(linted)")
        for command in [["render", "soft"], ["lint", "soft"], ["try", config]] {
            let unknown = try runCtl(command + ["--actuator", "mian", "--socket", daemon.socket], in: folder)
            #expect(unknown.status == 1 && unknown.errors.contains("did you mean `main`"), "\(unknown)")
            let silent = try runCtl(command + ["--actuator", "other", "--socket", daemon.socket], in: folder)
            #expect(silent.status == 1 && silent.errors.contains("`hapticctl tune other`"), "\(silent)")
            let nobody = try runCtl(command + ["--actuator", "main", "--socket", folder.path("none.sock")], in: folder)
            #expect(nobody.status == 3 && nobody.errors.contains("--config") && nobody.errors.contains("none.sock"), "\(nobody)")
        }
    }

    @Test("An input that is not felt ends with status 1, and the reason in words")
    func refused() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("profile", "silent").status == 0)
        let ended = try daemon.ctl("play", "--pattern", "soft")
        #expect(ended.status == 1)
        #expect(ended.errors.contains("silent"), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
    }

    @Test("With `--json` an error leaves standard output empty, and is one line on standard error")
    func refusedAsJSON() throws {
        let daemon = try Daemon()
        for arguments in [["play", "--pattern", "sofd"], ["prepare", "sofd"], ["patterns", "sofd"]] {
            let ended = try runCtl(arguments + ["--json", "--socket", daemon.socket])
            #expect(ended.status == 1 && ended.output.isEmpty, "\(ended)")
            #expect(ended.errors.contains("`soft`"), "\(ended.errors)")
            #expect(try ended.error().text("code") == "unknownName")
            let isKnownHere = arguments[0] == "patterns"
            #expect(try ended.error()["number"] as? Int == (isKnownHere ? nil : -32602), "\(ended.errors)")
        }
        // What is decided is shown, also where it comes to nothing.
        _ = try daemon.ctl("profile", "silent")
        let ended = try daemon.ctl("play", "--pattern", "soft", "--json")
        #expect(ended.status == 1 && ended.objects.map { $0.object("decision").text("reason") } == ["profile"], "\(ended)")
        #expect(try ended.error().text("code") == "notFelt")
        // What the parser says, and that nobody is there.
        for (arguments, code, status) in [
            (["play", "--stps", "3"], "usage", 2), (["status", "--socket", "/no/such"], "noDaemon", 3),
        ] {
            let ended = try runCtl(["--json"] + arguments)
            #expect(try ended.error().text("code") == code && ended.status == Int32(status) && ended.output.isEmpty, "\(ended)")
        }
        let stream = try daemon.ctl("progress", "up", "--stdin", "--json", input: "none\n0.5\n")
        #expect(stream.status == 0)
        let warning = try JSONSerialization.jsonObject(with: Data(stream.errors.utf8)) as? [String: Any]
        #expect(
            warning?.number("schema") == 1 && warning?.object("warning").text("message")?.contains("1 record") == true,
            "\(stream)"
        )
    }

    @Test("A reload of a bad configuration fails, and shows each error once")
    func refusedReload() throws {
        let folder = try TemporaryFolder()
        let good = "version: 1\nactuators:\n  - { name: main, backend: simulated }\n"
        let daemon = try Daemon(["--config", folder.write(good, to: "hapticd.yaml")], in: folder)
        _ = try folder.write(good + "progres: []\nevent: []\n", to: "hapticd.yaml")
        let ended = try daemon.ctl("reload")
        #expect(ended.status == 1 && ended.output.isEmpty)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(ended.errors)")
        #expect(lines.count { $0.contains("did you mean `progress`") } == 1)

        let json = try daemon.ctl("reload", "--json")
        let checked = try runCtl(["check-config", "--json", folder.path("hapticd.yaml")])
        #expect(json.status == 1 && json.output == checked.output && json.objects.count == 2, "\(json)")
        #expect(json.errors.split(separator: "\n").count == 1, "\(json.errors)")
    }

    @Test("A terminal gets a progress bar while something plays; a pipe, and a program that wants JSON, do not")
    func progressBar() throws {
        let daemon = try Daemon()
        let play = ["play", "--pattern", "soft", "--steps", "10", "--duration", "600ms", "--socket", daemon.socket]
        for (arguments, isDrawn) in [(play, true), (play + ["--json"], false)] {
            let terminal = try PseudoTerminal()
            let program = try Program(
                "hapticctl", arguments, environment: ["TERM": "xterm", "LANG": "C.UTF-8", "COLUMNS": "60"],
                errors: terminal.terminal, in: daemon.folder)
            #expect(try program.wait().status == 0)
            let drawn = terminal.written()
            #expect(drawn.contains("soft ×10  ━") == isDrawn && drawn.contains("%") == isDrawn, "\(drawn)")
            #expect(drawn.isEmpty || drawn.hasSuffix("\r\u{1b}[K"), "it is gone at the end")
        }
        let piped = try runCtl(play)
        #expect(piped.status == 0 && piped.errors.isEmpty, "\(piped.errors)")
    }

    @Test("A pattern file is played, and its mistakes are shown with line and column")
    func patternFile() throws {
        let daemon = try Daemon()
        let good = package.appendingPathComponent("configs/patterns/success.yaml").path
        #expect(try daemon.ctl("play", "--pattern", good).status == 0)
        let bad = try daemon.folder.write("version: 1\nname: bad\ntraks: []\n", to: "bad.yaml")
        let ended = try daemon.ctl("play", "--pattern", bad)
        #expect(ended.status == 1)
        #expect(ended.errors.contains("3:1") && ended.errors.contains("did you mean `tracks`"), "\(ended.errors)")
    }

    @Test("Ctrl-C while waiting cancels what was started")
    func interrupted() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["playbacks","decisions"]}"#)
        let play = try Program(
            "hapticctl", ["play", "--pattern", "alarm", "--repeat", "100", "--socket", daemon.socket], in: daemon.folder)
        _ = try watcher.notification("decision")
        play.signal(SIGINT)
        let ending = try watcher.notification("playback")
        #expect(ending.text("ended") == "cancelled")
        #expect(try play.wait().status != 0)
    }

    @Test("Ctrl-C lets go of a charge: its source goes back to 0")
    func interruptedCharge() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        let charge = try Program("hapticctl", ["charge", "--tick", "50ms", "--socket", daemon.socket], in: daemon.folder)
        while try watcher.notification("decision").text("outcome") != "played" {}
        charge.signal(SIGINT)
        while try watcher.notification("decision").text("input") != "release" {}
        #expect(try charge.wait().status == 130)
        #expect(try watcher.result("progress", #"{"id":"charge","value":0.005}"#).text("reason") == "belowStep")
    }

    @Test(
        "A stream of progress is felt as it goes, whatever wrote it",
        arguments: [
            ("pv -n", ["--max", "100"], (1...100).map { "\($0)\n" }.joined()),
            (
                "rsync --info=progress2", [],
                (0...50).map { "\r     \($0 * 1000),000  \($0 * 2)%   12.34MB/s    0:00:0\($0 % 10)" }.joined() + "\n"
            ),
            ("fractions", [], (1...100).map { "\(Double($0) / 100)\n" }.joined()),
        ])
    func streams(what: String, arguments: [String], input: String) throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        let program = try Program(
            "hapticctl", ["progress", "copy", "--stdin", "--socket", daemon.socket] + arguments, in: daemon.folder)
        program.write(input)
        program.closeInput()
        let ended = try program.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        var played = 0
        while true {
            let decision = try watcher.notification("decision")
            if decision.text("outcome") == "played" { played += 1 }
            if decision.number("value") == 1 { break }
        }
        #expect(played > 0, "\(what) is felt")
    }

    @Test("`check-config` shows all errors at once, and accepts what we ship")
    func checkConfig() throws {
        let folder = try TemporaryFolder()
        let good = package.appendingPathComponent("configs/hapticd.yaml").path
        #expect(try runCtl(["check-config", good]).status == 0)
        let bad = try folder.write("version: 1\nprogress:\n  - match: \"*\"\n    step: 3\n    patern: soft\n", to: "bad.yaml")
        let ended = try runCtl(["check-config", bad])
        #expect(ended.status == 1)
        let said = ended.output + ended.errors
        #expect(ended.errors.hasSuffix("\n3 errors\n"), "\(ended.errors)")
        let board = try folder.write(
            "version: 1\nactuators:\n  - { name: main, backend: simulated }\n  - { name: light, backend: led, led: red }\n",
            to: "board.yaml")
        let checked = try runCtl(["check-config", board])
        #expect(checked.status == 0 && checked.output.contains("1 collection, 1 task rule, 1 hold, "), "\(checked)")
        #expect(said.contains("4:11") && said.contains("5:5") && said.contains("did you mean `pattern`"), "\(said)")
        #expect(said.contains("  4 |     step: 3\n    |           ^\n"), "\(said)")
    }
}
