// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("What is measured, as a person and a collector see it")
struct MeasureTests {
    @Test("`latency` measures as often as it is asked, and draws both times or gives them as one object")
    func latency() throws {
        let daemon = try Daemon()
        let drawn = try daemon.ctl("latency", "--count", "3")
        #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn)")
        for word in ["ROUND TRIP", "FIRST ACTUATION of tick on main (simulated)", "p99.9", "worst"] {
            #expect(drawn.output.contains(word), "\(drawn.output)")
        }
        let json = try daemon.ctl("latency", "--count", "7", "--pattern", "soft", "--actuator", "main", "--json")
        #expect(json.status == 0 && json.objects.count == 1, "\(json)")
        let object = json.objects[0]
        #expect(object.text("actuator") == "main" && object.text("pattern") == "soft" && object.number("asked") == 7)
        let (round, first) = (object.object("roundTrip"), object.object("firstActuation"))
        #expect(round.number("count") == 7)
        // On a busy machine the executor may leave one out.
        #expect((first.number("count") ?? 0) + (object.number("unfelt") ?? 0) == 7)
        #expect(((object["suppressed"] as? [Any])?.count) == 0)
        for figures in [round, first] {
            let buckets = figures["buckets"] as? [[String: Any]] ?? []
            #expect(buckets.compactMap { $0.number("count") }.reduce(0, +) == figures.number("count"))
            let order = ["minNs", "p50Ns", "p90Ns", "p99Ns", "p999Ns", "maxNs"].compactMap { figures.number($0) }
            #expect(order.count == 6 && order == order.sorted())
            #expect((order[0] > 0) == (figures.number("count") != 0))
        }
        // What it did: a play to warm up and the measured ones, and as many that were not felt.
        let decisions = try daemon.connect().result("status")["decisions"] as? [[String: Any]] ?? []
        #expect(decisions.first { $0.text("outcome") == "played" }?.number("count") == 12)
        #expect(decisions.first { $0.text("reason") == "feedbackOff" }?.number("count") == 10)
    }

    @Test("Latency that cannot be measured gives an error that says why and what to do")
    func notMeasured() throws {
        let folder = try TemporaryFolder()
        let file = """
            version: 1
            actuators:
              - { name: main, backend: simulated }
              - { name: pad, backend: evdev, match: { name: "no such pad" } }
            """
        let daemon = try Daemon(["--config", folder.write(file, to: "hapticd.yaml")], simulate: false, in: folder)
        for (arguments, word) in [
            (["--actuator", "mian"], "did you mean `main`"), (["--pattern", "tikc"], "did you mean `tick`"),
            (["--actuator", "pad"], "pad is missing"),
        ] {
            let ended = try runCtl(["latency", "--socket", daemon.socket] + arguments)
            #expect(ended.status == 1 && ended.output.isEmpty && ended.errors.contains(word), "\(ended)")
        }
        _ = try daemon.ctl("profile", "silent")
        let silent = try daemon.ctl("latency")
        #expect(silent.status == 1 && silent.output.isEmpty && silent.errors.contains("hapticctl profile full"), "\(silent)")
        #expect(try runCtl(["latency", "--socket", "/tmp/no-such-hapticd.sock"]).status == 3)
    }

    @Test("Where no actuator is there, `latency` says that")
    func noActuator() throws {
        let folder = try TemporaryFolder()
        let file = "version: 1\nactuators:\n  - { name: pad, backend: evdev, match: { name: \"no such pad\" } }\n"
        let daemon = try Daemon(["--config", folder.write(file, to: "hapticd.yaml")], simulate: false, in: folder)
        let ended = try daemon.ctl("latency")
        #expect(ended.status == 1 && ended.errors.contains("hapticctl actuators"), "\(ended)")
    }

