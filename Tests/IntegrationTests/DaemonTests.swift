// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("The daemon on its socket", .ownThreads)
struct DaemonTests {
    @Test("75 steps reach a subscriber as 75 pulses, and end off")
    func play() throws {
        let daemon = try Daemon()
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.subscribe("actuations", "playbacks")
        let result = try client.result("play", #"{"pattern":"soft","steps":75,"durationMs":800}"#)
        #expect((result.number("steps"), result.number("pulses"), result.number("mergedByMinGap")) == (75, 75, 0))
        var counter = PulseCounter()
        var ending: [String: Any]?
        while ending == nil || !counter.endsOff {
            let notice = try watcher.readObject()
            if notice.text("method") == "playback" {
                ending = notice.object("params")
            } else {
                counter.add(notice.object("params"))
            }
        }
        #expect(ending?.text("ended") == "completed")
        // On a busy machine some may come too late, and are left out and counted.
        let missed = try #require(try client.result("status").number("missedActuations"))
        #expect(counter.pulses + Int(missed) == 75)
    }

    @Test(
        "SIGTERM and SIGINT end playbacks, answer waiting clients, remove the socket, and end the daemon with status 0",
        arguments: [SIGTERM, SIGINT])
    func terminate(signal: Int32) throws {
        let daemon = try Daemon()
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.subscribe("actuations")
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"alarm","repeat":100,"wait":true}}"#)
        var counter = PulseCounter()
        while counter.endsOff { counter.add(try watcher.notification("actuation")) }
        let ended = try daemon.stop(signal)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try client.readObject().object("result").object("ending").text("reason") == "shutdown")
        while !counter.endsOff { counter.add(try watcher.notification("actuation")) }
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        let line = try #require(daemon.logged("listens on").first)
        #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ notice hapticd: .*/) != nil, "\(line)")
    }

    @Test("A signal that means nothing to the daemon does not end it")
    func straySignals() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        let realtime = [__libc_current_sigrtmin(), __libc_current_sigrtmax()]
        for number in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXFSZ] + realtime {
            daemon.program.signal(number)
            #expect(try client.result("status").text("profile") == "full", "after signal \(number)")
        }
        #expect(try daemon.stop().status == 0)
    }

    @Test("An inherited socket is served, and never changed or removed")
    func inherited() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("given.sock")
        let given = try listeningSocket(at: path)
        chmod(path, 0o640)
        // Twice: the first one leaves it as it was.
        for _ in 1...2 {
            let program = try startInheriting(given, in: folder)
            let client = try Connection(to: path)
            #expect(try client.result("play", #"{"pattern":"soft","wait":true}"#).object("ending").text("ended") == "completed")
            program.signal(SIGTERM)
            #expect(try program.wait().status == 0)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test("A socket in use is refused, one of a killed daemon is taken over, and another file is never removed")
    func places() throws {
        let first = try Daemon()
        func start(_ socket: String) throws -> EndedProgram {
            try Program("hapticd", ["--simulate", "--socket", socket], in: first.folder).wait()
        }
        let client = try first.connect()
        let second = try start(first.socket)
        #expect(second.status == 1)
        #expect(second.errors.contains("already"), "\(second.errors)")
        #expect(try client.result("status").text("version") != nil)
        _ = try first.stop(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: first.socket))
        #expect(try Daemon(in: first.folder).stop().status == 0)
        _ = try first.folder.write("precious", to: "hapticd.sock")
        #expect(try start(first.socket).errors.contains("not a socket"))
        #expect(try first.folder.read("hapticd.sock") == "precious")
        let path = first.folder.path("nowhere/hapticd.sock")
        #expect(try start(path).errors.contains("the directory of \(path) does not exist; create it"))
    }

    @Test("No daemon starts on wrong arguments or a bad configuration, all of whose errors are shown")
    func notStarted() throws {
        let folder = try TemporaryFolder()
        for option in ["--socket", "--config"] {
            let ended = try Program("hapticd", ["--simulate", option, ""], in: folder).wait()
            #expect(ended.status == 2)
            #expect(ended.errors.contains("\(option): the path is empty"), "\(ended.errors)")
        }
        let file = try folder.write("version: 1\nprofil: full\nactuators:\n  - name: main\n    backend: gpoi\n", to: "bad.yaml")
        for arguments in [["--check", "--config", file], ["--config", file, "--socket", folder.path("s")]] {
            let ended = try Program("hapticd", arguments, in: folder).wait()
            #expect(ended.status == 1)
            for part in ["2:1", "did you mean `profile`", "5:14", "did you mean `gpio`"] {
                #expect((ended.output + ended.errors).contains(part))
            }
        }
    }

    @Test("The start, a reload and `--check` refuse a group that does not exist, and a link among the pattern files")
    func unknownGroup() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret: [\n", to: "secret")
        try folder.makeFolder("patterns")
        try FileManager.default.createSymbolicLink(atPath: folder.path("patterns/shown.yaml"), withDestinationPath: secret)
        let daemon = try Daemon(configuration: "", in: folder)
        let file = try folder.configure("patterns: [patterns]\naccess: { reload: { groups: [no-such-group] } }")
        let attempts = [
            try Program("hapticd", ["--config", file, "--socket", folder.path("s")], in: folder).wait(),
            try daemon.ctl("reload"), try Program("hapticd", ["--check", "--config", file], in: folder).wait(),
        ]
        for ended in attempts {
            #expect(ended.status == 1)
            #expect(ended.errors.contains(":4:30: access.reload.groups[0]: there is no group `no-such-group`"), "\(ended)")
            #expect(ended.errors.contains("shown.yaml: cannot read the file: it is a symbolic link"), "\(ended)")
            #expect(!ended.errors.contains("secret:"), "what only the daemon may read")
        }
    }

    @Test("The shipped configuration is accepted, and the daemon starts with it")
    func shippedConfiguration() throws {
        let file = package.appendingPathComponent("configs/hapticd.yaml").path
        #expect(try Program("hapticd", ["--check", "--config", file], in: TemporaryFolder()).wait().status == 0)
        let decision = try Daemon(["--config", file]).connect().result("event", #"{"name":"payment.succeeded"}"#)
        #expect(decision.text("pattern") == "success")
    }

    private static let progress = "progress: [{ match: '*', step: STEP, pattern: soft }]"

    @Test("A reload, by a client or by SIGHUP, applies a changed file without dropping a client; a bad one changes nothing")
    func reload() throws {
        let folder = try TemporaryFolder()
        func write(_ step: String) throws {
            try folder.configure(Self.progress.replacingOccurrences(of: "STEP", with: step))
        }
        let daemon = try Daemon(configuration: Self.progress.replacingOccurrences(of: "STEP", with: "0.1"), in: folder)
        let client = try daemon.connect()
        #expect(try client.result("progress", #"{"id":"a","value":0.05}"#).text("reason") == "belowStep")
        try write("0.01")
        #expect(try client.request("reload")["result"] != nil)
        #expect(try client.result("progress", #"{"id":"a","value":0.06}"#).text("outcome") == "played")
        try write("0.1, patern: soft")
        #expect("\(try client.request("reload"))".contains("did you mean `pattern`"))
        #expect(try client.result("progress", #"{"id":"a","value":0.09}"#).text("outcome") == "played")
        try write("0.1")
        daemon.program.signal(SIGHUP)
        try wait(for: "SIGHUP to be followed") { daemon.logged("the configuration has changed: progress").count == 2 }
        #expect(try client.result("progress", #"{"id":"a","value":0.11}"#).text("reason") == "belowStep")
    }

    @Test("A reload with other actuators ends all playbacks, notifies their last off, and plays on the new ones")
    func otherActuators() throws {
        let folder = try TemporaryFolder()
        let daemon = try Daemon(configuration: "", in: folder)
        let (watcher, client, waiting) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
        try watcher.subscribe("actuations")
        try waiting.send(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"alarm","repeat":100,"wait":true}}"#)
        #expect(try watcher.notification("actuation").number("intensity") != 0)
        try folder.configure("socket: { mode: \"0600\" }", actuators: "[{ name: left, backend: simulated }]")
        let result = try client.result("reload")
        #expect(result["changed"] as? [String] == ["actuators"])
        #expect(result["needsRestart"] as? [String] == ["socket"])
        #expect(try waiting.readObject().object("result").object("ending").text("reason") == "reload")
        #expect(try client.result("play", #"{"pattern":"alarm","wait":true}"#).object("ending").text("ended") == "completed")
        var (last, next) = ([String: Any](), try watcher.notification("actuation"))
        while next.text("actuator") == "main" { (last, next) = (next, try watcher.notification("actuation")) }
        #expect(last.number("intensity") == 0)
        #expect(next.text("actuator") == "left")
    }
}

/// A daemon that is given a socket as systemd gives it.
func startInheriting(_ socket: FileHandle, in folder: TemporaryFolder) throws -> Program {
    // The process that gets its own number is the one that execs; Foundation hands over no descriptor but these three.
    let script = #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" --simulate 3<&0 0</dev/null"#
    return try Program(
        "/bin/sh", ["-c", script, programs.appendingPathComponent("hapticd").path], input: socket, in: folder)
}
