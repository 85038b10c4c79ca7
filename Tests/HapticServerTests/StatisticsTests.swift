// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticServer

@Suite("What the service counts of itself") struct StatisticsTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func played(_ playback: UInt64, deadline: Nanoseconds? = .milliseconds(100)) -> Decision {
        Decision(
            sequence: playback, at: Self.start, input: .play, feedbackClass: .interaction, outcome: .played, actuators: ["main"],
            playback: PlaybackID(playback), deadline: deadline.map { Self.start + $0 })
    }

    private func actuation(_ playback: UInt64, _ level: Level = Level(intensity: .one, sharpness: .zero)) -> Actuation {
        Actuation(planned: Self.start + .seconds(1), actuator: ActuatorIndex(0), playback: PlaybackID(playback), level: level)
    }

    private func late(_ lateness: Nanoseconds) -> MonotonicInstant { Self.start + .seconds(1) + lateness }

    @Test("Latency is from reading to the first actuation, without what the pattern itself waits")
    func latency() {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1), readAt: Self.start - .microseconds(20))
        statistics.actuated(actuation(1), at: late(.microseconds(30)))
        statistics.actuated(actuation(1), at: late(.microseconds(500)))
        #expect(statistics[.interaction].latency.count == 1)
        #expect(statistics[.interaction].latency.max == .microseconds(50))
        #expect(statistics[.texture].latency.count == 0)
        #expect(statistics.actuators[0].lateness.sum == .microseconds(530))
    }

    @Test(
        "Late is what is first felt after its deadline",
        arguments: [
            (.milliseconds(100), .milliseconds(100), 0), (.milliseconds(100), .milliseconds(101), 1),
            (nil, .seconds(3600), 0),
        ] as [(Nanoseconds?, Nanoseconds, UInt64)])
    func lateness(deadline: Nanoseconds?, lateness: Nanoseconds, count: UInt64) {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1, deadline: deadline), readAt: Self.start)
        statistics.actuated(actuation(1), at: late(lateness))
        #expect(statistics[.interaction].late == count)
    }

    @Test("What the executor leaves out counts once for its input, and each time for its actuator")
    func leftOut() {
        var statistics = ServiceStatistics(actuators: 2)
        statistics.decided(played(1), readAt: Self.start)
        statistics.missed(actuation(1))
        statistics.missed(actuation(1, .off))
        statistics.missed(actuation(1))
        #expect(statistics[.interaction].leftOut == 1)
        #expect(statistics.actuators.map(\.missed) == [3, 0])
        #expect(statistics.missedActuations == 3)
        // What is felt of it after all is not another missed deadline.
        statistics.actuated(actuation(1), at: late(.seconds(1)))
        #expect(statistics[.interaction].late == 0)
        #expect(statistics[.interaction].latency.count == 1)
        statistics.replaceActuators(count: 1)
        #expect(statistics.actuators.map(\.missed) == [0])
        #expect(statistics.missedActuations == 3)
    }

    @Test("News of an actuation that come after its playback has ended still count: they are the latest of all")
    func afterTheEnd() {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1), readAt: Self.start)
        statistics.ended(PlaybackID(1))
        statistics.actuated(actuation(1), at: late(.seconds(1)))
        #expect(statistics[.interaction].latency.max == .seconds(1))
        #expect(statistics[.interaction].late == 1)
        #expect(statistics.awaitedCount == 0)
    }

    @Test("What is never felt is forgotten in time")
    func bounded() {
        var statistics = ServiceStatistics(actuators: 1)
        for playback in 1...10_000 as ClosedRange<UInt64> {
            statistics.decided(played(playback), readAt: Self.start)
            // Some are felt after their end.
            statistics.ended(PlaybackID(playback))
            if playback % 3 == 0 { statistics.actuated(actuation(playback - 1), at: late(.zero)) }
            #expect(statistics.awaitedCount <= ServiceStatistics.mostEnded)
        }
        #expect(statistics[.interaction].latency.count == 3333)
    }
}

@Suite("The status") struct StatusTests {
    private func rows(_ status: JSONValue?, _ member: String) throws -> [JSONValue] {
        guard case .array(let rows) = try #require(status?["result"]?[member]) else { return [] }
        return rows
    }

