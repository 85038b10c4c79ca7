// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticDocuments
public import HapticJSON
public import HapticPatterns

/// Reads patterns: files of our own format, and the inline pattern objects of the wire.
public enum PatternReader {
    /// The name of an inline pattern that gives none.
    public static let inlineName = "inline"

    /// Reads a pattern file. `expectedName`: what `name` must be, where the file's own name says so.
    public static func pattern(
        yaml bytes: [UInt8], file: String? = nil, expectedName: String? = nil
    ) throws(InvalidDocument) -> Pattern {
        let report = DocumentReport(file: file)
        guard let document = YAML.parse(bytes, report: report) else { throw InvalidDocument(report.diagnostics) }
        return try pattern(document, report: report, expectedName: expectedName)
    }

    /// The same of a file that has been parsed; `report` has what was wrong with it so far.
    public static func pattern(
        _ document: Node, report: DocumentReport, expectedName: String? = nil
    ) throws(InvalidDocument) -> Pattern {
        let pattern = pattern(NodeReader(document, report: report), expectedName: expectedName)
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return pattern
    }

    /// Reads an inline pattern object of the wire; `path` is where it stands, such as `pattern`.
    /// Times are numbers of milliseconds with `Ms` behind their names; `version` and `name` may be left out.
    public static func pattern(wire node: Node, path: String) throws(InvalidDocument) -> Pattern {
        // The first error is reported, and the others cost nothing.
        let report = DocumentReport(file: nil, limit: 1)
        let pattern = pattern(NodeReader(node, path: path, notation: .wire, report: report))
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return pattern
    }

    /// What a pattern file may have.
    public static let members = PatternDraft.fileKeys.map(\.member)

    /// What it may have, as JSON Schema.
    public static var schema: JSONValue {
        .schema(ofDocument: members, id: "urn:hapticd:schema:pattern:1", title: "Pattern of hapticd")
    }

    /// Reads a pattern wherever it stands; nil where that has been reported.
    public static func pattern(_ reader: NodeReader, expectedName: String? = nil) -> Pattern? {
        var draft = PatternDraft(expectedName: expectedName)
        let isFile = reader.notation == .units
        return reader.object { fields in
            fields.read(isFile ? PatternDraft.fileKeys : PatternDraft.wireKeys, into: &draft)
            guard let tracks = draft.tracks, !isFile || draft.name != nil else { return nil }
            do throws(PatternError) {
                return try Pattern(
                    name: draft.name ?? inlineName, summary: draft.summary, tracks: tracks, parameterCurves: draft.curves)
            } catch {
                reader.fail("\(error)")
                return nil
            }
        }
    }
}

/// Every time in a pattern lies in this range.
private let patternTime = Form<Nanoseconds>.duration(in: .zero...Pattern.Limit.duration)

private struct PatternDraft {
    let expectedName: String?
    var name: String?
    var summary = ""
    var tracks: [Pattern.Track]?
    var curves: [ParameterCurve] = []

    static let fileKeys = keys(isFile: true)
    static let wireKeys = keys(isFile: false)

    private static func keys(isFile: Bool) -> [Key<Self>] {
        [
            Key("version", .version(1), isRequired: isFile, "the version of the format") { _, _ in },
            Key("name", nameForm.unread, isRequired: isFile, "what rules and clients call it") { $0.readName($1) },
            .optional("description", .text, "what it means, for people") { $0.summary = $1.string },
            .required("tracks", tracksForm, "what is felt; tracks add up") { $0.tracks = $1 },
            .optional("parameterCurves", curvesForm, "what shapes the whole pattern") { $0.curves = $1 },
        ]
    }

    private static let nameForm = Form<Text>.name(limit: Pattern.Limit.nameLength)
    private static let tracksForm = Form<[Pattern.Track]>.list(of: TrackDraft.form, count: 1...Pattern.Limit.tracks)
    private static let curvesForm = Form<[ParameterCurve]>.list(of: CurveDraft.form, count: 0...Pattern.Limit.parameterCurves)

