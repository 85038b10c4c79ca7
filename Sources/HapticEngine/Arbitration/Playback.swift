// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// One pattern that plays, and its circumstances.
struct Playback {
    let id: PlaybackID
    let source: SourceKey?
    let client: ClientIdentity
    /// Whether levels are fitted to the motors with a known model.
    let isFitted: Bool
    let endsWithClient: Bool
    let isPlayInput: Bool
    /// Whether it counts for the limit of its class.
    let isLimited: Bool
    /// If something takes an actuator from it, it resumes there afterwards.
    let resumes: Bool
    /// What lights show of it is in the `FlashLedger`.
    let countsFlashes: Bool
    let pattern: PlayablePattern
    let feedbackClass: FeedbackClass
    let priority: Int
    /// Where in the batch being decided it began; nil once that has been committed.
    var item: Int?
    /// The actuators that it still has.
    var actuators: [ActuatorIndex]
    /// Those that something has taken from it for a time: `WaitingTable` has what is left of it there.
    var waitsFor: [ActuatorIndex] = []
    /// Since when it has been felt nowhere, or again, and nobody has been notified; nil: everybody has.
    var unannounced: MonotonicInstant?
    /// The state that was announced last.
    var isAnnouncedInterrupted = false
    /// The latest end on those of its actuators that have played it to its end. An engine that looks late finds several of these
    /// at once, in any order.
    var end = MonotonicInstant.zero
    /// Set when it is on its way out: how it will have ended.
    fileprivate(set) var ending: (PlaybackEnd.Ending, Reason)?
    var cutReason: Reason?
    /// Its neighbours in the list of its source: the playback before it and the one after it.
    fileprivate(set) var older: PlaybackID?
    fileprivate(set) var newer: PlaybackID?

    /// `item`: the place of its decision in the batch.
    init(id: PlaybackID, of candidate: Candidate, item: Int, actuators: [ActuatorIndex]) {
        self.id = id
        (source, client, pattern) = (candidate.source, candidate.client, candidate.pattern)
        (feedbackClass, priority) = (candidate.feedbackClass, candidate.priority)
        (isFitted, isLimited, countsFlashes) = (candidate.isFitted, candidate.isLimited, candidate.countsFlashes)
        (endsWithClient, isPlayInput) = (candidate.endsWithClient, candidate.isPlayInput)
        // Where its flashes were counted it does not resume: that would be one more.
        resumes = candidate.resumes && !candidate.countsFlashes
        (self.item, self.actuators) = (item, actuators)
    }

    /// It waits for an actuator until what is about `other` and takes it is over. Of one source the newer holds.
    func waits(for other: SourceKey?) -> Bool {
        resumes && ending == nil && item == nil && (source == nil || source != other)
    }

    /// It waits for all of its actuators.
    var isInterrupted: Bool { actuators.isEmpty && !waitsFor.isEmpty }
    /// Some phase of it lasts until something ends it.
    var hasOpenPhases: Bool { !pattern.phases.isEmpty }
    /// A playback that fades out blocks nothing.
    var standing: Int { ending == nil ? priority : Int.min }

    /// Whether `candidate` may take an actuator from it.
    func yields(to candidate: Candidate) -> Bool {
        guard standing == candidate.priority else { return standing < candidate.priority }
        return candidate.client.mayEndOthers || client.owner == candidate.client.owner
    }
}

/// All playbacks, found by id and by source, and how many each user and each connection has.
///
/// A line may have 256 cancels, so none of them looks at all playbacks.
struct PlaybackTable {
    private var all: [PlaybackID: Playback] = [:]
    /// The newest of those about a source, whatever the event: the others are a chain from there.
    private var newest: [SourceKey: PlaybackID] = [:]
    /// Those that are not on their way out.
    private var ofUsers: [UInt32: Int] = [:]
    private var ofConnections: [UInt64: Int] = [:]

    var count: Int { all.count }
    var values: Dictionary<PlaybackID, Playback>.Values { all.values }
    subscript(id: PlaybackID) -> Playback? { all[id] }

    /// How many of the user are not on their way out.
    func count(ofUser user: UInt32) -> Int { ofUsers[user] ?? 0 }
    func count(ofConnection connection: UInt64) -> Int { ofConnections[connection] ?? 0 }

    /// Those about the source, whatever the event, the oldest first.
    func about(_ source: SourceKey) -> [PlaybackID] {
        guard var id = newest[source.withoutEvent] else { return [] }
        var ids = [id]
        while let older = all[id]?.older {
            ids.append(older)
            id = older
        }
        return ids.reversed()
    }

    mutating func add(_ playback: Playback) {
        var playback = playback
        count(playback, by: 1)
        if let source = playback.source?.withoutEvent {
            playback.older = newest[source]
            newest[source] = playback.id
            if let older = playback.older { all[older]?.newer = playback.id }
        }
        all[playback.id] = playback
    }

    mutating func remove(_ id: PlaybackID) {
        guard let playback = all.removeValue(forKey: id) else { return }
        if playback.ending == nil { count(playback, by: -1) }
        if let older = playback.older { all[older]?.newer = playback.newer }
        if let newer = playback.newer {
            all[newer]?.older = playback.older
        } else if let source = playback.source?.withoutEvent {
            newest[source] = playback.older
        }
    }

    mutating func change(_ id: PlaybackID, _ change: (inout Playback) -> Void) {
        guard let index = all.index(forKey: id) else { return }
        change(&all.values[index])
    }

    /// From here on it counts as ended in this way, unless it does already.
    mutating func mark(_ id: PlaybackID, as ending: (PlaybackEnd.Ending, Reason)) {
        guard let playback = all[id], playback.ending == nil else { return }
        all[id]?.ending = ending
        count(playback, by: -1)
    }

    private mutating func count(_ playback: Playback, by change: Int) {
        let (user, connection) = (playback.client.user, playback.client.connection)
        let (ofUser, ofConnection) = (count(ofUser: user) + change, count(ofConnection: connection) + change)
        ofUsers[user] = ofUser > 0 ? ofUser : nil
        ofConnections[connection] = ofConnection > 0 ? ofConnection : nil
    }
}

extension SourceKey {
    /// A cancel and a release are about all events of a source.
    fileprivate var withoutEvent: SourceKey { eventName == nil ? self : SourceKey(withoutEventOf: self) }

    private init(withoutEventOf key: SourceKey) { (identity, id, eventName) = (key.identity, key.id, nil) }
}
