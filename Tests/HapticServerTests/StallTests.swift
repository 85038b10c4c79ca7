// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore
import HapticEngine
import HapticService
import HapticText
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HapticServer

/// Mostly real sockets, an event loop that is busy for as long as the test wants, and a clock that the test moves on. The timers of the
/// loop have a clock of their own: all of them are due before it polls the sockets again.
@Suite("Holds after a stall") struct StallTests {
    static func configuration() throws -> ServiceConfiguration {
        var configuration = try Rig.configuration()
        let shape = HoldShape(press: .milliseconds(50), duration: .milliseconds(150), curve: .linear)
        let rule = HoldRule(
            match: .clients(Glob("*")), shape: shape, feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture),
            complete: "tick")
        configuration.engine = try EngineConfiguration(
            actuators: configuration.engine.actuators, holdRules: [rule], patterns: configuration.engine.patterns)
        return configuration
    }

    @Test("Before a hold is confirmed, lines of its client are read before those of others")
    func pressingFirst() throws {
        let rig = try Rig(Self.configuration())
        let (ada, other) = (try rig.visit(), try rig.visit())
        _ = ada.ask("hold", #"{"id":"pay","state":"down"}"#)
        rig.advance(.milliseconds(199))
        // As if a slice of the loop had ended: all lines from now on wait for their turn.
        rig.server.loop.isRunScheduled = true
        for _ in 0..<8 { rig.server.say(Self.event, from: other.session) }
        rig.server.say(request("hold", #"{"id":"pay","state":"up"}"#, id: nil), from: ada.session)
        #expect(!rig.decisions.contains(.event))
        rig.advance(.milliseconds(5))
        let release = try #require(rig.decisions.lastIndex(of: .hold))
        #expect(rig.decisions.count == release + 9)
    }

    @Test("No rate refuses the release of a hold that its client presses")
    func releaseOverRate() throws {
        var configuration = try Self.configuration()
        configuration.clientBounds.requestsPerUser = 2
        let rig = try Rig(configuration)
        let ada = try rig.visit()
        let up = #"{"id":"pay","state":"up"}"#
        _ = ada.ask("hold", #"{"id":"pay","state":"down"}"#)
        _ = ada.ask("settings")
        #expect(ada.ask("settings")?["error"] != nil)
        // It rests because of its rate.
        rig.advance(.milliseconds(20))
        #expect(ada.ask("hold", up)?["result"]?["reason"] == "released")
        rig.advance(.milliseconds(20))
        #expect(ada.ask("hold", up)?["error"] != nil)
    }

    private static let event = request("event", #"{"name":"x"}"#, id: nil)

    private static func state(of line: JSONValue?) -> String? {
        guard line?["method"] == "hold", case .string(let state)? = line?["params"]?["state"] else { return nil }
        return state
    }

    /// How it ends, once it has had the time to fall back.
    private func ending(_ client: RawClient, _ clock: HeldClock) throws -> String {
        clock.advance(.seconds(5))
        while let line = try client.readLine() {
            if let state = Self.state(of: line), ["confirmed", "released"].contains(state) { return state }
        }
        throw RawClient.Failure.noLine
    }

    private func press(_ client: RawClient, _ clock: HeldClock) throws {
        _ = try client.ask("subscribe", #"{"topics":["holds"]}"#)
        _ = try client.ask("hold", #"{"id":"pay","state":"down"}"#)
        clock.advance(.milliseconds(100))
        while Self.state(of: try client.readLine()) != "progress" {}
    }

    /// Long enough for the loop's timer for the next step to be due.
    private func stall(_ clock: HeldClock) {
        clock.advance(.milliseconds(300))
        usleep(50_000)
    }

    @Test("Lines that wait in the socket are read before the hold is confirmed", arguments: [true, false])
    func releasedInTime(isDated: Bool) throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(Self.configuration()) { clock.now }
        let (client, other) = (try daemon.connect(), try daemon.connect())
        _ = try other.ask("status")
        try press(client, clock)
        try daemon.whileBusy {
            // Somebody else's line may be taken first.
            other.write(Self.event + "\n")
            let at = isDated ? #","atNs":\#(clock.now.nanoseconds)"# : ""
            client.write(request("hold", #"{"id":"pay","state":"up"\#(at)}"#, id: nil) + "\n")
            stall(clock)
        }
        #expect(try ending(client, clock) == "released")
    }

    @Test("A hold that continues is confirmed after a stall, even if others send without pause")
    func heldOn() throws {
        let clock = HeldClock()
        let daemon = try TestDaemon(Self.configuration()) { clock.now }
        let (client, other) = (try daemon.connect(), try daemon.connect())
        try press(client, clock)
        try daemon.whileBusy {
            for _ in 0..<200 { other.write(Self.event + "\n") }
            stall(clock)
        }
        #expect(try ending(client, clock) == "confirmed")
    }
}

/// The daemon's clock, which stands still between two calls of `advance`.
private final class HeldClock: Sendable {
    private let nanoseconds = Atomic<Int64>(5_000_000_000)

    var now: MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
    func advance(_ time: Nanoseconds) { nanoseconds.add(time.count, ordering: .relaxed) }
}
