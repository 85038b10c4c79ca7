// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticPatterns
internal import HapticText

/// What classes and rules may name: the patterns and the actuators that there are.
struct References {
    /// Those that are usable.
    let library: [Text: Pattern]
    private let patterns: Set<Text>
    private let actuators: [Text]

    /// `unusable`: names of patterns that have mistakes of their own.
    init(library: [Text: Pattern], unusable: Set<Text>, actuators: [Text]) {
        self.library = library
        patterns = unusable.union(library.keys)
        self.actuators = actuators
    }

    var actuatorCount: Int { actuators.count }

    private var patternNames: [String] { patterns.sorted().map(\.string) }

    /// Names are looked up where they are read, so that the error has their place.
    static let patternForm = Form<Text>.text.unread
    static let actuatorsForm = Form<[NodeReader]>.list(of: Form<Text>.text.unread, count: 1...ConfigurationReader.actuatorLimit)

    func pattern(_ field: NodeReader) -> String? {
        switch field.node.content {
        case .list, .object, .number, .integer:
            field.fail("this is not the name of a pattern; \(UnknownWord.pulsesRemedy)")
            return nil
        case .null, .bool, .string, .invalid: break
        }
        guard let name = field.text() else { return nil }
        if patterns.contains(name) { return name.string }
        field.fail(UnknownWord(pattern: name.string, candidates: patternNames, isInFile: true).message)
        return nil
    }

    func actuators(_ entries: [NodeReader]) -> [ActuatorIndex] {
        var indices: [ActuatorIndex] = []
        for entry in entries {
            guard let name = entry.text() else { continue }
            guard let found = actuators.firstIndex(of: name) else {
                entry.fail(unknownMessage("actuator", name.string, candidates: actuators.map(\.string)))
                continue
            }
            let index = ActuatorIndex(found)
            if indices.contains(index) {
                entry.fail("\(quoted(name.string)) is already in the list; take one out")
            } else {
                indices.append(index)
            }
        }
        return indices
    }

    // MARK: Classes

    /// The table of classes; what is left out stays as it is by default.
    func classes(_ reader: NodeReader) -> ClassTable {
        var draft = ClassTableDraft(references: self)
        _ = reader.read(ClassTableDraft.keys, into: &draft)
        return draft.table
    }

    static let priorities = 0...100
    static let deadlines = Nanoseconds.milliseconds(1) ... .seconds(3600)

    // MARK: Meanings

    /// What is left out stays as it is by default.
    func meanings(_ reader: NodeReader) -> MeaningsDraft {
        var draft = MeaningsDraft(references: self)
        _ = reader.read(MeaningsDraft.keys, into: &draft)
        return draft
    }

    // MARK: Effects

    /// `full`, `half`, `nothing` or a pattern.
    static let effectForm = Form<Text>.text.unread

    func effect(_ field: NodeReader) -> ProfileEffect? {
        guard let text = field.text() else { return nil }
        switch text {
        case "full": return .full
        case "half": return .half
        case "nothing": return .nothing
        case let name where patterns.contains(name): return .pattern(name.string)
        default:
            let words = ["full", "half", "nothing"]
            field.fail(UnknownWord(pattern: text.string, candidates: patternNames, orOther: words, isInFile: true).message)
            return nil
        }
    }
}

struct ClassTableDraft {
    let references: References
    var table = ClassTable.standard

    static let keys: [Key<Self>] = FeedbackClass.allCases.map { name in
        .optional(name.rawValue, .object(of: PolicyDraft.keys), default: "the table above", "the policy for inputs of this class")
        { draft, field in
            var policy = PolicyDraft(references: draft.references, policy: draft.table[name])
            if field.read(PolicyDraft.keys, into: &policy) { draft.table[name] = policy.policy }
        }
    }
}

struct MeaningsDraft {
    let references: References
    private(set) var meanings = KeptMeanings.standard
    /// Where the pattern of each is named.
    private(set) var fields: [Meaning: NodeReader] = [:]

    init(references: References) { self.references = references }

    static let keys: [Key<Self>] =
        Meaning.allCases.map { meaning in
            .optional(
                meaning.rawValue, References.patternForm, default: "`\(KeptMeanings.standard[meaning])`",
                "the pattern that lights show for this meaning; at most three flashes in a second"
            ) { draft, field in
                guard let name = draft.references.pattern(field) else { return }
                (draft.meanings[meaning], draft.fields[meaning]) = (name, field)
            }
        } + [
            .optional(
                "touch", References.patternForm, default: "`\(KeptMeanings.standard.touch)`",
                "the pattern that motors play for a meaning if no light can show it and the class is `nothing`"
            ) {
                if let name = $0.references.pattern($1) { $0.meanings.touch = name }
            }
        ]
}

private struct PolicyDraft {
    let references: References
    var policy: ClassPolicy

    static let keys: [Key<Self>] = [
        .optional(
            "priority", .integer(in: References.priorities), default: ofClass,
            "the priority; a higher one pre-empts, and on a tie the newer playback wins"
        ) { $0.policy.priority = $1 },
        .optional(
            "deadline", .orNone(.duration(in: References.deadlines)), default: ofClass,
            "the greatest age of an input at the decision"
        ) { $0.policy.deadline = $1 },
        .optional(
            "limit", .rateOrNone(in: 1...100_000), default: ofClass, "the largest number of playbacks in any second"
        ) { $0.policy.limitPerSecond = $1 },
        effectKey("quiet", \.quiet), effectKey("reduced", \.reduced), effectKey("silent", \.silent),
    ]

    private static let ofClass = "by the class"

    private static func effectKey(_ profile: String, _ effect: any WritableKeyPath<ClassPolicy, ProfileEffect> & Sendable) -> Key<
        Self
    > {
        .optional(
            profile, References.effectForm, default: ofClass,
            "under this profile: `full`, `half` (of the intensity), `nothing`, or a pattern that replaces the original"
        ) { $0.read($1, into: effect) }
    }

    private mutating func read(_ field: NodeReader, into effect: WritableKeyPath<ClassPolicy, ProfileEffect>) {
        if let read = references.effect(field) { policy[keyPath: effect] = read }
    }
}
