// SPDX-License-Identifier: MIT
public import HapticBackends
internal import HapticCore
public import HapticDocuments
internal import HapticFormats
public import HapticJSON
internal import HapticPatterns

extension Configuration {
    /// Reads the configuration file at `path` and the pattern files it names, and looks up whom it names. Blocks on `files` and `accounts`.
    /// Throws all that is wrong: first with the file itself, in the order of its lines, then with the pattern files.
    public static func load(
        path: String, files: FileAccess = .disk, accounts: Accounts = .notLookedUp, backends: [any Backend.Type] = Backends.all
    ) throws(InvalidDocument) -> Configuration {
        let bytes: [UInt8]
        do throws(FileAccess.Failure) {
            bytes = try files.read(path, YAML.Limit.bytes)
        } catch {
            throw InvalidDocument([
                Diagnostic(
                    file: path, message: "cannot read the configuration: \(error.reason); name a file that this user may read")
            ])
        }
        return try read(yaml: bytes, file: path, files: files, accounts: accounts, backends: backends)
    }

    /// Reads a configuration from the text of `file`, beside which relative pattern directories are looked for.
    public static func read(
        yaml bytes: [UInt8], file: String, files: FileAccess = .disk, accounts: Accounts = .notLookedUp,
        backends: [any Backend.Type] = Backends.all
    ) throws(InvalidDocument) -> Configuration {
        let report = DocumentReport(file: file)
        var reader = ConfigurationReader(directory: directory(of: file), files: files, accounts: accounts, backends: backends)
        let configuration = YAML.parse(bytes, report: report).flatMap { reader.configuration(NodeReader($0, report: report)) }
        let diagnostics = report.diagnostics + reader.patternDiagnostics
        guard let configuration, diagnostics.isEmpty else { throw InvalidDocument(diagnostics) }
        return configuration
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
    static let directoryLimit = 16

    private let directory: String
    private let files: FileAccess
    private let accounts: Accounts
    private let backends: [any Backend.Type]
    private var patterns = Configuration.builtInPatterns
    /// Names of pattern files that are not usable: a rule that names one is not wrong on top of it.
    private var unusablePatterns: Set<Text> = []
    private(set) var patternDiagnostics: [Diagnostic] = []

    init(directory: String, files: FileAccess, accounts: Accounts, backends: [any Backend.Type]) {
        self.directory = directory
        self.files = files
        self.accounts = accounts
        self.backends = backends
    }

    mutating func configuration(_ reader: NodeReader) -> Configuration? {
        reader.object { fields in
            fields.required("version")?.requireVersion(1)
            let directories = fields.optional("patterns")?.list(count: 0...Self.directoryLimit) ?? []
            for directory in directories { readPatterns(directory) }
            let actuators = ActuatorReader.actuators(fields.required("actuators"), backends)
            let references = References(
                patterns: Set(patterns.keys).union(unusablePatterns),
                actuators: actuators.map { Text($0.name) })
            var configuration = Configuration.builtIn
            configuration.actuators = actuators
            configuration.patterns = patterns
            if let socket = fields.optional("socket")?.object(Self.socket) { configuration.socket = socket }
            if let realtime = fields.optional("realtime")?.object(Self.realtime) { configuration.realtime = realtime }
            if let profile = fields.optional("profile")?.choice(Profile.self, kind: "profile") { configuration.profile = profile }
            if let classes = fields.optional("classes") { configuration.classes = references.classes(classes) }
            if let rules = fields.optional("progress") { configuration.progressRules = references.progressRules(rules) }
            if let rules = fields.optional("events") { configuration.eventRules = references.eventRules(rules) }
            if let bounds = fields.optional("bounds") { BoundsReader.read(bounds, into: &configuration) }
            if let access = fields.optional("access") { configuration.access = AccessReader(accounts: accounts).rules(access) }
            return configuration
        }
    }

    /// A pattern of a later directory takes the place of one with the same name, a built-in one too.
    private mutating func readPatterns(_ reader: NodeReader) {
        guard let path = reader.name(limit: 4096)?.string else { return }
        do throws(FileAccess.Failure) {
            let found = try PatternDirectory(path: path.begins(with: "/") ? path : "\(directory)/\(path)", files: files)
            for pattern in found.patterns { patterns[Text(pattern.name)] = pattern }
            unusablePatterns.formUnion(found.names.map { Text($0) })
            patternDiagnostics += found.diagnostics
        } catch {
            reader.fail("cannot read the directory \(quoted(path)): \(error.reason); see to that, or take it out of the list")
        }
    }

    private static func socket(_ fields: inout FieldReader) -> Configuration.Socket? {
        var socket = Configuration.Socket()
        if let field = fields.optional("path") { socket.path = socketPath(field) }
        if let field = fields.optional("mode"), let mode = permissions(field) { socket.mode = mode }
        socket.group = fields.optional("group")?.name(limit: 32)?.string
        return socket
    }

    private static func socketPath(_ field: NodeReader) -> String? {
        // What `sockaddr_un` holds, less the NUL at its end.
        let longest = 107
        guard let path = field.name(limit: longest)?.string else { return nil }
        if path.begins(with: "/") { return path }
        field.fail("\(quoted(path)) is not an absolute path; begin it with `/`")
        return nil
    }

    private static func permissions(_ field: NodeReader) -> UInt32? {
        if case .string(let text) = field.node.content, (3...4).contains(text.utf8.count),
            let mode = UInt32(text.string, radix: 8),
            mode <= 0o777
        {
            return mode
        }
        field.failExpected("permissions as octal digits in quotes, such as \"0660\"")
        return nil
    }

    private static func realtime(_ fields: inout FieldReader) -> Configuration.Realtime? {
        var realtime = Configuration.Realtime()
        if let field = fields.optional("priority") { realtime.priority = field.isNone ? nil : field.integer(in: 1...99) }
        if let lockMemory = fields.optional("lockMemory")?.bool() { realtime.lockMemory = lockMemory }
        realtime.cpu = fields.optional("cpu")?.integer(in: 0...1023)
        return realtime
    }
}

extension NodeReader {
    /// Whether the value is the word `none`.
    var isNone: Bool { node.content == .string("none") }

    /// A number of times a second, such as `10/s`.
    func rate(in range: ClosedRange<Int>) -> Int? {
        if case .string(let text) = node.content, let number = text.string.without(end: "/s"), let count = Int(number),
            range.contains(count)
        {
            return count
        }
        failExpected("a rate from \(range.lowerBound)/s to \(range.upperBound)/s, such as `10/s`, or `none`")
        return nil
    }
}
