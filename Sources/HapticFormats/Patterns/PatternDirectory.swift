// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticDocuments
public import HapticJSON
public import HapticPatterns

/// The pattern files of a directory.
public struct PatternDirectory: Sendable {
    public static let fileLimit = 1024

    /// Those that use no other one, in the order of their names; `PatternLibrary` reads the others.
    public private(set) var patterns: [Pattern] = []
    private(set) var composed: [PatternLibrary.ComposedFile] = []
    /// The names of all its files, those that are not usable included.
    public private(set) var names: [String] = []
    /// What is wrong with its files, file by file.
    public private(set) var diagnostics: [Diagnostic] = []

    /// Reads all `*.yaml` of the directory at `path`; each must hold the pattern that it is named after.
    /// Fails where the directory itself is not usable.
    public init(path: String, files: FileAccess = .disk) throws(FileAccess.Failure) {
        let suffix = ".yaml"
        let directory = try files.directory(path)
        names = directory.names.filter { !$0.begins(with: ".") }
            .compactMap { $0.without(end: suffix).map { Text($0) } }
            .sorted().map(\.string)
        guard names.count <= Self.fileLimit else {
            throw FileAccess.Failure("it has \(names.count) pattern files; at most \(Self.fileLimit) are read")
        }
        for name in names {
            let file = "\(path)/\(name)\(suffix)"
            do throws(InvalidDocument) {
                switch try Self.read(Self.bytes(name + suffix, of: directory, file: file), name: name, file: file) {
                case .plain(let pattern): patterns.append(pattern)
                case .composed(let file): composed.append(file)
                }
            } catch {
                diagnostics += error.diagnostics
            }
        }
    }

    /// A pattern file, as far as it can be read by itself.
    enum Entry {
        case plain(Pattern)
        case composed(PatternLibrary.ComposedFile)
    }

    static func read(_ bytes: [UInt8], name: String, file: String) throws(InvalidDocument) -> Entry {
        let report = DocumentReport(file: file)
        guard let document = YAML.parse(bytes, report: report) else { throw InvalidDocument(report.diagnostics) }
        let uses = PatternUse.uses(in: document)
        if uses.isEmpty { return .plain(try PatternReader.pattern(document, known: [:], report: report, expectedName: name)) }
        guard report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return .composed(.init(name: Text(name), file: file, document: document, uses: uses))
    }

    private static func bytes(
        _ name: String, of directory: FileAccess.Directory, file: String
    ) throws(InvalidDocument) -> [UInt8] {
        do throws(FileAccess.Failure) {
            return try directory.read(name, YAML.Limit.bytes)
        } catch {
            throw InvalidDocument([Diagnostic(file: file, message: "cannot read the file: \(error.reason)")])
        }
    }
}
