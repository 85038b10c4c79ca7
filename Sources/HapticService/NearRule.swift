// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// The rule that an event nearly matches: `payment.suceeded` nearly matches `*.succeeded`.
///
/// The name and the rule have equally many words between dots; a star at an end of the rule stands for several. `closestMatch` bounds
/// how far each word may be from that of the rule, and compares no word above 64 bytes.
public struct NearRule: Hashable, Sendable {
    /// The `match` of the rule.
    public let match: String
    /// The name that the event was probably meant to have, which the rule matches.
    public let name: String

    /// Names of more words between dots are near no rule.
    static let mostWords = 8

    /// Finds the first of `rules` that matches `name` once words of it between dots are corrected; `nil` if none does.
    init?(to name: String, among rules: some Sequence<Glob>) {
        guard !Self.hasTooManyWords(name) else { return nil }
        let words = Self.words(of: name)
        for rule in rules {
            guard let meant = Self.corrected(words, for: Self.words(of: rule.text)), rule.matches(meant) else { continue }
            (match, self.name) = (rule.text, meant)
            return
        }
        return nil
    }

    /// The most that a search costs, see `WorkBudget`.
    static func cost(of name: String, among count: Int) -> Int {
        guard !hasTooManyWords(name) else { return 0 }
        let words = words(of: name)
        let length = min(64, words.map(\.utf8.count).max() ?? 0)
        return count * words.count * (4 * WorkBudget.Cost.candidate + length * length * WorkBudget.Cost.comparison)
    }

    /// Counts the dots instead of splitting the name: splitting 256 words takes longer than the rest of the answer.
    private static func hasTooManyWords(_ name: String) -> Bool { name.utf8.count { $0 == UInt8(ascii: ".") } >= mostWords }

    private static func words(of name: String) -> [String] {
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Replaces each mistyped word by the one of the rule; `nil` if a word is far from it.
    private static func corrected(_ words: [String], for wanted: [String]) -> String? {
        guard let wanted = stretched(wanted, to: words.count) else { return nil }
        var corrected: [String] = []
        for (word, wanted) in zip(words, wanted) {
            if Text(wanted) == "*" || Text(wanted) == Text(word) || hasWildcard(wanted) && Glob(wanted).matches(word) {
                corrected.append(word)
            } else if !hasWildcard(wanted), let meant = closestMatch(to: word, in: [wanted]) {
                corrected.append(meant)
            } else {
                return nil
            }
        }
        return corrected.joined(separator: ".")
    }

    /// A star at an end stands for several words.
    private static func stretched(_ wanted: [String], to count: Int) -> [String]? {
        let missing = count - wanted.count
        if missing == 0 { return wanted }
        guard missing > 0 else { return nil }
        let stars = Array(repeating: "*", count: missing)
        if wanted.first.map({ Text($0) }) == "*" { return stars + wanted }
        return wanted.last.map { Text($0) } == "*" ? wanted + stars : nil
    }

    private static func hasWildcard(_ word: String) -> Bool {
        word.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }
}
