// SPDX-License-Identifier: MIT
public import HapticCore

/// Why a pattern cannot be made.
public enum PatternError: Error, Hashable, Sendable {
    case name(String)
    /// It has neither tracks nor parts nor phases.
    case noTracks
    case tooManyTracks(Int)
    case emptyTrack(track: Int)
    case tooManyEntries(track: Int, count: Int)
    /// The time of entry `entry` is negative, too late, or (for keyframes) not after the one before.
    case time(track: Int, entry: Int)
    case tooManyParameterCurves(Int)
    case parameterCurve(index: Int)
    case tooManyParts(Int)
    case part(index: Int, Reason)
    case tooManyPhases(Int)
    case phase(index: Int, Reason)
    case phasesAndLayers
    /// The parts or phases hold more entries than `Pattern.Limit.composedEntries`.
    case tooMuchComposed(Int)
    case noDuration
    case tooLong(Nanoseconds)
    /// Rendering it costs more than `Pattern.Limit.rendering`.
    case tooMuch

    /// Why a pattern cannot be used in another one as it should.
    public enum Reason: Hashable, Sendable {
        /// Its start, its interval or the time that it may last at most is out of range.
        case time
        case repetitions(Int)
        /// It has open phases.
        case open(String)
        /// It is composed of patterns that are themselves composed, and so on.
        case tooDeep(String)
    }
}

extension PatternError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .name(let name):
            "the pattern name `\(name.prefix(40))` is not usable: 1 to \(Pattern.Limit.nameLength) bytes without control characters"
        case .noTracks: "a pattern needs `pulses`, or at least one track, one line of `compose` or one phase"
        case .tooManyTracks(let count): "\(count) tracks; a pattern has at most \(Pattern.Limit.tracks)"
        case .emptyTrack(let track): "track \(track + 1) is empty; give it keyframes (at least two) or events"
        case .tooManyEntries(let track, let count):
            "track \(track + 1) has \(count) entries; at most \(Pattern.Limit.entriesPerTrack) are allowed"
        case .time(let track, let entry):
            "track \(track + 1), entry \(entry + 1): times are 0 to \(Pattern.Limit.duration), and each keyframe is later than the one before"
        case .tooManyParameterCurves(let count):
            "\(count) parameter curves; a pattern has at most \(Pattern.Limit.parameterCurves)"
        case .parameterCurve(let index):
            "parameter curve \(index + 1): it needs 1 to \(Pattern.Limit.pointsPerCurve) points in ascending order of time, each within its range"
        case .tooManyParts(let count): "`compose` has \(count) lines; a pattern has at most \(Pattern.Limit.parts)"
        case .part(let index, let reason): "`compose`, line \(index + 1): \(reason)"
        case .tooManyPhases(let count): "\(count) phases; a pattern has at most \(Pattern.Limit.phases)"
        case .phase(let index, let reason): "phase \(index + 1): \(reason)"
        case .phasesAndLayers:
            "a pattern has either `phases`, or `pulses`, `tracks` and `compose` of its own; put these into one of the phases"
        case .tooMuchComposed(let count):
            "what the pattern is composed of has \(count) entries, repetitions included; at most \(Pattern.Limit.composedEntries) are allowed"
        case .noDuration: "the pattern has no duration; its last keyframe must be later than 0"
        case .tooMuch: "too much of the pattern is felt at once for its length; make it shorter, or let fewer events overlap"
        case .tooLong(let duration): "the pattern takes \(duration); at most \(Pattern.Limit.duration) are allowed"
        }
    }
}

extension PatternError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .time:
            "its times must be 0 to \(Pattern.Limit.duration); `every` and `upTo` must be more than 0, and `upTo` at most \(Pattern.Limit.openPhase)"
        case .repetitions(let count): "\(count) repetitions; 1 to \(Pattern.Limit.repetitions) are allowed"
        case .open(let name):
            "the pattern `\(name)` waits for a release or an advance, so it cannot be a part of another one; use its phases themselves"
        case .tooDeep(let name):
            "the pattern `\(name)` is composed of patterns within patterns; at most \(Pattern.Limit.depth) may be within each other"
        }
    }
}
