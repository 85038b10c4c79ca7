// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// Phases that end before their time.
extension Oracle {
    /// What plays and has an open phase; in order.
    var open: [(id: UInt64, source: Source?)] {
        live.filter { $0.value.parts.contains { $0.expectation.isOpen } }.map { ($0.key, $0.value.source) }.sorted { $0.0 < $1.0 }
    }

    /// `source` was released.
    mutating func released(_ source: Source) {
        for one in open where one.source == source { _ = shorten(one.id, past: .released) }
    }

    /// Someone of `user` has advanced what is meant; how many had a phase that waited for that.
    mutating func advanced(_ target: CancelTarget, by user: UInt32) -> ClosedRange<Int> {
        var (least, most) = (0, 0)
        for one in open {
            let isMeant =
                switch target {
                case .all: true
                case .playback(let id): id.value == one.id
                case .source(let id): one.source == Source(user: user, id: id)
                }
            guard isMeant, let playback = live[one.id] else { continue }
            // What is on its way out waits for nothing any more.
            let mayBeEnding = playback.cancels.contains { now - $0 <= Self.longestFade }
            let waited = shorten(one.id, past: .advanced)
            // What has lost a motor may have lost the one that waits, or that is furthest on.
            let isSure = live[one.id]?.isSure ?? false
            if waited || !isSure { most += 1 }
            if waited, isSure, !mayBeEnding { least += 1 }
        }
        return least...most
    }

    /// Ends an open phase of what plays: the state of the motor that is furthest on counts for all. False: none waits for that.
    private mutating func shorten(_ id: UInt64, past until: Movement.Until) -> Bool {
        guard var playback = live[id] else { return false }
        let offset = now - playback.start
        let left = playback.parts.indices.filter { offset < playback.parts[$0].expectation.end }
        // Where what is fitted is still being braked it is not over.
        if left.count < playback.parts.count, tail(of: playback) > 0 { playback.isSure = false }
        defer { live[id] = playback }
        guard let number = left.compactMap({ playback.parts[$0].expectation.phase(endedBy: until, at: offset) }).max() else {
            seen.note(.lateEnding)
            return false
        }
        for index in left {
            if motors[playback.parts[index].motor].limits.model != nil { seen.note(.fittedPhase) }
            if playback.parts[index].expectation.fade != nil { seen.note(.handOverPhase) }
            switch playback.parts[index].expectation.end(until, through: number, at: offset) {
            case .nothing: break
            case .skipped: seen.note(until == .released ? .releasedEarly : .advancedEarly)
            case .entered:
                seen.note(until == .released ? .released : .advanced)
                playback.parts[index].transitions.append((now, now + Self.longestTransition))
            case .over:
                seen.note(until == .released ? .released : .advanced)
                playback.cancels.append(now)
            }
        }
        return true
    }
}
