// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

@Suite("One rhythm at a time on each actuator")
struct ArbitrationTests {
    @Test("Higher priority pre-empts at once, lower is suppressed, on a tie the newer wins")
    func priorities() {
        var bench = Bench()
        let texture = bench.play("long", .texture)
        bench.run(until: .ms(10))
        let alarm = bench.play("long", .alarm)
        #expect(
            bench.ends.last == PlaybackEnd(playback: texture.playback!, ending: .preempted, reason: .lowerPriority, at: .ms(10)))
        bench.run(until: .ms(20))
        let refused = bench.play("soft", .notification)
        #expect(refused.reason == .lowerPriority)
        #expect(
            refused.circumstance
                == .blocked(by: .init(playback: alarm.playback!, pattern: nil, feedbackClass: .alarm)))
        let newer = bench.play("long", .alarm)
        #expect(bench.ends.last == PlaybackEnd(playback: alarm.playback!, ending: .preempted, reason: .superseded, at: .ms(20)))
        bench.run(for: .seconds(2))
        #expect(bench.ends.last == PlaybackEnd(playback: newer.playback!, ending: .completed, reason: nil, at: .ms(1020)))
        #expect(bench.pulses().map(\.start) == [.ms(0), .ms(10), .ms(20)])
        #expect(bench.pulses().map(\.end) == [.ms(10), .ms(20), .ms(1020)])
    }

    @Test(
        "A client that may not end what others play takes their actuators only for what is more important, and free ones always"
    )
    func others() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right")]))
        let guest = ClientIdentity(connection: 9, user: 9, mayEndOthers: false)
        func play(_ pattern: String, _ feedbackClass: FeedbackClass, _ indices: [Int]? = nil) -> BatchItem {
            let play = PlayInput(
                pattern: EngineConfiguration.bench().patterns[Text(pattern)]!, feedbackClass: feedbackClass,
                actuators: indices.map { $0.map { ActuatorIndex($0) } })
            return .input(Input(client: guest, at: .zero, kind: .play(play)))
        }
        let alarm = bench.play("long", .alarm, actuators: [0])
        let refused = bench.send(play("soft", .alarm, [0]))
        #expect(refused.reason == .notAllowed)
        #expect(
            refused.circumstance
                == .blocked(by: .init(playback: alarm.playback!, pattern: nil, feedbackClass: .alarm)))
        #expect(bench.send(play("soft", .interaction, [0])).reason == .lowerPriority)
        #expect(bench.send(play("long", .interaction)).actuators == ["right"])
        #expect(bench.send(play("long", .interaction, [1])).outcome == .played, "of one's own the newer wins")
        #expect(bench.send(play("soft", .alarm)).actuators == ["right"], "what is more important pre-empts")
        #expect(!bench.ends.contains { $0.playback == alarm.playback })
        bench.run(for: .seconds(2))
        #expect(bench.ends.contains { $0.playback == alarm.playback && $0.ending == .completed })
    }

    @Test("What keeps a client out is named, not what is more important elsewhere")
    func blockerOfNotAllowed() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right")]))
        bench.play("long", .alarm, actuators: [0])
        let equal = bench.play("long", .interaction, actuators: [1])
        let guest = ClientIdentity(connection: 9, user: 9, mayEndOthers: false)
        let play = PlayInput(pattern: EngineConfiguration.bench().patterns[Text("soft")]!, feedbackClass: .interaction)
        let refused = bench.send(.input(Input(client: guest, at: .zero, kind: .play(play))))
        #expect(refused.reason == .notAllowed)
        #expect(
            refused.circumstance
                == .blocked(by: .init(playback: equal.playback!, pattern: nil, feedbackClass: .interaction)))
    }

    @Test(
        "What is too weak for the motor that is free is kept out by what plays on the other one, but where it would be too weak there, too",
        arguments: [(FeedbackClass.alarm, Reason.lowerPriority), (.interaction, .notAllowed)])
    func tooWeakForFreeOnes(playing: FeedbackClass, reason: Reason) {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        let buzzer = EngineActuator(name: "buzzer", capabilities: onOff)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main"), buzzer]))
        let blocker = bench.play("long", playing, actuators: [0])
        let guest = ClientIdentity(connection: 9, user: 9, mayEndOthers: false)
        let soft = EngineConfiguration.bench().patterns[Text("soft")]!
        for (intensity, expected) in [(0.2, reason), (0, .tooSubtle)] {
            let play = PlayInput(pattern: soft, intensity: Intensity(intensity)!, feedbackClass: .interaction)
            let decision = bench.send(.input(Input(client: guest, at: .zero, kind: .play(play))))
            #expect((decision.outcome, decision.reason) == (.suppressed, expected), "\(intensity)")
            let isBlocked = expected == reason
            let expectedBlocker = Decision.Blocker(playback: blocker.playback!, pattern: nil, feedbackClass: playing)
            #expect(decision.circumstance == (isBlocked ? .blocked(by: expectedBlocker) : nil), "\(intensity)")
        }
    }

    @Test("A playback that loses one of its actuators goes on with the others")
    func partly() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right")]))
        let both = bench.play("long")
        #expect(both.actuators == ["left", "right"])
        bench.run(until: .ms(100))
        #expect(bench.play("soft", .alarm, actuators: [0]).actuators == ["left"])
        #expect(bench.play("soft", .texture).actuators == [], "both are taken by more important ones")
        bench.run(for: .seconds(2))
        #expect(bench.pulses(on: 1).map(\.end) == [.ms(1000)])
        #expect(bench.ends.contains { $0.playback == both.playback && $0.ending == .completed && $0.at == .ms(1000) })
    }

    @Test("An immediate cancel is off at once, a graceful one fades within 50 ms")
    func cancel() {
        var bench = Bench()
        let first = bench.play("long", id: "a")
        bench.run(until: .ms(200))
        bench.send([.cancel(.source(id: "a"))])
        #expect(bench.cancelledCounts == [1])
        #expect(bench.ends == [PlaybackEnd(playback: first.playback!, ending: .cancelled, reason: .requested, at: .ms(200))])
        let second = bench.play("long", id: "a")
        bench.run(until: .ms(400))
        bench.send([.cancel(.playback(second.playback!), .graceful)])
        #expect(bench.ends.count == 1, "it ends when it has faded")
        bench.run(for: .seconds(1))
        #expect(bench.ends.last == PlaybackEnd(playback: second.playback!, ending: .cancelled, reason: .requested, at: .ms(450)))
        #expect(bench.pulses().map(\.end) == [.ms(200), .ms(450)])
        let fade = bench.actuations.suffix(5).map(\.level.intensity.value)
        #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 > $1 }, "\(fade)")
    }

    @Test("A pulse that would go off by itself within a graceful cancel goes off at its own time")
    func gracefulShort() {
        var bench = Bench()
        bench.play("soft", id: "a", steps: 10)
        bench.run(until: .zero + StepTrain(steps: 10)!.offset(of: 3) + .milliseconds(3))
        bench.send([.cancel(.all, .graceful)])
        bench.run(for: .seconds(3))
        #expect(bench.pulses().count == 3)
        #expect(bench.pulses()[2].end - bench.pulses()[2].start == .milliseconds(8))
    }

    @Test("A cancel reaches only what it names")
    func cancelTargets() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right")]))
        bench.play("long", id: "a", actuators: [0])
        bench.play("long", id: "b", actuators: [1])
        bench.send([.cancel(.source(id: "nobody")), .cancel(.source(id: "b")), .cancel(.playback(PlaybackID(99)))])
        #expect(bench.cancelledCounts == [0, 1, 0])
        let stranger = ClientIdentity(connection: 9, user: 9)
        bench.send([.cancel(CancelRequest(client: stranger, target: .source(id: "a"), mode: .immediate)), .cancel(.all)])
        #expect(bench.cancelledCounts.suffix(2) == [0, 1])
    }

    @Test("The same play of one id is a duplicate while it plays, a different one supersedes it")
    func duplicate() {
        var bench = Bench()
        let first = bench.play("long", id: "call")
        bench.run(until: .ms(100))
        #expect(bench.play("long", id: "call").reason == .duplicate)
        #expect(bench.play("soft", id: "call").outcome == .played)
        #expect(bench.ends.first == PlaybackEnd(playback: first.playback!, ending: .cancelled, reason: .superseded, at: .ms(100)))
        bench.run(for: .seconds(1))
        #expect(bench.play("long", id: "call").outcome == .played)
    }

    @Test("In a batch a later item takes the actuator as if the earlier one had never been")
    func batch() {
        var bench = Bench()
        let decisions = bench.send([
            .play("long", id: "a", at: .zero), .progress("p", 0.5, at: .zero), .event("payment.succeeded", at: .zero),
        ])
        #expect(decisions.map(\.outcome) == [.preempted, .suppressed, .played])
        #expect(decisions.map(\.reason) == [.superseded, .lowerPriority, nil])
        #expect(decisions.map(\.actuators) == [[], [], ["main"]])
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.playback) == [decisions[2].playback], "only what has begun ends")
        #expect(bench.pulses().map(\.end) == [.ms(60)])
    }

    @Test("In a batch a later step of the same source supersedes the earlier, even on another actuator")
    func batchSameSource() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right")]))
        let decisions = bench.send([
            .play("soft", id: "a", actuators: [0], at: .zero), .play("light", id: "a", actuators: [1], at: .zero),
            .play("soft", id: "b", actuators: [0], at: .zero), .cancel(.source(id: "b")),
        ])
        #expect(decisions.map(\.outcome) == [.preempted, .played, .cancelled])
        #expect(decisions.map(\.reason) == [.superseded, nil, .requested])
        #expect(bench.cancelledCounts == [1])
        bench.run(for: .seconds(1))
        #expect((bench.pulses(on: 0).count, bench.pulses(on: 1).count) == (0, 1))
    }

    @Test("In a batch a release takes back what its source began before it")
    func batchRelease() {
        var bench = Bench()
        let decisions = bench.send([.progress("a", 0.5, at: .zero), .release("a", at: .zero)])
        #expect(decisions.map(\.outcome) == [.preempted, .suppressed])
        #expect(decisions.map(\.reason) == [.superseded, .released])
        bench.run(for: .seconds(1))
        #expect(bench.pulses().isEmpty)
    }

    @Test("What a batch takes back does not count for the limit of its class")
    func batchRefund() {
        var bench = Bench()
        let batch = (1...60).map { _ in BatchItem.play("soft", at: .zero) }
        #expect(bench.send(batch).count { $0.outcome == .preempted } == 59)
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("A lost device ends what it plays, and is used again when it is back")
    func lost() {
        var bench = Bench()
        let playing = bench.play("long")
        bench.run(until: .ms(100))
        bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
        #expect(bench.ends == [PlaybackEnd(playback: playing.playback!, ending: .failed, reason: .deviceLost, at: .ms(100))])
        let refused = bench.play("long")
        #expect((refused.outcome, refused.reason) == (.failed, .deviceLost))
        bench.take(.actuator(ActuatorIndex(0), isAvailable: true))
        #expect(bench.play("long").outcome == .played)
    }

    @Test("A playback has ended when the last of its actuators was done, however late the engine looks")
    func lateEnd() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right", capabilities: onOff)]))
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

    @Test("A playback that ends with its client fades out when that connection closes, other playbacks go on")
    func clientGone() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "left"), EngineActuator(name: "right")]))
        let bound = bench.send(.play("long", actuators: [0], endsWithClient: true, at: .zero))
        let other = bench.send(.play("long", actuators: [1], at: .zero))
        bench.run(until: .ms(500))
        bench.take(.connectionClosed(1))
        bench.run(for: .seconds(1))
        #expect(
            bench.ends.contains(PlaybackEnd(playback: bound.playback!, ending: .cancelled, reason: .clientGone, at: .ms(550))))
        #expect(bench.ends.contains(PlaybackEnd(playback: other.playback!, ending: .completed, reason: nil, at: .ms(1000))))
    }

    @Test(
        "Whatever a playback that ends with its client plays or waits for, it is over 50 ms after the connection closed",
        arguments: [(600, 650), (1050, 1100)] as [(Int64, Int64)])
    func clientGoneMeanwhile(goneAt: Int64, end: Int64) {
        let motors = (0..<4).map { EngineActuator(name: "motor \($0)") }
        let ring = PhaseTests.phases([.init(PhaseTests.ring, until: .released), .init(PhaseTests.done)])
        var bench = Bench(.bench(actuators: motors))
        // An open phase, a train with steps to come, and a pattern whose turn on the last actuator comes in 0.9 s.
        bench.send(PhaseTests.play(ring, id: "call", actuators: [0], endsWithClient: true, at: .zero))
        bench.send(.play("soft", id: "train", steps: 75, actuators: [1], endsWithClient: true, at: .zero))
        bench.send(
            PhaseTests.play(
                .bench["long"]!, id: "wave", actuators: [2, 3],
                spread: .stagger(Stagger(interval: .milliseconds(900), origin: .first)), endsWithClient: true, at: .zero))
        bench.run(until: .ms(goneAt))
        bench.take(.connectionClosed(2))
        #expect(bench.ends.isEmpty)
        bench.take(.connectionClosed(1))
        bench.run(for: .seconds(3))
        #expect(bench.ends.map(\.playback.value).sorted() == [1, 2, 3])
        #expect(bench.ends.allSatisfy { $0.ending == .cancelled && $0.reason == .clientGone && $0.at <= .ms(end) })
        #expect(bench.actuations.allSatisfy { $0.planned <= .ms(end) })
        #expect(bench.pulses(on: 3).isEmpty == (goneAt < 900))
        #expect(bench.engine.playbackCount == 0)
    }

    @Test("A profile that wants nothing of a class ends what of it is playing")
    func profileEnds() {
        var bench = Bench()
        bench.play("long", .interaction)
        bench.run(until: .ms(100))
        bench.send([.set(.silent)])
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.profile])
        #expect(bench.engine.profile == .silent)
    }

    @Test("Shutdown switches everything off at once")
    func shutdown() {
        var bench = Bench()
        bench.play("long")
        bench.run(until: .ms(100))
        bench.take(.shutdown)
        #expect(bench.ends.map(\.reason) == [.shutdown])
        #expect(bench.pulses().map(\.end) == [.ms(100)])
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test("A reload keeps sources and, with the same actuators, what plays; with others it ends")
    func configure() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.play("long", .alarm)
        bench.run(until: .ms(50))
        bench.take(.configuration(.bench(complete: "success")))
        #expect(bench.progress("a", 0.5).reason == .belowStep)
        #expect(bench.ends.map(\.ending) == [.preempted])
        bench.take(.configuration(.bench(actuators: [EngineActuator(name: "other")])))
        #expect(bench.ends.last?.reason == .reload)
        let next = bench.play("soft")
        #expect(next.actuators == ["other"])
        #expect(next.playback!.value == 3, "no id is used twice")
    }
}
