// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns
public import HapticText
public import HapticYAML

/// Patterns by their names, and files that use them, in whatever order these come.
public struct PatternLibrary: Sendable {
    /// A file that uses other patterns: it is read once these are known.
    struct ComposedFile: Sendable {
        let name: Text
        let file: String
        let document: Node
        let uses: [PatternUse]
    }

    /// Those that are known; after `resolve` all that are usable.
    public private(set) var patterns: [Text: Pattern]
    private var waiting: [Text: ComposedFile] = [:]
    /// They have mistakes of their own, which are reported there and not where they are used.
    private var unusable: Set<Text> = []

    public init(_ patterns: [Text: Pattern] = BuiltInPatterns.byName) { self.patterns = patterns }

    /// Its patterns take the places of those with the same names.
    public mutating func add(_ directory: PatternDirectory) {
        for name in directory.names.map({ Text($0) }) {
            (patterns[name], waiting[name]) = (nil, nil)
            unusable.insert(name)
        }
        for pattern in directory.patterns { add(pattern) }
        for file in directory.composed { add(file) }
    }

    mutating func add(_ pattern: Pattern) {
        let name = Text(pattern.name)
        patterns[name] = pattern
        unusable.remove(name)
    }

    mutating func add(_ file: ComposedFile) {
        waiting[file.name] = file
        unusable.remove(file.name)
    }

    /// Reads the files that use others, those first that the others use; gives what is wrong with them, in the order of their names.
    public mutating func resolve() -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        while true {
            let ready = waiting.values.filter { file in !file.uses.contains { waiting[$0.name] != nil } }
            guard !ready.isEmpty else { break }
            for file in ready.sorted(by: { $0.name < $1.name }) {
                waiting[file.name] = nil
                diagnostics += read(file)
            }
        }
        diagnostics += circles
        unusable.formUnion(waiting.keys)
        waiting = [:]
        return diagnostics
    }

    private mutating func read(_ file: ComposedFile) -> [Diagnostic] {
        if file.uses.contains(where: { unusable.contains($0.name) }) {
            unusable.insert(file.name)
            return []
        }
        do throws(InvalidDocument) {
            let report = DocumentReport(file: file.file)
            add(try PatternReader.pattern(file.document, known: patterns, report: report, expectedName: file.name.string))
            return []
        } catch {
            unusable.insert(file.name)
            return error.diagnostics
        }
    }

    /// Each of those that wait uses one that waits. So whoever goes from one to the next comes round; each is visited once.
    private var circles: [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var visited: Set<Text> = []
        for start in waiting.keys.sorted() {
            var walked: [(file: ComposedFile, use: PatternUse)] = []
            var next = waiting[start]
            while let file = next, visited.insert(file.name).inserted {
                guard let use = file.uses.first(where: { waiting[$0.name] != nil }) else { break }
                walked.append((file, use))
                next = waiting[use.name]
            }
            guard let begin = walked.firstIndex(where: { $0.file.name == next?.name }) else { continue }
            diagnostics.append(Self.diagnostic(ofCircle: walked[begin...]))
        }
        return diagnostics
    }

    private static func diagnostic(ofCircle circle: ArraySlice<(file: ComposedFile, use: PatternUse)>) -> Diagnostic {
        let (first, use) = circle[circle.startIndex]
        let names = circle.prefix(4).map { quoted($0.use.name.string) }.joined(separator: ", which uses ")
        let more = circle.count > 4 ? ", and so on" : ""
        return Diagnostic(
            file: first.file, mark: use.mark, path: use.path,
            message: "a pattern cannot be a part of itself: \(quoted(first.name.string)) uses \(names)\(more)")
    }
}

extension PatternLibrary {
    /// What the pattern in `bytes`, the text of `file`, may use: the built-in patterns, and of the files beside it those that it uses
    /// and that these use. Blocks on `files`. Throws all that is wrong with them; of the text itself nothing is reported.
    public static func patterns(
        for bytes: [UInt8], of file: String, files: FileAccess
    ) throws(InvalidDocument) -> [Text: Pattern] {
        guard PatternFormat.of(bytes, file: file) == .yaml,
            let document = YAML.parse(bytes, report: DocumentReport(file: nil, limit: 1))
        else { return BuiltInPatterns.byName }
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        var library = PatternLibrary()
        var diagnostics: [Diagnostic] = []
        var names = PatternUse.uses(in: document).map(\.name)
        var seen: Set<Text> = []
        while let name = names.popLast(), seen.count < PatternDirectory.fileLimit {
            guard seen.insert(name).inserted, !name.utf8.contains(UInt8(ascii: "/")) else { continue }
            let path = "\(folder)\(name).yaml"
            // One that is not there is built in, or reported where it is used.
            guard let bytes = try? files.read(path, YAML.Limit.bytes) else { continue }
            do throws(InvalidDocument) {
                names += try library.add(bytes, name: name, file: path)
            } catch {
                diagnostics += error.diagnostics
                library.unusable.insert(name)
            }
        }
        diagnostics += library.resolve()
        guard diagnostics.isEmpty else { throw InvalidDocument(diagnostics) }
        return library.patterns
    }

    /// Adds the pattern in the text of `file`; gives the names of those that it uses.
    private mutating func add(_ bytes: [UInt8], name: Text, file: String) throws(InvalidDocument) -> [Text] {
        switch try PatternDirectory.read(bytes, name: name.string, file: file) {
        case .plain(let read):
            add(read.pattern)
            return []
        case .composed(let composed):
            add(composed)
            return composed.uses.map(\.name)
        }
    }
}
