// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// A pattern of another format in the place of one of ours on the wire: `{"ahap": {…}}`.
enum ForeignPattern {
    /// The formats that come so, each under its name.
    static let formats: [PatternFormat] = [.ahap, .haptic]

    private static let names = formats.map { Text($0.rawValue) }

    private static let keys: [Key<Pattern?>] = formats.map { format in
        .optional(format.rawValue, Form(.anyObject) { pattern(format, $0) }, "what a file of this format holds") { $0 = $1 }
    }

    /// What they may be, one for each format.
    static var kinds: [Member.Kind] { keys.map { .object([$0.member.required]) } }

    /// Whether `node` is meant as one, such as `{"AHAP": {…}}`, which is not. O(members).
    static func isOne(_ node: Node) -> Bool {
        guard case .object(let members) = node.content else { return false }
        if members.count == 1, let only = members.first?.key {
            return names.contains(Text(only.string.lowercased()))  // by characters: ours have ASCII only
        }
        return members.contains { names.contains($0.key) }
    }

    /// Nil where it is not usable, which has then been reported. Nobody is there to read notes.
    static func read(_ reader: NodeReader) -> Pattern? {
        if case .object(let members) = reader.node.content, members.count > 1 {
            let keys = members.prefix(3).map { quoted($0.key.string) }.joined(separator: " and ")
            reader.fail(
                "has \(keys); a pattern of another format stands alone, as in `{\"ahap\": {…}}`: leave out all but one of them")
            return nil
        }
        var pattern: Pattern?
        return reader.read(keys, into: &pattern) ? pattern : nil
    }

    private static func pattern(_ format: PatternFormat, _ reader: NodeReader) -> Pattern? {
        var places: [EntryPlace] = []
        let notes = DocumentReport(file: nil, limit: 0)
        return PatternFiles.tree(reader, as: format, name: PatternReader.inlineName, notes: notes, places: &places)
    }
}
