// SPDX-License-Identifier: MIT
package import HapticCore

/// A place in a text: line and column, both from 1; a column is one Unicode scalar.
public struct SourceMark: Hashable, Comparable, Sendable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// One thing that is wrong with a document: where, what, and what would be right.
public struct Diagnostic: Hashable, Sendable {
    /// Nil where the document is not a file.
    public var file: String?
    /// Nil where the document has no places, such as JSON that is already decoded.
    public var mark: SourceMark?
    /// The member that is meant, such as `progress[0].pattern`; empty for the document as a whole.
    public var path: String
    public var message: String
    /// What was probably meant in place of what is there.
    public var didYouMean: String?
    /// How many errors it stands for.
    public var count = 1

    public init(file: String? = nil, mark: SourceMark? = nil, path: String = "", message: String) {
        self.file = file
        self.mark = mark
        self.path = path
        self.message = message
    }
}

extension Diagnostic: CustomStringConvertible {
    /// One line in the form that editors follow: `hapticd.yaml:12:5: progress[0].pattern: …`.
    public var description: String {
        var text = ""
        if let file { text += "\(file):" }
        if let mark { text += "\(mark.line):\(mark.column):" }
        if !text.isEmpty { text += " " }
        if !path.isEmpty { text += "\(path): " }
        return text + message
    }
}

/// A document was refused; every reason is given, in the order of its lines.
public struct InvalidDocument: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one.
    public let diagnostics: [Diagnostic]
    /// What was left out of it, or taken otherwise than it says, which may be why.
    public let notes: [Diagnostic]

    public init(_ diagnostics: [Diagnostic], notes: [Diagnostic] = []) {
        (self.diagnostics, self.notes) = (diagnostics, notes)
    }

    /// How many errors there are, those included that are only counted.
    public var count: Int { diagnostics.reduce(0) { $0 + $1.count } }

    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong with one document while it is read, so that all of it can be reported at once.
public final class DocumentReport {
    /// More than these are counted, not kept: a hostile file must not fill the memory with complaints.
    public static let limit = 200

    public let file: String?
    private let limit: Int
    private let noun: String
    private var found: [Diagnostic] = []
    private var dropped = 0

    /// `noun`: what it collects, for the line on those that are only counted.
    public init(file: String?, limit: Int = DocumentReport.limit, of noun: String = "error") {
        self.file = file
        self.limit = limit
        self.noun = noun
    }

    public var isEmpty: Bool { found.isEmpty }
    /// Those included that are only counted.
    var count: Int { found.count + dropped }
    /// What is added now is only counted.
    package var isFull: Bool { found.count >= limit }

    /// `message` is only made where it is kept.
    public func add(
        _ message: @autoclosure () -> String, at mark: SourceMark?, path: String = "", didYouMean: String? = nil
    ) {
        guard found.count < limit else {
            dropped += 1
            return
        }
        var diagnostic = Diagnostic(file: file, mark: mark, path: path, message: message())
        diagnostic.didYouMean = didYouMean
        found.append(diagnostic)
    }

    /// In the order of lines; those without a place keep theirs.
    public var diagnostics: [Diagnostic] {
        let noMark = SourceMark(line: 0, column: 0)
        let sorted = found.enumerated()
            .sorted { ($0.element.mark ?? noMark, $0.offset) < ($1.element.mark ?? noMark, $1.offset) }
            .map(\.element)
        guard dropped > 0 else { return sorted }
        let words = dropped == 1 ? "1 more \(noun) is" : "\(dropped) more \(noun)s are"
        var rest = Diagnostic(file: file, message: "\(words) not shown")
        rest.count = dropped
        return sorted + [rest]
    }
}

/// `text` in backticks, short and printable: it may come from anyone.
public func quoted(_ text: String) -> String { "`\(shortened(text))`" }

/// At most 60 scalars of `text`, as `printable` shows them.
func shortened(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60)
    let rest = shown.endIndex == text.unicodeScalars.endIndex ? "" : "…"
    return Substring(shown).printable + rest
}

/// The path of the member `key` of the object at `path`.
package func joined(_ path: String, _ key: Text) -> String {
    path.isEmpty ? shortened(key.string) : "\(path).\(shortened(key.string))"
}
