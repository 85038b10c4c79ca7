// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
public import HapticText

/// The tracks and curves of a pattern object of the wire, collected from the parts in which it comes.
///
/// Each part is read when it comes, so the last one costs no more than the others.
public struct PatternParts: Sendable {
    private(set) var tracks: [Pattern.Track] = []
    private(set) var curves: [ParameterCurve] = []

    /// Creates an empty collection, to which nothing has come yet.
    public init() {}

    /// The `tracks` of a part.
    static var tracksKind: Member.Kind { .list(of: .object(TrackPartDraft.members), count: 1...Pattern.Limit.tracks) }

    /// Keyframes, events and points of curves.
    public var entryCount: Int {
        tracks.reduce(0) { $0 + $1.entryCount } + curves.reduce(0) { $0 + $1.points.count }
    }

    /// Keyframes or events of the last track, which the next part may continue.
    public var lastTrackEntryCount: Int { tracks.last?.entryCount ?? 0 }

    /// Adds the pattern object of a part before the last one: `tracks`, `parameterCurves`, or both. An unusable part adds nothing.
    ///
    /// All parts together have at most `Pattern.Limit.tracks` tracks, with `Pattern.Limit.entriesPerTrack` entries each, and at most
    /// `Pattern.Limit.parameterCurves` curves.
    ///
    /// - Parameter path: The place of `part`, for messages.
    /// - Throws: `InvalidDocument` with the first mistake, or with the bound that is exceeded.
    public mutating func add(_ part: Node, path: String) throws(InvalidDocument) {
        let report = DocumentReport(file: nil, limit: 1)
        var whole = self
        let isRead = NodeReader(part, path: path, notation: .wire, report: report).object(
            PatternPartDraft.keys, into: PatternPartDraft()
        ) {
            whole.add($0, $1)
        }
        guard isRead != nil, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        self = whole
    }

    /// The tracks with those of `list`, whose first track may continue the last one. Nil if `list` is unusable, which is then reported.
    func tracks(adding list: NodeReader?) -> [Pattern.Track]? {
        guard let list else { return tracks }
        guard let readers = list.list(count: 1...Pattern.Limit.tracks) else { return nil }
        var tracks = tracks
        for (index, reader) in readers.enumerated() {
            guard let added = TrackPartDraft.read(reader, after: index == 0 ? self.tracks.last : nil) else { return nil }
            if added.isContinued { tracks.removeLast() }
            tracks.append(added.track)
            guard added.track.entryCount <= Pattern.Limit.entriesPerTrack else {
                reader.fail("\(PatternError.tooManyEntries(track: tracks.count - 1, count: added.track.entryCount))")
                return nil
            }
        }
        guard tracks.count <= Pattern.Limit.tracks else {
            list.fail("\(PatternError.tooManyTracks(tracks.count))")
            return nil
        }
        return tracks
    }

    /// The curves with those of `list`. Nil if `list` is unusable, which is then reported.
    func curves(adding list: NodeReader?) -> [ParameterCurve]? {
        guard let list else { return curves }
        guard let added = LayersDraft.curvesForm.read(list) else { return nil }
        guard curves.count + added.count <= Pattern.Limit.parameterCurves else {
            list.fail("\(PatternError.tooManyParameterCurves(curves.count + added.count))")
            return nil
        }
        return curves + added
    }

    private mutating func add(_ draft: PatternPartDraft, _ reader: NodeReader) -> Bool? {
        guard draft.tracks != nil || draft.curves != nil else {
            reader.fail("a part before the last one needs `tracks` or `parameterCurves`")
            return nil
        }
        guard let tracks = tracks(adding: draft.tracks), let curves = curves(adding: draft.curves) else { return nil }
        (self.tracks, self.curves) = (tracks, curves)
        return true
    }
}

/// The members of a part before the last one.
private struct PatternPartDraft {
    var tracks, curves: NodeReader?

    static let keys: [Key<Self>] = [
        .optional("tracks", LayersDraft.tracksForm.unread, "the next tracks") { $0.tracks = $1 },
        .optional("parameterCurves", LayersDraft.curvesForm.unread, "the next curves") { $0.curves = $1 },
    ]
}

extension Pattern.Track {
    fileprivate var entryCount: Int {
        switch content {
        case .keyframes(let keyframes): keyframes.count
        case .events(let events): events.count
        }
    }
}
