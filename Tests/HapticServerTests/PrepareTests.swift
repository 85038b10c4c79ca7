// SPDX-License-Identifier: MIT
import HapticJSON
import HapticWire
import Testing

@testable import HapticServer

@Suite("Patterns that are made ready", .serialized) struct PrepareTests {
    @Test(
        "Patterns are ready where the devices say that they are",
        arguments: [
            (true, ["soft", "tick"], ["main"]), (false, [], ["main"]), (nil, [], []),
        ] as [(Bool?, [JSONValue], [JSONValue])])
    func patternsAreReady(isReady: Bool?, patterns: [JSONValue], actuators: [JSONValue]) throws {
        let daemon = try TestDaemon()
        try daemon.onLoop { _ in daemon.sink.readiness = { _ in isReady } }
        let result = try daemon.connect().ask("prepare", #"{"patterns":["soft","tick"]}"#)?["result"]
        #expect(result?["patterns"] == .array(patterns))
        #expect(result?["actuators"] == .array(actuators))
    }

    @Test("Only so many may wait for patterns to be made ready, and devices that take their time hold up nobody else")
    func onlySoManyMayWait()
        throws
    {
        let daemon = try TestDaemon()
        try daemon.onLoop { _ in daemon.sink.holdsPreparations = true }
        let client = try daemon.connect()
        for id in 1...65 {
            client.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"prepare","params":{"patterns":["soft"]}}"# + "\n")
        }
        let refusal = try client.readLine()
        #expect(refusal?["id"] == .number(65))
        #expect(refusal?["error"]?["code"] == .number(-32000))
        #expect(try client.ask("play", #"{"pattern":"soft"}"#)?["result"]?["decision"]?["outcome"] == "played")
        try daemon.onLoop { _ in for answer in daemon.sink.heldAnswers { answer() } }
        for id in 1...64 { #expect(try client.readLine()?["id"] == .number(Double(id))) }
        try daemon.onLoop { _ in daemon.sink.holdsPreparations = false }
        #expect(try client.ask("prepare", #"{"patterns":["soft"]}"#)?["result"]?["patterns"] == ["soft"])
    }
}
