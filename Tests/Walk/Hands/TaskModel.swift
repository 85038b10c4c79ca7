// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// Which tasks are pending, and what has to come of them by itself.
struct TaskModel {
    static let (timeout, interval, upTo): (Int64, Int64, Int64) = (60_000_000_000, 2_000_000_000, 7_000_000_000)

    struct Key: Hashable {
        let user: UInt32
        let id: String
    }

    private struct Task {
        var began: Int64
        /// How many times it could have said that it is still working.
        var looked: Int64 = 0
    }

    private var tasks: [Key: Task] = [:]

    func isPending(_ id: String, of user: UInt32) -> Bool { tasks[Key(user: user, id: id)] != nil }
    var count: Int { tasks.count }

    /// What has to be the reason; nil: it is to be felt, as far as people want that.
    mutating func take(_ state: TaskState, of input: Input, at now: Int64) -> Reason? {
        let key = Key(user: input.client.user, id: input.id ?? "")
        guard state == .began else {
            guard tasks.removeValue(forKey: key) != nil else { return .notPending }
            return state == .cancelled ? .noRule : nil
        }
        if tasks[key] != nil { return .duplicate }
        guard key.id.hasPrefix("t") else { return .noRule }
        guard tasks.count < 1024, tasks.keys.count(where: { $0.user == key.user }) < 256 else { return .quota }
        tasks[key] = Task(began: now)
        return nil
    }

    /// The time that the machine was asleep counts, too.
    mutating func slept(_ time: Int64) { for key in tasks.keys { tasks[key]!.began -= time } }

    /// What each has to say by `now`.
    mutating func advance(to now: Int64) -> [(Key, String)] {
        var all: [(Key, String)] = []
        for (key, task) in tasks {
            if now >= task.began + Self.timeout {
                tasks[key] = nil
                all.append((key, "failed"))
                continue
            }
            let rounds = min(now - task.began, Self.upTo) / Self.interval
            guard rounds > task.looked else { continue }
            // Of several that are late it says one; none where the next would already be too late.
            tasks[key]!.looked = rounds
            all.append((key, "working"))
        }
        return all
    }
}
