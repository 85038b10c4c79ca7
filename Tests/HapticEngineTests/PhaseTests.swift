// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

@Suite("Phases that last until something ends them")
struct PhaseTests {
    static func pattern(_ name: String, _ points: [(ms: Int64, intensity: Double)], _ curve: Curve = .step) -> Pattern {
        let keyframes = points.map {
            Keyframe(at: .milliseconds($0.ms), intensity: Intensity($0.intensity)!, sharpness: .zero, curve: curve)
        }
        return try! Pattern(name: name, tracks: [.keyframes(keyframes)])
    }

    static let press = pattern("press", [(0, 1), (20, 0)])
    static let hum = pattern("hum", [(0, 0.5), (100, 0)])
    static let ring = pattern("ring", [(0, 0.8), (40, 0), (100, 0)])
    static let done = pattern("done", [(0, 1), (30, 0)])
    static let swell = pattern("swell", [(0, 0.3), (100, 0.5), (200, 0.3)], .linear)
    private static let fade = pattern("fade", [(0, 0.9), (400, 0)], .linear)

    static func phases(_ phases: [Pattern.Phase]) -> PlayablePattern {
        PlayablePattern(try! Pattern(name: "phases", phases: phases))
    }

    static func play(
        _ pattern: PlayablePattern, id: String?, actuators: [Int]? = nil, spread: Spread? = nil, endsWithClient: Bool = false,
        at now: MonotonicInstant
    ) -> BatchItem {
        let play = PlayInput(
            pattern: pattern, feedbackClass: .alarm, actuators: actuators.map { $0.map { ActuatorIndex($0) } }, spread: spread,
            endsWithClient: endsWithClient)
        return .input(Input(client: Bench.ada, id: id, at: now, kind: .play(play)))
    }

