// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// One line for the log, at level warning.
public struct RefusalNotice: Hashable, Sendable {
    public var refusal: Refusal
    /// Nil: of several users, too many to be counted one by one.
    public var user: UInt32?
    /// How often it was refused since the first time was logged; 0: this is the first time.
    public var more: UInt64

    /// A sentence. `user` names the user.
    public func text(user: String) -> String {
        more == 0 ? refusal.warning(user: user) : refusal.summary(user: user, count: more)
    }
}

/// What of all that is refused is worth a line: the first refusal of each user and cause, and, once there has been none
/// for `quiet`, how many there were after it.
///
/// Pure, and bounded: past `capacity` at a time refusals are only counted, in one sum for all users.
struct RefusalLog {
    static let quiet = Nanoseconds.seconds(60)
    static let capacity = 256

    private struct Key: Hashable {
        /// Nil: of all for whom there was no room.
        var user: UInt32?
        var cause: Refusal.Cause
        /// The clients of a user's door are refused what the user itself may do.
        var isScoped: Bool
    }

    private struct Entry {
        var refusal: Refusal
        var last: MonotonicInstant
        var more: UInt64 = 0
    }

    private var entries: [Key: Entry] = [:]
    /// When `advance` has something to do; it may find that it is too early.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    var count: Int { entries.count }

    /// `refusal` has happened to `user`. What is to be logged now: nothing, mostly.
    mutating func refused(_ refusal: Refusal, to user: UInt32, at now: MonotonicInstant) -> [RefusalNotice] {
        let over = now >= nextDeadline ? advance(to: now) : []
        var key = Key(user: user, cause: refusal.cause, isScoped: refusal.isScoped)
        if entries[key] == nil, entries.count >= Self.capacity { key.user = nil }
        if entries[key] != nil {
            entries[key]?.more += 1
            entries[key]?.last = now
            return over
        }
        entries[key] = Entry(refusal: refusal, last: now, more: key.user == nil ? 1 : 0)
        nextDeadline = min(nextDeadline, now + Self.quiet)
        return key.user == nil ? over : over + [RefusalNotice(refusal: refusal, user: user, more: 0)]
    }

    /// Forgets what is over, and returns how much it was.
    mutating func advance(to now: MonotonicInstant) -> [RefusalNotice] {
        let over = entries.filter { now - $0.value.last >= Self.quiet }
        for key in over.keys { entries[key] = nil }
        nextDeadline = entries.values.map { $0.last + Self.quiet }.min() ?? .distantFuture
        return over.filter { $0.value.more > 0 }.sorted { $0.value.last < $1.value.last }.map { key, entry in
            RefusalNotice(refusal: entry.refusal, user: key.user, more: entry.more)
        }
    }
}

/// All that has been refused: counted, and for the log where it is news.
struct Refusals {
    private var counts: [Refusal.Cause: UInt64] = [:]
    private var log = RefusalLog()

    /// When `advance` has something to do.
    var nextDeadline: MonotonicInstant { log.nextDeadline }

    mutating func refused(_ refusal: Refusal, to user: UInt32, at now: MonotonicInstant) -> [RefusalNotice] {
        counts[refusal.cause, default: 0] += 1
        return log.refused(refusal, to: user, at: now)
    }

    mutating func advance(to now: MonotonicInstant) -> [RefusalNotice] { log.nextDeadline <= now ? log.advance(to: now) : [] }

    /// What was refused, in the order of the configuration's keys.
    var rows: [StatusResult.Refused] {
        let causes =
            Bound.allCases.map { Refusal.Cause.bound($0) } + Privilege.allCases.map { .access($0) } + [.suspension, .backlog]
        return causes.compactMap { cause in counts[cause].map { .init(by: cause.key, count: $0) } }
    }
}
