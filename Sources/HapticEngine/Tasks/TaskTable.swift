// SPDX-License-Identifier: MIT
import HapticCore

/// An action that has begun, and has not ended.
struct PendingTask {
    struct Key: Hashable, Sendable {
        let user: UInt32
        let id: Text

        init(_ client: ClientIdentity, id: String) { (user, self.id) = (client.user, Text(id)) }
    }

    let key: Key
    let beganAt: MonotonicInstant
    let client: ClientIdentity
    let app: String?
    let isOff: Bool
    /// That of the configuration in force; nil: it has none any more, and nothing is felt of the task.
    private(set) var rule: TaskRule?
    /// When it has failed: as the rule said when it began.
    let end: MonotonicInstant
    /// When it says that it is still pending; `distantFuture`: no more.
    var nextWorking: MonotonicInstant

    init(
        _ key: Key, at instant: MonotonicInstant, client: ClientIdentity, app: String?, isOff: Bool, rule: TaskRule
    ) {
        (self.key, beganAt, self.client, self.app, self.isOff, self.rule) = (key, instant, client, app, isOff, rule)
        end = instant + rule.timeout
        nextWorking = .distantFuture
        scheduleWorking(after: instant)
    }

    /// How long it may take.
    var timeout: Nanoseconds { end - beganAt }
    var nextDeadline: MonotonicInstant { min(end, nextWorking) }

    /// Of those before it that nobody has looked for in time none is said later.
    mutating func scheduleWorking(after instant: MonotonicInstant) {
        nextWorking = .distantFuture
        guard let working = rule?.working else { return }
        let passed = (instant - beganAt).count / working.interval.count
        let next = beganAt + working.interval * (Int(passed) + 1)
        if next <= beganAt + working.upTo { nextWorking = next }
    }

    /// Goes on by the rule of another configuration.
    mutating func follow(_ rule: TaskRule?) {
        self.rule = rule
        if rule?.working == nil { nextWorking = .distantFuture }
    }
}

/// The tasks that are pending, bounded.
struct TaskTable {
    static let most = 1024
    static let mostPerUser = 256

    private var tasks: [PendingTask.Key: PendingTask] = [:]
    /// When the first of them has something to say; `distantFuture` where none has.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    var count: Int { tasks.count }

    subscript(key: PendingTask.Key) -> PendingTask? { tasks[key] }

    func hasRoom(for user: UInt32) -> Bool {
        tasks.count < Self.most && tasks.keys.count { $0.user == user } < Self.mostPerUser
    }

    mutating func put(_ task: PendingTask) {
        tasks[task.key] = task
        look()
    }

    @discardableResult
    mutating func remove(_ key: PendingTask.Key) -> PendingTask? {
        defer { look() }
        return tasks.removeValue(forKey: key)
    }

    /// Looks for the rule of each in another configuration.
    mutating func findRules(_ rule: (Text) -> TaskRule?) {
        for key in Array(tasks.keys) { tasks[key]?.follow(rule(key.id)) }
        look()
    }

    /// The one that has something to say by `now`, of several the one that has waited longest; nil: none has.
    func due(by now: MonotonicInstant) -> PendingTask? {
        guard nextDeadline <= now else { return nil }
        return tasks.values.min { ($0.nextDeadline, $0.key.id, $0.key.user) < ($1.nextDeadline, $1.key.id, $1.key.user) }
    }

    private mutating func look() { nextDeadline = tasks.values.map(\.nextDeadline).min() ?? .distantFuture }
}
