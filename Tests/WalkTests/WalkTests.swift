// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticService
import HapticWire
import TestSupport
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

    /// Methods that the clients of a walk do not call, each with the reason.
    private static let uncalled = ["hello": "only the first line of a connection; the inputs of the engine's walk have scopes"]

    @Test("The clients of a walk call every method")
    func methods() throws {
        var options = Options.calm
        (options.features, options.clientFaults) = (Set(Options.Feature.allCases), Set(Options.ClientFault.allCases))
        var random = SplitMix64(seed: 1)
        let board = Board(options, using: &random)
        let served = Served(options, board.configuration(profile: .full, hasOtherMotors: false))
        defer { served.close() }
        let client = try #require(served.connect(user: Served.ownUser, groups: [], at: .zero))
        var sayings = Sayings(board, options, seed: 1)
        sayings.motorNames = board.names(hasOtherMotors: false)
        var called: Set<String> = []
        for _ in 0..<2000 {
            let requests = sayings.line(of: client, at: .zero + .seconds(10)).text.split(separator: #""method":""#).dropFirst()
            called.formUnion(requests.map { String($0.prefix { $0 != "\"" }) })
        }
        for method in Methods.calls.map({ $0.method }) {
            #expect(called.contains(method) != Self.uncalled.keys.contains(method), "\(method)")
        }
    }

    @Test("The same seed does the same twice, without the service and with it", arguments: [2, 1] as [UInt64])
    func deterministic(seed: UInt64) {
        #expect(Walk.run(seed: seed).result.trace == Walk.run(seed: seed).result.trace)
    }
}
