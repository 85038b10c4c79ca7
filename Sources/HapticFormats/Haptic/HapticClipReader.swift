// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// Reads Lofelt's `.haptic`, version 1 (NiceVibrations, `core/datamodel/src/v1.rs`). What later versions 1.x add is left out, and noted.
///
/// Intensity is √amplitude and sharpness √frequency, and values go straight from one point's intensity to the next: so Lofelt's own
/// player on iOS felt (`core/datamodel/src/ios/v1.rs`). As there, an emphasis is a tap of √amplitude whose sharpness is its frequency
/// itself, and without a frequency envelope the sharpness is 0. As in its streaming player, the amplitude rises from 0 to a first point
/// that is later than 0. Not as there, the envelope is not lowered by a fifth under an emphasis.
enum HapticClipReader {
    /// Of an envelope; as many as the tracks of a pattern could hold.
    static let mostPoints = Pattern.Limit.tracks * Pattern.Limit.entriesPerTrack

    /// Nil where the document has been reported. `notes` gets what the pattern does not hold.
    static func pattern(
        _ reader: NodeReader, name: String, notes: DocumentReport, places: inout [EntryPlace]
    ) -> Pattern? {
        guard let clip = ClipDraft.form.read(reader), let envelopes = clip.envelopes else { return nil }
        var others = OtherKeys(silent: ["minor", "patch"])
        others.note(in: reader, than: ClipDraft.form.kind, to: notes)
        guard let amplitude = amplitude(envelopes), let sharpness = sharpness(envelopes) else { return nil }
        places = envelopes.amplitude.compactMap { point in point.reader.map { EntryPlace(at: point.at, $0) } }
        let events = envelopes.amplitude.compactMap(\.tap)
        var keyframes = [LevelPoint](intensity: amplitude, sharpness: sharpness).keyframes
        // No envelope under the taps, or none that lasts.
        let isSilent = keyframes.allSatisfy { $0.intensity == .zero }
        let end = events.last.map { $0.at + HapticEvent.transientDuration } ?? .zero
        if isSilent, (keyframes.last?.at ?? .zero) <= end { keyframes = [] }
        let tracks = [Pattern.Track](keyframes: keyframes, events: events)
        guard !tracks.isEmpty else {
            reader.fail("it has no duration; give the amplitude a point that is later than 0, or one with an emphasis")
            return nil
        }
        guard tracks.count <= Pattern.Limit.tracks else {
            reader.fail(
                "\(keyframes.count) keyframes and \(events.count) taps come of it, more than a pattern holds; leave points out")
            return nil
        }
        do throws(PatternError) {
            return try Pattern(name: name, summary: clip.summary, tracks: tracks)
        } catch {
            reader.fail("\(error)")
            return nil
        }
    }

    /// From time 0 on; nil where times fall, which is reported.
    private static func amplitude(_ envelopes: EnvelopesDraft) -> Envelope? {
        var points = envelopes.amplitude.map { Envelope.Point(at: $0.at, value: $0.amplitude.squareRoot()) }
        guard neverFalls(points, envelopes.amplitude.map(\.reader)), let first = points.first else { return nil }
        if first.at > .zero { points.insert(Envelope.Point(at: .zero, value: 0), at: 0) }
        return Envelope(points: points)
    }

    private static func sharpness(_ envelopes: EnvelopesDraft) -> Envelope? {
        let points = envelopes.frequency.map { Envelope.Point(at: $0.at, value: $0.frequency.squareRoot()) }
        guard neverFalls(points, envelopes.frequency.map(\.reader)) else { return nil }
        return Envelope(points: points.isEmpty ? [Envelope.Point(at: .zero, value: 0)] : points)
    }

    private static func neverFalls(_ points: [Envelope.Point], _ readers: [NodeReader?]) -> Bool {
        var isRight = true
        for (index, (a, b)) in zip(points, points.dropFirst()).enumerated() where b.at < a.at {
            readers[index + 1]?.fail("\(b.at) is before the point before, which is at \(a.at); times never fall")
            isRight = false
        }
        return isRight
    }
}

// MARK: What is in a file

private struct ClipDraft {
    var summary = ""
    var envelopes: EnvelopesDraft?

