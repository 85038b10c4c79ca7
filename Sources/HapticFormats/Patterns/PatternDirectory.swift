// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticPatterns
public import HapticText
public import HapticYAML

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
    /// What the patterns do not hold of their files, file by file; at most `DocumentReport.limit`.
    public private(set) var notes: [Diagnostic] = []

    /// How the names of its files end; `.yml` is left out, as it always was.
    private static let fileExtensions = PatternFormat.allCases.map { $0.fileExtensions[0] }

    /// Reads all `*.yaml`, `*.ahap` and `*.haptic` of the directory at `path`; each must hold the pattern that it is named after.
    /// Fails where the directory itself is not usable.
    public init(path: String, files: FileAccess = .disk) throws(FileAccess.Failure) {
        let directory = try files.directory(path)
        let filesByName = Self.filesByName(directory.names)
        names = filesByName.keys.sorted().map(\.string)
        let count = filesByName.values.reduce(0) { $0 + $1.count }
        guard count <= Self.fileLimit else {
            throw FileAccess.Failure("it has \(count) pattern files; at most \(Self.fileLimit) are read")
        }
        for name in names {
            // trap: the names are its keys.
            let files = filesByName[Text(name)]!
            guard files.count == 1 else {
                let others = files.dropFirst().map { "`\($0)`" }.joined(separator: " and ")
                let message =
                    "\(others) \(files.count == 2 ? "holds" : "hold") the pattern \(quoted(name)), too; keep one of these files"
                diagnostics.append(Diagnostic(file: "\(path)/\(files[0])", message: message))
                continue
            }
            do throws(InvalidDocument) {
                switch try Self.read(Self.bytes(files[0], of: directory, at: path), name: name, file: "\(path)/\(files[0])") {
                case .plain(let read):
                    patterns.append(read.pattern)
                    notes += read.notes.prefix(DocumentReport.limit - notes.count)
                case .composed(let file): composed.append(file)
                }
            } catch {
                diagnostics += error.diagnostics
            }
        }
    }

    /// A pattern file, as far as it can be read by itself.
    enum Entry {
        case plain(ReadPattern)
        case composed(PatternLibrary.ComposedFile)
    }

    static func read(_ bytes: [UInt8], name: String, file: String) throws(InvalidDocument) -> Entry {
        // Only ours use others.
        guard PatternFormat.of(bytes, file: file) == .yaml else {
            return .plain(try PatternFiles.read(bytes, file: file, expectedName: name))
        }
        let report = DocumentReport(file: file)
        guard let document = YAML.parse(bytes, report: report) else { throw InvalidDocument(report.diagnostics) }
        let uses = PatternUse.uses(in: document)
        if uses.isEmpty {
            let pattern = try PatternReader.pattern(document, known: [:], report: report, expectedName: name)
            return .plain(ReadPattern(pattern: pattern, format: .yaml))
        }
        guard report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return .composed(.init(name: Text(name), file: file, document: document, uses: uses))
    }

    /// The pattern files among `names`, in their order, by what their patterns are called.
    private static func filesByName(_ names: [String]) -> [Text: [String]] {
        var files: [Text: [String]] = [:]
        for file in names where !file.begins(with: ".") {
            guard let name = fileExtensions.lazy.compactMap({ file.without(end: ".\($0)") }).first else { continue }
            files[Text(PatternFormat.cut(name)), default: []].append(file)
        }
        return files.mapValues { $0.sorted() }
    }

    private static func bytes(_ name: String, of directory: FileAccess.Directory, at path: String) throws(InvalidDocument)
        -> [UInt8]
    {
        do throws(FileAccess.Failure) {
            return try directory.read(name, YAML.Limit.bytes)
        } catch {
            throw InvalidDocument([Diagnostic(file: "\(path)/\(name)", message: "cannot read the file: \(error.reason)")])
        }
    }
}
