// SPDX-License-Identifier: MIT
public import HapticBackends
internal import HapticCore
internal import HapticEngine
internal import HapticFormats
internal import HapticPatterns
public import HapticText
public import HapticYAML

extension Configuration {
    /// Reads the configuration file at `path` and the pattern files it names, and looks up whom it names. Blocks on `files` and `accounts`.
    /// Throws all that is wrong: first with the file itself, in the order of its lines, then with the pattern files. `note` is called with
    /// what the patterns do not hold of their files, and with valid entries that probably mean something else.
    public static func load(
        path: String, files: FileAccess = .disk, accounts: Accounts = .notLookedUp,
        backends: [any Backend.Type] = Backends.all, note: ([Diagnostic]) -> Void = { _ in }
    ) throws(InvalidDocument) -> Configuration {
        let bytes: [UInt8]
        do throws(FileAccess.Failure) {
            bytes = try files.read(path, YAML.Limit.bytes)
        } catch {
            let advice = error.isDenied ? "name a file that this user may read" : "name a configuration file, of 1 MiB at most"
            throw InvalidDocument([
                Diagnostic(file: path, message: "cannot read the configuration: \(error.reason); \(advice)")
            ])
        }
        return try read(yaml: bytes, file: path, files: files, accounts: accounts, backends: backends, note: note)
    }

    /// Reads a configuration from the text of `file`, beside which relative pattern directories are looked for.
    public static func read(
        yaml bytes: [UInt8], file: String, files: FileAccess = .disk, accounts: Accounts = .notLookedUp,
        backends: [any Backend.Type] = Backends.all, note: ([Diagnostic]) -> Void = { _ in }
    ) throws(InvalidDocument) -> Configuration {
        let report = DocumentReport(file: file)
        guard let document = YAML.parse(bytes, report: report) else { throw InvalidDocument(report.diagnostics) }
        return try read(document, report: report, files: files, accounts: accounts, backends: backends, note: note)
    }

    /// The same of a file that has been parsed; `report` has what was wrong with it so far, and its name.
    public static func read(
        _ document: Node, report: DocumentReport, files: FileAccess = .disk, accounts: Accounts = .notLookedUp,
        backends: [any Backend.Type] = Backends.all, note: ([Diagnostic]) -> Void = { _ in }
    ) throws(InvalidDocument) -> Configuration {
        let directory = directory(of: report.file ?? "")
        var reader = ConfigurationReader(
            patterns: ConfiguredPatterns(directory: directory, files: files), accounts: accounts, backends: backends)
        let configuration = reader.configuration(NodeReader(document, report: report))
        note(reader.patterns.notes + reader.notes)
        let ofPatterns = Canary.is("pattern-file-errors-dropped") ? [] : reader.patterns.diagnostics
        let diagnostics = report.diagnostics + ofPatterns
        guard let configuration, diagnostics.isEmpty else { throw InvalidDocument(diagnostics) }
        return configuration
    }

    /// What a configuration may have.
    public static let members = ConfigurationReader.keys.map(\.member)

    /// What it may have, as JSON Schema.
    public static var schema: JSONValue {
        .schema(ofDocument: members, id: "urn:hapticd:schema:configuration:1", title: "Configuration of hapticd")
    }

    private static func directory(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }
}

/// Reads the whole document; the parts that other parts refer to first.
struct ConfigurationReader {
    static let actuatorLimit = 64
    static let ruleLimit = 1024

    private let accounts: Accounts
    private let backends: [any Backend.Type]
    private var read = Configuration.builtIn
    private var actuators: [ActuatorConfiguration] = []
    private(set) var patterns: ConfiguredPatterns
    /// Valid entries that probably mean something else.
    private(set) var notes: [Diagnostic] = []
    /// Where the pattern that lights show of a meaning is named, or else the patterns are.
    private var meaningFields: [Meaning: NodeReader] = [:]

    init(patterns: ConfiguredPatterns, accounts: Accounts, backends: [any Backend.Type]) {
        self.patterns = patterns
        self.accounts = accounts
        self.backends = backends
    }

    private static let builtInRules = "the built-in rules"
    private static let ofItsKeys = "the defaults of its keys"

