// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// The traits of feedback, from the request to the end of its playback.
struct PlaybackTraits {
    /// Whether levels are fitted to the motors with a known model.
    var isFitted = true
    /// Whether it counts for the limit of its class, and waits for it: reaching 1 does neither, so it is always felt.
    var isLimited = true
    /// Whether `FlashLedger` counts how often the lights that play it flash.
    var countsFlashes = false
    /// Whether it ends with the connection of its client.
    var endsWithClient = false
    /// Whether it goes on after something has taken an actuator from it, there.
    var resumes = false
    var isPlayInput = false
}

/// One pattern that plays, and its circumstances.
struct Playback {
    /// The actuators that something has taken from it for a time, and the notices about that.
    struct Waiting {
        /// `WaitingTable` has what is left of it there.
        var actuators: [ActuatorIndex] = []
        /// Since when it has been felt nowhere, or again, and nobody has been notified; nil: everybody has.
        var unannounced: MonotonicInstant?
        /// The state that was announced last.
        var isAnnounced = false
    }

    /// The end on those of its actuators that have played it to its end.
    struct Played {
        /// The latest of them. An engine that looks late finds several of these at once, in any order.
        var end = MonotonicInstant.zero
        /// What the limits of a motor cut, if anything.
        var cutReason: Reason?
    }

    let id: PlaybackID
    let source: SourceKey?
    let client: ClientIdentity
    let traits: PlaybackTraits
    let pattern: PlayablePattern
    let feedbackClass: FeedbackClass
    let priority: Int
    /// Where in the batch being decided it began; nil once that has been committed.
    var item: Int?
    /// The actuators that it still has.
    var actuators: [ActuatorIndex]
    var waiting = Waiting()
    var played = Played()
    /// Set when it is on its way out: how it will have ended.
    fileprivate(set) var ending: (PlaybackEnd.Ending, Reason)?

    /// `item`: the place of its decision in the batch.
    init(id: PlaybackID, of candidate: Candidate, item: Int, actuators: [ActuatorIndex]) {
        self.id = id
        (source, client, pattern) = (candidate.source, candidate.client, candidate.pattern)
        (feedbackClass, priority) = (candidate.feedbackClass, candidate.priority)
        var traits = candidate.traits
        // Where its flashes were counted it does not resume: that would be one more.
        traits.resumes = traits.resumes && !traits.countsFlashes
        self.traits = traits
        (self.item, self.actuators) = (item, actuators)
    }

    /// It waits for an actuator until what is about `other` and takes it is over. Of one source the newer holds.
    func waits(for other: SourceKey?) -> Bool {
        traits.resumes && ending == nil && item == nil && (source == nil || source != other)
    }

    /// It waits for all of its actuators.
    var isInterrupted: Bool { actuators.isEmpty && !waiting.actuators.isEmpty }
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
    private struct Entry {
        var playback: Playback
        /// Its neighbours in the list of its source: the playback before it and the one after it.
        var older: PlaybackID?
        var newer: PlaybackID?
    }

    private var all: [PlaybackID: Entry] = [:]
    /// The newest of those about a source, whatever the event: the others are a chain from there.
    private var newest: [SourceKey: PlaybackID] = [:]
    /// Those that are not on their way out.
    private var ofUsers: [UInt32: Int] = [:]
    private var ofConnections: [UInt64: Int] = [:]

    var count: Int { all.count }
    var values: some Sequence<Playback> { all.values.lazy.map(\.playback) }
    subscript(id: PlaybackID) -> Playback? { all[id]?.playback }

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
        var entry = Entry(playback: playback)
        count(playback, by: 1)
        if let source = playback.source?.withoutEvent {
            entry.older = newest[source]
            newest[source] = playback.id
            if let older = entry.older { all[older]?.newer = playback.id }
        }
        all[playback.id] = entry
    }

    mutating func remove(_ id: PlaybackID) {
        guard let entry = all.removeValue(forKey: id) else { return }
        if entry.playback.ending == nil { count(entry.playback, by: -1) }
        if let older = entry.older { all[older]?.newer = entry.newer }
        if let newer = entry.newer {
            all[newer]?.older = entry.older
        } else if let source = entry.playback.source?.withoutEvent {
            newest[source] = entry.older
        }
    }

    mutating func change(_ id: PlaybackID, _ change: (inout Playback) -> Void) {
        guard let index = all.index(forKey: id) else { return }
        change(&all.values[index].playback)
    }

    /// From here on it counts as ended in this way, unless it does already.
    mutating func mark(_ id: PlaybackID, as ending: (PlaybackEnd.Ending, Reason)) {
        guard let playback = self[id], playback.ending == nil else { return }
        all[id]?.playback.ending = ending
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
