// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("The daemon on its socket")
struct DaemonTests {
    @Test("75 steps are 75 pulses, seen by a subscriber, and end off")
    func play() throws {
        let daemon = try Daemon()
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.request("subscribe", #"{"topics":["actuations","playbacks","decisions"]}"#)
        let result = try client.result("play", #"{"pattern":"soft","steps":75,"durationMs":800}"#)
        #expect((result.number("steps"), result.number("pulses"), result.number("mergedByMinGap")) == (75, 75, 0))
        var counter = PulseCounter()
        while true {
            let object = try watcher.readObject()
            let params = object.object("params")
            switch object.text("method") {
            case "actuation":
                counter.add(params)
                #expect(params.number("atNs")! >= params.number("plannedNs")!)
            case "playback":
                #expect((params.text("ended"), params.number("playback")) == ("completed", result.number("playback")))
                // The last off is applied at the playback's end; its report may still be on the way.
                while !counter.endsOff { counter.add(try watcher.notification("actuation")) }
                // On a busy machine some may come too late, and are left out and counted.
                let missed = try #require(try client.result("status").number("missedActuations"))
                #expect(counter.pulses + Int(missed) == 75)
                return
            case "decision": #expect(params.text("outcome") == "played")
            default: Issue.record("unexpected: \(object)")
            }
        }
    }

    @Test("A decision has all its members, null where there is none")
    func members() throws {
        let daemon = try Daemon()
        let decision = try daemon.connect().result("progress", #"{"id":"upload-1","value":0.001}"#)
        let members = [
            "seq", "atNs", "input", "origin", "source", "app", "user", "process", "name", "value", "inserted", "removed", "kept",
            "class", "rule", "outcome", "reason", "pattern", "intensity", "actuators", "playback",
            "felt", "feltPeak",
        ]
        #expect(Set(decision.keys) == Set(members))
        #expect(
            (decision.text("outcome"), decision.text("reason"), decision.text("source")) == (
                "suppressed", "belowStep", "upload-1"
            ))
        #expect(decision["playback"] is NSNull)
    }

    @Test("A batch is one transaction, each item answered")
    func batch() throws {
        let client = try Daemon().connect()
        try client.send(
            #"[{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"ring"}},"#
                + #"{"jsonrpc":"2.0","id":2,"method":"play","params":{"pattern":"soft","wait":true}},"#
                + #"{"jsonrpc":"2.0","id":3,"method":"play","params":{"pattern":"soft"}},"#
                + #"{"jsonrpc":"2.0","method":"progress","params":{"id":"a","value":0.5}}]"#)
        let answers = try JSONSerialization.jsonObject(with: Data(client.readLine().utf8)) as? [[String: Any]] ?? []
        let byID = Dictionary(uniqueKeysWithValues: answers.map { ($0.number("id")!, $0) })
        #expect(byID.count == 3)
        #expect(byID[1]?.object("result").object("decision").text("outcome") == "preempted")
        #expect(byID[2]?.errorCode == -32602)
        #expect(byID[3]?.object("result").object("decision").text("outcome") == "played")
    }

    @Test("After a half-close all pending answers are still sent, then the connection ends")
    func halfClose() throws {
        let client = try Daemon().connect()
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"success","wait":true}}"#)
        try client.send(#"{"jsonrpc":"2.0","id":2,"method":"status"}"#)
        client.halfClose()
        let ids = Set([try client.readObject().number("id"), try client.readObject().number("id")])
        #expect(ids == [1, 2])
        #expect(throws: Connection.Closed.self) { try client.readLine() }
    }

    @Test(
        "SIGTERM and SIGINT end what plays, answer who waits, remove the socket, and end the daemon with status 0",
        arguments: [SIGTERM, SIGINT])
    func terminate(signal: Int32) throws {
        let daemon = try Daemon()
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.request("subscribe", #"{"topics":["actuations"]}"#)
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"alarm","repeat":100,"wait":true}}"#)
        var counter = PulseCounter()
        while counter.endsOff { counter.add(try watcher.notification("actuation")) }
        let ended = try daemon.stop(signal)
        #expect(ended.status == 0, "\(ended.errors)")
        let answer = try client.readObject()
        #expect("\(answer)".contains("shutdown"))
        while !counter.endsOff { counter.add(try watcher.notification("actuation")) }
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }

    @Test("An inherited socket is served, and never changed or removed")
    func inherited() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("given.sock")
        let given = try listeningSocket(at: path)
        chmod(path, 0o640)
        // The process that gets its own number is the one that execs; Foundation hands over no descriptor but these three.
        let script = #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" --simulate 3<&0 0</dev/null"#
        // Twice: the first one leaves it as it was.
        for _ in 1...2 {
            let program = try Program(
                "/bin/sh", ["-c", script, programs.appendingPathComponent("hapticd").path], input: given, in: folder)
            let client = try Connection(to: path)
            #expect(try client.result("play", #"{"pattern":"soft","wait":true}"#).object("ending").text("ended") == "completed")
            program.signal(SIGTERM)
            let ended = try program.wait()
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test("A path that is empty is wrong usage", arguments: ["--socket", "--config"])
    func emptyPath(option: String) throws {
        let ended = try Program("hapticd", ["--simulate", option, ""], in: TemporaryFolder()).wait()
        #expect(ended.status == 2)
        #expect(ended.errors.contains("\(option): the path is empty"), "\(ended.errors)")
    }

    @Test("A client that waits and hangs up has its playback cancelled gracefully: it fades out")
    func hangUp() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["actuations","playbacks"]}"#)
        let steady = #"{"atMs":0,"type":"continuous","durationMs":30000,"intensity":1}"#
        var client: Connection? = try daemon.connect()
        try client?.send(
            #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"wait":true,"pattern":{"tracks":[{"events":[\#(steady)]}]}}}"#)
        var intensities = [try #require(try watcher.notification("actuation").number("intensity"))]
        client = nil
        while intensities.last != 0 {
            let notice = try watcher.readObject()
            if let intensity = notice.object("params").number("intensity") { intensities.append(intensity) }
            if notice.text("method") == "playback" {
                #expect(
                    (notice.object("params").text("ended"), notice.object("params").text("reason")) == ("cancelled", "clientGone")
                )
            }
        }
        #expect(intensities.first == 1 && intensities == intensities.sorted(by: >))
        #expect(intensities.count > 3, "a fade, not a cut: \(intensities)")
    }

    @Test("A second daemon on the same socket is refused, and the first is unharmed")
    func twice() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        let second = try Program("hapticd", ["--simulate", "--socket", daemon.socket], in: daemon.folder).wait()
        #expect(second.status == 1)
        #expect(second.errors.contains(daemon.socket) && second.errors.contains("already"), "\(second.errors)")
        #expect(try client.result("status").text("version") != nil)
        _ = try daemon.connect()
    }

