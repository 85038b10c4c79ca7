// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticDocuments
public import HapticJSON
public import HapticPatterns

/// The pattern files of a directory.
public struct PatternDirectory: Sendable {
    public static let fileLimit = 1024

    /// In the order of their names.
    public private(set) var patterns: [Pattern] = []
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
                patterns.append(try Self.pattern(name + suffix, of: directory, file: file, expectedName: name))
            } catch {
                diagnostics += error.diagnostics
            }
        }
    }

    private static func pattern(
        _ name: String, of directory: FileAccess.Directory, file: String, expectedName: String
    ) throws(InvalidDocument) -> Pattern {
        let bytes: [UInt8]
        do throws(FileAccess.Failure) {
            bytes = try directory.read(name, YAML.Limit.bytes)
        } catch {
            throw InvalidDocument([Diagnostic(file: file, message: "cannot read the file: \(error.reason)")])
        }
        return try PatternReader.pattern(yaml: bytes, file: file, expectedName: expectedName)
    }
}