    private mutating func readName(_ field: NodeReader) {
        guard let name = Self.nameForm.read(field) else { return }
        self.name = name.string
        if let expectedName, name != Text(expectedName) {
            field.fail("the name \(quoted(name.string)) and the file `\(expectedName).yaml` differ; give both the same name")
        }
    }
}

private struct TrackDraft {
    var keyframes, events: NodeReader?

    private static let keyframesForm = Form<[NodeReader]>.list(
        of: .object(of: KeyframeDraft.keys), count: 2...Pattern.Limit.entriesPerTrack)
    private static let eventsForm = Form<[HapticEvent]>.list(of: EventDraft.form, count: 1...Pattern.Limit.entriesPerTrack)

    private static let keys: [Key<Self>] = [
        .optional("keyframes", keyframesForm.unread, "a curve from each to the next") { $0.keyframes = $1 },
        .optional("events", eventsForm.unread, "taps, and vibrations with an envelope") { $0.events = $1 },
    ]

    static let form = Form<Pattern.Track>.object(keys, into: Self()) { draft, reader in
        switch (draft.keyframes, draft.events) {
        case (let keyframes?, nil):
            return keyframesForm.read(keyframes).flatMap(KeyframeDraft.keyframes).map { .keyframes($0) }
        case (nil, let events?): return eventsForm.read(events).map { .events($0) }
        case (nil, nil), (_?, _?):
            reader.fail("a track has either `keyframes` or `events`")
            return nil
        }
    }.described(as: .either(keys.map { .object([$0.member.required]) }))
}

/// One after another: it keeps what the next one goes on from.
private struct KeyframeDraft {
    var at: Nanoseconds?
    var intensity: Intensity?
    /// Without one of its own a keyframe has that of the one before.
    var sharpness = Sharpness(clamping: 0.5)
    var curve = Curve.linear

    static let keys: [Key<Self>] = [
        .required("at", patternTime, "when; later than the one before") { $0.at = $1 },
        .required("intensity", .share(Intensity.self), "how strong") { $0.intensity = $1 },
        .optional("sharpness", .share(Sharpness.self), "how crisp; without it as before") { $0.sharpness = $1 },
        .optional("curve", CurveReader.form, "how the value gets here; `linear` without it") { $0.curve = $1 },
    ]

    static func keyframes(_ readers: [NodeReader]) -> [Keyframe]? {
        var times = AscendingTimes("keyframe")
        var draft = KeyframeDraft()
        return readers.map { reader in
            (draft.at, draft.intensity, draft.curve) = (nil, nil, .linear)
            return reader.object { fields -> Keyframe? in
                fields.read(keys, into: &draft)
                guard let at = times.next(draft.at, of: reader), let intensity = draft.intensity else { return nil }
                return Keyframe(at: at, intensity: intensity, sharpness: draft.sharpness, curve: draft.curve)
            }
        }.whole()
    }
}

private struct EventDraft {
    enum Kind: String, CaseIterable {
        case transient, continuous
    }

    var at: Nanoseconds?
    var kind: Kind?
    var intensity: Intensity?
    var sharpness = Sharpness(clamping: 0.5)
    var duration: Nanoseconds?
    var isSustained = true
    var (attack, decay, release) = (Nanoseconds.zero, Nanoseconds.zero, Nanoseconds.zero)

    private static let keys: [Key<Self>] = [
        .required("at", patternTime, "when") { $0.at = $1 },
        .required("type", .choice(of: Kind.self, "type of event"), "a tap, or a vibration that lasts") { $0.kind = $1 },
        .required("intensity", .share(Intensity.self), "how strong") { $0.intensity = $1 },
        .optional("sharpness", .share(Sharpness.self), "how crisp; 0.5 without it") { $0.sharpness = $1 },
    ]

    /// A transient has no envelope, so these are unknown to it.
    private static let envelopeKeys: [Key<Self>] = [
        .required("duration", patternTime, "how long it lasts, without its release") { $0.duration = $1 },
        .optional("sustained", .boolean, "false: it has faded away after `decay`") { $0.isSustained = $1 },
        .optional("attack", patternTime, "how long it takes to swell") { $0.attack = $1 },
        .optional("decay", patternTime, "how long it takes to fade where it is not sustained") { $0.decay = $1 },
        .optional("release", patternTime, "how long it takes to fade at its end") { $0.release = $1 },
    ]

