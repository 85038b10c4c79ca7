// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticJSON
public import HapticPatterns

/// A pattern that was read, and what of its file it does not hold.
public struct ReadPattern: Hashable, Sendable {
    public let pattern: Pattern
    public let format: PatternFormat
    /// What was left out, or taken otherwise than it says; each with its place.
    public let notes: [Diagnostic]
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
    /// called `expectedName`, or as its file without the end of its name, or `inline`.
    public static func read(_ bytes: [UInt8], file: String?, expectedName: String? = nil) throws(InvalidDocument) -> ReadPattern {
        let format = PatternFormat.of(bytes, file: file)
        switch format {
        case .yaml:
            let pattern = try PatternReader.pattern(yaml: bytes, file: file, expectedName: expectedName)
            return ReadPattern(pattern: pattern, format: format, notes: [])
        case .ahap, .haptic, .hjif:
            throw InvalidDocument([Diagnostic(file: file, message: "patterns of the format \(format.rawValue) are not read")])
        }
    }

    /// Throws where the format has no way to say it, or is only read.
    public static func write(_ pattern: Pattern, as format: PatternFormat) throws(UnwritablePattern) -> WrittenFile {
        switch format {
        case .yaml: return WrittenFile(text: PatternWriter.yaml(pattern))
        case .ahap, .haptic, .hjif: throw UnwritablePattern("patterns of the format \(format.rawValue) are not written")
        }
    }
}
