// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

/// A ring that resumes, and what takes its actuators.
@Suite("What is interrupted goes on where it would be")
struct ResumeTests {
    /// Three levels of 100 ms and 20 ms of nothing between them, a tap at 400 ms, and a level up to 1 s.
    private static let ring: PlayablePattern = {
        let levels: [(at: Int64, intensity: Double)] = [
            (0, 0.5), (100, 0), (120, 0.6), (220, 0), (240, 0.7), (340, 0), (400, 0.9), (420, 0), (500, 0.8), (1000, 0),
        ]
        let frames = levels.map {
            Keyframe(at: .milliseconds($0.at), intensity: Intensity(clamping: $0.intensity), sharpness: .zero, curve: .step)
        }
        return PlayablePattern(try! Pattern(name: "ring", tracks: [.keyframes(frames)]))
    }()
    private static let quick = ContinuityTests.glide(
        "quick", [(0, 0.1), (1000, 0.9), (1100, 0)], transition: Spring(response: .milliseconds(100), dampingFraction: 1)!)
    private static let phased: PlayablePattern = {
        let frames = [Int64(0), 100].map {
            Keyframe(at: .milliseconds($0), intensity: Intensity(0.6)!, sharpness: .zero, curve: .step)
        }
        let hum = try! Pattern(name: "hum", tracks: [.keyframes(frames)])
        let tap = try! Pattern(
            name: "tap",
            tracks: [.events([HapticEvent(at: .milliseconds(200), kind: .transient, intensity: .one, sharpness: .zero)])])
        return PlayablePattern(try! Pattern(name: "phased", phases: [.init(hum, until: .released), .init(tap)]))
    }()

