// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

@Suite("A playback spread over its actuators")
struct SpreadTests {
    private static let names = ["left", "middle", "right"]

    private static func bench() -> Bench { Bench(.bench(actuators: names.map { EngineActuator(name: $0) })) }

    private static func play(
        _ pattern: String, _ spread: Spread, on actuators: [Int]? = nil, id: String? = nil, at now: MonotonicInstant
    ) -> BatchItem {
        let play = PlayInput(
            pattern: PlayablePattern.bench[pattern]!, feedbackClass: .alarm,
            actuators: actuators.map { $0.map { ActuatorIndex($0) } }, spread: spread)
        return .input(Input(client: Bench.ada, id: id, at: now, kind: .play(play)))
    }

    @Test(
        "With a stagger each actuator begins so much later, from the first, from the last, or from the centre",
        arguments: [(StaggerOrigin.first, [0, 60, 120]), (.last, [120, 60, 0]), (.center, [60, 0, 60])]
            as [(StaggerOrigin, [Int64])])
    func stagger(origin: StaggerOrigin, starts: [Int64]) {
        var bench = Self.bench()
        let decision = bench.send(
            Self.play("soft", .stagger(Stagger(interval: .milliseconds(60), origin: origin)), at: bench.now))
        #expect(decision.actuators == Self.names)
        bench.run(for: .seconds(1))
        #expect((0..<3).map { bench.pulses(on: $0).map(\.start) } == starts.map { [.ms($0)] })
        #expect(
            bench.ends == [PlaybackEnd(playback: decision.playback!, ending: .completed, reason: nil, at: .ms(starts.max()! + 8))]
        )
    }

    @Test("The centre of an even number are two, and one actuator begins at once")
    func center() {
        let stagger = Stagger(interval: .milliseconds(10), origin: .center)
        #expect((0..<4).map { stagger.delay(at: $0, of: 4) } == [1, 0, 0, 1].map { .milliseconds(10 * $0) })
        #expect(
            stagger.length(over: 1) == .zero && stagger.length(over: 0) == .zero && stagger.length(over: 4) == .milliseconds(10))
        #expect(Stagger(interval: .milliseconds(10), origin: .last).length(over: 4) == .milliseconds(30))
    }

    @Test("What has not begun when it is cancelled never does", arguments: [CancelMode.graceful, .immediate])
    func cancelled(mode: CancelMode) {
        var bench = Self.bench()
        bench.send(Self.play("long", .stagger(Stagger(interval: .milliseconds(60))), at: bench.now))
        bench.run(until: .ms(90))
        bench.send([.cancel(.all, mode)])
        bench.run(for: .seconds(3))
        #expect((0..<3).map { bench.pulses(on: $0).count } == [1, 1, 0])
        #expect(bench.ends.map(\.ending) == [.cancelled])
        #expect(bench.ends[0].at == (mode == .graceful ? .ms(140) : .ms(90)))
    }

    @Test("Another playback takes the actuators on which it has not begun as well")
    func preempted() {
        var bench = Self.bench()
        bench.send(Self.play("long", .stagger(Stagger(interval: .milliseconds(60))), at: bench.now))
        bench.run(until: .ms(10))
        bench.play("soft", .alarm, actuators: [2])
        bench.run(for: .seconds(3))
        #expect(bench.pulses(on: 2).map(\.end) == [.ms(18)])
        #expect(bench.ends.map(\.ending) == [.completed, .completed])
    }

    @Test("A hand-over has constant power: the squares of the two shares add up to 1")
    func constantPower() {
        let (from, to) = (
            CrossFade(takes: false, duration: .milliseconds(200)), CrossFade(takes: true, duration: .milliseconds(200))
        )
        for ms in stride(from: -10 as Int64, to: 300, by: 7) {
            let (a, b) = (from.share(after: .milliseconds(ms)), to.share(after: .milliseconds(ms)))
            #expect(abs(a.value * a.value + b.value * b.value - 1) < 1e-12)
            #expect(a.rate <= 0 && b.rate >= 0)
        }
        #expect(from.share(after: .milliseconds(200)).value == 0 && to.share(after: .milliseconds(200)).value == 1)
    }

    @Test("What is handed over fades on the one actuator as it rises on the other, and ends there")
    func handOver() {
        var bench = Self.bench()
        let handOver = Spread.handOver(HandOver(to: ActuatorIndex(2), duration: .milliseconds(200)))
        let decision = bench.send(Self.play("long", handOver, on: [0], at: bench.now))
        #expect(decision.actuators == ["left", "right"])
        bench.run(for: .seconds(2))
        #expect(bench.pulses(on: 0).map(\.end) == [.ms(200)])
        #expect(bench.pulses(on: 2).map(\.end) == [.ms(1000)])
        func level(_ actuator: Int, at now: MonotonicInstant) -> Double {
            bench.actuations.last { $0.actuator.value == actuator && $0.planned <= now }?.level.intensity.value ?? 0
        }
        for ms in stride(from: 5 as Int64, to: 200, by: 5) {
            let (a, b) = (level(0, at: .ms(ms)), level(2, at: .ms(ms)))
            #expect(abs(a * a + b * b - 0.64) < 1e-9, "at \(ms) ms")
        }
        #expect(level(2, at: .ms(200)) == 0.8)
        #expect(bench.pulses(on: 1).isEmpty)
        #expect(bench.ends.map(\.at) == [.ms(1000)])
    }

    @Test("A hand-over can be interrupted: by a cancel on both sides, by another playback on one")
    func interrupted() {
        var bench = Self.bench()
        let handOver = Spread.handOver(HandOver(to: ActuatorIndex(2), duration: .milliseconds(200)))
        bench.send(Self.play("long", handOver, on: [0], at: bench.now))
        bench.run(until: .ms(100))
        bench.send(PlanningTests.play(ContinuityTests.rise, at: bench.now))
        bench.run(for: .seconds(2))
        #expect((bench.pulses(on: 0).count, bench.pulses(on: 2).count) == (1, 1), "it goes on from there")
        #expect(bench.ends.map(\.ending) == [.preempted, .completed])
        let start = bench.now
        bench.send(Self.play("long", handOver, on: [0], at: start))
        bench.run(for: .milliseconds(100))
        bench.send([.cancel(.all, .graceful)])
        bench.run(for: .seconds(1))
        #expect(
            bench.pulses(on: 0).last?.end == start + .milliseconds(150)
                && bench.pulses(on: 2).last?.end == start + .milliseconds(150))
    }

    @Test("Where one side of a hand-over is missing, or taken by what is more important, the other plays it as it is")
    func oneSided() {
        var bench = Self.bench()
        bench.take(.actuator(ActuatorIndex(2), isAvailable: false))
        let handOver = Spread.handOver(HandOver(to: ActuatorIndex(2), duration: .milliseconds(200)))
        #expect(bench.send(Self.play("long", handOver, on: [0], at: bench.now)).actuators == ["left"])
        bench.run(for: .seconds(2))
        #expect(bench.actuations.map(\.level.intensity.value) == [0.8, 0])
    }

    @Test("Where nothing is felt on one side of a hand-over, the other plays it as it is", arguments: [0, 2])
    func refusing(actuator refusing: Int) {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(
            .bench(
                actuators: Self.names.enumerated().map {
                    EngineActuator(name: $1, capabilities: $0 == refusing ? onOff : .full)
                }))
        // Too little for what is on or off.
        let faint = PlayInput(
            pattern: .pulse("faint", 400, intensity: 0.2), feedbackClass: .alarm, actuators: [ActuatorIndex(0)],
            spread: .handOver(HandOver(to: ActuatorIndex(2), duration: .milliseconds(200))))
        let input = Input(client: Bench.ada, at: bench.now, kind: .play(faint))
        #expect(bench.send(.input(input)).actuators == [Self.names[2 - refusing]])
        bench.run(for: .seconds(1))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(400)])
        #expect(bench.actuations.map(\.level.intensity.value) == [0.2, 0])
    }

    @Test("Looking at the other side once more is charged, and refused where the line may cost no more")
    func refusingCost() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        let faint = PlayInput(
            pattern: .pulse("faint", 400, intensity: 0.2), feedbackClass: .alarm, actuators: [ActuatorIndex(0)],
            spread: .handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(200))))
        func reason(work: Int) -> Reason? {
            var bench = Bench(
                .bench(actuators: [EngineActuator(name: "a"), EngineActuator(name: "b", capabilities: onOff)]))
            bench.take(.batch([.input(Input(client: Bench.ada, at: bench.now, kind: .play(faint)))], work: WorkBudget(work)))
            return bench.decisions[0].reason
        }
        var bench = Bench(.bench(actuators: [EngineActuator(name: "a"), EngineActuator(name: "b", capabilities: onOff)]))
        let input = Input(client: Bench.ada, at: bench.now, kind: .play(faint))
        bench.take(.batch([.input(input)], work: WorkBudget(WorkBudget.line)))
        let cost = WorkBudget.line - bench.engine.work.left
        #expect(reason(work: cost) == nil && reason(work: cost - 1) == .quota)
    }

    @Test("A phase that ends in the middle of a hand-over is followed by the next one on both sides, with the same power")
    func advanced() {
        var bench = Self.bench()
        let long = PhaseTests.pattern("hold", [(0, 0.8), (400, 0)])
        let pattern = PhaseTests.phases([.init(PhaseTests.hum, until: .released), .init(long)])
        let handOver = Spread.handOver(HandOver(to: ActuatorIndex(2), duration: .milliseconds(200)))
        bench.send(PhaseTests.play(pattern, id: "a", actuators: [0], spread: handOver, at: bench.now))
        bench.run(until: .ms(80))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        func level(_ actuator: Int, at now: MonotonicInstant) -> Double {
            bench.actuations.last { $0.actuator.value == actuator && $0.planned <= now }?.level.intensity.value ?? 0
        }
        for ms in stride(from: 5 as Int64, to: 200, by: 5) {
            let (a, b) = (level(0, at: .ms(ms)), level(2, at: .ms(ms)))
            #expect(abs(a * a + b * b - (ms < 80 ? 0.25 : 0.64)) < 1e-9, "at \(ms) ms: \(a), \(b)")
        }
        #expect(abs(level(2, at: .ms(100)) - level(0, at: .ms(100))) < 1e-9, "half of it is over, as if nothing had happened")
        #expect(bench.pulses(on: 0).last?.end == .ms(200) && bench.pulses(on: 2).last?.end == .ms(480))
        #expect(bench.ends.map(\.at) == [.ms(480)])
    }

    @Test("Where the phases glide, neither side of a hand-over has a step as one follows another", arguments: [20, 100, 180])
    func advancedGlide(at release: Int64) {
        var bench = Self.bench()
        let long = PhaseTests.pattern("fall", [(0, 0.9), (1500, 0)], .linear)
        let pattern = PhaseTests.phases([.init(PhaseTests.swell, until: .released), .init(long)])
        let handOver = Spread.handOver(HandOver(to: ActuatorIndex(2), duration: .milliseconds(200)))
        bench.send(PhaseTests.play(pattern, id: "a", actuators: [0], spread: handOver, at: bench.now))
        bench.run(until: .ms(release))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(3))
        for actuator in [0, 2] {
            #expect(bench.pulses(on: actuator).count == 1)
            let levels = bench.actuations.filter { $0.actuator.value == actuator && $0.planned >= .ms(5) }
            #expect(
                zip(levels, levels.dropFirst()).allSatisfy {
                    $1.planned - $0.planned > .milliseconds(5) || abs($1.level.intensity.value - $0.level.intensity.value) <= 0.2
                })
        }
        // Who hands over ends with it, but for what its spring has still to take back.
        let over = bench.actuations.filter { $0.actuator.value == 0 && $0.planned > .ms(200) && $0.level.isOn }
        #expect(over.allSatisfy { $0.level.intensity.value > Timeline.leastIntensity })
        #expect(bench.ends.map(\.at) == [.ms(release + 1500)])
    }

    @Test("A configuration whose spread is not possible is refused")
    func refused() {
        func configuration(_ spread: Spread, actuators: [ActuatorIndex]? = nil) throws(ConfigurationMistake) {
            let feedback = RuleFeedback(pattern: "soft", feedbackClass: .alarm, actuators: actuators, spread: spread)
            _ = try EngineConfiguration(
                actuators: Self.names.map { EngineActuator(name: $0) },
                eventRules: [EventRule(match: Glob("*"), feedback: feedback)],
                patterns: [
                    Text("soft"): PlayablePattern.bench["soft"]!, Text("light"): PlayablePattern.bench["light"]!,
                    Text("tick"): PlayablePattern.bench["tick"]!,
                ])
        }
        #expect(throws: ConfigurationMistake.time(.milliseconds(1002), holder: "event rule 1")) {
            try configuration(.stagger(Stagger(interval: .milliseconds(501))))
        }
        #expect(throws: ConfigurationMistake.handedToItself(holder: "event rule 1")) {
            try configuration(
                .handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(1))), actuators: [ActuatorIndex(1)])
        }
        #expect(throws: ConfigurationMistake.noActuator(at: ActuatorIndex(3), holder: "event rule 1")) {
            try configuration(.handOver(HandOver(to: ActuatorIndex(3), duration: .milliseconds(1))))
        }
        #expect(throws: ConfigurationMistake.time(.seconds(11), holder: "event rule 1")) {
            try configuration(.handOver(HandOver(to: ActuatorIndex(1), duration: .seconds(11))))
        }
        #expect(throws: Never.self) { try configuration(.stagger(Stagger(interval: .milliseconds(500)))) }
    }
}
