// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns
public import HapticText
internal import HapticYAML

/// A pattern that was read, and what of its file it does not hold.
public struct ReadPattern: Hashable, Sendable {
    public let pattern: Pattern
    public let format: PatternFormat
    /// What was left out, or taken otherwise than it says; each with its place.
    public let notes: [Diagnostic]
    /// Of another format than ours: where what is felt stands, in the order of the file. The paths of ours are those of the pattern.
    public let places: [EntryPlace]

    public init(pattern: Pattern, format: PatternFormat, notes: [Diagnostic] = [], places: [EntryPlace] = []) {
        (self.pattern, self.format, self.notes, self.places) = (pattern, format, notes, places)
    }
}

/// The text of a pattern file, and what of the pattern it does not hold.
public struct WrittenFile: Hashable, Sendable {
    public let text: String
    /// A sentence each; empty where nothing is lost.
    public let losses: [String]

    init(text: String, losses: [String] = []) {
        self.text = text
        self.losses = losses
    }
}

/// Why a pattern cannot be written in a format.
public struct UnwritablePattern: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Reads and writes pattern files of any format.
public enum PatternFiles {
    /// Reads a file of the format that `PatternFormat.of` finds.
    ///
    /// Our own files say what the pattern is called, which must be `expectedName` where there is one; a pattern of another format is
    /// called `expectedName`, or as its file (`PatternFormat.patternName`); where there is no file, `inline`. `known`: what one of ours
    /// may use.
    public static func read(
        _ bytes: [UInt8], file: String?, known: [Text: Pattern] = BuiltInPatterns.byName, expectedName: String? = nil
    ) throws(InvalidDocument) -> ReadPattern {
        let format = PatternFormat.of(bytes, file: file)
        guard format != .yaml else {
            let pattern = try PatternReader.pattern(yaml: bytes, file: file, known: known, expectedName: expectedName)
            return ReadPattern(pattern: pattern, format: format)
        }
        let report = DocumentReport(file: file)
        let notes = DocumentReport(file: file, of: "note")
        var places: [EntryPlace] = []
        let pattern = name(file: file, expectedName: expectedName, report: report, notes: notes).flatMap { name in
            // Apple's own samples have commas at the end.
            JSONDocument.parse(bytes, report: report, commaNotes: format == .ahap ? notes : nil).flatMap { document in
                tree(NodeReader(document, report: report), as: format, name: name, notes: notes, places: &places)
            }
        }
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics, notes: notes.diagnostics) }
        return ReadPattern(pattern: pattern, format: format, notes: notes.diagnostics, places: places)
    }

    /// Reads a pattern of a format of JSON wherever it stands, and where its entries do; nil where that has been reported to the
    /// reader's report.
    static func tree(
        _ reader: NodeReader, as format: PatternFormat, name: String, notes: DocumentReport, places: inout [EntryPlace]
    ) -> Pattern? {
        switch format {
        case .yaml: return PatternReader.pattern(reader, known: BuiltInPatterns.byName, expectedName: name)
        case .ahap: return AhapReader.pattern(reader, name: name, notes: notes, places: &places)
        case .haptic: return HapticClipReader.pattern(reader, name: name, notes: notes, places: &places)
        }
    }

    /// The name of a pattern whose file gives none; `nil` if the name of the file is not usable, which is then reported. A file name
    /// that is cut is noted.
    private static func name(
        file: String?, expectedName: String?, report: DocumentReport, notes: DocumentReport
    ) -> String? {
        let ofFile = file.map(PatternFormat.patternName)
        let name = expectedName ?? ofFile ?? PatternReader.inlineName
        if NodeReader.isName(name, limit: Pattern.Limit.nameLength), !name.hasTooManyMarks {
            if let file, let ofFile, Text(name) == Text(ofFile), Text(ofFile) != Text(PatternFormat.baseName(file)) {
                notes.add(
                    "the file's name is too long for a pattern, which is called by its first \(name.utf8.count) bytes", at: nil)
            }
            return name
        }
        report.add(
            "the pattern would be called \(quoted(name)), as its file, which is not usable; give the file a name of 1 to \(Pattern.Limit.nameLength) bytes without control characters",
            at: nil)
        return nil
    }

    /// Throws where the format has no way to say it, and where the file would be one that `read` refuses.
    public static func write(_ pattern: Pattern, as format: PatternFormat) throws(UnwritablePattern) -> WrittenFile {
        let file: WrittenFile
        switch format {
        case .yaml: file = WrittenFile(text: PatternWriter.yaml(pattern))
        case .ahap: file = try written(pattern, AhapWriter.write)
        case .haptic: file = try written(pattern, HapticClipWriter.write)
        }
        let report = DocumentReport(file: nil, limit: 1)
        parse(Array(file.text.utf8), as: format, report)
        guard let refusal = report.diagnostics.first else { return file }
        throw UnwritablePattern(
            "what comes of it would not be read again: \(refusal.message); write another format, or split the pattern into several"
        )
    }

    /// Our own is only parsed: what it may use is not known here.
    private static func parse(_ bytes: [UInt8], as format: PatternFormat, _ report: DocumentReport) {
        if format == .yaml {
            _ = YAML.parse(bytes, report: report)
        } else if let document = JSONDocument.parse(bytes, report: report) {
            let reader = NodeReader(document, report: report)
            var places: [EntryPlace] = []
            let notes = DocumentReport(file: nil, limit: 0)
            _ = tree(reader, as: format, name: PatternReader.inlineName, notes: notes, places: &places)
        }
    }

    private static func written(
        _ pattern: Pattern, _ write: (Pattern) throws(UnwritablePattern) -> WrittenFile
    ) throws(UnwritablePattern) -> WrittenFile {
        let plain = try PlainPattern(pattern)
        let file = try write(plain.pattern)
        return WrittenFile(text: file.text, losses: plain.losses + file.losses)
    }
}
