// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("Arbitration")
struct ArbitrationTests {
    private static let guest = ClientIdentity(connection: 9, user: 9, mayEndOthers: false)
    private static let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
    private static let two = [EngineActuator(name: "left"), EngineActuator(name: "right")]

    private static func blocker(_ decision: Decision, _ feedbackClass: FeedbackClass) -> Decision.Blocker {
        Decision.Blocker(playback: decision.playback!, pattern: nil, feedbackClass: feedbackClass)
    }

    @Test("A refused input names the playback that keeps it out")
    func blockers() {
        var bench = Bench(.bench(actuators: Self.two))
        let alarm = bench.play("long", .alarm, actuators: [0])
        let equal = bench.play("long", .interaction, actuators: [1])
        let soft = PlayablePattern.bench["soft"]!
        let (byAlarm, byEqual) = (Self.blocker(alarm, .alarm), Self.blocker(equal, .interaction))
        for (feedbackClass, actuators, client, reason, blocker) in [
            (.notification, [ActuatorIndex(0)], Bench.ada, .lowerPriority, byAlarm),
            (.alarm, [ActuatorIndex(0)], Self.guest, .notAllowed, byAlarm), (.interaction, nil, Self.guest, .notAllowed, byEqual),
        ] as [(FeedbackClass, [ActuatorIndex]?, ClientIdentity, Reason, Decision.Blocker)] {
            let play = PlayInput(pattern: soft, feedbackClass: feedbackClass, actuators: actuators)
            let refused = bench.play(play, by: client)
            #expect(refused.reason == reason)
            #expect(refused.circumstance == .blocked(by: blocker))
        }
    }

    @Test(
        "An input too weak for the free motor is kept out by the playback on the other one, unless it is too weak there, too",
        arguments: [(FeedbackClass.alarm, Reason.lowerPriority), (.interaction, .notAllowed)])
    func tooWeakForFreeOnes(playing: FeedbackClass, reason: Reason) {
        let buzzer = EngineActuator(name: "buzzer", capabilities: Self.onOff)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main"), buzzer]))
        let blocker = Self.blocker(bench.play("long", playing, actuators: [0]), playing)
        let soft = PlayablePattern.bench["soft"]!
        let weak = bench.play(PlayInput(pattern: soft, intensity: Intensity(0.2)!), by: Self.guest)
        #expect(weak.reason == reason)
        #expect(weak.circumstance == .blocked(by: blocker))
        let silent = bench.play(PlayInput(pattern: soft, intensity: .zero), by: Self.guest)
        #expect((silent.reason, silent.circumstance) == (.silent, nil))
        bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: Self.onOff), buzzer]))
        _ = bench.play("long", playing, actuators: [0])
        let none = bench.play(PlayInput(pattern: soft, intensity: Intensity(0.2)!), by: Self.guest)
        #expect((none.reason, none.circumstance) == (.tooSubtle, nil))
    }

    @Test("A playback has ended when the last of its actuators was done, however late the engine is called")
    func lateEnd() {
        var bench = Bench(.bench(actuators: [Self.two[0], EngineActuator(name: "buzzer", capabilities: Self.onOff)]))
        bench.play("long")
        bench.run(until: .ms(100))
        bench.send([.cancel(.all, .graceful)])
        #expect(bench.pulses(on: 0).last?.end == .ms(150))
        #expect(bench.pulses(on: 1).last!.end < .ms(150))
        bench.now = .ms(900)
        bench.take(.time)
        #expect(bench.ends.map(\.at) == [.ms(150)])
    }

    @Test("Without any actuator an input is suppressed")
    func noActuator() {
        var bench = Bench(.bench(actuators: []))
        #expect(bench.play("soft").reason == .noActuator)
    }

    @Test("The owner of a playback is known as long as it plays")
    func owner() throws {
        var bench = Bench()
        let playback = try #require(bench.play("long").playback)
        #expect(bench.engine.owner(of: playback) == Bench.ada.owner)
        bench.send([.cancel(.all)])
        #expect(bench.engine.owner(of: playback) == nil)
    }
}
