// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("The daemon among bad neighbours")
struct HapticdTests {
    @Test("A log that nobody reads stops neither the answers nor SIGTERM")
    func unreadLog() throws {
        let folder = try TemporaryFolder()
        let good = "version: 1\nactuators:\n  - name: main\n    backend: simulated\n"
        let file = try folder.write(good, to: "hapticd.yaml")
        let log = Pipe()
        let socket = folder.path("s")
        let program = try Program(
            "hapticd", ["--config", file, "--socket", socket], errors: log.fileHandleForWriting, in: folder)
        try wait(for: "the daemon to listen") { (try? Connection(to: socket)) != nil }
        let client = try Connection(to: socket)
        // Each reload logs 150 errors, so that these are more than a pipe and the queue hold.
        _ = try folder.write(good + (0..<150).map { "mistake\($0): 1\n" }.joined(), to: "hapticd.yaml")
        for _ in 0..<30 {
            program.signal(SIGHUP)
            #expect(try client.request("reload").errorMessage.contains("cannot be used"))
        }
        #expect(try client.result("profile").text("profile") == "full")
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        withExtendedLifetime(log) {}
    }

    @Test("A program whose standard descriptors are closed reads and writes none of its own files and sockets instead")
    func closedDescriptors() throws {
        let daemon = try Daemon()
        func shell(_ command: String) throws -> EndedProgram {
            try Program("/bin/sh", ["-c", "exec \(programs.path)/\(command)"], in: daemon.folder).wait()
        }
        #expect(try shell("hapticctl progress c --stdin --socket \(daemon.socket) <&-").status != 0)
        _ = try shell("hapticctl status --socket \(daemon.socket) >&-")
        #expect(try daemon.connect().result("status").number("invalidNotifications") == 0)
        let other = daemon.folder.path("other")
        let program = try Program(
            "/bin/sh", ["-c", "exec \(programs.path)/hapticd --simulate --socket \(other) 2>&-"], in: daemon.folder)
        try wait(for: "the daemon to listen") { (try? Connection(to: other)) != nil }
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other + ".lock")).isEmpty)
    }

    @Test("A signal that means nothing to the daemon does not end it")
    func straySignals() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        let real = (__libc_current_sigrtmin()...__libc_current_sigrtmax())
        for number in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXFSZ] + real {
            daemon.program.signal(number)
            #expect(try client.result("profile").text("profile") == "full", "after signal \(number)")
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("A link in a directory of patterns shows nobody what only the daemon may read")
    func linkedPattern() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret: [\n", to: "secret")
        try FileManager.default.createDirectory(atPath: folder.path("patterns"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.path("patterns/shown.yaml"), withDestinationPath: secret)
        let text = "version: 1\npatterns: [patterns]\nactuators:\n  - { name: main, backend: simulated }\n"
        let file = try folder.write(text, to: "hapticd.yaml")
        let ended = try Program("hapticd", ["--check", "--config", file], in: folder).wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("patterns/shown.yaml: cannot read the file: it is a symbolic link"), "\(ended.errors)")
        #expect(!ended.errors.contains("secret:"), "\(ended.errors)")
    }

    @Test("A line of the log has its time, its level, and the daemon's name once")
    func logLine() throws {
        let ended = try Daemon().stop()
        let line = try #require(ended.errors.split(separator: "\n").first { $0.contains("listens on") })
        #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ notice hapticd: .*/) != nil, "\(line)")
    }

    @Test("The answer to a reload names patterns where one has changed, and not where all are as they were")
    func reloadedPatterns() throws {
        let folder = try TemporaryFolder()
        func write(_ intensity: Double) throws {
            let pattern =
                "version: 1\nname: nudge\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: \(intensity) }] }]\n"
            _ = try folder.write(pattern, to: "patterns/nudge.yaml")
        }
        try FileManager.default.createDirectory(atPath: folder.path("patterns"), withIntermediateDirectories: false)
        try write(0.5)
        let file = try folder.write(
            "version: 1\npatterns: [patterns]\nactuators: [{ name: main, backend: simulated }]\n", to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        let client = try daemon.connect()
        #expect(try client.result("reload")["changed"] as? [String] == [])
        try write(0.6)
        #expect(try client.result("reload")["changed"] as? [String] == ["patterns"])
    }

    @Test("A reload that replaces actuators notifies their last off, and names what only a restart takes up")
    func replacedActuators() throws {
        let folder = try TemporaryFolder()
        let old = "version: 1\nactuators:\n  - { name: old, backend: simulated }\n"
        let file = try folder.write(old, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.request("subscribe", #"{"topics":["actuations"]}"#)
        try client.request("play", #"{"pattern":"ring","repeat":10}"#)
        #expect(try watcher.notification("actuation").number("intensity")! > 0)
        _ = try folder.write(
            old.replacingOccurrences(of: "old", with: "new") + "socket: { mode: \"0600\" }\n", to: "hapticd.yaml")
        let result = try client.result("reload")
        #expect(result["changed"] as? [String] == ["actuators"])
        #expect(result["needsRestart"] as? [String] == ["socket"])
        var last: [String: Any]
        repeat { last = try watcher.notification("actuation") } while last.number("intensity")! > 0
        #expect(last.text("actuator") == "old")
        #expect(try client.result("play", #"{"pattern":"soft","wait":true}"#).object("ending").text("ended") == "completed")
    }

    @Test("A client with costly lines does not keep the others waiting until all of them are done")
    func turns() throws {
        let daemon = try Daemon()
        let (greedy, witness) = (try daemon.connect(), try daemon.connect())
        let line = #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft","class":"alarm","steps":10000}}"#
        try greedy.send((0..<150).map { _ in line }.joined(separator: "\n"))
        _ = try greedy.readLine()
        // The greedy one's lines have been read by now, and only some of them done.
        let decided = try #require(witness.result("status")["decisions"] as? [[String: Any]])
        #expect(decided.reduce(0) { $0 + ($1.number("count") ?? 0) } < 150)
        for _ in 1..<150 { _ = try greedy.readLine() }
    }
}
