// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine

/// One line for the log, at level warning: the ids of a set are probably positions.
public struct ShiftedSetNotice: Hashable, Sendable {
    public var set: String
    /// Whose it is.
    public var user: UInt32

    /// A sentence. `user` names the user.
    public func text(user: String) -> String {
        "positions were probably sent as ids: all ids of the set `\(set)` of \(user) have become one more, or one less, at once; send an id that stays with its thing wherever that stands, or what stayed is felt as new"
    }
}

/// The sets of which that has been said: each once, and no more of them than `capacity`.
struct ShiftedSets {
    static let capacity = 256

    private struct Key: Hashable {
        let user: UInt32
        let set: Text
    }

    private var said: Set<Key> = []

    /// What is to be logged of `decision`; nil: nothing, mostly.
    mutating func notice(of decision: Decision) -> ShiftedSetNotice? {
        guard decision.circumstance == .idsShifted, let user = decision.user, let set = decision.name else { return nil }
        guard said.count < Self.capacity, said.insert(Key(user: user, set: Text(set))).inserted else { return nil }
        return ShiftedSetNotice(set: set, user: user)
    }
}
