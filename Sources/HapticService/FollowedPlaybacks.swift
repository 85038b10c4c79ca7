// SPDX-License-Identifier: MIT
internal import DequeModule
internal import HapticCore

/// The users whose values are followed, by playback: other users read the actuations of such a playback only roughly.
struct FollowedPlaybacks {
    /// Ended playbacks that are kept: the executor reports their last actuations after the end.
    static let mostEnded = 256

    /// At most as many as the engine's playbacks, and `mostEnded`.
    private var users: [PlaybackID: UInt32] = [:]
    private var ended: Deque<PlaybackID> = []

    var count: Int { users.count }

    mutating func add(_ decision: Decision) {
        guard decision.isFollowed, decision.outcome == .played, let playback = decision.playback else { return }
        users[playback] = decision.user
    }

    mutating func ended(_ playback: PlaybackID) {
        guard users[playback] != nil else { return }
        ended.append(playback)
        if ended.count > Self.mostEnded { users[ended.removeFirst()] = nil }
    }

    /// The user whose followed value `playback` plays; `nil` if it plays none.
    func user(of playback: PlaybackID) -> UInt32? { users.isEmpty ? nil : users[playback] }
}