    @Test("An open phase is played over and over until its id is released, and then the next one begins at once")
    func released() {
        var bench = Bench()
        let pattern = Self.phases([.init(Self.press), .init(Self.ring, until: .released), .init(Self.done)])
        bench.send(Self.play(pattern, id: "call", at: bench.now))
        bench.run(until: .ms(2030))
        bench.send(.release("else", at: bench.now))
        let decision = bench.send(.release("call", at: bench.now))
        #expect((decision.outcome, decision.reason) == (.suppressed, .released))
        bench.run(for: .seconds(2))
        let pulses = bench.pulses()
        // The press and the first round have no silence between them.
        #expect(pulses[0].start == .ms(0) && pulses[0].end == .ms(60))
        #expect(pulses[1].start == .ms(120) && pulses[1].end == .ms(160))
        #expect(
            pulses.suffix(2).map(\.start) == [.ms(2020), .ms(2030)] && pulses.suffix(2).map(\.end) == [.ms(2030), .ms(2060)])
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at == .ms(2060))
    }

    @Test("A level that is held to the end of its round stays on")
    func held() {
        var bench = Bench()
        bench.send(Self.play(Self.phases([.init(Self.hum, until: .advanced, upTo: .seconds(3))]), id: "a", at: bench.now))
        bench.run(for: .seconds(10))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(3000)], "and ends after `upTo` at the latest")
        #expect(bench.ends.map(\.ending) == [.completed])
    }

    @Test("A round that begins as one has ended goes on from it, also where it is off in between")
    func roundsGoOn() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", limits: MotorLimits(minGap: .milliseconds(20)))]))
        let pair = Self.pattern("pair", [(0, 0.5), (40, 0), (70, 0.5), (100, 0)])
        bench.send(Self.play(Self.phases([.init(pair, until: .released, upTo: .milliseconds(250))]), id: "a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.start) == [.ms(0), .ms(70), .ms(170)])
        #expect(bench.pulses().map(\.end) == [.ms(40), .ms(140), .ms(240)])
        #expect(bench.ends.map(\.at) == [.ms(240)])
    }

    @Test("A cancel that advances ends the phase that waits for it, and no other; a release the same")
    func advanced() {
        var bench = Bench()
        let pattern = Self.phases([.init(Self.hum, until: .advanced), .init(Self.ring, until: .released), .init(Self.done)])
        bench.send(Self.play(pattern, id: "a", at: bench.now))
        bench.run(until: .ms(300))
        bench.send([.cancel(.source(id: "a"), .advance)])
        bench.run(until: .ms(700))
        bench.send([.cancel(.all, .advance)])
        #expect(bench.cancelledCounts == [1, 0])
        #expect(bench.ends.isEmpty)
        bench.run(until: .ms(750))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at == .ms(780))
        #expect(bench.pulses()[0].end == .ms(300))
    }

    @Test("Without a next phase what is felt fades out, and the playback is completed")
    func last() {
        var bench = Bench()
        bench.send(Self.play(Self.phases([.init(Self.hum, until: .released)]), id: "a", at: bench.now))
        bench.run(until: .ms(333))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at == .ms(383))
        #expect(bench.pulses().map(\.end) == [.ms(383)])
    }

    @Test("Where both glide the next phase goes on from what is felt")
    func continuity() {
        var bench = Bench()
        bench.send(Self.play(Self.phases([.init(Self.swell, until: .released), .init(Self.fade)]), id: "a", at: bench.now))
        bench.run(until: .ms(1300))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(2))
        #expect(bench.pulses().count == 1)
        let levels = bench.actuations.map(\.level.intensity.value)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($0 - $1) <= 0.2 })
        #expect(bench.ends.map(\.at) == [.ms(1700)])
    }

    @Test("A cancel, a disconnect and a shutdown end it as they end everything")
    func ended() {
        for way in 0..<4 {
            var bench = Bench()
            bench.send(Self.play(Self.phases([.init(Self.ring, until: .released)]), id: "a", endsWithClient: true, at: bench.now))
            bench.run(until: .ms(1010))
            switch way {
            case 0: bench.send([.cancel(.all, .immediate)])
            case 1: bench.send([.cancel(.all, .graceful)])
            case 2: bench.take(.connectionClosed(1))
            default: bench.take(.shutdown)
            }
            bench.run(for: .seconds(1))
            #expect(bench.ends.map(\.ending) == [.cancelled])
            #expect(bench.actuations.last?.level.isOn == false)
            #expect(bench.engine.nextDeadline > bench.now)
        }
    }

    @Test("What ends a playback at the instant at which a phase has ended leaves the motor off")
    func endedTwice() {
        for second in [BatchItem.cancel(.all, .immediate), .cancel(.all, .graceful), .cancel(.all, .advance)] {
            var bench = Bench()
            let pattern = Self.phases([.init(Self.hum, until: .released), .init(Self.ring, until: .advanced)])
            bench.send(Self.play(pattern, id: "a", at: bench.now))
            bench.run(until: .ms(330))
            bench.send([.release("a", at: bench.now), second])
            bench.run(for: .seconds(1))
            #expect(bench.pulses().map(\.end) == [.ms(330)])
            #expect(bench.actuations.last?.isOn == false)
        }
    }

    @Test("So does what ends it in another batch at that instant, when the next phase has been planned")
    func endedTwiceApart() {
        let motor = EngineActuator(name: "main", limits: MotorLimits(minGap: .milliseconds(3)))
        for second in [BatchItem.cancel(.all, .immediate), .cancel(.all, .graceful), .cancel(.all, .advance)] {
            var bench = Bench(.bench(actuators: [motor]))
            let pattern = Self.phases([.init(Self.hum, until: .released), .init(Self.ring, until: .advanced)])
            bench.send(Self.play(pattern, id: "a", at: bench.now))
            bench.run(until: .ms(330))
            bench.send(.release("a", at: bench.now))
            #expect(bench.actuations.last.map { $0.planned > .ms(330) } == true)
            bench.send([second])
            bench.run(for: .seconds(1))
            #expect(bench.pulses().map(\.end) == [.ms(330)])
            #expect(bench.actuations.last?.isOn == false)
        }
    }

    @Test("What goes over from what was felt before to an open phase ends with that phase, however long its round is")
    func shortOpening() {
        var bench = Bench()
        bench.send(Self.play(Self.phases([.init(Self.fade, until: .released)]), id: "a", at: bench.now))
        bench.run(until: .ms(100))
        let short = Self.phases([.init(Self.swell, until: .released, upTo: .milliseconds(40))])
        bench.send(Self.play(short, id: "b", at: bench.now))
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.ending) == [.preempted, .completed] && bench.ends.last?.at == .ms(140))
        #expect(bench.pulses().map(\.end) == [.ms(140)])
    }

    @Test("On motors that can only be on, an open phase is handed over as what plays only once")
    func handedOverOnOff() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        let motors = ["left", "right"].map { EngineActuator(name: $0, capabilities: onOff) }
        let handOver = Spread.handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(900)))
        let second = Self.pattern("second", [(0, 0.4), (1000, 0)])
        let pulses = [Pattern.Phase(second), .init(second, until: .released, upTo: .seconds(1))].map { phase in
            var bench = Bench(.bench(actuators: motors))
            bench.send(Self.play(Self.phases([phase]), id: "a", actuators: [0], spread: handOver, at: bench.now))
            bench.run(for: .seconds(2))
            return [0, 1].flatMap { bench.pulses(on: $0) }.flatMap { [$0.start, $0.end] }
        }
        // Less than 0.25 is off: from the arc cosine, and up to the arc sine, of 0.25 / 0.4, of 90° in 900 ms.
        #expect(pulses[0] == [.ms(0), .ms(515), .ms(390), .ms(1000)])
        #expect(pulses[1] == pulses[0])
    }

    @Test("On a motor that can only be on, an hour of rounds is planned without looking at each of them")
    func steady() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: onOff)]))
        bench.send(
            Self.play(Self.phases([.init(Self.swell, until: .released, upTo: .seconds(3600))]), id: "a", at: bench.now))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(3_600_000)])
        let plan = PlaybackPlan(
            pattern: Self.phases([.init(Self.swell, until: .released, upTo: .seconds(3600))]), train: nil, repetitions: 1,
            gain: .one, sharpness: nil)
        #expect(plan.frameCount < 100, "a preview looks at one round")
        #expect(
            plan.cost(within: .none) == WorkBudget.Cost.actuator + plan.frameCount * (WorkBudget.Cost.previewedFrame + 4),
            "and looking for its one level is charged")
        bench.run(until: .ms(500))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed])
    }

    @Test("An open phase lasts until it is released, also where nothing of it is felt on this motor")
    func tooFaint() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: onOff)]))
        let faint = Self.pattern("faint", [(0, 0.1), (100, 0)])
        let pattern = Self.phases([.init(Self.press), .init(faint, until: .released, upTo: .seconds(5))])
        bench.send(Self.play(pattern, id: "a", at: bench.now))
        bench.run(until: .ms(2000))
        #expect(bench.ends.isEmpty)
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at >= .ms(2000))
        bench.send(Self.play(pattern, id: "b", at: bench.now))
        let start = bench.now
        bench.run(for: .seconds(6))
        #expect(bench.ends.count == 2 && bench.ends[1].at == start + .milliseconds(5020), "after its longest time")
        #expect(bench.pulses().count == 2)
    }

    @Test("So it does where the phase behind it has been left out")
    func tooFaintAndLast() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: onOff)]))
        let faint = Self.pattern("faint", [(0, 0.1), (100, 0)])
        let pattern = Self.phases([.init(faint, until: .released, upTo: .seconds(5)), .init(Self.ring, until: .advanced)])
        bench.send(Self.play(pattern, id: "a", at: bench.now))
        bench.run(until: .ms(1000))
        bench.send([.cancel(.all, .advance)])
        bench.run(for: .seconds(9))
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends.last?.at == .ms(5000))
    }

    @Test("However short a round is, a stretch of time has a bounded number of frames")
    func dense() {
        let nanosecond = try! Pattern(
            name: "dense",
            tracks: [
                .keyframes([
                    Keyframe(at: .zero, intensity: .one, sharpness: .zero),
                    Keyframe(at: Nanoseconds(1), intensity: .zero, sharpness: .zero, curve: .step),
                ])
            ])
        let plan = PlaybackPlan(
            pattern: Self.phases([.init(nanosecond, until: .released, upTo: .seconds(1))]), train: nil, repetitions: 1,
            gain: .one,
            sharpness: nil)
        var (cursor, frames) = (PlaybackPlan.Cursor(plan), 0)
        while cursor.peek(plan) != nil {
            frames += 1
            cursor.advance(plan)
        }
        #expect(frames == 1000)
    }

    @Test("A pattern with open phases comes out of a journal as it went in")
    func coded() throws {
        let pattern = Self.phases([.init(Self.press), .init(Self.ring, until: .released, upTo: .seconds(5))])
        let written = try JSONEncoder().encode([pattern])
        #expect(try JSONDecoder().decode([PlayablePattern].self, from: written) == [pattern])
        #expect(pattern != PlayablePattern(name: pattern.name, timeline: pattern.timeline))
    }
}
