// SPDX-License-Identifier: MIT
import HapticCore

/// The tasks that are pending, bounded.
struct TaskTable {
    static let most = 1024
    static let mostPerUser = 256

    private var tasks = Agenda<PendingTask>()

    var count: Int { tasks.count }
    /// When the first of them has something to do; `distantFuture` where none has.
    var nextDeadline: MonotonicInstant { tasks.nextDeadline }

    subscript(key: OwnedID) -> PendingTask? { tasks[key] }

    func hasRoom(for user: UInt32) -> Bool { tasks.count < Self.most && tasks.count(of: user) < Self.mostPerUser }

    mutating func put(_ task: PendingTask) { tasks.put(task) }

    mutating func remove(_ key: OwnedID) { tasks.remove(key) }

    /// The one that has something to do by `now`, of several the one that has waited longest; nil: none has.
    func due(by now: MonotonicInstant) -> PendingTask? { tasks.due(by: now) }

    /// There is another configuration: each has to look for its rule.
    mutating func outdateRules(at now: MonotonicInstant) { tasks.changeAll { $0.rule = .outdated(since: now) } }

    /// Makes every task older by a time that no clock has counted.
    mutating func age(by time: Nanoseconds) { tasks.changeAll { $0.age(by: time) } }
}
