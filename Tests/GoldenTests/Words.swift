// SPDX-License-Identifier: MIT

/// The words of a line, from the left.
struct Words {
    private var rest: Substring

    init(_ text: String) { rest = text.drop { $0 == " " } }

    var all: String { String(rest) }
    var isEmpty: Bool { rest.isEmpty }

    mutating func take(if isMeant: (Substring) -> Bool = { _ in true }) -> String? {
        let word = rest.prefix { $0 != " " }
        guard !word.isEmpty, isMeant(word) else { return nil }
        rest = rest[word.endIndex...].drop { $0 == " " }
        return String(word)
    }

    /// Those behind the word `for`.
    mutating func takeValues() -> [Substring]? {
        guard let end = rest.firstRange(of: " for ") else { return nil }
        defer { rest = rest[..<end.lowerBound] }
        return rest[end.upperBound...].split(separator: " ")
    }

    /// The same with `value` in place of `$`.
    func with(_ value: Substring) -> Words {
        Words(rest.split(separator: "$", omittingEmptySubsequences: false).joined(separator: String(value)))
    }
}
