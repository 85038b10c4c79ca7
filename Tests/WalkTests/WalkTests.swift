// SPDX-License-Identifier: MIT
import HapticPatterns
import Testing

@testable import haptic_walk

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Random walks")
struct WalkTests {
    /// `HAPTICD_PATTERNS` asks for more.
    private static let patterns = getenv("HAPTICD_PATTERNS").flatMap { Int(String(cString: $0)) } ?? 1000

    @Test("A change of level followed by a steady stretch is played to its end")
    func steadyStretch() {
        let pattern = Pattern.steps("hold", [(0, 0.5), (120_000_000, 1), (500_000_000, 0)])
        #expect(PatternSweep.failure(of: pattern) == nil)
    }

    @Test("Random patterns of steps, ramps and holds are played to their end")
    func patterns() {
        #expect(PatternSweep.failure(of: Self.patterns, from: 1) == nil)
    }

    @Test("Engine and executor keep to the invariants of the walk", arguments: [2, 3, 4, 6, 7, 8, 10, 11, 12, 14] as [UInt64])
    func engine(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.failure == nil)
    }

    @Test(
        "Service and clients keep to the invariants, and the journal replays bit for bit",
        arguments: [1, 13, 29, 33, 65] as [UInt64])
    func service(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.failure == nil)
    }

    @Test("The same seed does the same twice, without the service and with it", arguments: [2, 1] as [UInt64])
    func deterministic(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.trace == Walk.run(seed: seed).result.trace)
    }
}