    static let form = Form<Self>.known(
        [
            .required("version", VersionDraft.form, "of the format") { _, _ in },
            .optional("metadata", .orNull(metadata), "for people") { $0.summary = $1 ?? "" },
            .required("signals", signals, "what is felt") { $0.envelopes = $1.envelopes },
        ], into: Self())

    /// The description. The other metadata are for people and programs that make clips, and no note mentions them.
    private static let metadata = Form<String>(.anyObject) { reader in
        guard case .object(let members) = reader.node.content else {
            reader.failExpected("an object")
            return nil
        }
        guard case .string(let text)? = members.first(where: { $0.key == "description" })?.value.content else { return "" }
        return text.string
    }

    private static let signals = Form<Self>.known(
        [.required("continuous", continuous, "the only signal") { $0.envelopes = $1.envelopes }], into: Self())
    private static let continuous = Form<Self>.known(
        [.required("envelopes", EnvelopesDraft.form, "what it does over time") { $0.envelopes = $1 }], into: Self())
}

private struct VersionDraft {
    static let form = Form<Self>.known([.required("major", major, "1") { _, _ in }], into: Self())

    private static let major = Form<Int>.integer(in: 0...Int(Int32.max)).then { version, reader in
        guard version != 1 else { return version }
        reader.fail("version \(version) of the format is not read; export the file as version 1")
        return nil
    }
}

private struct EnvelopesDraft {
    var amplitude: [AmplitudeDraft] = []
    var frequency: [FrequencyDraft] = []

    static let form = Form<Self>.known(
        [
            .required("amplitude", .list(of: AmplitudeDraft.form, count: 1...most), "how strong") { $0.amplitude = $1 },
            .optional("frequency", .orNull(.list(of: FrequencyDraft.form, count: 0...most)), "how crisp") {
                $0.frequency = $1 ?? []
            },
        ], into: Self())

    private static let most = HapticClipReader.mostPoints
}

/// In seconds in the file.
private let pointTime = Form<Double>.number(in: 0...Pattern.Limit.duration.inSeconds)
    .then { seconds, _ in Nanoseconds(seconds: seconds) }
private let pointValue = Form<Double>.number(in: 0...1)

private struct AmplitudeDraft {
    var reader: NodeReader?
    var at = Nanoseconds.zero
    var amplitude = 0.0
    var emphasis: EmphasisDraft?

    private static let keys: [Key<Self>] = [
        .required("time", pointTime, "when") { $0.at = $1 },
        .required("amplitude", pointValue, "how strong") { $0.amplitude = $1 },
        .optional("emphasis", .orNull(EmphasisDraft.form), "a tap on top") { $0.emphasis = $1 },
    ]

    static let form = Form<Self>.known(keys, into: Self()).then { point, reader -> Self? in
        if let emphasis = point.emphasis, emphasis.amplitude < point.amplitude {
            reader.fail(
                "its emphasis of \(plainText(emphasis.amplitude)) is below its amplitude of \(plainText(point.amplitude)); raise the emphasis"
            )
            return nil
        }
        var point = point
        point.reader = reader
        return point
    }

    var tap: HapticEvent? {
        emphasis.map { emphasis in
            HapticEvent(
                at: at, kind: .transient, intensity: Intensity(clamping: emphasis.amplitude.squareRoot()),
                sharpness: Sharpness(clamping: emphasis.frequency))
        }
    }
}

private struct EmphasisDraft {
    var amplitude = 0.0
    var frequency = 0.0

    static let form = Form<Self>.known(
        [
            .required("amplitude", pointValue, "how strong") { $0.amplitude = $1 },
            .required("frequency", pointValue, "how crisp") { $0.frequency = $1 },
        ], into: Self())
}

private struct FrequencyDraft {
    var reader: NodeReader?
    var at = Nanoseconds.zero
    var frequency = 0.0

    static let form = Form<Self>.known(
        [
            .required("time", pointTime, "when") { $0.at = $1 },
            .required("frequency", pointValue, "how crisp") { $0.frequency = $1 },
        ], into: Self()
    ).then { point, reader -> Self? in
        var point = point
        point.reader = reader
        return point
    }
}
