// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticTerminal
import HapticText
import HapticWire
import HapticYAML

/// A pattern as a person names it.
enum PatternFile {
    /// A text with a `/`, or with one of the `endings`, is a file, which is read; one such as `20,60,20` is `Pulses`. Anything else is a
    /// name, which the daemon looks up.
    /// `note`: for what the pattern does not hold of the file. `allowsOnePulse`: a length such as `100` is a pulse.
    static func reference(
        _ text: String, allowsOnePulse: Bool = false, room: Room = .line, files: FileAccess = .disk, note: ([Diagnostic]) -> Void
    ) throws(Failure) -> PatternReference {
        if let pulses = try Pulses.tree(text, allowsOne: allowsOnePulse) { return .inline(pulses) }
        guard isFile(text) else { return .named(text) }
        let read = try read(text, files: files)
        note(read.notes)
        return try inline(read.pattern, from: text, room: room)
    }

    /// How large a pattern that is sent along may be.
    enum Room {
        /// It is not sent.
        case unbounded
        /// `HapticClient.send(_:timeout:)` sends the pattern, in several lines if necessary.
        case lines
        case line

        /// The most bytes of `pattern` in its own form.
        fileprivate func bytes(for pattern: Pattern) -> Int {
            switch self {
            case .unbounded: .max
            // Phases are not divided.
            case .lines where pattern.phases.isEmpty: WireLimit.patternInParts - 32 * 1024
            case .lines, .line: WireLimit.clientLine - 2048
            }
        }
    }

    /// A pattern to be sent along; `file` is what it was read from.
    static func inline(_ pattern: Pattern, from file: String, room: Room = .line) throws(Failure) -> PatternReference {
        let tree = PatternWriter.tree(pattern)
        let most = room.bytes(for: pattern)
        guard most == .max || (try? LineEncoder.bytes(tree).count).map({ $0 <= most }) ?? false else {
            throw Failure(
                "the pattern in \(file) is too large to be sent along: more than \(most) bytes; put the file into a directory that `patterns:` of the daemon's configuration names, and play it by its name"
            )
        }
        return .inline(tree)
    }

    /// How the name of one ends.
    static let endings = PatternFormat.allCases.flatMap(\.fileExtensions).map { ".\($0)" }

    /// What help says of them.
    static let help = "a path with a `/`, or ending in \(endings.map { "`\($0)`" }.joined(separator: ", "))"

    static func isFile(_ text: String) -> Bool { text.contains("/") || endings.contains { text.hasSuffix($0) } }

    /// The pattern in a file of any format, which may use those beside it.
    static func read(_ text: String, files: FileAccess = .disk) throws(Failure) -> ReadPattern {
        try parse(bytes(of: text, files: files), file: text, files: files)
    }

    /// `orName`: a pattern's name would be right, too.
    static func bytes(of text: String, orName: Bool = true, files: FileAccess = .disk) throws(Failure) -> [UInt8] {
        do throws(FileAccess.Failure) {
            return try files.read(text, YAML.Limit.bytes)
        } catch {
            let advice = orName ? "a pattern file, or a name that `hapticctl patterns` lists" : "the path of a pattern file"
            throw Failure("cannot read \(text): \(error.reason); give \(advice)", code: .unreadable)
        }
    }

    /// The pattern in the text of `file`, which may use those beside it. `foreignName`: what it is called where its format has no
    /// names; nil: as its file.
    static func parse(
        _ bytes: [UInt8], file: String, foreignName: String? = nil, files: FileAccess = .disk
    ) throws(Failure) -> ReadPattern {
        let isOurs = PatternFormat.of(bytes, file: file) == .yaml
        do throws(InvalidDocument) {
            let known = try PatternLibrary.patterns(for: bytes, of: file, files: files)
            return try PatternFiles.read(bytes, file: file, known: known, expectedName: isOurs ? nil : foreignName)
        } catch {
            throw Failure(error, texts: [file: bytes])
        }
    }

    /// How long an inline pattern takes; nil where it is none.
    static func duration(of pattern: Node) -> Nanoseconds? {
        try? PatternReader.pattern(wire: pattern, path: "pattern").duration
    }
}
