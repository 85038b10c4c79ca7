// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

@Suite("Waiting playbacks are bounded, and make room for what is more important")
struct WaitingTests {
    /// It lasts until somebody answers.
    private static let ring: PlayablePattern = {
        let frames = [Int64(0), 100].map {
            Keyframe(at: .milliseconds($0), intensity: Intensity(0.6)!, sharpness: .zero, curve: .step)
        }
        let hum = try! Pattern(name: "hum", tracks: [.keyframes(frames)])
        return PlayablePattern(try! Pattern(name: "ring", phases: [.init(hum, until: .released, upTo: .seconds(600))]))
    }()
    private static let bob = ClientIdentity(connection: 2, user: 1001)
    private static let root = ClientIdentity(connection: 3, user: 0)
    /// `access: cancelAll` names others.
    private static let carol = ClientIdentity(connection: 4, user: 1002, mayEndOthers: false)

    private static func bench(actuators: Int = 1, playbacks: Int = 1024, perUser: Int? = nil) -> Bench {
        var bounds = EngineBounds.standard
        (bounds.playbacks, bounds.playbacksPerUser) = (playbacks, perUser)
        func rule(_ name: String, _ feedbackClass: FeedbackClass, _ actuators: [ActuatorIndex]? = nil) -> EventRule {
            let feedback = RuleFeedback(pattern: "ring", feedbackClass: feedbackClass, actuators: actuators)
            return EventRule(match: Glob(name), feedback: feedback, resumes: true)
        }
        let patterns = PlayablePattern.bench.merging([("ring", ring)]) { $1 }
        return Bench(
            try! EngineConfiguration(
                actuators: (0..<actuators).map { EngineActuator(name: "motor-\($0)") },
                eventRules: [
                    rule("call.incoming", .notification), rule("call.low", .interaction), rule("call.alarm", .alarm),
                    rule("call.side", .notification, [ActuatorIndex(actuators - 1)]),
                ], patterns: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0), $1) }), bounds: bounds))
    }

    /// Begins a ring, a little later than a tenth of a second after what was before: a class has a rate.
    @discardableResult
    private static func call(
        _ bench: inout Bench, _ id: String, _ name: String = "call.incoming", by client: ClientIdentity = Bench.ada
    ) -> Decision {
        bench.run(for: .milliseconds(110))
        return bench.send(.event(name, id: id, at: bench.now, client: client))
    }

    private static func alarm(_ bench: inout Bench, by client: ClientIdentity) -> Decision {
        let alarm = PlayInput(pattern: PlayablePattern.bench["success"]!, feedbackClass: .alarm)
        return bench.send(.input(Input(client: client, at: bench.now, kind: .play(alarm))))
    }

    private static func endings(_ bench: borrowing Bench) -> [String] {
        bench.ends.map { "\($0.playback.value) \($0.ending) \($0.reason.map { "\($0)" } ?? "")" }
    }

    @Test("Calls of one user that nobody answers never keep another user's alarm, or root's, from being felt")
    func alarms() {
        for (client, perUser) in [(Self.bob, Int?.none), (Self.root, nil), (Self.carol, 10), (Bench.ada, 10)] {
            var bench = Self.bench(actuators: 2, playbacks: 10, perUser: perUser)
            for number in 0..<100 { Self.call(&bench, "call-\(number)") }
            #expect(bench.engine.playbackCount == 9)
            for number in 0..<100 { Self.call(&bench, "side-\(number)", "call.side") }
            #expect(bench.engine.playbackCount == 10)
            #expect(Self.alarm(&bench, by: client).outcome == .played)
            let first = bench.actuations.last { $0.isOn && $0.actuator == ActuatorIndex(0) }
            #expect(first?.planned == bench.now && first?.level.intensity == .one)
            #expect(bench.engine.playbackCount == 10)
        }
    }

    @Test("Eight wait for an actuator at most: the least important makes room, of equal ones the oldest")
    func most() {
        var bench = Self.bench()
        Self.call(&bench, "low", "call.low")
        for number in 0..<8 { Self.call(&bench, "call-\(number)") }
        #expect(bench.ends.isEmpty && bench.engine.playbackCount == 9)
        Self.call(&bench, "call-8")
        #expect(Self.endings(bench) == ["1 preempted lowerPriority"])
        Self.call(&bench, "call-9")
        #expect(Self.endings(bench).last == "2 preempted superseded")
        #expect(bench.ends.last?.at == bench.now)
        #expect(bench.engine.playbackCount == 9)
        bench.send(.release("call-9", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == PlaybackID(10), "the newest of those that still wait")
    }

    @Test("What loses its place on one actuator still waits for its others")
    func several() {
        var bench = Self.bench(actuators: 2)
        Self.call(&bench, "both")
        Self.call(&bench, "fire", "call.alarm")
        for number in 0..<20 { Self.call(&bench, "fire-\(number)", "call.alarm") }
        #expect(Self.endings(bench).first == "1 preempted lowerPriority", "it has lost both places")
        bench = Self.bench(actuators: 2)
        Self.call(&bench, "both")
        for number in 0..<20 { Self.call(&bench, "side-\(number)", "call.side") }
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == PlaybackID(1))
        #expect(!bench.ends.contains { $0.playback == PlaybackID(1) })
        bench.send([.cancel(.all)])
        #expect(bench.engine.playbackCount == 0)
        #expect(Set(bench.ends.map(\.playback)).count == bench.ends.count, "each ends once")
    }

    @Test("If a bound is reached, what waits makes room for what is as important, and nobody is refused for it")
    func room() {
        var bench = Self.bench(playbacks: 3)
        for id in ["a", "b", "c"] { Self.call(&bench, id) }
        let fourth = Self.call(&bench, "d", by: Self.bob)
        #expect(fourth.outcome == .played)
        #expect(Self.endings(bench) == ["1 preempted superseded"])
        #expect(bench.engine.playbackCount == 3)
    }

    @Test("What is more important than all that waits makes what it interrupts give up")
    func interrupted() {
        var bench = Self.bench(playbacks: 1)
        Self.call(&bench, "a")
        #expect(Self.alarm(&bench, by: Self.bob).outcome == .played)
        #expect(Self.endings(bench) == ["1 preempted lowerPriority"])
        #expect(bench.interruptions.isEmpty)
    }

    @Test("What waits makes no room for what is less important")
    func lessImportant() {
        var bench = Self.bench(actuators: 2, playbacks: 2)
        Self.call(&bench, "a", "call.side")
        Self.call(&bench, "b", "call.side")
        let play = PlayInput(
            pattern: PlayablePattern.bench["success"]!, feedbackClass: .interaction, actuators: [ActuatorIndex(0)])
        let refused = bench.send(.input(Input(client: Self.bob, at: bench.now, kind: .play(play))))
        #expect((refused.reason, refused.bound) == (.quota, .playbacks))
        #expect(bench.ends.isEmpty)
    }

    @Test("Of a user who has as many as one may, only what waits of that user makes room")
    func user() {
        var bench = Self.bench(playbacks: 100, perUser: 3)
        for id in ["a", "b"] { Self.call(&bench, id, by: Self.bob) }
        for id in ["c", "d", "e", "f"] { #expect(Self.call(&bench, id).outcome == .played) }
        #expect(Self.endings(bench) == ["3 preempted superseded"])
        #expect(bench.engine.playbackCount == 5)
    }

    @Test("Who may not end what others play makes them give up no more than that by an alarm")
    func others() {
        var bench = Self.bench(actuators: 2, playbacks: 2)
        for id in ["a", "b"] { Self.call(&bench, id, "call.side") }
        func play(_ feedbackClass: FeedbackClass) -> Decision {
            let play = PlayInput(
                pattern: PlayablePattern.bench["success"]!, feedbackClass: feedbackClass, actuators: [ActuatorIndex(0)])
            return bench.send(.input(Input(client: Self.carol, at: bench.now, kind: .play(play))))
        }
        #expect(play(.notification).bound == .playbacks)
        #expect(play(.alarm).outcome == .played)
        #expect(Self.endings(bench) == ["1 preempted superseded"])
    }

    @Test("A cancel finds what it ends without looking at what waits: it allocates as little as if nothing did")
    func cancels() {
        func allocations(calls: Int) -> Int {
            var bench = Self.bench(actuators: 64)
            for number in 0..<calls { Self.call(&bench, "call-\(number)") }
            let items = (0..<WorkBudget.mostItems).map { BatchItem.cancel(.source(id: "a call that is not there, \($0)")) }
            bench.send(items)
            let made = AllocationTests.allocations { bench.take(.batch(items)) }
            #expect(bench.cancelledCounts.allSatisfy { $0 == 0 } && bench.engine.playbackCount == min(calls, 9))
            return made
        }
        #expect(allocations(calls: 20) <= allocations(calls: 0) + 20)
    }
}
