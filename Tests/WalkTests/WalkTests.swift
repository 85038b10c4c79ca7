// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@testable import haptic_walk

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Engine and executor together, judged by an oracle that knows neither")
struct WalkTests {
    /// `HAPTICD_PATTERNS` asks for more.
    private static let patterns = getenv("HAPTICD_PATTERNS").flatMap { Int(String(cString: $0)) } ?? 1000

    @Test("A change of level followed by a steady stretch is played to its end")
    func steadyStretch() {
        let shape = Shape(
            name: "hold",
            points: [.init(at: 0, value: 0.5), .init(at: 120_000_000, value: 1), .init(at: 500_000_000, value: 0)])
        #expect(PatternSweep.failure(of: shape) == nil)
    }

    @Test("Random patterns of steps, ramps and holds are played to their end")
    func patterns() {
        #expect(PatternSweep.failure(of: Self.patterns, from: 1) == nil)
    }

    private static let seeds: [UInt64] = [1_281_162_800, 3_517_369_674, 2926, 2_644_588_491, 2_904_699_312, 50, 165_592_273]

    @Test("Seeds that have failed once pass", arguments: seeds)
    func failedOnce(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.failure == nil)
    }

    @Test("The same seed does the same twice, without the service and with it", arguments: [2, 1] as [UInt64])
    func deterministic(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.trace == Walk.run(seed: seed).result.trace)
    }

    @Test("Clients of the service hear what they are to hear, whatever they do", arguments: [5, 9, 13, 17] as [UInt64])
    func service(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.failure == nil)
    }
}

/// The oracle has an arithmetic of its own, which is held against examples here.
@Suite("What the oracle expects")
struct ExpectationTests {
    private let ramp = Shape(
        name: "ramp",
        points: [
            .init(at: 0, value: 0.25, glides: true), .init(at: 100, value: 0.75), .init(at: 200, value: 0),
            .init(at: 300, value: 1),
            .init(at: 400, value: 0),
        ])

    @Test("The oracle expects at each instant what the pattern says")
    func values() {
        #expect(
            [-1, 0, 50, 100, 199, 200, 299, 300, 399, 400].map { ramp.value(at: $0) } == [
                0, 0.25, 0.5, 0.75, 0.75, 0, 0, 1, 1, 0,
            ])
        #expect(ramp.range(50, 100) == (0.5, 0.75) && ramp.range(150, 250) == (0, 0.75) && ramp.range(310, 390) == (1, 1))
        #expect(ramp.felt == 400 && ramp.peak == 1)
        #expect(
            ramp.lastBelow(0.5, upTo: 150) == 50 && ramp.lastBelow(0.1, upTo: 150) == nil && ramp.lastBelow(0.1, upTo: 350) == 300
        )
    }

    @Test("The oracle expects the pattern at each step of a train, cut to two thirds of the gap, and in each repetition")
    func trains() {
        let shape = Shape(name: "pulse", points: [.init(at: 0, value: 1), .init(at: 60, value: 0)])
        let train = Expectation(shape, gain: 0.5, train: .init(steps: 3, length: 90, isCharge: false), repetitions: 2)
        // At 30, 60 and 90, the first two for 20; the next repetition 150 later.
        #expect(
            [29, 30, 49, 50, 60, 80, 90, 149, 150, 180].map { train.range($0, $0).high } == [
                0, 0.5, 0.5, 0, 0.5, 0, 0.5, 0.5, 0, 0.5,
            ])
        #expect(train.end == 300)
        #expect(train.range(45, 55) == (0, 0.5))
    }
}
