// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// What sounds at the same time: of a pattern, or of a phase that holds it itself. Read once it is known what else is there.
struct LayersDraft {
    private var tracks, pulses, parts, curves, sum: NodeReader?
    /// The earlier parts of a pattern object of the wire.
    var begun: PatternParts?

    /// There is something to be felt.
    var areThere: Bool { tracks != nil || pulses != nil || parts != nil || begun != nil }
    /// Where there is anything, even if it shapes nothing, it does not go with `use` and `phases`.
    var hasAny: Bool { areThere || curves != nil || sum != nil }

    static let tracksForm = Form<[Pattern.Track]>.list(of: TrackDraft.form, count: 1...Pattern.Limit.tracks)
    private static let partsForm = Form<[PartDraft]>.list(of: PartDraft.form, count: 1...Pattern.Limit.parts)
    static let curvesForm = Form<[ParameterCurve]>.list(of: ParameterCurveDraft.form, count: 0...Pattern.Limit.parameterCurves)
    private static let sumForm = Form<LayerSumName>.choice(of: LayerSumName.self, "sum")

    /// The keys of what holds them.
    static func keys<Draft>(_ layers: any WritableKeyPath<Draft, LayersDraft> & Sendable) -> [Key<Draft>] {
        [
            .optional("tracks", tracksForm.unread, "what is felt; tracks add up") { $0[keyPath: layers].tracks = $1 },
            .optional("pulses", PulsesReader.form.unread, "pulses and pauses, one after another: a track in short form") {
                $0[keyPath: layers].pulses = $1
            },
            .optional("compose", partsForm.unread, "other patterns, which add up with the tracks") {
                $0[keyPath: layers].parts = $1
            },
            .optional("parameterCurves", curvesForm.unread, "what shapes the whole pattern") { $0[keyPath: layers].curves = $1 },
            .optional("sum", sumForm.unread, "how the layers add up; `plain` without it") { $0[keyPath: layers].sum = $1 },
        ]
    }

    /// The pattern that `make` makes of them; nil where something is not usable, which is then reported, at `reader` or within it.
    func pattern(
        _ known: [Text: Pattern], _ reader: NodeReader,
        _ make: ([Pattern.Track], [ParameterCurve], [Pattern.Part], LayerSum) throws(PatternError) -> Pattern
    ) -> Pattern? {
        let tracks = begun.map { $0.tracks(adding: self.tracks) } ?? tracks.map(Self.tracksForm.read) ?? []
        let pulses = pulses.map { reader in PulsesReader.form.read(reader).map { [$0] } } ?? []
        let drafts = parts.map(Self.partsForm.read) ?? []
        let curves = begun.map { $0.curves(adding: self.curves) } ?? curves.map(Self.curvesForm.read) ?? []
        let sum = sum.map(Self.sumForm.read) ?? .plain
        let parts = drafts?.map { $0.part(known) }.whole()
        guard let tracks, let pulses, let drafts, let curves, let sum, let parts else { return nil }
        do throws(PatternError) {
            return try make(tracks + pulses, curves, parts, sum.meaning)
        } catch {
            if case .part(let index, let reason) = error { drafts[index].fail(reason) } else { reader.fail("\(error)") }
            return nil
        }
    }
}

/// The sums as they are written.
enum LayerSumName: String, CaseIterable {
    case plain, glow

    var meaning: LayerSum {
        switch self {
        case .plain: .plain
        case .glow: .glow
        }
    }

    init(_ meaning: LayerSum) {
        self =
            switch meaning {
            case .plain: .plain
            case .glow: .glow
            }
    }
}

/// The name of another pattern.
struct UseDraft {
    let field: NodeReader
    let name: Text

    static let form = Form<Text>.name(limit: Pattern.Limit.nameLength).then { UseDraft(field: $1, name: $0) }

    /// Nil where there is none of that name, which is then reported.
    func pattern(_ known: [Text: Pattern]) -> Pattern? {
        if let pattern = known[name] { return pattern }
        let word = UnknownWord(
            pattern: name.string, candidates: known.keys.sorted().map(\.string), isInFile: field.notation == .units)
        field.fail(word.message)
        return nil
    }
}

/// A line of `compose`.
struct PartDraft {
    private var use: UseDraft?
    private var at, gap: Nanoseconds?
    private var intensity = Intensity.one
    private var sharpness: Sharpness?
    private var times, every: NodeReader?
    private var repetitions = 1
    private var interval = Nanoseconds.zero
    /// The line as a whole.
    private var reader: NodeReader?

    private static let timesForm = Form<Int>.integer(in: 1...Pattern.Limit.repetitions)
    private static let everyForm = Form<Nanoseconds>.duration(in: .milliseconds(1)...Pattern.Limit.duration)

    private static let keys: [Key<Self>] = [
        .required("use", UseDraft.form, "the name of the pattern") { $0.use = $1 },
        .optional("at", patternTime, "when it starts; 0 without it and `gap`") { $0.at = $1 },
        .optional("gap", patternTime, "in place of `at`: how long after the end of the line before") { $0.gap = $1 },
        .optional("intensity", .share(Intensity.self), "how strong; as it is without it") { $0.intensity = $1 },
        .optional("sharpness", .share(Sharpness.self), "how crisp, in place of its own") { $0.sharpness = $1 },
        .optional("repeat", timesForm.unread, "how often, with `every`") { $0.times = $1 },
        .optional("every", everyForm.unread, "from the start of one repetition to the next") { $0.every = $1 },
    ]