    @Test("It tells which inputs were not felt in time, and of which actuator something was left out")
    func missedDeadlines() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let stale = try client.ask("play", #"{"pattern":"soft","class":"notification","atNs":1}"#)
        #expect(stale?["result"]?["decision"]?["reason"] == "stale")
        _ = try client.ask("play", #"{"pattern":"soft","class":"alarm","deadlineMs":60000}"#)
        try daemon.onLoop { service in
            service.applied(daemon.sink.actuations.map { AppliedActuation($0, at: $0.planned + .seconds(61)) })
        }
        _ = try client.ask("cancel", #"{"all":true,"mode":"immediate"}"#)
        _ = try client.ask("play", #"{"pattern":"minute"}"#)
        try daemon.onLoop { service in
            for actuation in daemon.sink.actuations.filter(\.level.isOn).suffix(1) { service.missedActuation(actuation) }
        }
        let status = try client.ask("status")
        #expect(
            try rows(status, "missedDeadlines") == [
                ["class": "alarm", "stale": .number(0), "late": .number(1), "leftOut": .number(0)],
                ["class": "notification", "stale": .number(1), "late": .number(0), "leftOut": .number(0)],
                ["class": "interaction", "stale": .number(0), "late": .number(0), "leftOut": .number(1)],
                ["class": "texture", "stale": .number(0), "late": .number(0), "leftOut": .number(0)],
            ])
        #expect(try rows(status, "missedByActuator") == [["actuator": "main", "count": .number(1)]])
        #expect(status?["result"]?["missedActuations"] == .number(1))
    }

    @Test("It tells percentiles, the worst and the sum")
    func percentiles() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        _ = try client.ask("play", #"{"pattern":"soft"}"#)
        try daemon.onLoop { service in
            service.applied(daemon.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        }
        let status = try client.ask("status")
        let lateness = try #require(try rows(status, "lateness").first)
        #expect(lateness["count"] == .number(2))
        #expect(lateness["sumNs"] == .number(10_000))
        for member in ["p50Ns", "p90Ns", "p99Ns", "p999Ns", "maxNs"] { #expect(lateness[member] == .number(5000)) }
        let latency = try rows(status, "latency")
        #expect(latency.map { $0["of"] } == ["alarm", "notification", "interaction", "texture"])
        #expect(latency.map { $0["count"] } == [.number(0), .number(0), .number(1), .number(0)])
    }

    @Test("It tells what the executor asked for and was given; null is what it did not ask for")
    func realtime() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let none: JSONValue = [
            "priority": .null, "lockMemory": .bool(false), "cpu": .null, "remedies": [],
            "granted": ["priority": .null, "lockMemory": .null, "cpu": .null],
        ]
        #expect(try client.ask("status")?["result"]?["realtime"] == none)
        try daemon.onLoop { service in
            service.realtime = StatusResult.Realtime(
                priority: 40, lockMemory: true, granted: .init(priority: false, lockMemory: true), remedies: ["do this"])
        }
        let refused: JSONValue = [
            "priority": .number(40), "lockMemory": .bool(true), "cpu": .null, "remedies": ["do this"],
            "granted": ["priority": .bool(false), "lockMemory": .bool(true), "cpu": .null],
        ]
        #expect(try client.ask("status")?["result"]?["realtime"] == refused)
    }

    @Test("However a playback ends, nothing waits for its first actuation for good")
    func nothingIsKept() throws {
        var bounds = EngineBounds.standard
        bounds.playbacks = 4
        let other = try TestDaemon.configuration(actuators: ["other"], bounds: bounds)
        let daemon = try TestDaemon(TestDaemon.configuration(bounds: bounds), reloaded: .success(other))
        let client = try daemon.connect()
        let endings: [(method: String, params: String)] = [
            ("cancel", #"{"all":true}"#), ("cancel", #"{"all":true,"mode":"immediate"}"#), ("profile", #"{"set":"silent"}"#),
            ("profile", #"{"set":"full"}"#), ("play", #"{"pattern":"minute","class":"alarm"}"#), ("reload", "{}"),
        ]
        for _ in 0..<100 {
            for (method, params) in endings {
                let batch = ["a", "a", "b"].map {
                    #"{"jsonrpc":"2.0","method":"play","params":{"pattern":"minute","class":"alarm","id":"\#($0)"}}"#
                }
                client.write("[\(batch.joined(separator: ","))]\n")
                _ = try client.ask(method, params)
            }
            try daemon.onLoop { service in
                service.setActuator(ActuatorIndex(0), error: "gone")
                service.setActuator(ActuatorIndex(0), error: nil)
            }
        }
        let (awaited, playing) = try daemon.onLoop { ($0.statistics.awaitedCount, $0.loop.engine.playbackCount) }
        #expect(playing == 0)
        #expect(awaited == ServiceStatistics.mostEnded)
    }
}
