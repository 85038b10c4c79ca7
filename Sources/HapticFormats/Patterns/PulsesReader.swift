// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// Reads `pulses`, the short form of a track: pulses and pauses, one after another.
///
/// Numbers are the lengths of pulses and pauses in turn, `[20, 60, 20]`. A pair is a level and its length, `[[0.5, 30], [0, 60]]`. An
/// object is a pulse or a pause, `[{ for: 30ms, at: 50% }, { pause: 60ms }]`. Files, the wire and the command line share this reader.
enum PulsesReader {
    static let form = Form<Pattern.Track>(.either([lengths.kind, pairs.kind, objects.kind])) { reader in
        stretches(reader).flatMap { track($0, reader) }
    }

    /// A track has a keyframe for the start of each stretch, and one for the end.
    private static let count = 1...(Pattern.Limit.entriesPerTrack - 1)
    private static let lengths = Form<[Nanoseconds]>.list(of: PulseStretch.lengthForm, count: count)
    private static let pairs = Form<[PulseStretch]>.list(of: PulseStretch.pairForm, count: count)
    private static let objects = Form<[PulseStretch]>.list(of: PulseDraft.form, count: count)

    private static func stretches(_ reader: NodeReader) -> [PulseStretch]? {
        guard case .list(let items) = reader.node.content else {
            reader.failExpected("a list of pulses and pauses in milliseconds, such as `[20, 60, 20]`")
            return nil
        }
        if let odd = items.firstIndex(where: { PulseWriting($0) != PulseWriting(items[0]) }) {
            failMixed(items, at: odd, reader)
            return nil
        }
        switch items.first?.content {
        case .list: return pairs.read(reader)
        case .object: return objects.read(reader)
        case .null, .bool, .number, .integer, .string, .invalid, nil:
            return lengths.read(reader)?.enumerated().map { index, length in
                PulseStretch(level: index.isMultiple(of: 2) ? .one : .zero, length: length)
            }
        }
    }

    /// Reports the first entry that is written in another way than the entries before it.
    private static func failMixed(_ items: [Node], at index: Int, _ reader: NodeReader) {
        let isFile = reader.notation == .units
        let pairs = isFile ? "[[50%, 30], [0, 60]]" : "[[0.5, 30], [0, 60]]"
        let objects = isFile ? "[{ for: 20ms }, { pause: 60ms }]" : #"[{"forMs": 20}, {"pauseMs": 60}]"#
        let (one, others) = (PulseWriting(items[index]), PulseWriting(items[0]))
        reader.list(count: 0...items.count)?[index].fail(
            "\(one.one) among \(others.rawValue); write all entries alike: as lengths `[20, 60, 20]`, as pairs `\(pairs)`, or as objects `\(objects)`"
        )
    }

    private static func track(_ stretches: [PulseStretch], _ reader: NodeReader) -> Pattern.Track? {
        var end = Nanoseconds.zero
        var keyframes: [Keyframe] = []
        for stretch in stretches where stretch.length > .zero {
            keyframes.append(keyframe(at: end, stretch.level))
            // No sum overflows: a thousand lengths of a minute at most.
            end += stretch.length
        }
        guard end > .zero else {
            reader.fail("none of the pulses lasts; give one a length above 0")
            return nil
        }
        guard end <= Pattern.Limit.duration else {
            reader.fail("pulses and pauses take \(end.unitText) together; at most \(Pattern.Limit.duration.unitText) are allowed")
            return nil
        }
        return .keyframes(keyframes + [keyframe(at: end, .zero)])
    }

    private static func keyframe(at time: Nanoseconds, _ level: Intensity) -> Keyframe {
        Keyframe(at: time, intensity: level, sharpness: Sharpness(clamping: 0.5), curve: .step)
    }
}

/// How an entry of `pulses` is written.
private enum PulseWriting: String {
    case lengths, pairs, objects

    init(_ entry: Node) {
        self =
            switch entry.content {
            case .list: .pairs
            case .object: .objects
            case .null, .bool, .number, .integer, .string, .invalid: .lengths
            }
    }

    /// With its article.
    var one: String {
        switch self {
        case .lengths: "a length"
        case .pairs: "a pair"
        case .objects: "an object"
        }
    }
}

/// A pulse or a pause: a level that is held for some time.
private struct PulseStretch: Sendable {
    var level: Intensity
    var length: Nanoseconds

    static let lengthForm = Form<Nanoseconds>.milliseconds(in: .zero...Pattern.Limit.duration)
    static let levelForm = Form<Intensity>.share(Intensity.self)

    static let pairForm = Form<Self>(.tuple([levelForm.kind, lengthForm.kind])) { reader in
        let example = reader.notation == .units ? "[50%, 30]" : "[0.5, 30]"
        guard case .list(let items) = reader.node.content else {
            reader.failExpected("a level and its length in milliseconds, such as `\(example)`")
            return nil
        }
        guard items.count == 2, let values = reader.list(count: 2...2) else {
            let found = "\(items.count) \(items.count == 1 ? "value" : "values")"
            reader.fail("\(found); write a level and its length in milliseconds, such as `\(example)`")
            return nil
        }
        guard let level = levelForm.read(values[0]), let length = lengthForm.read(values[1]) else { return nil }
        return Self(level: level, length: length)
    }
}

/// A stretch that is written as an object.
private struct PulseDraft {
    private var length, level, pause: NodeReader?

    private static let levelForm = PulseStretch.levelForm
    private static let keys: [Key<Self>] = [
        .optional("for", patternTime.unread, "how long the pulse lasts") { $0.length = $1 },
        .optional("at", levelForm.unread, "how strong the pulse is; 1 without it") { $0.level = $1 },
        .optional("pause", patternTime.unread, "in place of `for`: how long nothing is felt") { $0.pause = $1 },
    ]

    static let form = Form<PulseStretch>.object(keys, into: Self()) { draft, reader in
        switch (draft.length, draft.level, draft.pause) {
        case (let length?, let level, nil):
            guard let length = patternTime.read(length), let level = level.map(levelForm.read) ?? .one else { return nil }
            return PulseStretch(level: level, length: length)
        case (nil, nil, let pause?): return patternTime.read(pause).map { PulseStretch(level: .zero, length: $0) }
        default:
            reader.fail("an entry is a pulse, which has `for` and may have `at`, or a `pause`")
            return nil
        }
    }.described(as: .either([.object([keys[0].member.required, keys[1].member]), .object([keys[2].member.required])]))
}
