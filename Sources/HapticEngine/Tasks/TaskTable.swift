// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// The tasks that are pending, bounded. What is next is always at hand, however many there are.
struct TaskTable {
    static let most = 1024
    static let mostPerUser = 256

    /// When a task has something to do.
    private struct Turn {
        let at: MonotonicInstant
        let key: PendingTask.Key

        init(_ task: PendingTask) { (at, key) = (task.nextDeadline, task.key) }

        func isLater(than other: Turn) -> Bool { (at, key.id, key.user) > (other.at, other.key.id, other.key.user) }
    }

    private var tasks: [PendingTask.Key: PendingTask] = [:]
    private var perUser: [UInt32: Int] = [:]
    /// One of each task. The next one is the last.
    private var turns: [Turn] = [] {
        didSet { nextDeadline = turns.last?.at ?? .distantFuture }
    }
    /// When the first of them has something to do; `distantFuture` where none has.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    var count: Int { tasks.count }

    subscript(key: PendingTask.Key) -> PendingTask? { tasks[key] }

    func hasRoom(for user: UInt32) -> Bool {
        tasks.count < Self.most && perUser[user, default: 0] < Self.mostPerUser
    }

    mutating func put(_ task: PendingTask) {
        if let old = tasks.updateValue(task, forKey: task.key) {
            turns.remove(at: index(of: Turn(old)))
        } else {
            perUser[task.key.user, default: 0] += 1
        }
        let turn = Turn(task)
        turns.insert(turn, at: index(of: turn))
    }

    mutating func remove(_ key: PendingTask.Key) {
        guard let task = tasks.removeValue(forKey: key) else { return }
        turns.remove(at: index(of: Turn(task)))
        let left = perUser[key.user, default: 0] - 1
        perUser[key.user] = left > 0 ? left : nil
    }

    /// The one that has something to do by `now`, of several the one that has waited longest; nil: none has.
    func due(by now: MonotonicInstant) -> PendingTask? {
        guard let next = turns.last, next.at <= now else { return nil }
        return tasks[next.key]
    }

    /// There is another configuration: each has to look for its rule.
    mutating func outdateRules(at now: MonotonicInstant) { changeAll { $0.rule = .outdated(since: now) } }

    /// Makes every task older by a time that no clock has counted.
    mutating func age(by time: Nanoseconds) { changeAll { $0.age(by: time) } }

    private mutating func changeAll(_ change: (inout PendingTask) -> Void) {
        tasks = tasks.mapValues {
            var task = $0
            change(&task)
            return task
        }
        turns = tasks.values.map(Turn.init).sorted { $0.isLater(than: $1) }
    }

    /// Where `turn` is, or has to be.
    private func index(of turn: Turn) -> Int { turns.countOfPrefix { $0.isLater(than: turn) } }
}
