// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

@Suite("A release before its open phase, at random")
struct EarlyReleaseTests {
    private static func play(_ phases: [Pattern.Phase], spread: Spread? = nil, in bench: inout Bench) {
        bench.play(PlayInput(pattern: .phases(phases), feedbackClass: .alarm, spread: spread), id: "a")
    }

    /// Between 10 and 80 ms.
    private static func short(_ random: inout SplitMix64) -> Pattern {
        let (first, second) = (Int64.random(in: 5...40, using: &random), Int64.random(in: 5...40, using: &random))
        func level() -> Double { Double(Int.random(in: 0...4, using: &random)) / 4 }
        let points = [(ms: Int64(0), intensity: max(0.25, level())), (first, level()), (first + second, 0)]
        return .sample("short", points, Bool.random(using: &random) ? .step : .linear)
    }

    private static func motor(_ random: inout SplitMix64) -> EngineActuator {
        let limits = MotorLimits(
            minGap: .milliseconds(Int64.random(in: 0...30, using: &random)),
            maxOn: Bool.random(using: &random) ? .milliseconds(Int64.random(in: 10...90, using: &random)) : nil)
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        return EngineActuator(
            name: "main", capabilities: [.bridge, .full, onOff].randomElement(using: &random)!, limits: limits,
            motor: Bool.random(using: &random) ? MotorModel.fast : nil)
    }

    @Test("Nothing changes before the phase, on any motor: 500 random patterns")
    func unchanged() {
        var random = SplitMix64(seed: 161)
        var hasDiffered = false
        for walk in 1...500 {
            let before = (0..<Int.random(in: 1...3, using: &random)).map { _ in Pattern.Phase(Self.short(&random)) }
            let waiting = Pattern.Phase(Self.short(&random), until: .released, upTo: .milliseconds(200))
            let phases = before + [waiting, .init(Self.short(&random))]
            let motor = Self.motor(&random)
            let opening = MonotonicInstant.zero + before.reduce(.zero) { $0 + $1.pattern.duration }
            let release = Nanoseconds(Int64.random(in: 0..<opening.nanoseconds, using: &random))
            var left = Bench(.bench(actuators: [motor]))
            var right = Bench(.bench(actuators: [motor]))
            Self.play(phases, in: &left)
            Self.play(phases, in: &right)
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
            #expect(right.ends.map { $0.at >= opening - .milliseconds(200) } == [true])
            hasDiffered = hasDiffered || left.actuations != right.actuations
        }
        #expect(hasDiffered)
    }

    @Test("After as many releases and advances as open phases nothing waits: 300 random walks, staggered or handed over")
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
            Self.play(phases, spread: spread, in: &bench)
            let ends = phases.map(\.until).filter { $0 != .end }.shuffled(using: &random)
            for until in ends {
                bench.run(for: Nanoseconds(Int64.random(in: 0...90_000_000, using: &random)))
                bench.send([until == .released ? .release("a", at: bench.now) : .cancel(.source(id: "a"), .advance)])
            }
            // What does not wait: six phases of 80 ms, the stagger, and what a motor makes of it.
            bench.run(for: .milliseconds(6 * 80 + 160 + 200))
            #expect(bench.engine.playbackCount == 0, "walk \(walk)")
            for index in 0..<3 {
                let got = bench.actuations.filter { $0.actuator.value == index }
                #expect(got.last?.isOn != true, "walk \(walk), motor \(index)")
                #expect(got.map(\.planned) == got.map(\.planned).sorted(), "walk \(walk)")
            }
        }
    }
}