    @Test("The socket file of a killed daemon is taken over, what is no socket is never removed")
    func stale() throws {
        let first = try Daemon()
        _ = try first.stop(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: first.socket))
        let second = try Daemon(in: first.folder)
        #expect(try second.connect().result("status").text("version") != nil)
        #expect(try second.stop().status == 0)
        _ = try first.folder.write("precious", to: "hapticd.sock")
        let refused = try Program("hapticd", ["--simulate", "--socket", first.socket], in: first.folder).wait()
        #expect(refused.status == 1 && refused.errors.contains("not a socket"), "\(refused.errors)")
        #expect(try String(contentsOfFile: first.socket, encoding: .utf8) == "precious")
    }

    @Test("A socket in a directory that is not there is refused with what to do")
    func noDirectory() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("nowhere/hapticd.sock")
        let ended = try Program("hapticd", ["--simulate", "--socket", path], in: folder).wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("the directory of \(path) does not exist; create it"), "\(ended.errors)")
    }

    private static let configuration = """
        version: 1
        actuators:
          - name: main
            backend: simulated
        progress:
          - match: "*"
            step: 0.1
            pattern: soft
        """

    @Test("A reload applies a changed file without dropping a client, a bad one changes nothing")
    func reload() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        let client = try daemon.connect()
        #expect(try client.result("progress", #"{"id":"a","value":0.05}"#).text("reason") == "belowStep")
        _ = try folder.write(Self.configuration.replacingOccurrences(of: "0.1", with: "0.01"), to: "hapticd.yaml")
        #expect(try client.request("reload")["result"] != nil)
        #expect(try client.result("progress", #"{"id":"a","value":0.06}"#).text("outcome") == "played")
        _ = try folder.write(Self.configuration.replacingOccurrences(of: "step:", with: "stpe:"), to: "hapticd.yaml")
        let answer = try client.request("reload")
        #expect("\(answer)".contains("did you mean `step`"), "\(answer)")
        #expect(try client.result("progress", #"{"id":"a","value":0.09}"#).text("outcome") == "played")
        _ = try folder.write(Self.configuration, to: "hapticd.yaml")
        daemon.program.signal(SIGHUP)
        var value = 0.1
        try wait(for: "SIGHUP to be followed") {
            value += 0.011
            return try client.result("progress", #"{"id":"b","value":\#(value)}"#).text("reason") == "belowStep"
        }
    }

    @Test("A reload brings other actuators while one plays: that ends, no client is dropped, and the new ones are felt")
    func otherActuators() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        let (watcher, client, waiting) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
        try watcher.request("subscribe", #"{"topics":["actuations"]}"#)
        try waiting.send(#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"alarm","repeat":100,"wait":true}}"#)
        _ = try watcher.notification("actuation")
        _ = try folder.write(Self.configuration.replacingOccurrences(of: "name: main", with: "name: left"), to: "hapticd.yaml")
        #expect(try client.result("reload")["changed"] as? [String] == ["actuators"])
        #expect(try waiting.readObject().object("result").object("ending").text("reason") == "reload")
        #expect(try client.result("play", #"{"pattern":"alarm","wait":true}"#).object("ending").text("ended") == "completed")
        var counter = PulseCounter()
        while counter.pulses < 1 {
            let actuation = try watcher.notification("actuation")
            if actuation.text("actuator") == "left" { counter.add(actuation) }
        }
        #expect(try waiting.result("status").number("playbacks") == 0)
    }

    @Test("No daemon starts on a bad configuration, and all its errors are shown")
    func badConfiguration() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("version: 1\nprofil: full\nactuators:\n  - name: main\n    backend: gpoi\n", to: "bad.yaml")
        for arguments in [["--check", "--config", file], ["--config", file, "--socket", folder.path("s")]] {
            let ended = try Program("hapticd", arguments, in: folder).wait()
            #expect(ended.status == 1)
            let said = ended.output + ended.errors
            #expect(said.contains("2:1") && said.contains("did you mean `profile`"), "\(said)")
            #expect(said.contains("5:14") && said.contains("did you mean `gpio`"), "\(said)")
        }
        let good = package.appendingPathComponent("configs/hapticd.yaml").path
        #expect(try Program("hapticd", ["--check", "--config", good], in: folder).wait().status == 0)
    }

    @Test("The shipped configuration is what the daemon starts with")
    func shippedConfiguration() throws {
        let file = package.appendingPathComponent("configs/hapticd.yaml").path
        let client = try Daemon(["--config", file]).connect()
        let decision = try client.result("event", #"{"name":"payment.succeeded"}"#)
        #expect((decision.text("outcome"), decision.text("pattern")) == ("played", "success"))
    }

    @Test("`rpc.discover` describes every method, as OpenRPC")
    func discover() throws {
        let document = try Daemon().connect().result("rpc.discover")
        let methods = (document["methods"] as? [[String: Any]] ?? []).compactMap { $0.text("name") }
        #expect(document.text("openrpc") != nil)
        let expected = [
            "progress", "release", "event", "play", "present", "hold", "task", "cancel", "transaction", "prepare", "profile",
            "settings", "patterns", "actuators", "subscribe", "status", "history", "reload", "rpc.discover",
        ]
        #expect(Set(methods) == Set(expected))
    }
}
