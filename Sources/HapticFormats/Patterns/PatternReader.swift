// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns
public import HapticText
internal import HapticYAML

/// Reads patterns: files of our own format, and the inline pattern objects of the wire.
public enum PatternReader {
    /// The name of an inline pattern that gives none.
    public static let inlineName = "inline"

    /// Reads a pattern file. `known`: what it may use. `expectedName`: what `name` must be, where the file's own name says so.
    public static func pattern(
        yaml bytes: [UInt8], file: String? = nil, known: [Text: Pattern] = BuiltInPatterns.byName, expectedName: String? = nil
    ) throws(InvalidDocument) -> Pattern {
        let report = DocumentReport(file: file)
        guard let document = YAML.parse(bytes, report: report) else { throw InvalidDocument(report.diagnostics) }
        return try pattern(document, known: known, report: report, expectedName: expectedName)
    }

    /// The same of a file that has been parsed; `report` has what was wrong with it so far.
    public static func pattern(
        _ document: Node, known: [Text: Pattern] = BuiltInPatterns.byName, report: DocumentReport, expectedName: String? = nil
    ) throws(InvalidDocument) -> Pattern {
        let pattern = pattern(
            NodeReader(document, report: report), known: known, expectedName: expectedName,
            exampleName: expectedName ?? report.file.map(PatternFormat.baseName))
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return pattern
    }

    /// Reads an inline pattern object of the wire; `path` is where it stands, such as `pattern`. `known`: what it may use.
    /// Times are numbers of milliseconds with `Ms` behind their names; `version` and `name` may be left out. Or it is a pattern of another
    /// format in an object of its own: `{"ahap": {…}}`.
    /// `parts`: the earlier parts, if `node` is the last part of a pattern.
    public static func pattern(
        wire node: Node, path: String, known: [Text: Pattern] = BuiltInPatterns.byName, after parts: PatternParts? = nil
    ) throws(InvalidDocument) -> Pattern {
        // The first error is reported, and the others cost nothing.
        let report = DocumentReport(file: nil, limit: 1)
        let reader = NodeReader(node, path: path, notation: .wire, report: report)
        let isForeign = parts == nil && ForeignPattern.isOne(node)
        let pattern = isForeign ? ForeignPattern.read(reader) : pattern(reader, known: known, after: parts)
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return pattern
    }

    /// What a pattern file may have.
    public static let members = PatternDraft.fileKeys.map(\.member)

    /// What it may have, as JSON Schema.
    public static var schema: JSONValue {
        .schema(ofDocument: members, id: "urn:hapticd:schema:pattern:1", title: "Pattern of hapticd")
    }

    /// What a pattern object of the wire may have, as JSON Schema.
    public static var inlineSchema: JSONValue {
        let kinds = [.object(PatternDraft.wireKeys.map(\.member))] + ForeignPattern.kinds
        return [
            "description": "What a pattern file holds, with the unit in the name of a time; or a pattern of another format.",
            "anyOf": .array(kinds.map { $0.schema(.wire) }),
        ]
    }

    /// The parts of a pattern object that comes in several lines, as JSON Schema.
    public static var partSchema: JSONValue {
        let members = PatternDraft.wireKeys.map(\.member).narrowing("tracks", to: PatternParts.tracksKind)
        return Member.Kind.object(members).schema(.wire)
    }

    /// Reads a pattern wherever it stands; nil where that has been reported. `exampleName`: the name to propose if it has none.
    static func pattern(
        _ reader: NodeReader, known: [Text: Pattern], expectedName: String? = nil, exampleName: String? = nil,
        after parts: PatternParts? = nil
    ) -> Pattern? {
        let isFile = reader.notation == .units
        let keys = isFile ? PatternDraft.fileKeys : PatternDraft.wireKeys
        let examples: [Text: String] = exampleName.map { ["name": $0] } ?? [:]
        var draft = PatternDraft(expectedName: expectedName)
        draft.layers.begun = parts
        return reader.object(keys, into: draft, examples: examples) {
            $0.pattern(known, $1, isFile: isFile)
        }
    }
}