    static let form = Form<PartDraft>(.object(keys.map(\.member))) { reader in
        if case .string(let name) = reader.node.content {
            let entry = reader.notation == .units ? "{ use: \(shown(name)) }" : "{\"use\": \"\(shown(name))\"}"
            reader.fail("a pattern is named by an entry with `use`; write `\(entry)`")
            return nil
        }
        return objectForm.read(reader)
    }

    private static func shown(_ name: Text) -> String { name.utf8.count <= 60 ? Substring(name.string).printable : "…" }

    private static let objectForm = Form<PartDraft>.object(keys, into: Self()) { draft, reader in
        var draft = draft
        draft.reader = reader
        if draft.at != nil, draft.gap != nil {
            reader.fail("it starts either `at` a time or after a `gap`; leave one of them out")
            return nil
        }
        return draft.readRepetitions(reader) ? draft : nil
    }

    private mutating func readRepetitions(_ reader: NodeReader) -> Bool {
        if times == nil, every == nil { return true }
        let repetitions = times.map(Self.timesForm.read)
        let interval = every.map(Self.everyForm.read)
        // What is wrong by itself comes first: the other one may not be wanted then.
        if case .some(nil) = repetitions { return false }
        if case .some(nil) = interval { return false }
        guard case .some(let repetitions?) = repetitions, case .some(let interval?) = interval else {
            reader.fail("`repeat` says how often it is played, and `every` how long from one start to the next; give both")
            return false
        }
        (self.repetitions, self.interval) = (repetitions, interval)
        return true
    }

    func part(_ known: [Text: Pattern]) -> Pattern.Part? {
        use?.pattern(known).map { pattern in
            Pattern.Part(
                pattern, gap.map { .gap($0) } ?? .at(at ?? .zero), intensity: intensity, sharpness: sharpness,
                repetitions: repetitions, interval: interval)
        }
    }

    func fail(_ reason: PatternError.Reason) { reader?.fail("\(reason)") }
}

/// One of `phases`.
struct PhaseDraft {
    /// What may end an open phase, as it is written.
    enum Until: String, CaseIterable {
        case released, advanced

        var meaning: Pattern.Phase.Until {
            switch self {
            case .released: .released
            case .advanced: .advanced
            }
        }

        /// Nil where it ends by itself, of which nothing is written.
        init?(_ meaning: Pattern.Phase.Until) {
            switch meaning {
            case .end: return nil
            case .released: self = .released
            case .advanced: self = .advanced
            }
        }
    }

    private var layers = LayersDraft()
    private var use, until, upTo: NodeReader?
    private var reader: NodeReader?

    private static let untilForm = Form<Until>.choice(of: Until.self, "end of a phase")
    private static let upToForm = Form<Nanoseconds>.duration(in: .milliseconds(1)...Pattern.Limit.openPhase)

    private static let useKey = Key<Self>.optional("use", UseDraft.form.unread, "the name of the pattern") { $0.use = $1 }
    private static let layerKeys: [Key<Self>] = LayersDraft.keys(\.layers)
    private static let endKeys: [Key<Self>] = [
        .optional("until", untilForm.unread, "what ends it; it plays over and over until then") { $0.until = $1 },
        .optional("upTo", upToForm.unread, "the longest that takes; 60 s without it") { $0.upTo = $1 },
    ]

    static let form = Form<PhaseDraft>.object([useKey] + layerKeys + endKeys, into: Self()) { draft, reader in
        var draft = draft
        draft.reader = reader
        guard draft.use == nil ? draft.layers.areThere : !draft.layers.hasAny else {
            reader.fail("a phase has either `use`, or `pulses`, `tracks` and `compose` of its own")
            return nil
        }
        guard draft.upTo == nil || draft.until != nil else {
            reader.fail("`upTo` belongs to a phase with `until`; this one ends when its pattern does")
            return nil
        }
        return draft
    }.described(
        as: .either([
            .object([useKey.member.required] + endKeys.map(\.member)), .object((layerKeys + endKeys).map(\.member)),
        ]))

    /// Nil where it is not usable, which is then reported. `name`: that of the whole.
    func phase(_ known: [Text: Pattern], name: String) -> Pattern.Phase? {
        guard let reader else { return nil }
        let pattern =
            if let use { UseDraft.form.read(use)?.pattern(known) } else {
                layers.pattern(known, reader) { (tracks, curves, parts, sum) throws(PatternError) in
                    try Pattern(name: name, tracks: tracks, parameterCurves: curves, parts: parts, sum: sum)
                }
            }
        let end: Until?? = until.map(Self.untilForm.read)
        let upTo = upTo.map(Self.upToForm.read) ?? Pattern.Phase.defaultUpTo
        guard let pattern, let upTo, end != .some(nil) else { return nil }
        return Pattern.Phase(pattern, isNamed: use != nil, until: end??.meaning ?? .end, upTo: upTo)
    }

    func fail(_ reason: PatternError.Reason) { reader?.fail("\(reason)") }
}
