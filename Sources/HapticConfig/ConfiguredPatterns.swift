// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticFormats
internal import HapticPatterns
internal import HapticText
internal import HapticYAML

/// The patterns of a configuration: the built-in ones, those of its directories, and those that its rules compose.
struct ConfiguredPatterns {
    static let form = Form<[NodeReader]>.list(of: directoryForm.unread, count: 0...16)
    private static let directoryForm = Form<Text>.name(limit: 4096)

    /// The directory that relative paths begin at.
    private let directory: String
    private let files: FileAccess
    private(set) var library = PatternLibrary()
    /// Names of pattern files that are not usable: a rule that names one is not wrong on top of it.
    private(set) var unusable: Set<Text> = []
    /// The patterns that rules combine of two others.
    var composed: [Text: Pattern] = [:]
    private(set) var diagnostics: [Diagnostic] = []
    /// The parts of the files that the patterns do not hold.
    private(set) var notes: [Diagnostic] = []
    /// The place that names the first directory.
    private(set) var field: NodeReader?

    init(directory: String, files: FileAccess) {
        self.directory = directory
        self.files = files
    }

    var all: [Text: Pattern] { library.patterns.merging(composed) { own, _ in own } }

    mutating func read(_ directories: [NodeReader]) {
        for directory in directories { read(directory) }
        field = directories.first
        diagnostics += library.resolve()
    }

    /// A pattern of a later directory takes the place of one with the same name, a built-in one too.
    private mutating func read(_ reader: NodeReader) {
        guard let path = Self.directoryForm.read(reader)?.string else { return }
        do throws(FileAccess.Failure) {
            let found = try PatternDirectory(path: path.begins(with: "/") ? path : "\(directory)/\(path)", files: files)
            library.add(found)
            unusable.formUnion(found.names.map { Text($0) })
            diagnostics += found.diagnostics
            notes += found.notes
        } catch {
            reader.fail("cannot read the directory \(quoted(path)): \(error.reason); see to that, or take it out of the list")
        }
    }
}
