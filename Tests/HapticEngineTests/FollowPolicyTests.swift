// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("What goes for every input goes for each value that is followed")
struct FollowPolicyTests {
    /// A lever at 50 %, followed for 100 ms.
    private static func pulled(_ configuration: EngineConfiguration = .following()) -> Bench {
        var bench = Bench(configuration)
        bench.progress("lever", 0.5)
        bench.run(for: .milliseconds(100))
        return bench
    }

    @Test("A value of which nothing may be felt lets what is felt fade out")
    func refused() {
        var bench = Self.pulled()
        let decision = bench.send(.progress("lever", 0.6, at: bench.now, feedback: .off))
        #expect((decision.outcome, decision.reason) == (.suppressed, .feedbackOff))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.cancelled])
        #expect(bench.ends.map(\.reason) == [.feedbackOff])
        #expect(bench.pulses()[0].end <= .ms(150))
    }

    @Test("A value that comes too late is left out, and what is felt goes on")
    func stale() {
        var bench = Self.pulled()
        #expect(bench.send(.progress("lever", 1, at: bench.now - .milliseconds(101))).reason == .stale)
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.end) == [.ms(350)])
    }

    @Test("Strength lowers what is felt from the next value on, and 0 ends it")
    func strength() {
        var bench = Self.pulled()
        bench.send([.change(SettingsChange(strength: .set(Strength(0.5)!)))])
        #expect(bench.progress("lever", 0.6).intensity == Intensity(0.3))
        bench.run(for: .milliseconds(100))
        bench.send([.change(SettingsChange(strength: .set(Strength(0)!)))])
        #expect(bench.progress("lever", 0.7).reason == .strength)
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.strength])
    }

    @Test("Off ends it at once, and no value begins it")
    func off() {
        var bench = Self.pulled()
        bench.send([.change(SettingsChange(off: .set(.forGood)))])
        #expect(bench.pulses().map(\.end) == [.ms(100)])
        #expect(bench.progress("lever", 0.6).reason == .off)
    }

    @Test("Reduced, a texture gives nothing, and of what is more detents and ends alone")
    func reduced() {
        var bench = Self.pulled(.following(detents: 3, profile: .reduced))
        #expect(bench.decisions.map(\.reason) == [.profile])
        #expect(bench.progress("lever", 0.6).reason == .profile)
        bench = Self.pulled(.following(detents: 3, feedbackClass: .interaction, profile: .reduced))
        #expect(bench.decisions.map(\.reason) == [.profile])
        let decision = bench.progress("lever", 0.8)
        #expect((decision.outcome, decision.pattern) == (.played, "tick"))
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map { $0.end - $0.start } == [.milliseconds(8)])
    }

    @Test("Where a profile has another pattern in place of a class only what a value passes is felt, in that pattern")
    func anotherPattern() {
        var classes = ClassTable.standard
        classes.texture.quiet = .pattern("faint")
        var bench = Bench(.following(detents: 3, profile: .quiet, classes: classes))
        #expect(bench.progress("lever", 0.5).reason == .profile)
        bench.run(for: .milliseconds(100))
        let decision = bench.progress("lever", 0.8)
        #expect((decision.outcome, decision.pattern) == (.played, "faint"))
        #expect(decision.policy?.changes.count == 1, "the policy was asked once")
        bench.send([.change(SettingsChange(off: .set(.forGood)))])
        #expect(bench.progress("lever", 0.85).reason == .off)
    }

    @Test("A profile that becomes reduced ends what is followed")
    func becomesReduced() {
        for feedbackClass in [FeedbackClass.texture, .interaction, .alarm] {
            var bench = Self.pulled(.following(feedbackClass: feedbackClass))
            bench.send([.set(.reduced)])
            bench.progress("lever", 0.6)
            bench.run(for: .seconds(1))
            #expect(bench.ends.map(\.reason) == [.profile])
            #expect(bench.pulses()[0].end <= .ms(150))
        }
    }

    @Test("The limit of the class counts for the beginning alone")
    func rate() {
        var classes = ClassTable.standard
        classes.texture.limitPerSecond = 1
        var bench = Bench(.following(classes: classes))
        for step in 1...50 {
            #expect(bench.progress("lever", Double(step) / 50).outcome == .played)
            bench.run(for: .milliseconds(10))
        }
        bench.send(.release("lever", at: bench.now))
        #expect(bench.progress("lever", 0.5).reason == .rateLimited)
    }

    @Test("Something more important takes the actuator, and the next value begins it again once it may")
    func preempted() {
        var bench = Self.pulled()
        bench.play("success", .notification)
        #expect(bench.progress("lever", 0.6).reason == .lowerPriority)
        bench.run(for: .milliseconds(100))
        #expect(bench.progress("lever", 0.7).playback == PlaybackID(3))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.preempted, .completed, .completed])
    }

    @Test(
        "Of two values of the same priority the first keeps the actuator for as long as it comes", arguments: [Bench.ada, .bob])
    func two(other: ClientIdentity) {
        var bench = Bench(.following())
        for step in 1...40 {
            let value = Double(step) / 50
            #expect(bench.progress("lever", value).playback == PlaybackID(1))
            let decision = bench.progress("slider", value, client: other)
            #expect((decision.outcome, decision.reason) == (.suppressed, .lowerPriority))
            bench.run(for: .milliseconds(20))
        }
        bench.run(for: .milliseconds(229))
        #expect(bench.progress("slider", 0.5, client: other).reason == .lowerPriority)
        bench.run(for: .milliseconds(1))
        #expect(bench.progress("slider", 0.5, client: other).playback == PlaybackID(2), "it goes on from the fade")
        #expect(bench.progress("lever", 0.5).reason == .lowerPriority)
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.preempted, .completed])
        #expect(bench.pulses().count == 1)
    }

    @Test("A motor that cannot follow is no reason to call a value too weak where another one is followed on all that can")
    func twoBesideOnOff() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        let actuators = [EngineActuator(name: "main"), EngineActuator(name: "buzzer", capabilities: onOff)]
        var bench = Self.pulled(.following(actuators: actuators))
        let decision = bench.progress("slider", 0.5)
        #expect((decision.outcome, decision.reason) == (.suppressed, .lowerPriority))
        let blocker = Decision.Blocker(playback: PlaybackID(1), pattern: nil, feedbackClass: .texture)
        #expect(decision.circumstance == .blocked(by: blocker))
    }

    @Test("One that is let go, or cancelled, leaves the actuator to another one at once")
    func twoAndRelease() {
        for end in [BatchItem.release("lever", at: .ms(100)), .cancel(.source(id: "lever"), .graceful)] {
            var bench = Self.pulled()
            bench.take(.batch([end]))
            #expect(bench.progress("slider", 0.5).outcome == .played)
        }
    }

    @Test("Of two values the more important one takes the actuator")
    func twoClasses() {
        var configuration = EngineConfiguration.following(match: "lever")
        configuration.progressRules += EngineConfiguration.following(feedbackClass: .interaction).progressRules
        var bench = Self.pulled(configuration)
        #expect(bench.progress("slider", 0.5).outcome == .played)
        #expect(bench.progress("lever", 0.5).reason == .lowerPriority)
    }

    @Test("A device that is lost ends it, and what is left may begin it")
    func lost() {
        var bench = Self.pulled()
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        #expect(bench.ends.map(\.ending) == [.failed])
        #expect(bench.progress("lever", 0.6).reason == .deviceLost)
        bench.take(.actuator(ActuatorIndex(0), isAvailable: true))
        #expect(bench.progress("lever", 0.7).outcome == .played)
    }

    @Test("Of two actuators the one that is left goes on")
    func oneLost() {
        let actuators = [EngineActuator(name: "a"), EngineActuator(name: "b")]
        var bench = Self.pulled(.following(actuators: actuators))
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        #expect(bench.progress("lever", 0.6).actuators == ["b"])
        bench.run(for: .seconds(1))
        #expect(bench.pulses(on: 1).map(\.end) == [.ms(450)])
    }

    @Test("A cancel fades it, and the next value begins it again")
    func cancelled() {
        var bench = Self.pulled()
        bench.send([.cancel(.source(id: "lever"), .graceful)])
        bench.run(for: .milliseconds(20))
        #expect(bench.progress("lever", 0.6).playback == PlaybackID(2))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.cancelled, .completed])
    }

    @Test("The machine sleeps: it ends at once, nothing begins, and what was pending is forgotten")
    func suspended() {
        var bench = Self.pulled()
        bench.progress("lever", 0.6)
        bench.progress("lever", 0.7)
        bench.send([
            .cancel(CancelRequest(client: Bench.ada, target: .all, mode: .immediate, untilResumed: true))
        ])
        #expect(bench.progress("lever", 0.8).reason == .suspended)
        bench.take(.slept(.seconds(3600)))
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.end) == [.ms(100)])
        #expect(bench.progress("lever", 0.9).outcome == .played)
    }

    @Test("Another configuration with the same actuators leaves it, and its rule counts from the next value on")
    func reloaded() {
        var bench = Self.pulled()
        bench.take(.configuration(.following(intensity: Intensity(0.5)!)))
        #expect(bench.progress("lever", 0.6).intensity == Intensity(0.3))
        #expect(bench.decisions.last?.playback == PlaybackID(1))
        bench.run(for: .milliseconds(50))
        bench.take(.configuration(.bench()))
        #expect(bench.progress("lever", 0.7).pattern == "soft", "now it has steps")
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.preempted, .completed])
    }

    @Test("Another configuration with other actuators ends it, also what was pending")
    func replaced() {
        var bench = Self.pulled()
        bench.progress("lever", 0.6)
        bench.progress("lever", 0.7)
        bench.take(.configuration(.following(actuators: [EngineActuator(name: "other")])))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.reload])
        #expect(bench.pulses().map(\.end) == [.ms(100)])
    }

    @Test("A batch is a transaction: of its values the last is felt, and a release leaves nothing of them")
    func batch() {
        var bench = Bench(.following())
        let values = [0.2, 0.4, 0.9].map { BatchItem.progress("lever", $0, at: .zero) }
        #expect(bench.send(values).map(\.outcome) == [.played, .merged, .merged])
        bench.run(for: .milliseconds(200))
        #expect(abs(bench.level(at: .ms(200)) - 0.9) < 0.01)
        bench = Bench(.following())
        let decisions = bench.send(values + [.release("lever", at: .zero)])
        #expect(decisions.map(\.outcome) == [.preempted, .merged, .merged, .suppressed])
        bench.run(for: .seconds(1))
        #expect(bench.actuations.isEmpty)
    }

    @Test("The limits of the motor are kept: it is never on for longer than it may")
    func limits() {
        let limits = MotorLimits(minGap: .milliseconds(20), maxOn: .milliseconds(500))
        var bench = Bench(.following(actuators: [EngineActuator(name: "main", limits: limits)]))
        for step in 0..<300 {
            bench.progress("lever", 0.5 + Double(step % 10) / 100)
            bench.run(for: .milliseconds(10))
        }
        bench.run(for: .seconds(1))
        #expect(bench.pulses().allSatisfy { $0.end - $0.start <= .milliseconds(500) })
        let gaps = zip(bench.pulses(), bench.pulses().dropFirst()).map { $1.start - $0.end }
        #expect(gaps.allSatisfy { $0 >= .milliseconds(20) })
    }
}
