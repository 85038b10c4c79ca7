// SPDX-License-Identifier: MIT
public import HapticCore

/// What is felt, independent of the device: tracks of (intensity, sharpness) over time that are added up.
///
/// Holds what our own files and AHAP files say. Immutable; every value of it is playable.
public struct Pattern: Hashable, Sendable {
    public enum Track: Hashable, Sendable {
        case keyframes([Keyframe])
        case events([HapticEvent])
    }

    /// What one pattern may hold at most, so that rendering it is bounded.
    public enum Limit {
        public static let duration = Timeline.longest
        public static let tracks = 16
        /// Keyframes or events of a track.
        public static let entriesPerTrack = 1024
        public static let parameterCurves = 128
        public static let pointsPerCurve = 1024
        /// Bytes in UTF-8.
        public static let nameLength = 128
        /// What rendering it may cost, see `WorkBudget`: a fifth of a second.
        public static let rendering = 20_000_000
    }

    public let name: String
    /// One sentence on when to use it; may be empty.
    public let summary: String
    public let tracks: [Track]
    public let parameterCurves: [ParameterCurve]
    /// From the start to the end of the last track, silence at the end included; more than 0.
    public let duration: Nanoseconds

    /// What it takes to make a `Timeline` of it, see `WorkBudget`.
    public let renderingCost: Int

    let schedule: Schedule
    private let keyframeTracks: [KeyframeTrack]
    private let eventTracks: [EventTrack]

    public init(
        name: String, summary: String = "", tracks: [Track], parameterCurves: [ParameterCurve] = []
    ) throws(PatternError) {
        try Self.check(name: name)
        try Self.check(tracks)
        try Self.check(parameterCurves)
        self.name = name
        self.summary = summary
        self.tracks = tracks
        self.parameterCurves = parameterCurves
        let keyframeTracks = tracks.compactMap { if case .keyframes(let frames) = $0 { KeyframeTrack(frames) } else { nil } }
        let eventTracks = tracks.compactMap {
            if case .events(let events) = $0 { EventTrack(events, curves: parameterCurves) } else { nil }
        }
        let ends = keyframeTracks.map(\.duration) + eventTracks.map(\.duration)
        let duration = ends.max() ?? .zero
        guard duration > .zero else { throw .noDuration }
        guard duration <= Limit.duration else { throw .tooLong(duration) }
        schedule = Schedule(duration: duration) { body in
            for track in keyframeTracks { track.forEachStretch(body) }
            for track in eventTracks { track.forEachStretch(body) }
            for curve in parameterCurves { curve.forEachStretch(until: duration, body) }
        }
        renderingCost = schedule.cost
        (self.keyframeTracks, self.eventTracks, self.duration) = (keyframeTracks, eventTracks, duration)
        guard renderingCost <= Limit.rendering else { throw .tooMuch }
    }

    /// The level at `offset` from the start; off before the start and from the end on.
    public func level(at offset: Nanoseconds) -> Level {
        var cursor = Cursor(self)
        return cursor.level(at: offset)
    }

    /// Goes through a pattern forward in time.
    struct Cursor {
        private var keyframeTracks: [KeyframeTrack.Cursor]
        private var eventTracks: [EventTrack.Cursor]
        private let intensity: ParameterControl
        private let sharpness: ParameterControl

        init(_ pattern: Pattern) {
            keyframeTracks = pattern.keyframeTracks.map(KeyframeTrack.Cursor.init)
            eventTracks = pattern.eventTracks.map(EventTrack.Cursor.init)
            intensity = ParameterControl(.intensity, of: pattern.parameterCurves)
            sharpness = ParameterControl(.sharpness, of: pattern.parameterCurves)
        }

        /// The level at `offset`, which is not before the one before.
        mutating func level(at offset: Nanoseconds) -> Level {
            var mixer = LevelMixer()
            for index in keyframeTracks.indices {
                let level = keyframeTracks[index].level(at: offset)
                mixer.add(level.intensity.value, level.sharpness.value)
            }
            for index in eventTracks.indices { eventTracks[index].mix(at: offset, into: &mixer) }
            return mixer.level(
                intensityControl: intensity.value(at: offset), sharpnessControl: sharpness.value(at: offset))
        }
    }
}

/// Why a pattern cannot be made.
public enum PatternError: Error, Hashable, Sendable {
    case name(String)
    case noTracks
    case tooManyTracks(Int)
    case emptyTrack(track: Int)
    case tooManyEntries(track: Int, count: Int)
    /// The time of entry `entry` is negative, too late, or (for keyframes) not after the one before.
    case time(track: Int, entry: Int)
    case tooManyCurves(Int)
    case curve(index: Int)
    case noDuration
    case tooLong(Nanoseconds)
    /// Rendering it costs more than `Pattern.Limit.rendering`.
    case tooMuch
}

extension PatternError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .name(let name):
            "the pattern name `\(name.prefix(40))` is not usable: 1 to \(Pattern.Limit.nameLength) bytes without control characters"
        case .noTracks: "a pattern needs at least one track"
        case .tooManyTracks(let count): "\(count) tracks; a pattern has at most \(Pattern.Limit.tracks)"
        case .emptyTrack(let track): "track \(track + 1) is empty; give it keyframes (at least two) or events"
        case .tooManyEntries(let track, let count):
            "track \(track + 1) has \(count) entries; at most \(Pattern.Limit.entriesPerTrack) are allowed"
        case .time(let track, let entry):
            "track \(track + 1), entry \(entry + 1): times are 0 to \(Pattern.Limit.duration), and each keyframe is later than the one before"
        case .tooManyCurves(let count):
            "\(count) parameter curves; a pattern has at most \(Pattern.Limit.parameterCurves)"
        case .curve(let index):
            "parameter curve \(index + 1): it needs 1 to \(Pattern.Limit.pointsPerCurve) points in ascending order of time, each within its range"
        case .noDuration: "the pattern has no duration; its last keyframe must be later than 0"
        case .tooMuch: "too much of the pattern is felt at once for its length; make it shorter, or let fewer events overlap"
        case .tooLong(let duration): "the pattern takes \(duration); at most \(Pattern.Limit.duration) are allowed"
        }
    }
}

extension Pattern {
    private static func check(name: String) throws(PatternError) {
        let isUsable = !name.isEmpty && name.utf8.count <= Limit.nameLength && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        guard isUsable else { throw .name(name) }
    }

    private static func check(_ tracks: [Track]) throws(PatternError) {
        guard !tracks.isEmpty else { throw .noTracks }
        guard tracks.count <= Limit.tracks else { throw .tooManyTracks(tracks.count) }
        for (index, track) in tracks.enumerated() {
            switch track {
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

    private static func check(_ curves: [ParameterCurve]) throws(PatternError) {
        guard curves.count <= Limit.parameterCurves else { throw .tooManyCurves(curves.count) }
        for (index, curve) in curves.enumerated() {
            let ascends = zip(curve.points, curve.points.dropFirst()).allSatisfy { $0.at < $1.at }
            let range = curve.parameter == .intensity ? 0.0...1.0 : -1.0...1.0
            let isAllowed = curve.points.allSatisfy { $0.at >= .zero && $0.at <= Limit.duration && range.contains($0.value) }
            guard (1...Limit.pointsPerCurve).contains(curve.points.count), ascends, isAllowed else { throw .curve(index: index) }
        }
    }
}
