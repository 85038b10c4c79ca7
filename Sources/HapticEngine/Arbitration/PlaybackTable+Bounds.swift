// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// How many playbacks there may be, and what makes room for another one.
extension PlaybackTable {
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

    /// The bound that `more` playbacks of `client` exceed, unless others make room.
    func exceededBound(of client: ClientIdentity, with more: Int = 0, _ bounds: EngineBounds) -> Bound? {
        var count = Count(self, of: client)
        count.change(by: more)
        return count.exceeded(of: bounds)
    }

    /// The bound that leaves no room for another playback beside those whose place it takes, and those that would wait and make room.
    func reachedBound(for candidate: Candidate, on chosen: [ActuatorIndex], _ bounds: EngineBounds) -> Bound? {
        let client = candidate.client
        var count = Count(self, of: client)
        count.change(by: 1)
        for playback in values {
            let leaves =
                playback.isEnded(by: candidate, on: chosen)
                || (playback.makesRoom(for: candidate) && playback.actuators.allSatisfy(chosen.contains))
            guard leaves || playback.isReplaced(by: candidate) else { continue }
            if leaves { count.all -= 1 }
            if playback.ending == nil, playback.client.user == client.user {
                count.ofUser -= 1
                if playback.client.connection == client.connection { count.ofClient -= 1 }
            }
            if count.exceeded(of: bounds) == nil { return nil }
        }
        return count.exceeded(of: bounds)
    }

    /// The one that makes room for `candidate` first, of those that count for `bound`.
    func leastImportant(for candidate: Candidate, of bound: Bound) -> PlaybackID? {
        var least: (priority: Int, id: PlaybackID)?
        for playback in values where playback.isInterrupted && playback.makesRoom(for: candidate) {
            if bound != .playbacks, playback.client.user != candidate.client.user { continue }
            if bound == .playbacksPerClient, playback.client.connection != candidate.client.connection { continue }
            if least.map({ (playback.priority, playback.id) < $0 }) ?? true { least = (playback.priority, playback.id) }
        }
        return least?.id
    }
}

extension Playback {
    /// It loses its last actuators with these, and does not wait for any.
    fileprivate func isEnded(by candidate: Candidate, on chosen: [ActuatorIndex]) -> Bool {
        !waits(for: candidate.source) && actuators.allSatisfy(chosen.contains) && waiting.actuators.allSatisfy(chosen.contains)
    }

    /// If all bounds leave no room for `candidate`, the playback does not wait any more. An alarm is never refused for what waits.
    fileprivate func makesRoom(for candidate: Candidate) -> Bool {
        waits(for: candidate.source) && (candidate.feedbackClass == .alarm || yields(to: candidate))
    }

    /// Of one source the newer holds: within a batch always, and between `play`s of one id.
    func isReplaced(by candidate: Candidate) -> Bool {
        guard let source = candidate.source, self.source == source else { return false }
        return item != nil || (traits.isPlayInput && candidate.traits.isPlayInput)
    }
}
