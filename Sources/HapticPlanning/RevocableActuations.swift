// SPDX-License-Identifier: MIT
import DequeModule
import HapticCore

/// The planned actuations of an actuator that can still be revoked, and the settled output of its motor: that before the first of them.
struct RevocableActuations {
    private struct Change {
        let at: MonotonicInstant
        let driven: DrivenLevel
    }

    private(set) var settled: MotorOutput
    private var changes = Deque<Change>()

    init(_ output: MotorOutput) {
        settled = output
        changes.reserveCapacity(Channel.mostAhead)
    }

    var isFull: Bool { changes.count >= Channel.mostAhead }
    /// The instant of the middle one of as many as there is room for.
    var middle: MonotonicInstant { changes[Channel.mostAhead / 2].at }

    /// The instant of the first off at `now` or later; `distantFuture` if there is none.
    func firstOff(from now: MonotonicInstant) -> MonotonicInstant {
        changes.first { $0.at >= now && !$0.driven.isOn }?.at ?? .distantFuture
    }

    /// The output at `now`, whatever is planned from then on: requests that are revoked do not count.
    func output(at now: MonotonicInstant) -> MotorOutput {
        var output = settled
        for change in changes {
            guard change.at < now else { break }
            output.follow(change.driven, at: change.at)
        }
        output.settle(until: now)
        return output
    }

    mutating func append(_ driven: DrivenLevel, at instant: MonotonicInstant) {
        changes.append(Change(at: instant, driven: driven))
    }

    // MARK: Settling

    /// Nothing can be revoked any more; the motor gets `output`.
    mutating func settle(as output: MotorOutput) {
        settled = output
        removeAll()
    }

    /// The actuations before `now` cannot be revoked any more. After the last of them the limits act by themselves until `end`.
    mutating func settle(before now: MonotonicInstant, until end: MonotonicInstant) {
        while let first = changes.first, first.at < now {
            settled.follow(first.driven, at: first.at)
            changes.removeFirst()
        }
        settled.settle(until: end)
    }

    // MARK: Revoking

    /// Drops the actuations from `now` on and settles those before. Returns whether any was dropped.
    mutating func revoke(from now: MonotonicInstant) -> Bool {
        settle(before: now, until: now)
        defer { removeAll() }
        return !changes.isEmpty
    }

    /// Drops the actuations from `opening` on and settles none. Returns whether any was dropped.
    mutating func takeBack(from opening: MonotonicInstant) -> Bool {
        let count = changes.count
        while let last = changes.last, last.at >= opening { changes.removeLast() }
        return changes.count < count
    }

    mutating func removeAll() {
        if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    }
}
