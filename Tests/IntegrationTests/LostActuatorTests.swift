// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("An actuator that fails")
struct LostActuatorTests {
    private static func configuration(faults: String? = nil) -> String {
        let faults = faults.map { ", faults: { \($0) }" } ?? ""
        return "version: 1\nactuators: [{ name: main, backend: simulated\(faults) }]\n"
    }

    @Test("A reload that fixes a simulated fault brings the actuator back")
    func mendedFault() throws {
        let folder = try TemporaryFolder()
        let faulty = try folder.write(Self.configuration(faults: "failAfter: 4"), to: "hapticd.yaml")
        let daemon = try Daemon(["--config", faulty], simulate: false, in: folder)
        let client = try daemon.connect()
        let played = try client.result("play", #"{"pattern":"soft","steps":20,"wait":true}"#)
        #expect(played.object("ending").text("reason") == "deviceLost")
        _ = try folder.write(Self.configuration(), to: "hapticd.yaml")
        #expect(try client.result("reload")["changed"] as? [String] == ["actuators"])
        let again = try client.result("play", #"{"pattern":"soft","steps":20,"wait":true}"#)
        #expect(again.object("ending").text("ended") == "completed")
    }

    @Test("A simulated actuator that fails is lost, reported, and used again when it works")
    func failing() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration(faults: "failAfter: 4, recoverAfter: 5s"), to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.request("subscribe", #"{"topics":["playbacks","actuators"]}"#)
        try client.request("play", #"{"pattern":"soft","steps":20}"#)
        #expect(try watcher.notification("playback").text("reason") == "deviceLost")
        let refused = try client.result("play", #"{"pattern":"soft"}"#)
        #expect(refused.object("decision").text("reason") == "deviceLost")
        try wait(for: "the actuator to be used again") {
            try client.result("play", #"{"pattern":"soft"}"#).object("decision").text("outcome") == "played"
        }
    }

    @Test("The actuations before a fault are notified before the loss of the actuator is")
    func order() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration(faults: "failAfter: 1"), to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        let (watcher, client) = (try daemon.connect(), try daemon.connect())
        try watcher.request("subscribe", #"{"topics":["actuations","actuators"]}"#)
        let pattern = #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":1},{"atMs":300,"intensity":0,"curve":"step"}]}]}"#
        let play = #"{"jsonrpc":"2.0","method":"play","params":{"pattern":\#(pattern),"class":"alarm"}}"#
        // At once, so that the executor's reports of both are read together. Again where the machine was so busy that both came too late.
        try wait(for: "the actuator to fail") {
            try client.send(play + "\n" + #"{"jsonrpc":"2.0","method":"cancel","params":{"all":true,"mode":"immediate"}}"#)
            usleep(100_000)
            return !(try client.result("status")["unavailable"] as? [Any] ?? []).isEmpty
        }
        #expect(try watcher.readObject().text("method") == "actuation")
        let gone = try watcher.readObject()
        #expect(gone.text("method") == "actuator" && gone.object("params")["available"] as? Bool == false)
    }
}
