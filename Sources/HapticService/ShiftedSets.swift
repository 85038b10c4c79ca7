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

/// The sets of which that has been said: each once, and so many of a user. After these nothing more is said to that user alone; a user who
/// could push them out, by going round, would fill the log.
///
/// The scopes of a user share them: the notice names set and user, so that for another scope it would be the same line again.
struct ShiftedSets {
    static let mostOfUser = 16
    /// The one who is forgotten for another one is the one of whom nothing has been said for the longest time.
    static let mostUsers = 256

    private struct Said {
        let user: UInt32
        var sets: Set<Text> = []
    }

    /// The one of whom something was said last is the last one.
    private var said: [Said] = []

    /// What is to be logged of `decision`; nil: nothing, mostly.
    mutating func notice(of decision: Decision) -> ShiftedSetNotice? {
        guard decision.circumstance == .idsShifted, let user = decision.user, let set = decision.name else { return nil }
        let index = said.firstIndex { $0.user == user }
        var ofUser = index.map { said[$0] } ?? Said(user: user)
        guard ofUser.sets.count < Self.mostOfUser, ofUser.sets.insert(Text(set)).inserted else { return nil }
        if let index { said.remove(at: index) } else if said.count == Self.mostUsers { said.removeFirst() }
        said.append(ofUser)
        return ShiftedSetNotice(set: set, user: user)
    }
}
