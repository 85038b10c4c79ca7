// SPDX-License-Identifier: MIT
internal import HapticCore

extension Pattern {
    static func check(name: String) throws(PatternError) {
        let isUsable = !name.isEmpty && name.utf8.count <= Limit.nameLength && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        guard isUsable else { throw .name(name) }
    }

    static func check(_ tracks: [Track], _ parts: [Part]) throws(PatternError) {
        guard !tracks.isEmpty || !parts.isEmpty else { throw .noTracks }
        guard tracks.count <= Limit.tracks else { throw .tooManyTracks(tracks.count) }
        for (index, track) in tracks.enumerated() { try check(track, index) }
        guard parts.count <= Limit.parts else { throw .tooManyParts(parts.count) }
        for (index, part) in parts.enumerated() { if let reason = part.objection { throw .part(index: index, reason) } }
        try checkComposed(parts.reduce(0) { $0 + $1.repetitions * $1.pattern.score.entries })
        var end = Nanoseconds.zero
        for part in parts {
            end = part.start(after: end) + part.length
            // Here, for each of the next ones may begin as much later: so no sum overflows.
            guard end <= Limit.duration else { throw .tooLong(end) }
        }
    }

    static func check(_ phases: [Phase]) throws(PatternError) {
        guard phases.count <= Limit.phases else { throw .tooManyPhases(phases.count) }
        for (index, phase) in phases.enumerated() {
            if let reason = phase.pattern.objectionAsPart { throw .phase(index: index, reason) }
            guard phase.upTo > .zero, phase.upTo <= Limit.openPhase else { throw .phase(index: index, .time) }
        }
        try checkComposed(phases.reduce(0) { $0 + $1.pattern.score.entries })
    }

    private static func checkComposed(_ entries: Int) throws(PatternError) {
        guard entries <= Limit.composedEntries else { throw .tooMuchComposed(entries) }
    }

    private static func check(_ track: Track, _ index: Int) throws(PatternError) {
        switch track.content {
        case .keyframes(let keyframes):
            try checkCount(keyframes.count, atLeast: 2, track: index)
            var before = Nanoseconds(-1)
            for (entry, keyframe) in keyframes.enumerated() {
                guard keyframe.at > before, keyframe.at <= Limit.duration else { throw .time(track: index, entry: entry) }
                before = keyframe.at
            }
        case .events(let events):
            try checkCount(events.count, atLeast: 1, track: index)
            for (entry, event) in events.enumerated() {
                guard isAllowed(event) else { throw .time(track: index, entry: entry) }
            }
        }
    }

    private static func checkCount(_ count: Int, atLeast least: Int, track: Int) throws(PatternError) {
        guard count >= least else { throw .emptyTrack(track: track) }
        guard count <= Limit.entriesPerTrack else { throw .tooManyEntries(track: track, count: count) }
    }

    private static func isAllowed(_ event: HapticEvent) -> Bool {
        var times = [event.at, event.attack, event.decay, event.release]
        if case .continuous(let duration, _) = event.kind { times.append(duration) }
        return times.allSatisfy { $0 >= .zero && $0 <= Limit.duration }
    }

    static func check(_ curves: [ParameterCurve]) throws(PatternError) {
        guard curves.count <= Limit.parameterCurves else { throw .tooManyParameterCurves(curves.count) }
        for (index, curve) in curves.enumerated() {
            let ascends = zip(curve.points, curve.points.dropFirst()).allSatisfy { $0.at < $1.at }
            let range = curve.parameter == .intensity ? 0.0...1.0 : -1.0...1.0
            let isAllowed = curve.points.allSatisfy { $0.at >= .zero && $0.at <= Limit.duration && range.contains($0.value) }
            guard (1...Limit.pointsPerCurve).contains(curve.points.count), ascends, isAllowed else {
                throw .parameterCurve(index: index)
            }
        }
    }

    /// Why it cannot be used in another pattern.
    fileprivate var objectionAsPart: PatternError.Reason? {
        if hasOpenPhases { return .open(name) }
        return score.depth < Limit.depth ? nil : .tooDeep(name)
    }
}

extension Pattern.Part {
    /// When it starts, where the part before ends at `end`.
    func start(after end: Nanoseconds) -> Nanoseconds {
        switch start {
        case .at(let offset): offset
        case .gap(let gap): end + gap
        }
    }

    /// From its start to the end of the last repetition.
    var length: Nanoseconds { interval * (repetitions - 1) + pattern.duration }

    /// Why it is not allowed as it is.
    fileprivate var objection: PatternError.Reason? {
        let times = Nanoseconds.zero...Pattern.Limit.duration
        let offset =
            switch start {
            case .at(let time), .gap(let time): time
            }
        guard (1...Pattern.Limit.repetitions).contains(repetitions) else { return .repetitions(repetitions) }
        guard times.contains(offset), times.contains(interval), repetitions == 1 || interval > .zero else { return .time }
        return pattern.objectionAsPart
    }
}
