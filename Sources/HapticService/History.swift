// SPDX-License-Identifier: MIT
internal import DequeModule
internal import HapticCore
internal import HapticWire

/// The last decisions that were felt, refused or failed, each with how its playback ended. The others are counted: they are many,
/// and nothing is to be explained of them.
///
/// Where there is no more room, the oldest goes of the user who has the most: nobody can empty the history of the others.
struct History {
    static let capacity = 1000

    private struct Entry {
        var decision: Decision
        var ending: PlaybackEnd?
    }

    /// Nil: of nobody who is known.
    private typealias User = UInt32?

    /// Of each user who has any, in the order of their sequence.
    private var entries: [User: Deque<Entry>] = [:]
    private(set) var count = 0
    /// Whose they are, of the playbacks that have not ended, and their entries: several where a value is followed. No more than there are
    /// entries.
    private var playing: [PlaybackID: (user: User, sequences: Deque<UInt64>)] = [:]
    private(set) var counted = HistoryResult.Counted()
    /// The number of the last decision, kept or counted.
    private var newest: UInt64 = 0

    mutating func add(_ decision: Decision) {
        newest = decision.sequence
        switch (decision.outcome, decision.reason) {
        case (_, .belowStep):
            counted.belowStep += 1
            return
        case (_, .renewed):
            counted.renewed += 1
            return
        case (.merged, _):
            counted.merged += 1
            return
        // Of a hold it is what a hand did, or its connection's end.
        case (_, .released) where decision.input != .hold:
            counted.released += 1
            return
        case (_, .feedbackOff):
            counted.feedbackOff += 1
            return
        default: break
        }
        // A value that is followed goes on with the playback of the one before; but a detent or an end is felt for itself.
        if let playback = decision.playback, playing[playback] != nil, decision.pattern == nil {
            counted.followed += 1
            return
        }
        if count == Self.capacity { removeOne() }
        count += 1
        entries[decision.user, default: []].append(Entry(decision: decision))
        if let playback = decision.playback {
            playing[playback, default: (decision.user, [])].sequences.append(decision.sequence)
        }
    }

    private mutating func removeOne() {
        guard let user = entries.max(by: { $0.value.count < $1.value.count })?.key,
            let oldest = entries[user]?.removeFirst()
        else { return }
        count -= 1
        if entries[user]?.isEmpty == true { entries[user] = nil }
        // It is the first one of its playback, too, unless that has ended.
        guard let playback = oldest.decision.playback, playing[playback] != nil else { return }
        playing[playback]?.sequences.removeFirst()
        if playing[playback]?.sequences.isEmpty == true { playing[playback] = nil }
    }

    /// No effect where its decision is not kept any more.
    mutating func ended(_ end: PlaybackEnd) {
        guard let (user, sequences) = playing.removeValue(forKey: end.playback) else { return }
        for sequence in sequences {
            let index = entries[user].map { Self.index(of: sequence, in: $0) }
            if let index, index < entries[user]?.count ?? 0 { entries[user]?[index].ending = end }
        }
    }

    /// The index of the first entry that has this number, or a later one.
    private static func index(of sequence: UInt64, in entries: Deque<Entry>) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].decision.sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many `params` ask for, at most: what is to be charged for.
    static func most(_ params: HistoryParams) -> Int { params.seq == nil ? Int(params.last ?? HistoryParams.standardEntries) : 1 }

    /// What `params` ask for. `masking`: whose ids and values are left out.
    func result(_ params: HistoryParams, masking isMasked: (Decision) -> Bool) -> HistoryResult {
        let shown = found(params).map { kept in
            HistoryEntry(kept.decision, ending: kept.ending, isMasked: isMasked(kept.decision))
        }
        return HistoryResult(entries: shown, kept: count, most: Self.capacity, newest: newest, counted: counted)
    }

    /// The newest first.
    private func found(_ params: HistoryParams) -> [Entry] {
        if let wanted = params.seq.map({ UInt64($0) }) {
            let found = entries.values.lazy.compactMap { theirs -> Entry? in
                let index = Self.index(of: wanted, in: theirs)
                return index < theirs.count && theirs[index].decision.sequence == wanted ? theirs[index] : nil
            }
            return found.first.map { [$0] } ?? []
        }
        let end = params.before.map { UInt64($0) } ?? .max
        // Of each user what is still to come; the newest of all is next.
        var rest = entries.values.map { (theirs: $0, count: Self.index(of: end, in: $0)) }.filter { $0.count > 0 }
        var found: [Entry] = []
        while found.count < Self.most(params), !rest.isEmpty {
            // trap: none of them has run out.
            let next = rest.indices.max { Self.sequence(rest[$0]) < Self.sequence(rest[$1]) }!
            found.append(rest[next].theirs[rest[next].count - 1])
            rest[next].count -= 1
            if rest[next].count == 0 { rest.remove(at: next) }
        }
        return found
    }

    private static func sequence(_ rest: (theirs: Deque<Entry>, count: Int)) -> UInt64 {
        rest.theirs[rest.count - 1].decision.sequence
    }
}
