// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl, as a person uses it")
struct CtlTests {
    @Test("`play --steps 75 --simulate` shows exactly 75 pulses, each followed by its off")
    func simulatedPlay() throws {
        let outcome = try runCtl(["play", "--pattern", "soft", "--steps", "75", "--simulate", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        var counter = PulseCounter()
        for actuation in outcome.objects.map({ $0.object("actuation") }) where !actuation.isEmpty { counter.add(actuation) }
        #expect(counter.pulses == 75)
        #expect(counter.endsOff)
    }

    @Test("A change of level followed by a steady stretch is played to its end by `--simulate`")
    func steadyStretch() throws {
        let folder = try TemporaryFolder()
        let points = [(0, 0.5), (120, 1.0), (500, 0.0)].map { "{ at: \($0.0)ms, intensity: \($0.1), curve: step }" }
        let text = "version: 1\nname: hold\ntracks:\n  - keyframes: [\(points.joined(separator: ", "))]\n"
        let path = try folder.write(text, to: "hold.yaml")
        let outcome = try runCtl(["play", "--pattern", path, "--simulate", "--json"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        let actuations = outcome.objects.map { $0.object("actuation") }.filter { !$0.isEmpty }
        #expect(actuations.map { $0.number("plannedNs") } == [0, 120e6, 500e6], "\(outcome.output)")
    }

    @Test("`charge --simulate` shows 77 played decisions at their exact times")
    func simulatedCharge() throws {
        let outcome = try runCtl(["charge", "--simulate", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let played = outcome.objects.map { $0.object("decision") }.filter { $0.text("outcome") == "played" }
        // Every 10 ms `progress += increment; increment += acceleration`; fires when a step has been gained.
        var (progress, increment, last) = (0.0, 0.0007, 0.0)
        var expected: [Double] = []
        for tick in 1...160 {
            progress = min(1, progress + increment)
            increment += 0.00007
            if progress - last >= 0.01 - 1e-9 || progress == 1 {
                expected.append(Double(tick) * 10)
                last = progress
            }
        }
        #expect(expected.count == 77)
        #expect(played.count == 77)
        for (decision, milliseconds) in zip(played, expected) {
            #expect(abs(decision.number("atNs")! / 1e6 - milliseconds) < 1)
        }
    }

    @Test(
        "The charge in other steps and modes fires as often as the reference says",
        arguments: [
            ("0.005", "relative", 122), ("0.02", "relative", 43), ("0.01", "grid", 97), ("0.005", "grid", 133),
            ("0.02", "grid", 50),
        ])
    func chargeVectors(step: String, mode: String, count: Int) throws {
        let outcome = try runCtl(["charge", "--step", step, "--mode", mode, "--simulate", "--json"])
        #expect(outcome.objects.count { $0.object("decision").text("outcome") == "played" } == count, "\(outcome.errors)")
    }

    @Test("Letting go at 0.6 falls back without a pulse on the way and without completion")
    func releaseAt() throws {
        let outcome = try runCtl(["charge", "--release-at", "0.6", "--simulate", "--json"])
        let decisions = outcome.objects.map { $0.object("decision") }.filter { !$0.isEmpty }
        #expect(decisions.last?.text("reason") == "released")
        #expect(!decisions.contains { $0.text("pattern") == "success" })
    }

    /// A row: arguments, the exit status, and a word that the error must hold.
    @Test(
        "Each mistake has its exit status and says what to do",
        arguments: [
            (["play", "--pattern", "soft", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"),
            (["status", "--socket", "/tmp/no-such-hapticd.sock"], 3, "hapticd"),
            (["fly"], 2, "fly"),
            (["play"], 2, "--pattern"),
            (["play", "--pattern", "soft", "--steps", "0"], 2, "steps"),
            (["play", "--pattern", "soft", "--steps", "3", "--duration", "5"], 2, "5s"),
            (["play", "--pattern", "soft", "--steps", "3", "--duration", "-5ms"], 2, "duration"),
            (["play", "--pattern", "sofd", "--simulate"], 1, "did you mean `soft`"),
            (["progress", "a"], 2, "--stdin"),
            (["progress", "a", "1.5"], 2, "1"),
            (["event", ""], 2, "name"),
            (["cancel"], 2, "--all"),
            (["check-config", "/no/such/file.yaml"], 1, "/no/such/file.yaml"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, word: String) throws {
        let outcome = try runCtl(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("Each command has a help text, and `--version` gives a version")
    func help() throws {
        let top = try runCtl(["--help"])
        #expect(top.status == 0)
        let commands = [
            "play", "progress", "release", "event", "charge", "cancel", "prepare", "profile", "reload", "status", "actuators",
            "patterns", "monitor", "latency", "check-config",
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
            ["prepare", "soft", "success"], ["profile"], ["profile", "quiet"], ["profile", "full"], ["status"], ["actuators"],
            ["patterns"], ["patterns", "soft"], ["latency", "--count", "2"],
        ]
        for arguments in all {
            for json in [false, true] {
                let program = try Program(
                    "hapticctl", arguments + (json ? ["--json"] : []) + ["--socket", daemon.socket], in: daemon.folder)
                program.closeInput()
                let outcome = try program.wait()
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                #expect(!outcome.output.isEmpty, "\(arguments) says something")
                if json { #expect(outcome.objects.allSatisfy { !$0.isEmpty }, "\(arguments): \(outcome.output)") }
            }
        }
    }

    @Test("The example of an event with a value is felt with the built-in rules, and felt again once it changes")
    func eventExample() throws {
        let daemon = try Daemon()
        let help = try runCtl(["event", "--help"]).output
        #expect(help.contains("hapticctl event battery.warning --id laptop --value 10"), "\(help)")
        for (value, isFelt) in [("10", true), ("10", false), ("5", true)] {
            let outcome = try daemon.ctl("event", "battery.warning", "--id", "laptop", "--value", value)
            #expect(outcome.output.contains("not felt") != isFelt, "\(outcome)")
            try wait(for: "silence") { try daemon.ctl("status", "--json").objects[0].number("playbacks") == 0 }
        }
    }

    @Test("One built-in pattern is listed and drawn; one of the daemon's files is listed, with how to draw it")
    func onePattern() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("own"), withIntermediateDirectories: false)
        let tap = "version: 1\nname: NAME\ntracks:\n  - events:\n      - { at: 0ms, type: transient, intensity: 0.8 }\n"
        for name in ["knock", "error"] {
            _ = try folder.write(tap.replacingOccurrences(of: "NAME", with: name), to: "own/\(name).yaml")
        }
        let file = "version: 1\npatterns: [own]\nactuators:\n  - { name: main, backend: simulated }\n"
        let daemon = try Daemon(["--config", folder.write(file, to: "hapticd.yaml")], in: folder)
        for (name, isDrawn) in [("success", true), ("knock", false), ("error", false)] {
            let outcome = try daemon.ctl("patterns", name)
            #expect(outcome.status == 0 && outcome.output.contains("\n\(name) "), "\(outcome)")
            #expect(outcome.output.contains("Digits: how many pulses") == isDrawn, "\(outcome)")
            #expect(outcome.output.contains("--simulate") != isDrawn, "\(outcome)")
        }
        #expect(try daemon.ctl("patterns", "success", "--json").objects.count == 1)
        #expect(try daemon.ctl("actuators").output.contains("ready"))
    }

    @Test("An input that is not felt ends with status 1, and the reason in words")
    func refused() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("profile", "silent").status == 0)
        let outcome = try daemon.ctl("play", "--pattern", "soft")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("silent"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("With `--json` an error leaves standard output empty, and is one line on standard error")
    func refusedAsJSON() throws {
        let daemon = try Daemon()
        for arguments in [["play", "--pattern", "sofd"], ["prepare", "sofd"], ["patterns", "sofd"]] {
            let outcome = try runCtl(arguments + ["--json", "--socket", daemon.socket])
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("`soft`"), "\(outcome.errors)")
        }
        // What is decided is told, also where it comes to nothing.
        _ = try daemon.ctl("profile", "silent")
        let outcome = try daemon.ctl("play", "--pattern", "soft", "--json")
        #expect(outcome.status == 1 && outcome.objects.map { $0.object("decision").text("reason") } == ["profile"], "\(outcome)")
    }

    @Test("A reload of a bad configuration fails, and shows each error once")
    func refusedReload() throws {
        let folder = try TemporaryFolder()
        let good = "version: 1\nactuators:\n  - { name: main, backend: simulated }\n"
        let daemon = try Daemon(["--config", folder.write(good, to: "hapticd.yaml")], in: folder)
        _ = try folder.write(good + "progres: []\nevent: []\n", to: "hapticd.yaml")
        let outcome = try daemon.ctl("reload")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.errors)")
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
        let outcome = try daemon.ctl("play", "--pattern", bad)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("3:1") && outcome.errors.contains("did you mean `tracks`"), "\(outcome.errors)")
    }

    @Test("The monitor shows what happens, as it happens")
    func monitor() throws {
        let daemon = try Daemon()
        let monitor = try Program(
            "hapticctl", ["monitor", "--json", "--playbacks", "1", "--socket", daemon.socket], in: daemon.folder)
        try wait(for: "the monitor to be shown something") {
            _ = try daemon.ctl("progress", "probe", "0.001")
            return monitor.output.contains("belowStep")
        }
        #expect(try daemon.ctl("play", "--pattern", "soft", "--steps", "3", "--duration", "60ms").status == 0)
        let outcome = try monitor.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let kinds = Set(outcome.objects.flatMap(\.keys))
        #expect(kinds.isSuperset(of: ["decision", "playback", "actuation"]))
        var counter = PulseCounter()
        for actuation in outcome.objects.map({ $0.object("actuation") }) where !actuation.isEmpty { counter.add(actuation) }
        // On a busy machine some may come too late, and are left out and counted.
        let status = try daemon.ctl("status", "--json")
        let missed = try #require(status.objects.first?.number("missedActuations"))
        #expect(counter.pulses + Int(missed) == 3)
    }

    @Test(
        "The monitor shows people a completed playback only where they ask for playbacks",
        arguments: [([], false), (["--topics", "decisions,playbacks"], true)])
    func monitorOfCompletions(arguments: [String], isTold: Bool) throws {
        let daemon = try Daemon()
        let monitor = try Program(
            "hapticctl", ["monitor", "--playbacks", "1", "--socket", daemon.socket] + arguments, in: daemon.folder)
        try wait(for: "the monitor to be there") {
            try daemon.ctl("status", "--json").objects[0].number("subscribers") == 1
        }
        _ = try daemon.ctl("play", "--pattern", "soft")
        let outcome = try monitor.wait()
        #expect(outcome.output.contains("felt: soft"), "\(outcome)")
        #expect(outcome.output.contains("completed") == isTold, "\(outcome)")
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
        let outcome = try program.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
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
        let outcome = try runCtl(["check-config", bad])
        #expect(outcome.status == 1)
        let said = outcome.output + outcome.errors
        #expect(outcome.errors.hasSuffix("\n3 errors\n"), "\(outcome.errors)")
        let board = try folder.write(
            "version: 1\nactuators:\n  - { name: main, backend: simulated }\n  - { name: light, backend: led, led: red }\n",
            to: "board.yaml")
        #expect(try runCtl(["check-config", board]).status == 0)
        #expect(said.contains("4:11") && said.contains("5:5") && said.contains("did you mean `pattern`"), "\(said)")
    }
}