    private static func entry(_ kind: Kind, _ keys: [Key<Self>]) -> Member.Kind {
        .object(keys.map(\.member).narrowing("type", to: .choice([kind.rawValue])))
    }

    static let form = Form<HapticEvent>(
        .either([entry(.transient, keys), entry(.continuous, keys + envelopeKeys)])
    ) { reader in
        var draft = EventDraft()
        return reader.object { fields -> HapticEvent? in
            fields.read(keys, into: &draft)
            switch draft.kind {
            case nil: fields.ignoreUnknownKeys()
            case .transient: break
            case .continuous: fields.read(envelopeKeys, into: &draft)
            }
            return draft.event
        }
    }

    private var event: HapticEvent? {
        guard let at, let kind, let intensity else { return nil }
        let lasting: HapticEvent.Kind? =
            switch kind {
            case .transient: .transient
            case .continuous: duration.map { .continuous(duration: $0, sustained: isSustained) }
            }
        guard let lasting else { return nil }
        return HapticEvent(
            at: at, kind: lasting, intensity: intensity, sharpness: sharpness, attack: attack, decay: decay, release: release)
    }
}

private struct CurveDraft {
    var parameter: CurveParameter?
    var points: [NodeReader]?

    private static let keys: [Key<Self>] = [
        .required("parameter", .choice(of: CurveParameter.self, "parameter"), "what it shapes") { $0.parameter = $1 },
        .required("points", pointsForm, "a straight line from each to the next") { $0.points = $1 },
    ]
    private static let pointsForm = Form<[NodeReader]>.list(
        of: .object(of: PointDraft.keys), count: 1...Pattern.Limit.pointsPerCurve)

    static let form = Form<ParameterCurve>.object(keys, into: Self()) { draft, _ in
        guard let parameter = draft.parameter, let readers = draft.points else { return nil }
        var times = AscendingTimes("point")
        let points = readers.map { reader in
            var point = PointDraft()
            return reader.object { fields -> ParameterCurve.Point? in
                fields.read(PointDraft.keys, into: &point)
                let at = times.next(point.at, of: reader)
                let value = point.value.flatMap(parameter.form.read)
                guard let at, let value else { return nil }
                return ParameterCurve.Point(at: at, value: value)
            }
        }
        return points.whole().map { ParameterCurve(parameter: parameter.meaning, points: $0) }
    }.described(as: .either(CurveParameter.allCases.map(kind)))

    /// What a value may be depends on the parameter.
    private static func kind(of parameter: CurveParameter) -> Member.Kind {
        let point = PointDraft.keys.map(\.member).narrowing("value", to: parameter.form.kind)
        let points = Member.Kind.list(of: .object(point), count: 1...Pattern.Limit.pointsPerCurve)
        return .object(
            keys.map(\.member).narrowing("parameter", to: .choice([parameter.rawValue])).narrowing("points", to: points))
    }
}

private struct PointDraft {
    var at: Nanoseconds?
    var value: NodeReader?

    static let keys: [Key<Self>] = [
        .required("at", patternTime, "when; later than the one before") { $0.at = $1 },
        .required("value", CurveParameter.anyForm, "what is multiplied (intensity) or added") { $0.value = $1 },
    ]
}

/// Sees to it that each time is later than the one before.
private struct AscendingTimes {
    private let entry: String
    private var before: Nanoseconds?

    init(_ entry: String) { self.entry = entry }

    mutating func next(_ at: Nanoseconds?, of reader: NodeReader) -> Nanoseconds? {
        guard let at else { return nil }
        guard before.map({ $0 < at }) ?? true else {
            reader.fail("\(at) is not later than the \(entry) before, which is at \(before ?? .zero)")
            return nil
        }
        before = at
        return at
    }
}