    static let keys: [Key<Self>] = [
        .required("version", .version(1), "the version of the format") { _, _ in },
        .optional(
            "patterns", ConfiguredPatterns.form,
            "directories of pattern files, relative to this file; a pattern with the name of a built-in one replaces it"
        ) {
            $0.patterns.read($1)
        },
        .required("actuators", ActuatorReader.form, "the motors and lights") {
            $0.actuators = ActuatorReader.actuators($1, $0.backends)
        },
        .optional(
            "socket", .object(Configuration.Socket.keys, into: .init()), default: ofItsKeys,
            "the path of the socket, and the group that may open it"
        ) { $0.read.socket = $1 },
        .optional(
            "realtime", .object(Configuration.Realtime.keys, into: .init()), default: ofItsKeys,
            "scheduling and memory of the thread that plays"
        ) { $0.read.realtime = $1 },
        .optional(
            "profile", .choice(of: Profile.self, "profile"), default: "`\(Configuration.builtIn.profile.rawValue)`",
            "the amount of feedback that users want"
        ) { $0.read.settings.profile = $1 },
        .optional(
            "settings", .object(Settings.keys, into: Settings()), "strengths and quiet hours for users who have set none"
        ) {
            let profile = $0.read.settings.profile
            $0.read.settings = $1
            $0.read.settings.profile = profile
        },
        .optional(
            "classes", .object(of: ClassTableDraft.keys), default: ofItsKeys,
            "priority, deadline, rate limit and profiles of each class"
        ) {
            $0.read.classes = $0.references.classes($1)
        },
        .optional(
            "meanings", .object(of: MeaningsDraft.keys), default: ofItsKeys,
            "the patterns in which the profile `reduced` keeps success, warning and error"
        ) {
            let draft = $0.references.meanings($1)
            ($0.read.meanings, $0.meaningFields) = (draft.meanings, draft.fields)
        },
        .optional("progress", RuleDraft.progressForm, default: builtInRules, "rules for progress; the first match is used") {
            $0.read.progressRules = $0.references.progressRules($1)
        },
        .optional("events", RuleDraft.eventForm, default: builtInRules, "rules for events; the first match is used") {
            $0.read.eventRules = $0.references.eventRules($1, composing: &$0.patterns.composed)
        },
        .optional(
            "collections", RuleDraft.collectionForm, default: builtInRules, "rules for sets of things; the first match is used"
        ) {
            $0.read.collectionRules = $0.references.collectionRules($1, composing: &$0.patterns.composed)
        },
        .optional("tasks", TaskDraft.form, default: builtInRules, "rules for tasks; the first match is used") {
            $0.read.taskRules = $0.references.taskRules($1)
        },
        .optional(
            "conditions", ConditionDraft.form, default: "none",
            "outside facts that change the feedback while a client or a switch asserts them"
        ) {
            var inputs = InputTable($0.actuators)
            $0.read.conditionRules = $0.references.conditionRules($1, &inputs, notes: &$0.notes)
            $0.read.inputs = inputs.inputs
        },
        .optional(
            "holds", HoldReader.form, default: builtInRules,
            "keys and buttons that are held to confirm, and rules for the holds of clients; the first match is used"
        ) {
            var holds = HoldReader($0.references, InputTable($0.actuators, $0.read.inputs))
            holds.read($1)
            ($0.read.holdRules, $0.read.inputs) = (holds.rules, holds.inputs.inputs)
        },
        .optional(
            "bounds", .object(of: Configuration.boundKeys), default: ofItsKeys,
            "the limits for all clients, one user and one client"
        ) {
            _ = $1.read(Configuration.boundKeys, into: &$0.read)
        },
        .optional("access", .object(of: AccessReader.keys), default: ofItsKeys, "rights that only some users have") {
            $0.read.access = AccessReader.rules($1, $0.accounts)
        },
    ]

    mutating func configuration(_ reader: NodeReader) -> Configuration? {
        guard reader.read(Self.keys, into: &self) else { return nil }
        read.actuators = actuators
        read.patterns = patterns.all
        checkFlashes()
        return read
    }

    /// What lights show must not harm who sees it. A pattern of a directory may have taken the place of a built-in one.
    private func checkFlashes() {
        for meaning in Meaning.allCases {
            let name = Text(read.meanings[meaning])
            guard let pattern = patterns.library.patterns[name] else { continue }
            let field = meaningFields[meaning] ?? patterns.field
            let what = "\(quoted(name.string)), which lights show of `meaning: \(meaning.rawValue)`,"
            if pattern.hasOpenPhases { field?.fail("\(what) has an open phase; name a pattern that has none") }
            guard FlashBound.firstTooMany(in: Timeline(pattern).flashes) != nil else { continue }
            field?.fail(
                "\(what) flashes more than \(FlashBound.most) times in a second, which can harm; leave 400ms from one flash to the next"
            )
        }
    }

    private var references: References {
        References(library: patterns.library.patterns, unusable: patterns.unusable, actuators: actuators.map { Text($0.name) })
    }
}

extension Form where Value == Int? {
    /// A number of times a second, such as `10/s`, or `none`.
    static func rateOrNone(in range: ClosedRange<Int>) -> Self {
        .orNone(
            Form<Int>(.rate(range)) { field in
                if case .string(let text) = field.node.content, let number = text.string.without(end: "/s"),
                    let count = Int(number), range.contains(count)
                {
                    return count
                }
                field.failExpected("a rate from \(range.lowerBound)/s to \(range.upperBound)/s, such as `10/s`")
                return nil
            })
    }

    /// A number, or `none`.
    static func countOrNone(in range: ClosedRange<Int>) -> Self {
        let count = Form<Int>.integer(in: range)
        return .orNone(
            Form<Int>(count.kind) { field in
                if case .number = field.node.content { return count.read(field) }
                field.failExpected("a whole number from \(range.lowerBound) to \(range.upperBound)")
                return nil
            })
    }
}
