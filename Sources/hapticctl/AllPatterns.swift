// SPDX-License-Identifier: MIT
import HapticClient
import HapticWire

extension HapticClient {
    /// Answers that one list of patterns may take: more than a configuration has patterns for.
    private static let mostAnswers = 64

    /// All patterns of the daemon, in the order of their names; a long list comes in parts.
    func allPatterns() throws(ClientError) -> [PatternResult] {
        var all: [PatternResult] = []
        if try addPatterns(to: &all, timeout: { HapticClient.patience }) { return all }
        throw .notUnderstood("a list of patterns without an end")
    }

    /// Those of its patterns, in the same order, that come within so many seconds; nil where none do.
    func patterns(within seconds: Double) -> [PatternResult]? {
        let end = MonotonicClock.now + Int64(seconds * 1e9)  // trap: seconds of a person's patience.
        var all: [PatternResult] = []
        _ = try? addPatterns(to: &all) { max(0, Double(end - MonotonicClock.now) / 1e9) }
        return all.isEmpty ? nil : all
    }

    /// False: there are more than it asks for.
    private func addPatterns(to all: inout [PatternResult], timeout: () -> Double) throws(ClientError) -> Bool {
        for _ in 0..<Self.mostAnswers {
            let params = PatternsParams(after: all.last?.name)
            let part = try call(params, timeout: timeout())
            all += part.patterns
            if !part.more || part.patterns.isEmpty { return true }
        }
        return false
    }
}
