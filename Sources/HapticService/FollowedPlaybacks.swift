// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// The owners of values that are followed: others read the actuations that reveal such a value only roughly.
///
/// A playback that takes over glides from the followed level, so its actuations reveal that level too. Therefore everything on the
/// actuator is rough until the value has ended and the glides that follow are over. An off does not end this earlier, because a fitted
/// motor gets an off in the middle of a glide, too. `felt` is rough for the same time. It does not wait until the motor is at rest: after
/// that time hardly anything of the value is left in it.
struct FollowedPlaybacks {
    /// The longest time for which a playback glides from the level before it, `Transition.longest` of the engine.
    static let longestGlide = Nanoseconds.seconds(1)

    private struct Followed {
        let owner: Owner
        var end: MonotonicInstant?
    }

    /// The last followed value of an actuator.
    private struct Trace {
        /// The owner of `followed`.
        let owner: Owner
        let followed: PlaybackID
        /// The playback of the last actuation.
        var last: PlaybackID
        /// The first instant at which the levels have nothing of the value; `distantFuture` before it has ended.
        var end: MonotonicInstant
        /// The levels before this instant also have something of another owner's value.
        var sharedEnd = MonotonicInstant.distantPast
    }

    /// At most as many as the engine's playbacks, and `ServiceStatistics.mostEnded`.
    private var playbacks: [PlaybackID: Followed] = [:]
    /// By the index of the actuator, as far as there were any.
    private var traces: [Trace?] = []

    mutating func add(_ decision: Decision) {
        guard decision.isFollowed, decision.outcome == .played, let playback = decision.playback, let owner = decision.owner
        else { return }
        playbacks[playback] = Followed(owner: owner)
    }

    func contains(_ playback: PlaybackID) -> Bool { !playbacks.isEmpty && playbacks[playback] != nil }

    /// Keeps the end of a playback. The executor reports its last actuations later, so it stays until `remove`.
    mutating func ended(_ end: PlaybackEnd) {
        guard contains(end.playback) else { return }
        playbacks[end.playback]?.end = end.at
        for index in traces.indices where traces[index]?.followed == end.playback {
            traces[index]?.end = end.at + Self.longestGlide
        }
    }

    mutating func remove(_ playback: PlaybackID) { playbacks[playback] = nil }

    /// The owner of the followed value that `actuation` reveals; `nil` if it reveals none. To be asked of each actuation of an actuator, in order.
    mutating func owner(of actuation: Actuation) -> Owner? {
        let (index, playback, planned) = (actuation.actuator.value, actuation.playback, actuation.planned)
        let before = index < traces.count ? traces[index] : nil
        var trace: Trace
        if !playbacks.isEmpty, let followed = playbacks[playback] {
            trace = Trace(
                owner: followed.owner, followed: playback, last: playback,
                end: followed.end.map { $0 + Self.longestGlide } ?? .distantFuture)
        } else if let before, planned < before.end {
            trace = before
            // It may glide from a level that itself glides from the value.
            if playback != before.last { trace.end = max(before.end, planned + Self.longestGlide) }
        } else {
            if before != nil { traces[index] = nil }
            return nil
        }
        if let before {
            trace.sharedEnd = before.sharedEnd
            let isShared = before.owner != trace.owner ? planned < before.end : planned < before.sharedEnd
            if playback != before.last, isShared { trace.sharedEnd = planned + Self.longestGlide }
        }
        trace.last = playback
        while traces.count <= index { traces.append(nil) }
        traces[index] = trace
        return planned < trace.sharedEnd ? ActuationNotice.severalOwners : trace.owner
    }
}
