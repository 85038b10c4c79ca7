// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("The rhythm of several things")
struct RhythmTests {
    private static func bench(_ pattern: String, every: Nanoseconds) -> Bench {
        let feedback = RuleFeedback(pattern: pattern, feedbackClass: .alarm)
        let rule = CollectionRule(
            match: Glob("*"), patterns: ThingPatterns(inserted: pattern), feedback: feedback, interval: every)
        return Bench(
            try! EngineConfiguration(
                actuators: [EngineActuator(name: "main")], collectionRules: [rule],
                patterns: Dictionary(uniqueKeysWithValues: PlayablePattern.bench.map { (Text($0), $1) })))
    }

    @Test(
        "A rhythm is never longer than a second, however many things there are, and no step is cut short",
        arguments: [1, 20, 60, 333, 1000])
    func bounded(every: Int64) {
        for pattern in ["tick", "soft", "long", "success"] {
            var bench = Self.bench(pattern, every: .milliseconds(every))
            let whole = PlayablePattern.bench[pattern]!.timeline
            bench.present("s", (0..<500).map { "i\($0)" })
            bench.run(for: .seconds(5))
            let (first, last) = (bench.actuations.first!.planned, bench.actuations.last!.planned)
            #expect(last - first <= max(.seconds(1), whole.felt), "\(pattern)")
            // Each step has as many levels as the pattern has.
            #expect(bench.actuations.count % whole.frames.count == 0, "\(pattern)")
        }
    }
}
