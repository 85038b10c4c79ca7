// SPDX-License-Identifier: MIT
import HapticCore

/// How many decisions ended how. As many entries as there are different ends, few of which ever occur, so a search is short.
struct DecisionCounters {
    private struct Entry {
        let outcome: Outcome
        let reason: Reason?
        var count: UInt64 = 0
    }

    private var entries: [Entry] = []

    func count(of outcome: Outcome, _ reason: Reason?) -> UInt64 {
        entries.first { $0.outcome == outcome && $0.reason == reason }?.count ?? 0
    }

    mutating func add(_ outcome: Outcome, _ reason: Reason?) { entries[index(of: outcome, reason)].count += 1 }

    /// Takes back one that was added.
    mutating func remove(_ outcome: Outcome, _ reason: Reason?) { entries[index(of: outcome, reason)].count -= 1 }

    private mutating func index(of outcome: Outcome, _ reason: Reason?) -> Int {
        for index in entries.indices where entries[index].outcome == outcome && entries[index].reason == reason { return index }
        entries.append(Entry(outcome: outcome, reason: reason))
        return entries.count - 1
    }
}
