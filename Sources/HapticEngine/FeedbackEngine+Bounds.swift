// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// How many playbacks there may be, and what makes room for another one.
extension FeedbackEngine {
    /// How many playbacks there are: of all, of one user and of one connection. Of these two only those that are not on their way out.
    private struct Count {
        var all: Int
        var ofUser: Int
        var ofClient: Int

        init(_ playbacks: PlaybackTable, of client: ClientIdentity) {
            all = playbacks.count
            (ofUser, ofClient) = (playbacks.count(ofUser: client.user), playbacks.count(ofConnection: client.connection))
        }

        /// The first bound that is exceeded.
        func exceeded(of bounds: EngineBounds) -> Bound? {
            if all > bounds.playbacks { return .playbacks }
            if ofUser > bounds.playbacksPerUser ?? .max { return .playbacksPerUser }
            return ofClient > bounds.playbacksPerClient ?? .max ? .playbacksPerClient : nil
        }

        mutating func change(by change: Int) {
            all += change
            ofUser += change
            ofClient += change
        }
    }

    /// Whether one more playback of `client` exceeds a bound, unless others make room.
    func isFull(for client: ClientIdentity) -> Bool { exceededBound(of: client, with: 1) != nil }

    private func exceededBound(of client: ClientIdentity, with more: Int = 0) -> Bound? {
        var count = Count(scheduler.playbacks, of: client)
        count.change(by: more)
        return count.exceeded(of: configuration.bounds)
    }

    /// The bound that leaves no room for another playback beside those whose place it takes, and those that would wait and make room.
    func reachedBound(for candidate: Candidate, on chosen: [ActuatorIndex]) -> Bound? {
        let client = candidate.client
        var count = Count(scheduler.playbacks, of: client)
        count.change(by: 1)
        for playback in scheduler.playbacks.values {
            let leaves =
                isEnded(playback, by: candidate, on: chosen)
                || (makesRoom(playback, for: candidate) && playback.actuators.allSatisfy(chosen.contains))
            guard leaves || Self.isReplaced(playback, by: candidate) else { continue }
            if leaves { count.all -= 1 }
            if playback.ending == nil, playback.client.user == client.user {
                count.ofUser -= 1
                if playback.client.connection == client.connection { count.ofClient -= 1 }
            }
            if count.exceeded(of: configuration.bounds) == nil { return nil }
        }
        return count.exceeded(of: configuration.bounds)
    }

    /// It loses its last actuators with these, and does not wait for any.
    private func isEnded(_ playback: Playback, by candidate: Candidate, on chosen: [ActuatorIndex]) -> Bool {
        !playback.waits(for: candidate.source) && playback.actuators.allSatisfy(chosen.contains)
            && playback.waitsFor.allSatisfy(chosen.contains)
    }

    /// If all bounds leave no room for `candidate`, the playback does not wait any more. An alarm is never refused for what waits.
    private func makesRoom(_ playback: Playback, for candidate: Candidate) -> Bool {
        playback.waits(for: candidate.source) && (candidate.feedbackClass == .alarm || playback.yields(to: candidate))
    }

    /// Ends what waits, the least important first, until the bounds hold with what has begun for `candidate`.
    mutating func makeRoom(for candidate: Candidate, at now: MonotonicInstant) {
        while let bound = exceededBound(of: candidate.client), let id = leastImportant(for: candidate, of: bound) {
            scheduler.stopWaiting(id, at: now)
        }
    }

    /// The one that makes room for `candidate` first, of those that count for `bound`.
    private func leastImportant(for candidate: Candidate, of bound: Bound) -> PlaybackID? {
        var least: (priority: Int, id: PlaybackID)?
        for playback in scheduler.playbacks.values where playback.isInterrupted && makesRoom(playback, for: candidate) {
            if bound != .playbacks, playback.client.user != candidate.client.user { continue }
            if bound == .playbacksPerClient, playback.client.connection != candidate.client.connection { continue }
            if least.map({ (playback.priority, playback.id) < $0 }) ?? true { least = (playback.priority, playback.id) }
        }
        return least?.id
    }

    /// Of one source the newer holds: within a batch always, and between `play`s of one id.
    static func isReplaced(_ playback: Playback, by candidate: Candidate) -> Bool {
        guard let source = candidate.source, playback.source == source else { return false }
        return playback.item != nil || (playback.isPlayInput && candidate.isPlayInput)
    }
}