    private static func bench(_ actuators: Int = 1, playbacks: Int = 1024) -> Bench {
        var bounds = EngineBounds.standard
        bounds.playbacks = playbacks
        let motors = ["main", "side"].prefix(actuators).map { EngineActuator(name: $0) }
        let more = [ring, phased, quick].map { ($0.name, $0) }
        let patterns = PlayablePattern.bench.merging(more) { $1 }
        func rule(
            _ name: String, _ pattern: String, _ feedbackClass: FeedbackClass, resumes: Bool = false,
            actuators: [ActuatorIndex]? = nil
        ) -> EventRule {
            let feedback = RuleFeedback(pattern: pattern, feedbackClass: feedbackClass, actuators: actuators)
            return EventRule(match: Glob(name), feedback: feedback, resumes: resumes)
        }
        return Bench(
            try! EngineConfiguration(
                actuators: motors,
                eventRules: [
                    rule("ring", "ring", .notification, resumes: true), rule("glide", "quick", .notification, resumes: true),
                    rule("wait", "phased", .notification, resumes: true), rule("low", "long", .interaction, resumes: true),
                    rule("message", "success", .notification, actuators: [ActuatorIndex(0)]), rule("fire", "long", .alarm),
                    rule("plain", "ring", .notification),
                ], patterns: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0), $1) }), bounds: bounds))
    }

    /// (ms, intensity) of all that the actuator gets of a playback.
    private static func felt(_ bench: borrowing Bench, _ playback: UInt64, on actuator: Int = 0) -> [[Double]] {
        bench.actuations.filter { $0.playback.value == playback && $0.actuator.value == actuator }.map {
            [Double($0.planned.nanoseconds) / 1e6, $0.level.intensity.value]
        }
    }

    private static func endings(_ bench: borrowing Bench) -> [String] {
        bench.ends.map { "\($0.playback.value) \($0.ending) \($0.reason.map { "\($0)" } ?? "") \($0.at)" }
    }

    // MARK: Where it goes on

    @Test("A ring goes on after a message: a level that is held at once, with its instants as they were planned")
    func after() {
        var bench = Self.bench()
        bench.event("ring")
        bench.run(until: .ms(90))
        bench.event("message")
        bench.run(for: .seconds(3))
        // The message takes 60 ms.
        #expect(
            Self.felt(bench, 1) == [
                [0, 0.5], [90, 0], [150, 0.6], [220, 0], [240, 0.7], [340, 0], [400, 0.9], [420, 0], [500, 0.8], [1000, 0],
            ])
        #expect(Self.endings(bench) == ["2 completed  150ms", "1 completed  1s"])
        #expect(bench.interruptions.map(\.state) == [.interrupted, .resumed])
        #expect(bench.interruptions.map(\.at) == [.ms(90), .ms(150)])
    }

    @Test("Without `resume` it ends as preempted, as ever")
    func plain() {
        var bench = Self.bench()
        bench.event("plain")
        bench.run(until: .ms(90))
        bench.event("message")
        bench.run(for: .seconds(3))
        #expect(Self.endings(bench) == ["1 preempted superseded 90ms", "2 completed  150ms"])
        #expect(bench.interruptions.isEmpty)
    }

    @Test("The rest of an impact is left out")
    func impact() {
        var bench = Self.bench()
        bench.event("ring")
        bench.run(until: .ms(350))
        bench.event("message")
        bench.run(for: .seconds(3))
        #expect(Self.felt(bench, 1).suffix(2) == [[500, 0.8], [1000, 0]], "its tap of 20 ms is half over when the message is")
        #expect(!Self.felt(bench, 1).contains { $0[0] > 350 && $0[0] < 500 && $0[1] > 0 })
    }

    @Test("What glides comes back through its spring")
    func glide() throws {
        var bench = Self.bench()
        bench.event("glide")
        bench.run(until: .ms(400))
        bench.event("message")
        bench.run(for: .seconds(3))
        let back = Self.felt(bench, 1).filter { $0[0] >= 460 && $0[1] > 0 }
        let (first, second) = (try #require(back.first), try #require(back.dropFirst().first))
        #expect(first[0] == 460 && first[1] < 0.01 && second[1] - first[1] < Motion.largestStep)
        #expect(zip(back, back.dropFirst()).allSatisfy { abs($0[1] - $1[1]) <= Motion.largestStep })
        let own = Dictionary(uniqueKeysWithValues: Self.quick.timeline.frames.map { ($0.offset, $0.level.intensity.value) })
        #expect(back.contains { own[.milliseconds(Int64($0[0]))] == $0[1] }, "in the end it is the pattern's own curve")
    }

    @Test("It takes over from what fades out where it was cancelled, and waits for no end of that")
    func fading() {
        var bench = Self.bench()
        bench.event("ring")
        bench.run(until: .ms(510))
        bench.event("fire", id: "f")
        bench.run(until: .ms(600))
        bench.send([.cancel(.source(id: "f"), .graceful)])
        bench.run(for: .seconds(3))
        #expect(Self.felt(bench, 1).suffix(2) == [[600, 0.8], [1000, 0]])
        #expect(Self.endings(bench) == ["2 cancelled requested 600ms", "1 completed  1s"])
    }

    @Test("Of several that wait the most important goes on, of equal ones the newest; nothing less important gets in between")
    func order() {
        var bench = Self.bench()
        bench.event("low")
        bench.run(until: .ms(100))
        bench.event("ring", id: "a")
        bench.run(until: .ms(110))
        bench.event("ring", id: "b")
        bench.run(until: .ms(120))
        bench.event("fire", id: "f")
        bench.run(until: .ms(200))
        #expect(bench.engine.playbackCount == 4)
        bench.send([.cancel(.source(id: "f")), .play("long", .interaction, at: bench.now)])
        #expect(bench.decisions.last?.reason == .lowerPriority)
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == PlaybackID(3), "b, the newer one of two rings")
        bench.send([.cancel(.source(id: "b"))])
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == PlaybackID(2))
        bench.send([.cancel(.source(id: "a"))])
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == PlaybackID(1))
        bench.run(for: .seconds(3))
        #expect(Self.endings(bench).last == "1 completed  1s")
    }

    // MARK: Its end

    @Test("If it would be over by then, it ends as preempted at the end that was planned")
    func over() {
        var bench = Self.bench()
        bench.event("ring")
        bench.run(until: .ms(600))
        bench.event("fire")
        bench.run(for: .seconds(3))
        #expect(Self.endings(bench) == ["1 preempted lowerPriority 1s", "2 completed  1.6s"])
        #expect(bench.interruptions.map(\.state) == [.interrupted])
    }

    enum End: CaseIterable, Sendable { case cancel, all, off, profile, lost, shutdown, reload, sleep, clientGone }

    @Test("Whatever ends a playback ends one that waits, once", arguments: End.allCases)
    func ends(end: End) {
        var bench = Self.bench()
        bench.event("ring", id: "r")
        bench.run(until: .ms(90))
        bench.event("fire", id: "f")
        bench.run(until: .ms(120))
        let expected: String
        switch end {
        case .cancel:
            bench.send([.cancel(.source(id: "r"), .graceful)])
            expected = "1 cancelled requested 120ms"
        case .all:
            bench.send([.cancel(.all)])
            expected = "1 cancelled requested 120ms"
        case .off:
            bench.send([.change(SettingsChange(off: .set(.forGood)))])
            expected = "1 cancelled off 120ms"
        case .profile:
            bench.send([.set(.silent)])
            expected = "1 cancelled profile 120ms"
        case .lost:
            bench.take(.actuator(ActuatorIndex(0), isAvailable: false))
            bench.take(.actuator(ActuatorIndex(0), isAvailable: true))
            expected = "1 failed deviceLost 120ms"
        case .shutdown:
            bench.take(.shutdown)
            expected = "1 cancelled shutdown 120ms"
        case .reload:
            bench.take(.configuration(.bench(actuators: [EngineActuator(name: "other")])))
            expected = "1 cancelled reload 120ms"
        case .sleep:
            bench.take(.slept(.seconds(1)))
            expected = "1 cancelled suspended 120ms"
        case .clientGone:
            bench.take(.connectionClosed(1))
            expected = "1 preempted lowerPriority 1s"
        }
        bench.run(for: .seconds(3))
        #expect(Self.endings(bench).contains(expected), "\(Self.endings(bench))")
        #expect(bench.ends.count { $0.playback.value == 1 } == 1)
        #expect(Self.felt(bench, 1).allSatisfy { $0[0] <= 90 })
        #expect(bench.engine.playbackCount == 0)
    }

    @Test("A release while it waits ends its open phase: the next one goes on from there, or is over")
    func released() {
        for (after, rest) in [(Int64(100), [[350.0, 1], [358, 0]]), (250, [])] {
            var bench = Self.bench()
            bench.event("wait", id: "w")
            bench.run(until: .ms(50))
            bench.event("fire", id: "f")
            bench.run(until: .ms(150))
            bench.send(.release("w", at: bench.now))
            bench.run(until: .ms(150 + after))
            bench.send([.cancel(.source(id: "f"))])
            bench.run(for: .seconds(3))
            #expect(Self.felt(bench, 1) == [[0, 0.6], [50, 0]] + rest)
            #expect(bench.ends.first { $0.playback.value == 1 }?.ending == (rest.isEmpty ? .preempted : .completed))
        }
    }

    @Test("An open phase goes on as if it had never stopped, however long ago it began")
    func open() {
        var bench = Self.bench()
        bench.event("wait", id: "w")
        bench.run(until: .ms(50_000))
        bench.event("message")
        bench.run(until: .ms(55_000))
        #expect(Self.felt(bench, 1).filter { $0[0] < 55_000 } == [[0, 0.6], [50_000, 0], [50_060, 0.6]])
        bench.send(.release("w", at: bench.now))
        bench.run(for: .seconds(3))
        #expect(Self.felt(bench, 1).suffix(2) == [[55_200, 1], [55_208, 0]])
    }

    // MARK: What does not wait

    @Test("The same source again takes its place for good, and so does a later item of the same batch")
    func replaced() {
        var bench = Self.bench()
        bench.event("ring", .number(1), id: "r")
        bench.run(until: .ms(90))
        bench.event("ring", .number(2), id: "r")
        #expect(Self.endings(bench) == ["1 preempted superseded 90ms"])
        bench.run(for: .seconds(2))
        let batch = bench.send([.event("ring", at: bench.now), .event("message", at: bench.now)])
        #expect(batch.map(\.outcome) == [.preempted, .played])
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.playback.value) == [1, 2, 4], "the ring of the batch has never been")
    }

    @Test("What is newer of its source takes its place where it waits, too, and needs no room beside it")
    func replacedWhileItWaits() {
        var bench = Self.bench(playbacks: 2)
        bench.event("ring", .number(1), id: "r")
        bench.run(until: .ms(90))
        bench.event("message")
        bench.run(until: .ms(100))
        #expect(bench.event("ring", .number(2), id: "r").outcome == .played)
        bench.run(for: .seconds(3))
        #expect(Self.endings(bench) == ["1 preempted superseded 100ms", "2 preempted superseded 100ms", "3 completed  1.1s"])
        #expect(bench.interruptions.map(\.state) == [.interrupted])
    }

    @Test("What lights show under reduced does not resume: it would flash once more than was counted")
    func flashes() throws {
        let feedback = RuleFeedback(pattern: "error", feedbackClass: .notification)
        var bench = Bench(
            try EngineConfiguration(
                settings: Settings(profile: .reduced), meanings: .standard, actuators: [Reduced.light],
                eventRules: [EventRule(match: Glob("*"), feedback: feedback, resumes: true)], patterns: Reduced.patterns))
        #expect(bench.event("failed").pattern == "glowError")
        bench.run(until: .ms(250))
        #expect(bench.play("success", .alarm, actuators: [0]).outcome == .played)
        bench.run(for: .seconds(3))
        #expect(Self.endings(bench).first == "1 preempted lowerPriority 250ms")
        #expect(bench.interruptions.isEmpty)
    }

    @Test("It counts for the bounds while it waits, and makes room if there is none")
    func bounds() {
        for playbacks in [1, 2] {
            var bench = Self.bench(playbacks: playbacks)
            bench.event("ring")
            bench.run(until: .ms(90))
            #expect(bench.event("fire").outcome == .played)
            #expect(bench.engine.playbackCount == playbacks)
            #expect(Self.endings(bench) == (playbacks == 1 ? ["1 preempted lowerPriority 90ms"] : []))
        }
    }

    @Test("Each actuator goes on by itself, and it counts as interrupted where it is felt nowhere")
    func actuators() {
        var bench = Self.bench(2)
        bench.event("ring")
        bench.run(until: .ms(90))
        bench.event("message")
        bench.run(until: .ms(1200))
        #expect(bench.interruptions.isEmpty)
        #expect(Self.felt(bench, 1, on: 1).count == 10)
        #expect(Self.felt(bench, 1).dropFirst(2).first == [150, 0.6])
        #expect(Self.endings(bench) == ["2 completed  150ms", "1 completed  1s"])
    }
}
