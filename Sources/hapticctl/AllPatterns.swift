// SPDX-License-Identifier: MIT
import HapticClient
import HapticWire

extension HapticClient {
    /// Answers that one list of patterns may take: more than a configuration has patterns for.
    private static let mostAnswers = 64

    /// All patterns of the daemon, in the order of their names; a long list comes in parts.
    func allPatterns() throws(ClientError) -> [PatternResult] {
        var all: [PatternResult] = []
        for _ in 0..<Self.mostAnswers {
            let part = try call(.patterns, PatternsParams(after: all.last?.name), as: PatternsResult.self)
            all += part.patterns
            if !part.more || part.patterns.isEmpty { return all }
        }
        throw .notUnderstood("a list of patterns without an end")
    }
}