private struct PatternDraft {
    let expectedName: String?
    var name: String?
    var summary = ""
    var layers = LayersDraft()
    var phases: NodeReader?
    var transition = Spring.snappy
    var isCall = false
    var meaning: Meaning?
    var isForLights = false

    init(expectedName: String?) { self.expectedName = expectedName }

    static let fileKeys = keys(isFile: true)
    static let wireKeys = keys(isFile: false)

    private static func keys(isFile: Bool) -> [Key<Self>] {
        [
            Key("version", .version(1), isRequired: isFile, "the version of the format") { _, _ in },
            Key("name", nameForm.unread, isRequired: isFile, "what rules and clients call it") { $0.readName($1) },
            .optional("description", .text, "what it means, for people") { $0.summary = $1.string },
        ] + LayersDraft.keys(\.layers) + [
            .optional("phases", phasesForm.unread, "one after another, in place of `tracks` and `compose`") { $0.phases = $1 },
            .optional("transition", SpringReader.form, "how it takes over from what is felt before it; `snappy` without it") {
                $0.transition = $1
            },
            .optional("call", .boolean, "it calls for someone, and so may be long") { $0.isCall = $1 },
            .optional("meaning", .choice(of: Meaning.self, "meaning"), "what it tells, which the profile `reduced` keeps") {
                $0.meaning = $1
            },
            .optional("light", .boolean, "it is for lights, and flashes three times in a second at most") { $0.isForLights = $1 },
        ]
    }

    private static let nameForm = Form<Text>.name(limit: Pattern.Limit.nameLength)
    private static let phasesForm = Form<[PhaseDraft]>.list(of: PhaseDraft.form, count: 1...Pattern.Limit.phases)

    private mutating func readName(_ field: NodeReader) {
        guard let name = Self.nameForm.read(field) else { return }
        self.name = name.string
        if let expectedName, name != Text(expectedName) {
            field.fail("the name \(quoted(name.string)) and the file `\(expectedName).yaml` differ; give both the same name")
        }
    }

    /// Nil where it is not usable, which is then reported.
    func pattern(_ known: [Text: Pattern], _ reader: NodeReader, isFile: Bool) -> Pattern? {
        if !isFile || name != nil, phases == nil, !layers.areThere {
            reader.fail("a pattern needs `pulses`, `tracks`, `compose` or `phases`")
            return nil
        }
        if phases != nil, layers.hasAny {
            reader.fail("\(PatternError.phasesAndLayers)")
            return nil
        }
        let name = name ?? PatternReader.inlineName
        let made = phases.map { phasesPattern($0, known, reader, name) } ?? layersPattern(known, reader, name)
        return isFile && self.name == nil ? nil : made
    }

    private func layersPattern(_ known: [Text: Pattern], _ reader: NodeReader, _ name: String) -> Pattern? {
        layers.pattern(known, reader) { (tracks, curves, parts, sum) throws(PatternError) in
            try Pattern(
                name: name, summary: summary, tracks: tracks, parameterCurves: curves, parts: parts, sum: sum,
                transition: transition, isCall: isCall, meaning: meaning, isForLights: isForLights)
        }
    }

    private func phasesPattern(
        _ list: NodeReader, _ known: [Text: Pattern], _ reader: NodeReader, _ name: String
    ) -> Pattern? {
        guard let drafts = Self.phasesForm.read(list), let phases = drafts.map({ $0.phase(known, name: name) }).whole() else {
            return nil
        }
        do throws(PatternError) {
            return try Pattern(
                name: name, summary: summary, phases: phases, transition: transition, isCall: isCall, meaning: meaning,
                isForLights: isForLights)
        } catch {
            if case .phase(let index, let reason) = error { drafts[index].fail(reason) } else { reader.fail("\(error)") }
            return nil
        }
    }
}
