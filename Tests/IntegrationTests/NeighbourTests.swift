// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("The daemon among bad neighbours", .ownThreads)
struct NeighbourTests {
    @Test("A log that nobody reads stops neither the answers nor SIGTERM")
    func unreadLog() throws {
        let folder = try TemporaryFolder()
        let (log, socket) = (Pipe(), folder.path("s"))
        let program = try Program(
            "hapticd", ["--config", folder.configure(), "--socket", socket], errors: log.fileHandleForWriting, in: folder)
        try program.waitUntilListening(at: socket)
        let client = try Connection(to: socket)
        // Each reload logs 150 errors: together more than a pipe and the queue can hold.
        try folder.configure((0..<150).map { "mistake\($0): 1\n" }.joined())
        for _ in 0..<20 { #expect(try client.request("reload").errorMessage.contains("cannot be used")) }
        #expect(try client.result("status").text("profile") == "full")
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        withExtendedLifetime(log) {}
    }

    @Test("A program whose standard descriptors are closed reads and writes none of its own files and sockets instead")
    func closedDescriptors() throws {
        let daemon = try Daemon()
        func shell(_ command: String) throws -> Program {
            try Program("/bin/sh", ["-c", "exec \(programs.path)/\(command)"], in: daemon.folder)
        }
        #expect(try shell("hapticctl progress c --stdin --socket \(daemon.socket) <&-").wait().status != 0)
        try shell("hapticctl status --socket \(daemon.socket) >&-").wait()
        #expect(try daemon.status().number("invalidNotifications") == 0)
        let other = daemon.folder.path("other")
        let program = try shell("hapticd --simulate --socket \(other) 2>&-")
        try program.waitUntilListening(at: other)
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other + ".lock")).isEmpty)
    }

    @Test("Without descriptors the daemon rests, and accepts again as soon as there are some")
    func descriptors() throws {
        let daemon = try Daemon(through: ["/bin/sh", "-c", #"ulimit -n 40; exec "$@""#, "sh"])
        func processorTime() throws -> Int {
            let stat = try String(contentsOfFile: "/proc/\(daemon.program.processIdentifier)/stat", encoding: .utf8)
            let fields = stat.split(separator: " ")
            return Int(fields[13])! + Int(fields[14])!
        }
        let before = try processorTime()
        var waiting = try (0..<60).map { _ in try daemon.connect() }
        // The last client is refused after all others, which keep the descriptors for a second, 27 at a time.
        #expect(try waiting.last?.readObject().errorCode == -32000)
        // In hundredths of a second; 200 were measured. How much a served client costs depends on the machine.
        if isNightly { #expect(try processorTime() - before < 60) }
        waiting.removeAll()
        try wait(for: "a client to be served") { (try? daemon.status()) != nil }
    }

    @Test("A simulated actuator that fails is lost, reported, and used again when it works or a reload mends it")
    func lostActuator() throws {
        let folder = try TemporaryFolder()
        func actuators(_ faults: String) -> String { "[{ name: main, backend: simulated, faults: { \(faults) } }]" }
        let daemon = try Daemon(configuration: "", actuators: actuators("failAfter: 4, recoverAfter: 3600s"), in: folder)
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.subscribe("actuations", "actuators")
        let long = #"{"pattern":"soft","steps":20,"wait":true}"#
        #expect(try client.result("play", long).object("ending").text("reason") == "deviceLost")
        var methods: [String] = []
        repeat { methods.append(try watcher.readObject().text("method") ?? "") } while methods.last != "actuator"
        #expect(methods.count > 1, "its actuations are notified before its loss")
        #expect(try client.result("play", #"{"pattern":"soft"}"#).object("decision").text("reason") == "deviceLost")
        try folder.configure(actuators: actuators("failAfter: 4, recoverAfter: 1ms"))
        #expect(try client.result("reload")["changed"] as? [String] == ["actuators"])
        try wait(for: "its next loss") { try client.result("play", long).object("ending").text("reason") == "deviceLost" }
        try wait(for: "it to be used again") {
            try client.result("play", #"{"pattern":"soft"}"#).object("decision").text("outcome") == "played"
        }
        for state in [false, true] { while try watcher.notification("actuator")["available"] as? Bool != state {} }
        try folder.configure()
        #expect(try client.result("reload")["changed"] as? [String] == ["actuators"])
        #expect(try client.result("play", long).object("ending").text("ended") == "completed")
    }

    @Test("Without the privileges for real time the daemon runs on, logs the remedies once, and `status` shows them")
    func noRealtime() throws {
        let noLimits = ["/usr/bin/prlimit", "--rtprio=0:0", "--memlock=65536:65536"]
        // Only root has these privileges, and may drop them.
        let noCapabilities = ["/usr/bin/setpriv", "--bounding-set", "-sys_nice,-ipc_lock,-sys_resource"]
        let folder = try TemporaryFolder()
        let daemon = try Daemon(
            ["--config", folder.configure()], simulate: false, through: noLimits + (geteuid() == 0 ? noCapabilities : []),
            in: folder)
        let client = try daemon.connect()
        #expect(try client.result("play", #"{"pattern":"soft"}"#).object("decision").text("outcome") == "played")
        let realtime = try client.result("status").object("realtime")
        #expect(realtime.object("granted")["priority"] as? Bool == false)
        #expect(realtime.object("granted")["lockMemory"] as? Bool == false)
        let remedies = realtime["remedies"] as? [String] ?? []
        #expect(remedies.count == 2)
        for (remedy, limit) in zip(remedies, ["LimitRTPRIO=", "LimitMEMLOCK=infinity"]) {
            #expect(remedy.contains(limit))
            #expect(try daemon.ctl("status").output.contains(remedy))
            #expect(daemon.program.errors.components(separatedBy: remedy).count == 2, "\(daemon.program.errors)")
        }
        // After a reload the daemon asks for the processor in the new file, and is refused because there is none.
        try folder.configure("realtime: { priority: none, lockMemory: false, cpu: 1023 }")
        _ = try client.result("reload")
        try wait(for: "the next executor") {
            let realtime = try client.result("status").object("realtime")
            return realtime.object("granted")["cpu"] as? Bool == false && realtime["priority"] is NSNull
        }
    }

    @Test("At the default level nothing is logged of clients, events, playbacks and bad lines")
    func quietLog() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        try daemon.wait(toLog: "listens on")
        let before = daemon.program.errors
        for number in 1...10 {
            let other = try daemon.connect()
            try other.request("event", #"{"name":"payment.succeeded"}"#)
            try other.request("progress", #"{"id":"a\#(number)","value":0.5}"#)
            try other.request("progress", #"{"value":7}"#)
            try other.send("no JSON")
            _ = try other.readLine()
        }
        try client.result("play", #"{"pattern":"soft","class":"alarm","wait":true}"#)
        #expect(daemon.program.errors == before)
        let after = try daemon.stop().errors.dropFirst(before.count)
        #expect(after.split(separator: "\n").count == 1, "that it stops: \(after)")
    }

    @Test("From debug on each decision and each ending is one line, whatever a client calls itself")
    func debugLog() throws {
        let daemon = try Daemon(["--log-level", "debug"])
        let client = try daemon.connect()
        let forged = #"x\n2026-11-21T06:30:36Z critical hapticd: forged"#
        // A value may contain the end of a line; ids and names may not.
        try client.request("event", #"{"name":"nobody.knows","value":"\#(forged)\u001b[2J"}"#)
        try client.result("play", #"{"pattern":"soft","class":"alarm","wait":true}"#)
        _ = try daemon.stop()
        let texts = daemon.logged(" debug hapticd: ").map { $0.split(separator: " ", maxSplits: 3).last ?? "" }
        #expect(texts.contains(#"event nobody.knows \#(forged)\u{1b}[2J: suppressed, noRule"#), "\(texts)")
        #expect(texts.contains { $0.hasPrefix("play: played, soft at ") }, "\(texts)")
        #expect(texts.count { $0.hasPrefix("playback ") && $0.contains(": ") } == 1, "\(texts)")
        #expect(!daemon.program.errors.split(separator: "\n").contains { $0.hasPrefix("2026-11-21T06:30:36Z critical") })
    }
}