    @Test("Plays that something else takes the motor from are counted with the reason, and end it in the end")
    func suppressed() throws {
        let daemon = try Daemon()
        _ = try daemon.connect().result("play", #"{"pattern":"alarm","class":"alarm","repeat":100}"#)
        let ended = try daemon.ctl("latency", "--count", "20", "--json")
        #expect(ended.status == 1 && ended.errors.contains("lowerPriority"), "\(ended.errors)")
        let refusals = ended.objects.first?["suppressed"] as? [[String: Any]] ?? []
        #expect(refusals.count == 1 && refusals.first?.text("reason") == "lowerPriority", "\(ended.output)")
        #expect(refusals.first?.number("count") == 10)
    }

    @Test("Ctrl-C shows what `latency` has so far, and stops what it started")
    func interrupted() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["actuations"]}"#)
        let program = try Program(
            "hapticctl", ["latency", "--count", "10", "--pattern", "ring", "--socket", daemon.socket], in: daemon.folder)
        // The first is the one that warms up: with the second the measuring has begun.
        let first = try watcher.notification("actuation").number("playback")
        while try watcher.notification("actuation").number("playback") == first {}
        program.signal(SIGINT)
        let ended = try program.wait()
        #expect(ended.status == 130, "\(ended)")
        #expect(ended.output.contains("ROUND TRIP"), "\(ended)")
        #expect(try watcher.result("status").number("playbacks") == 0)
    }

    @Test(
        "`status` says what the executor asked for and was given, with a remedy for each refusal, also after a reload")
    func realtime() throws {
        let folder = try TemporaryFolder()
        func file(_ realtime: String) -> String {
            "version: 1\nrealtime: \(realtime)\nactuators:\n  - { name: main, backend: simulated }\n"
        }
        let path = try folder.write(file("{ priority: 41, lockMemory: false, cpu: 1023 }"), to: "hapticd.yaml")
        let daemon = try Daemon(["--config", path], simulate: false, in: folder)
        let asked = try daemon.ctl("status", "--json").objects[0].object("realtime")
        let granted = asked.object("granted")
        #expect(asked.number("priority") == 41 && asked.number("cpu") == 1023, "\(asked)")
        #expect(granted["lockMemory"] is NSNull && granted["cpu"] as? Bool == false, "\(asked)")
        // Whether it may have the priority is for the machine to say.
        let mayHavePriority = try #require(granted["priority"] as? Bool)
        let remedies = asked["remedies"] as? [String] ?? []
        #expect(remedies.count == (mayHavePriority ? 1 : 2) && remedies.last?.contains("realtime.cpu") == true, "\(remedies)")
        #expect(try daemon.ctl("status").output.contains("set realtime.cpu to one of those"))

        _ = try folder.write(file("{ priority: none, lockMemory: false }"), to: "hapticd.yaml")
        #expect(try daemon.ctl("reload").status == 0)
        try wait(for: "the next executor") {
            try daemon.ctl("status").output.contains("real time: not asked for")
        }
    }

    @Test("Metrics go to standard output or, as a whole, to a file that all may read")
    func prometheus() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("play", "--pattern", "soft").status == 0)
        let shown = try daemon.ctl("status", "--prometheus", "-")
        #expect(shown.status == 0 && shown.output.contains("\nhapticd_actuator_available{actuator=\"main\"} 1\n"), "\(shown)")
        let path = daemon.folder.path("hapticd.prom")
        let written = try daemon.ctl("status", "--prometheus", path)
        #expect(written.status == 0 && written.output.isEmpty && written.errors.isEmpty, "\(written)")
        let metrics = try String(contentsOfFile: path, encoding: .utf8)
        #expect(metrics.contains("\nhapticd_decisions_total{outcome=\"played\",reason=\"\"} 1\n"), "\(metrics)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
        let refused = try daemon.ctl("status", "--prometheus", daemon.folder.path("no/such/folder.prom"))
        #expect(refused.status == 1 && refused.errors.contains("make its directory first"), "\(refused)")
        #expect(try runCtl(["status", "--prometheus", path, "--socket", "/tmp/no-such-hapticd.sock"]).status == 3)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == metrics)
    }
}
