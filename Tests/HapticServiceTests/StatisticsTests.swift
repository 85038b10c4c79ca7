// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticService

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

    private func end(_ playback: UInt64) -> PlaybackEnd {
        PlaybackEnd(playback: PlaybackID(playback), ending: .completed, reason: nil, at: Self.start)
    }

    @Test("News of an actuation that come after its playback has ended still count: they are the latest of all")
    func afterTheEnd() {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1), readAt: Self.start)
        statistics.ended(end(1))
        statistics.actuated(actuation(1), at: late(.seconds(1)))
        #expect(statistics[.interaction].latency.max == .seconds(1))
        #expect(statistics[.interaction].late == 1)
        #expect(statistics.awaitedCount == 0)
    }

    @Test("What is never felt is forgotten in time")
    func bounded() {
        var statistics = ServiceStatistics(actuators: 1)
        for playback in 1...3000 as ClosedRange<UInt64> {
            statistics.decided(played(playback), readAt: Self.start)
            // Some are felt after their end.
            statistics.ended(end(playback))
            if playback % 3 == 0 { statistics.actuated(actuation(playback - 1), at: late(.zero)) }
            #expect(statistics.awaitedCount <= ServiceStatistics.mostEnded)
        }
        #expect(statistics[.interaction].latency.count == 1000)
    }
}
