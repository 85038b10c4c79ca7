// SPDX-License-Identifier: MIT
package import HapticCore
import HapticWire

/// How an input may end, as the monitor is asked for it: felt or not, in the words that it shows, or just so.
package enum WatchedOutcome: String, CaseIterable {
    case felt, notFelt, played, merged, suppressed, preempted, cancelled, failed

    func matches(_ decision: DecisionResult) -> Bool {
        switch self {
        case .felt: decision.isFelt
        case .notFelt: !decision.isFelt
        case .played, .merged, .suppressed, .preempted, .cancelled, .failed: decision.outcome.rawValue == rawValue
        }
    }
}

/// Which decisions the monitor shows; a list that is empty admits all.
package struct WatchFilter: Hashable, Sendable {
    /// Any of these matches.
    var sources: [Glob]
    var apps: [Glob]
    var outcomes: Set<WatchedOutcome>
    var classes: Set<FeedbackClass>

    package init(
        sources: [Glob] = [], apps: [Glob] = [], outcomes: Set<WatchedOutcome> = [], classes: Set<FeedbackClass> = []
    ) {
        (self.sources, self.apps, self.outcomes, self.classes) = (sources, apps, outcomes, classes)
    }

    var isEmpty: Bool { sources.isEmpty && apps.isEmpty && outcomes.isEmpty && classes.isEmpty }

    func admits(_ decision: DecisionResult) -> Bool {
        Self.admits(sources, decision.source) && Self.admits(apps, decision.app)
            && (outcomes.isEmpty || outcomes.contains { $0.matches(decision) })
            && (classes.isEmpty || decision.feedbackClass.map(classes.contains) ?? false)
    }

    /// What else than its id is asked for is not known of a hold that goes on: its decisions say it.
    func admits(_ hold: HoldNotice) -> Bool {
        apps.isEmpty && outcomes.isEmpty && classes.isEmpty && Self.admits(sources, hold.id)
    }

    private static func admits(_ globs: [Glob], _ text: String?) -> Bool {
        globs.isEmpty || text.map { text in globs.contains { $0.matches(text) } } ?? false
    }

    private static func admits<Word: RawRepresentable<String> & Hashable & CaseIterable>(_ words: Set<Word>, _ text: String?)
        -> Bool
    {
        words.isEmpty || text.flatMap { Word(text: Text($0)) }.map(words.contains) ?? false
    }
}
