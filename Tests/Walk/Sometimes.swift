// SPDX-License-Identifier: MIT
import HapticCore

/// The points that a run has to reach at least once; otherwise it has shown nothing.
struct Sometimes {
    /// Words of the walk, inputs with their outcomes and reasons, objections of the policy, reasons of ends, errors.
    static let wanted = """
        counted, merged pulse, batch, taken back, preemption, fade, full ring, revoked on, leash off, missed actuation, felt, fitted
        braked, overdriven, heated, device lost on, device back, reload in play, replaced in play, client gone, late engine
        unnoticed lateness, late executor, stopped, lost doorbell, slept, resumed, waited in vain, wait replaced
        composed, dense, open, advanced, late ending, staggered, handed over, hold confirmed, hold released, holds waited, set dropped
        play played, play merged, play quota, play cancelled, play preempted, play rateLimited, play stale, play lowerPriority
        progress played, progress merged, progress belowStep, followed, event played, event noRule, release released
        hold played, hold reserved, hold duplicate, hold notAllowed, hold quota, hold pressed, hold renewed, hold leaseExpired
        present played, present unchanged, present incomplete, present quota, present invalidParams
        task played, task duplicate, task notPending, task quota, task late, task working
        refused by off, refused by quietHours, refused by strength, refused by access, refused by condition
        ended maxOn, ended dutyLimit, ended thermal, ended profile, ended off, ended requested, ended superseded, ended deviceLost
        ended suspended, ended clientGone
        error -32000, error -32001, error -32005, error -32006, error -32600, error -32602, connection refused, answered stored
        gone answered, gone unread, wait dropped, notices missed, reload in wait, answered late, half line, half closed, flood
        others masked, play suspended, transaction, transaction refused
        """.split { $0 == "," || $0 == "\n" }.map { String($0.drop { $0 == " " }) }

    private(set) var counts: [String: Int] = [:]

    mutating func note(_ point: String) { counts[point, default: 0] += 1 }

    mutating func note(_ decision: Decision) {
        note("\(decision.input.rawValue) \(decision.outcome.rawValue)")
        if let reason = decision.reason { note("\(decision.input.rawValue) \(reason.rawValue)") }
        if let objection = decision.policy?.objection { note("refused by \(objection.rawValue)") }
        if case .hot = decision.circumstance { note("heated") }
    }

    mutating func add(_ other: Sometimes) { counts.merge(other.counts, uniquingKeysWith: +) }

    var never: [String] { Self.wanted.filter { counts[$0] == nil } }

    var table: String { Self.wanted.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ") }
}
