// SPDX-License-Identifier: MIT
import HapticCore

/// An action that has begun, and has not ended.
struct PendingTask: AgendaItem {
    /// Among those of the configuration in force.
    enum Rule: Hashable {
        /// Its index; nil: there is none any more, and nothing is felt of the task.
        case found(Int?)
        /// The configuration is another one since then, and nobody has looked.
        case outdated(since: MonotonicInstant)
    }

    let key: OwnedID
    private(set) var beganAt: MonotonicInstant
    let client: ClientIdentity
    let app: String?
    let isOff: Bool
    var rule: Rule
    /// When it has failed: as the rule said when it began.
    private(set) var end: MonotonicInstant
    /// When it says that it is still pending; `distantFuture`: no more.
    private(set) var nextWorking = MonotonicInstant.distantFuture

    init(
        _ key: OwnedID, at instant: MonotonicInstant, client: ClientIdentity, app: String?, isOff: Bool, rule: Int,
        timeout: Nanoseconds
    ) {
        (self.key, beganAt, self.client, self.app, self.isOff) = (key, instant, client, app, isOff)
        self.rule = .found(rule)
        end = instant + timeout
    }

    /// How long it may take.
    var timeout: Nanoseconds { end - beganAt }

    /// When it says something, or looks for its rule.
    var nextDeadline: MonotonicInstant {
        guard case .outdated(let since) = rule else { return min(end, nextWorking) }
        return min(end, nextWorking, since)
    }

    /// Of those before it that nobody has looked for in time none is said later. Nil: it says nothing of the kind.
    mutating func scheduleWorking(_ working: TaskRule.Working?, after instant: MonotonicInstant) {
        nextWorking = .distantFuture
        guard let working else { return }
        let passed = (instant - beganAt).count / working.interval.count
        let next = beganAt + working.interval * (Int(passed) + 1)
        if next <= beganAt + working.upTo { nextWorking = next }
    }

    /// Makes it older by a time that no clock has counted.
    mutating func age(by time: Nanoseconds) {
        (beganAt, end) = (beganAt - time, end - time)
        if nextWorking != .distantFuture { nextWorking = nextWorking - time }
    }
}
