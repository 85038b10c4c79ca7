// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

@Suite("A release before its open phase")
struct EarlyReleaseTests {
    private typealias Phases = PhaseTests

    /// Release or advance, as the phase waits for it.
    private static func end(_ until: Pattern.Phase.Until, _ bench: inout Bench) {
        if until == .released {
            bench.send(.release("a", at: bench.now))
        } else {
            bench.send([.cancel(.source(id: "a"), .advance)])
        }
    }

    @Test(
        "The phase that waits for it is left out, and what follows begins in its place",
        arguments: [Pattern.Phase.Until.released, .advanced])
    func leftOut(until: Pattern.Phase.Until) {
        for instant in [0, 5, 19] as [Int64] {
            var bench = Bench()
            let pattern = Phases.phases([.init(Phases.press), .init(Phases.ring, until: until), .init(Phases.swell)])
            bench.send(Phases.play(pattern, id: "a", at: bench.now))
            bench.run(until: .ms(instant))
            Self.end(until, &bench)
            bench.run(for: .seconds(1))
            #expect(bench.actuations.first?.level.intensity.value == 1 && bench.actuations[1].planned == .ms(20))
            #expect(bench.actuations[1].level.intensity.value == 0.3, "the swell")
            #expect(bench.pulses().map(\.end) == [.ms(220)])
            #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at == .ms(220))
            #expect(bench.cancelledCounts == (until == .advanced ? [1] : []))
        }
    }

