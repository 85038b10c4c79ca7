// SPDX-License-Identifier: MIT
import HapticCore

/// What finding a rule costs at most where all of them are looked at, see `WorkBudget`.
struct RuleCosts {
    /// By the id of a source, the name of an event, and one of the two values between which it changes.
    private(set) var ids = Glob.Cost()
    private(set) var names = Glob.Cost()
    private(set) var values = Glob.Cost()
    /// By the name of a set, the id of a hold, and that of a task.
    private(set) var collections = Glob.Cost()
    private(set) var holds = Glob.Cost()
    private(set) var tasks = Glob.Cost()

    init(_ configuration: EngineConfiguration) {
        for rule in configuration.progressRules { ids.add(rule.match) }
        for rule in configuration.collectionRules { collections.add(rule.match) }
        for case .clients(let glob) in configuration.holdRules.map(\.match) { holds.add(glob) }
        for rule in configuration.taskRules { tasks.add(rule.match) }
        for rule in configuration.eventRules {
            names.add(rule.match)
            for matcher in [rule.when?.from, rule.when?.to] {
                if case .glob(let glob) = matcher { values.add(glob) }
            }
        }
    }
}

extension Scalar {
    /// Bytes of its text; 0 where it is none.
    var textSize: Int {
        guard case .string(let text) = self else { return 0 }
        return text.utf8.count
    }
}
