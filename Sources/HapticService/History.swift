// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// The last decisions that were felt, refused or failed, each with how its playback ended. The others are counted: they are many,
/// and nothing is to be explained of them.
struct History {
    static let capacity = 1000

    private struct Entry {
        var decision: Decision
        var ending: PlaybackEnd?
    }

    /// Up to `capacity` entries; once there are so many, the oldest is at `next`.
    private var entries: [Entry] = []
    private var next = 0
    /// Where the entries of playbacks are that have not ended. No more than there are entries.
    private var playing: [PlaybackID: Int] = [:]
    private(set) var counted = HistoryResult.Counted()

    var count: Int { entries.count }

    mutating func add(_ decision: Decision) {
        switch (decision.outcome, decision.reason) {
        case (_, .belowStep):
            counted.belowStep += 1
            return
        case (.merged, _):
            counted.merged += 1
            return
        case (_, .released):
            counted.released += 1
            return
        default: break
        }
        let index: Int
        if entries.count < Self.capacity {
            index = entries.count
            entries.append(Entry(decision: decision))
        } else {
            index = next
            next = (next + 1) % Self.capacity
            if let former = entries[index].decision.playback, playing[former] == index { playing[former] = nil }
            entries[index] = Entry(decision: decision)
        }
        if let playback = decision.playback { playing[playback] = index }
    }

    /// No effect where its decision is not kept any more.
    mutating func ended(_ end: PlaybackEnd) {
        guard let index = playing.removeValue(forKey: end.playback) else { return }
        entries[index].ending = end
    }

    /// What `params` ask for. `masking`: whose ids and values are left out.
    func result(_ params: HistoryParams, masking isMasked: (Decision) -> Bool) -> HistoryResult {
        let newestFirst = (0..<entries.count).lazy.map { entries[(next + entries.count - 1 - $0) % entries.count] }
        let wanted = newestFirst.filter { entry in
            params.seq.map { entry.decision.sequence == UInt64($0) } ?? true
                && params.before.map { entry.decision.sequence < UInt64($0) } ?? true
        }
        let most = params.seq == nil ? Int(params.last ?? HistoryParams.standardEntries) : 1
        let shown = Array(wanted.prefix(most)).map { kept in
            var entry = HistoryEntry(kept.decision, ending: kept.ending)
            if isMasked(kept.decision) { entry.decision = entry.decision.masked }
            return entry
        }
        return HistoryResult(entries: shown, kept: entries.count, most: Self.capacity, counted: counted)
    }
}
