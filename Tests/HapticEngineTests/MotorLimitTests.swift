// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("A motor is kept within its limits")
struct MotorLimitTests {
    static func bench(_ limits: MotorLimits, variesIntensity: Bool = true) -> Bench {
        let capabilities = ActuatorCapabilities(variesIntensity: variesIntensity, variesSharpness: false)
        return Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: capabilities, limits: limits)]))
    }

    @Test("75 steps are 75 pulses of 8 ms at the planned instants, the last at 1.6 s")
    func steps() {
        var bench = Bench()
        bench.play("soft", steps: 75)
        bench.run(for: .seconds(3))
        let (pulses, train) = (bench.pulses(), StepTrain(steps: 75)!)
        let planned = (1...75).map { MonotonicInstant.zero + train.offset(of: $0) }
        #expect(pulses.map(\.start) == planned)
        #expect(pulses.allSatisfy { $0.end - $0.start == .milliseconds(8) })
        #expect(pulses.last?.start == .ms(1600))
        #expect(bench.summaries == [PlaySummary(steps: 75, pulses: 75, mergedByMinGap: 0)])
    }

    @Test("With a minGap of 20 ms 75 steps come to 49 pulses, 26 merged, and that is what is played")
    func minGap() {
        var bench = Self.bench(MotorLimits(minGap: .milliseconds(20)))
        bench.play("soft", steps: 75)
        bench.run(for: .seconds(3))
        #expect(bench.summaries == [PlaySummary(steps: 75, pulses: 49, mergedByMinGap: 26)])
        let pulses = bench.pulses()
        #expect(pulses.count == 49)
        #expect(zip(pulses, pulses.dropFirst()).allSatisfy { $1.start - $0.end >= .milliseconds(20) })
    }

    @Test("Steps closer than the pattern is long are shortened to two thirds of the gap")
    func shortened() {
        var bench = Bench()
        bench.play("success", steps: 75)
        bench.run(for: .seconds(3))
        let pulses = bench.pulses()
        #expect(pulses.count == 75)
        for (pulse, next) in zip(pulses, pulses.dropFirst()) {
            let gap = next.start - pulse.start
            let length = pulse.end - pulse.start
            #expect(length == (gap < .milliseconds(60) ? gap * 2 / 3 : .milliseconds(60)))
        }
    }

    @Test("An input within the gap is merged where nothing of it is left, else its rest is played")
    func mergedInput() {
        var bench = Self.bench(MotorLimits(minGap: .milliseconds(20)))
        bench.progress("a", 0.1)
        bench.run(until: .ms(15))
        let merged = bench.progress("a", 0.2)
        #expect((merged.outcome, merged.reason, merged.playback) == (.merged, .minGap, nil))
        bench.run(until: .ms(22))
        #expect(bench.progress("a", 0.3).outcome == .played)
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.start) == [.ms(0), .ms(28)])
        #expect(bench.pulses().map(\.end) == [.ms(8), .ms(30)])
    }

    @Test("A pulse longer than maxOn is cut, and the end says so")
    func maxOn() {
        var bench = Self.bench(MotorLimits(maxOn: .milliseconds(300)))
        bench.play("long")
        bench.run(for: .seconds(2))
        #expect(bench.pulses().map(\.end) == [.ms(300)])
        #expect(bench.ends.map(\.reason) == [.maxOn])
        #expect(bench.ends.map(\.at) == [.ms(1000)])
    }

    @Test("Over any 10 s a motor is on for no more than its duty", arguments: [0.1, 0.4])
    func duty(duty: Double) {
        var bench = Self.bench(MotorLimits(duty: Share(duty)!))
        var cut = 0
        for _ in 1...60 {
            let decision = bench.play("long", .alarm)
            if decision.reason == .dutyLimit { cut += 1 }
            bench.run(for: .milliseconds(700))
        }
        bench.run(for: .seconds(2))
        #expect(cut > 0)
        let pulses = bench.pulses()
        for end in stride(from: 0, through: 44_000, by: 50) {
            let window = (MonotonicInstant.ms(Int64(end) - 10_000), MonotonicInstant.ms(Int64(end)))
            let on = pulses.reduce(Nanoseconds.zero) { $0 + max(.zero, min($1.end, window.1) - max($1.start, window.0)) }
            #expect(on.inSeconds <= 10 * duty + 1e-9)
        }
        #expect(bench.ends.contains { $0.reason == .dutyLimit })
    }

    @Test("A motor that can only be on or off is fully on, and silent for what should be subtle")
    func onOff() {
        var bench = Self.bench(.none, variesIntensity: false)
        bench.play("soft")
        #expect(bench.actuations.first?.level == Level(intensity: .one, sharpness: .zero))
        bench.run(for: .seconds(1))
        let faint = bench.play("faint")
        #expect((faint.outcome, faint.reason) == (.suppressed, .tooSubtle))
    }

    @Test("A reload with other actuators keeps the gap and the duty of a motor whose name stays")
    func reload() {
        let limits = MotorLimits(minGap: .milliseconds(20), duty: Share(0.01)!)
        func configuration(_ other: String) -> EngineConfiguration {
            .bench(actuators: [EngineActuator(name: "main", limits: limits), EngineActuator(name: other)])
        }
        var bench = Bench(configuration("left"))
        bench.play("success", actuators: [0])
        bench.run(until: .ms(65))
        bench.take(.configuration(configuration("right")))
        bench.play("success", actuators: [0])
        bench.run(for: .seconds(2))
        // 20 ms after 60; and of 100 ms in 10 s 60 are used up.
        #expect(bench.pulses().map(\.start) == [.ms(0), .ms(80)])
        #expect(bench.pulses()[1].end == .ms(120))
        #expect(bench.ends.last?.reason == .dutyLimit)
    }

    @Test("Repetitions leave at least a third of each period off")
    func repetitions() {
        var bench = Bench()
        let play = PlayInput(pattern: PlayablePattern.bench["soft"]!, repetitions: 5)
        bench.send([.input(Input(client: Bench.ada, at: .zero, kind: .play(play)))])
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.start) == [.ms(0), .ms(12), .ms(24), .ms(36), .ms(48)])
        #expect(bench.summaries == [PlaySummary(steps: 5, pulses: 5, mergedByMinGap: 0)])
    }

    @Test("Steps with no time between them come to the last one, without end of planning")
    func noGaps() {
        var bench = Bench()
        let play = PlayInput(
            pattern: PlayablePattern.bench["soft"]!, train: StepTrain(steps: 1000, duration: Nanoseconds(1)))
        let decision = bench.send(.input(Input(client: Bench.ada, at: .zero, kind: .play(play))))
        #expect(decision.outcome == .played)
        #expect(bench.engine.nextDeadline > bench.now, "all that is due has been planned")
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map(\.end.nanoseconds) == [8_000_001])
        #expect(bench.summaries == [PlaySummary(steps: 1000, pulses: 1, mergedByMinGap: 0)])
    }

    @Test("A batch of long plays is decided up to a bound on all its frames, the rest is refused")
    func tooMuchInOneBatch() {
        var bench = Bench()
        let train = StepTrain(steps: 10_000)
        let play = PlayInput(pattern: PlayablePattern.bench["soft"]!, train: train, feedbackClass: .alarm)
        let batch = (0..<100).map { _ in BatchItem.input(Input(client: Bench.ada, at: .zero, kind: .play(play))) }
        let refused = bench.send(batch).filter { $0.reason == .quota }
        #expect((60..<100).contains(refused.count))
        #expect(bench.play("soft", .alarm).outcome == .played, "the next one has the whole bound again")
    }

    @Test("More frames than can be planned at one decision are refused")
    func tooMuch() {
        var bench = Bench()
        let train = StepTrain(steps: 10_000, duration: .seconds(3600))
        let play = PlayInput(pattern: PlayablePattern.bench["soft"]!, train: train, repetitions: 100)
        #expect(bench.send(.input(Input(client: Bench.ada, at: .zero, kind: .play(play)))).reason == .quota)
    }
}
