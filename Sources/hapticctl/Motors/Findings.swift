// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticMotors
import HapticPatterns
import HapticTerminal
import HapticText

/// A pattern that is looked at: where it is from, and where its members stand.
struct LintedPattern {
    /// The file, or the name of a built-in one.
    let origin: String
    let pattern: Pattern
    /// Nil: it is built in.
    let text: [UInt8]?
    private let marks: PatternMarks?

    /// Of a file, or a built-in one: see `PatternFile.isFile`.
    init(_ reference: String, _ console: Console) throws(Failure) {
        if PatternFile.isFile(reference) {
            try self.init(PatternFile.bytes(of: reference), of: reference, console)
        } else {
            try self.init(builtIn: reference, console)
        }
    }

    private init(builtIn name: String, _ console: Console) throws(Failure) {
        (origin, pattern, text, marks) = (name, try KnownPattern.here(name, console), nil, nil)
    }

    /// Of a file, whatever it is called.
    init(file: String, _ console: Console) throws(Failure) {
        try self.init(PatternFile.bytes(of: file, orName: false), of: file, console)
    }

    private init(_ bytes: [UInt8], of file: String, _ console: Console) throws(Failure) {
        let read = try PatternFile.parse(bytes, file: file)
        console.note(read.notes)
        (origin, pattern, text, marks) = (file, read.pattern, bytes, PatternMarks(bytes, of: read, file: file))
    }

    /// `choices`: on these motors, too.
    func findings(on choices: [MotorChoice]) -> [LintRow] {
        let found = PatternLint.findings(pattern) { marks?.has("curve", at: $0) ?? false }
        let ofPattern = found.map { row($0.rule.rawValue, $0.path, at: $0.at, $0.reason, $0.wayOut) }
        return choices.reduce(into: ofPattern) { rows, choice in
            rows += MotorLint.findings(pattern, on: choice.model, choice.abilities, fitted: choice.isFitted).map {
                row($0.rule.rawValue, pattern.entry(at: $0.at), at: $0.at, "on \(choice.name): \($0.reason)", $0.wayOut)
            }
        }
    }

    /// `at`: when that begins which stands at `path`; nil for the pattern as a whole.
    func row(_ rule: String, _ path: String, at: Nanoseconds?, _ reason: String, _ wayOut: String) -> LintRow {
        let place = marks?.place(of: path, at: at) ?? (mark: nil, path: path)
        return LintRow(
            file: text == nil ? nil : origin, pattern: pattern.name, line: place.mark?.line, column: place.mark?.column,
            path: place.path, rule: rule, reason: reason, wayOut: wayOut)
    }
}

/// A finding as `lint --json` gives it.
struct LintRow: Encodable, Hashable {
    /// Nil: the pattern is built in.
    var file: String?
    var pattern: String
    var line: Int?
    var column: Int?
    var path: String
    var rule: String
    var reason: String
    var wayOut: String

    private enum CodingKeys: CodingKey { case file, pattern, line, column, path, rule, reason, wayOut }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try container.encode(file, forKey: .file)
        try container.encode(pattern, forKey: .pattern)
        try container.encode(line, forKey: .line)
        try container.encode(column, forKey: .column)
        try container.encode(path, forKey: .path)
        try container.encode(rule, forKey: .rule)
        try container.encode(reason, forKey: .reason)
        try container.encode(wayOut, forKey: .wayOut)
    }

    /// As an error of the file would stand there.
    var diagnostic: Diagnostic {
        let mark = line.flatMap { line in column.map { SourceMark(line: line, column: $0) } }
        return Diagnostic(file: file ?? pattern, mark: mark, path: path, message: "\(reason) (\(rule)); \(wayOut)")
    }
}

/// What all of several patterns say together.
enum Findings {
    /// Pattern by pattern.
    static func all(_ patterns: [LintedPattern], on choices: [MotorChoice]) -> [LintRow] {
        let twins = PatternLint.sharpnessAlone(among: patterns.map(\.pattern))
        return patterns.flatMap { linted in
            linted.findings(on: choices)
                + twins.filter { Text($0.pattern) == Text(linted.pattern.name) }.map {
                    linted.row(
                        PatternLint.Rule.sharpnessAlone.rawValue, "", at: nil,
                        "only its sharpness tells it from \($0.other), and most motors cannot vary that",
                        "let the strength, the length or the rhythm differ as well")
                }
        }
    }

    /// Each with the line that it is about.
    static func lines(_ rows: [LintRow], of patterns: [LintedPattern]) -> [String] {
        var texts: [String: [UInt8]] = [:]
        for linted in patterns { texts[linted.origin] = linted.text }
        return Excerpt.lines(for: rows.map(\.diagnostic), texts: texts)
    }
}