    @Test("Where nothing follows, the pattern ends with the phase before")
    func last() {
        var bench = Bench()
        let pattern = Phases.phases([.init(Phases.press), .init(Phases.ring, until: .released)])
        bench.send([Phases.play(pattern, id: "a", at: bench.now), .release("a", at: bench.now)])
        bench.run(for: .seconds(1))
        #expect(bench.decisions.map(\.outcome) == [.played, .suppressed])
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(20)])
        #expect(bench.ends.map(\.at) == [.ms(20)])
    }

    @Test("It counts also behind open phases of which nothing is felt, whichever of them it is for")
    func behindSilence() {
        let late = Phases.pattern("late", [(0, 0), (500, 0.8), (540, 0)])
        let pattern = Phases.phases([
            .init(late, until: .released, upTo: .milliseconds(60)), .init(late, until: .released, upTo: .milliseconds(70)),
            .init(Phases.ring, until: .advanced), .init(Phases.done),
        ])
        // At 20 ms: what is left of the silence, and then done.
        for (endings, start) in [
            ([.advanced], 130), ([.released, .advanced], 90), ([.advanced, .released], 90),
            ([.released, .released, .advanced], 20), ([.advanced, .released, .released], 20),
        ] as [([Pattern.Phase.Until], Int64)] {
            var bench = Bench()
            bench.send(Phases.play(pattern, id: "a", at: bench.now))
            bench.run(until: .ms(20))
            for ending in endings { Self.end(ending, &bench) }
            bench.run(for: .seconds(1))
            #expect(bench.pulses().map(\.start) == [.ms(start)], "\(endings)")
            #expect(bench.ends.map(\.at) == [.ms(start + 30)])
        }
    }

    @Test(
        "A pulse that was made longer for its motor still ends, where the phase goes that was to begin within it",
        arguments: [false, true])
    func lengthened(reverses: Bool) {
        let tick = Phases.pattern("tick", [(0, 0.8), (8, 0), (10, 0)])
        let late = Phases.pattern("late", [(0, 0), (60, 0.8), (100, 0)])
        for (rest, isFelt) in [([], false), ([.init(late)], true)] as [([Pattern.Phase], Bool)] {
            for until in [Pattern.Phase.Until.released, .advanced] {
                var bench = FittingTests.bench(reverses ? FittingTests.all : .full)
                let pattern = Phases.phases([.init(tick), .init(late, until: until)] + rest)
                bench.send(Phases.play(pattern, id: "a", at: bench.now))
                let planned = bench.actuations.filter { $0.planned <= .ms(65) }
                #expect(planned.last?.isOn == false && planned.last!.planned > .ms(10), "it is longer than its phase")
                bench.run(until: .ms(5))
                Self.end(until, &bench)
                bench.run(for: .seconds(1))
                #expect(bench.actuations.filter { $0.planned <= .ms(65) }.map(\.planned) == planned.map(\.planned))
                #expect(bench.actuations.last?.isOn == false && bench.pulses().count == (isFelt ? 2 : 1))
            }
        }
    }

    @Test("It counts for the present phase, else for the next that waits for it: each for one")
    func each() {
        let pattern = Phases.phases([
            .init(Phases.hum, until: .advanced), .init(Phases.ring, until: .released), .init(Phases.press),
            .init(Phases.ring, until: .released), .init(Phases.done),
        ])
        for (releases, end) in [(0, 450), (1, 430), (2, 400), (3, 400)] as [(Int, Int64)] {
            var bench = Bench()
            bench.send(Phases.play(pattern, id: "a", at: bench.now))
            bench.run(until: .ms(300))
            for _ in 0..<releases { bench.send(.release("a", at: bench.now)) }
            bench.run(until: .ms(350))
            bench.send([.cancel(.all, .advance)])
            #expect(bench.cancelledCounts == [1])
            bench.run(until: .ms(400))
            for _ in 0..<max(0, 2 - releases) { bench.send(.release("a", at: bench.now)) }
            bench.run(for: .seconds(1))
            #expect(bench.ends.map(\.at) == [.ms(end)])
            #expect(bench.pulses().last?.end == bench.ends[0].at)
        }
    }

    @Test("Long before the phase, nothing has been planned of it")
    func longBefore() {
        var bench = Bench()
        let long = Phases.pattern("long", [(0, 0.5), (2000, 0)])
        bench.send(
            Phases.play(
                Phases.phases([.init(long), .init(Phases.ring, until: .released), .init(Phases.done)]), id: "a", at: bench.now))
        bench.run(until: .ms(100))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(3))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(2000), .ms(2030)])
    }

    @Test("During the silence before the phase the playback ends at once, where nothing follows")
    func silence() {
        var bench = Bench()
        let pattern = Phases.phases([.init(Phases.ring), .init(Phases.hum, until: .released)])
        bench.send(Phases.play(pattern, id: "a", at: bench.now))
        bench.run(until: .ms(70))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(40)])
        #expect(bench.ends.map(\.at) == [.ms(70)])
    }

    @Test("Another connection of the same user releases what a client has left behind, another user does not")
    func otherConnection() {
        var bench = Bench()
        bench.send(Phases.play(Phases.phases([.init(Phases.hum, until: .released)]), id: "a", at: bench.now))
        bench.run(until: .ms(100))
        bench.take(.connectionClosed(1))
        bench.run(until: .ms(300))
        func release(by client: ClientIdentity) -> BatchItem {
            .input(Input(client: client, id: "a", at: bench.now, kind: .release))
        }
        bench.send(release(by: ClientIdentity(connection: 3, user: 1001)))
        #expect(bench.engine.playbackCount == 1)
        bench.run(until: .ms(400))
        bench.send(release(by: ClientIdentity(connection: 2, user: 1000)))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at == .ms(450))
    }

    // MARK: Several actuators

    private static let stagger = Spread.stagger(Stagger(interval: .milliseconds(60)))

    private static func bench(_ count: Int) -> Bench {
        Bench(.bench(actuators: (0..<count).map { EngineActuator(name: "motor-\($0)") }))
    }

    @Test("In a stagger each actuator takes it at its own turn")
    func staggered() {
        var bench = Self.bench(3)
        let pattern = Phases.phases([.init(Phases.press), .init(Phases.ring, until: .released), .init(Phases.hum)])
        bench.send(Phases.play(pattern, id: "a", spread: Self.stagger, at: bench.now))
        // The first one rings, the second one is pressed, the third one has not begun.
        bench.run(until: .ms(65))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.pulses(on: 0).map(\.start) == [.ms(0), .ms(65)] && bench.pulses(on: 0).last?.end == .ms(165))
        #expect(bench.pulses(on: 1).map(\.start) == [.ms(60)] && bench.pulses(on: 1).last?.end == .ms(180))
        #expect(bench.pulses(on: 2).map(\.start) == [.ms(120)] && bench.pulses(on: 2).last?.end == .ms(240))
        #expect(bench.ends.map(\.ending) == [.completed] && bench.ends[0].at == .ms(240))
    }

    @Test("What begins with the phase that is left out begins with what follows, or not at all")
    func delayed() {
        for follows in [true, false] {
            var bench = Self.bench(2)
            let ring = Pattern.Phase(Phases.hum, until: .released)
            let pattern = Phases.phases(follows ? [ring, .init(Phases.done)] : [ring])
            bench.send(Phases.play(pattern, id: "a", spread: Self.stagger, at: bench.now))
            bench.run(until: .ms(30))
            bench.send(.release("a", at: bench.now))
            bench.run(for: .seconds(1))
            #expect(bench.pulses(on: 0).map(\.start) == (follows ? [.ms(0), .ms(30)] : [.ms(0)]))
            #expect(bench.pulses(on: 1).map(\.start) == (follows ? [.ms(60)] : []))
            #expect(bench.ends.map(\.at) == [.ms(follows ? 90 : 80)])
        }
    }

    @Test("The actuator that is furthest on says which phase is meant")
    func furthest() {
        var bench = Self.bench(2)
        let phases = [
            Pattern.Phase(Phases.hum, until: .released, upTo: .milliseconds(50)), .init(Phases.swell, until: .released),
            .init(Phases.done),
        ]
        bench.send(Phases.play(Phases.phases(phases), id: "a", spread: Self.stagger, at: bench.now))
        // The first one swells, the second one still hums.
        bench.run(until: .ms(90))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.at) == [.ms(120)])
        #expect((0..<2).allSatisfy { bench.pulses(on: $0).last?.end == .ms(120) })
    }

    // MARK: What is felt before

    /// Between 10 and 80 ms.
    private static func short(_ random: inout SplitMix64) -> Pattern {
        let (first, second) = (Int64.random(in: 5...40, using: &random), Int64.random(in: 5...40, using: &random))
        func level() -> Double { Double(Int.random(in: 0...4, using: &random)) / 4 }
        return Phases.pattern(
            "short", [(0, max(0.25, level())), (first, level()), (first + second, 0)],
            Bool.random(using: &random) ? .step : .linear)
    }

    private static func motor(_ random: inout SplitMix64) -> EngineActuator {
        let limits = MotorLimits(
            minGap: .milliseconds(Int64.random(in: 0...30, using: &random)),
            maxOn: Bool.random(using: &random) ? .milliseconds(Int64.random(in: 10...90, using: &random)) : nil)
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        return EngineActuator(
            name: "main", capabilities: [FittingTests.all, .full, onOff].randomElement(using: &random)!, limits: limits,
            motor: Bool.random(using: &random) ? FittingTests.model : nil)
    }

    @Test("Nothing changes before the phase, on whatever motor: 500 random patterns")
    func unchanged() {
        var random = SplitMix64(seed: 161)
        var hasDiffered = false
        for walk in 1...500 {
            let before = (0..<Int.random(in: 1...3, using: &random)).map { _ in Pattern.Phase(Self.short(&random)) }
            let waiting = Pattern.Phase(Self.short(&random), until: .released, upTo: .milliseconds(200))
            let pattern = Phases.phases(before + [waiting, .init(Self.short(&random))])
            let motor = Self.motor(&random)
            let opening = MonotonicInstant.zero + before.reduce(.zero) { $0 + $1.pattern.duration }
            let release = Nanoseconds(Int64.random(in: 0..<opening.nanoseconds, using: &random))
            var left = Bench(.bench(actuators: [motor]))
            var right = Bench(.bench(actuators: [motor]))
            left.send(Phases.play(pattern, id: "a", at: left.now))
            right.send(Phases.play(pattern, id: "a", at: right.now))
            right.run(for: release)
            let handedOut = right.actuations.filter { $0.planned < opening }
            right.send(.release("a", at: right.now))
            left.run(for: .seconds(1))
            right.run(for: .seconds(1))
            let felt = right.actuations.filter { $0.planned < opening }
            #expect(felt.starts(with: handedOut), "walk \(walk)")
            // The fitting looks two frames ahead; what was not planned yet is fitted to what comes now.
            if motor.motor == nil { #expect(felt == left.actuations.filter { $0.planned < opening }, "walk \(walk)") }
            #expect(right.actuations.last?.isOn != true)
            #expect(right.ends.count == 1 && right.ends[0].at >= opening - .milliseconds(200))
            if left.actuations != right.actuations { hasDiffered = true }
        }
        #expect(hasDiffered)
    }

    @Test(
        "After as many releases and advances as there are open phases nothing waits: 300 random walks, staggered or handed over")
    func nothingWaits() {
        var random = SplitMix64(seed: 162)
        for walk in 1...300 {
            let phases = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Pattern.Phase(
                    Self.short(&random), until: [.end, .released, .advanced].randomElement(using: &random)!,
                    upTo: .milliseconds(Bool.random(using: &random) ? 3_600_000 : 70))
            }
            guard phases.contains(where: { $0.until != .end }) else { continue }
            var bench = Bench(
                .bench(
                    actuators: (0..<3).map { number in
                        var motor = Self.motor(&random)
                        motor.name = "motor-\(number)"
                        return motor
                    }))
            let interval = Nanoseconds.milliseconds(Int64.random(in: 1...80, using: &random))
            let spread: Spread? =
                switch Int.random(in: 0...2, using: &random) {
                case 0: nil
                case 1: .stagger(Stagger(interval: interval, origin: [.first, .last, .center].randomElement(using: &random)!))
                default: .handOver(HandOver(to: ActuatorIndex(2), duration: interval))
                }
            bench.send(Phases.play(Phases.phases(phases), id: "a", spread: spread, at: bench.now))
            let ends = phases.map(\.until).filter { $0 != .end }.shuffled(using: &random)
            for until in ends {
                bench.run(for: Nanoseconds(Int64.random(in: 0...90_000_000, using: &random)))
                Self.end(until, &bench)
            }
            // What does not wait: six phases of 80 ms, the stagger, and what a motor makes of it.
            bench.run(for: .milliseconds(6 * 80 + 160 + 200))
            #expect(bench.engine.playbackCount == 0, "walk \(walk)")
            for index in 0..<3 {
                #expect(bench.actuations.last { $0.actuator.value == index }?.isOn != true, "walk \(walk), motor \(index)")
                let planned = bench.actuations.filter { $0.actuator.value == index }.map(\.planned)
                #expect(planned == planned.sorted(), "walk \(walk)")
            }
        }
    }
}
