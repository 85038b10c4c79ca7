// SPDX-License-Identifier: MIT

/// A page with a part that is written by hand and one that is generated.
public enum Document {
    public static let begin = "<!-- make bench: from here to the end everything is generated -->"

    /// `page` with `generated` in place of what was generated before.
    public static func replacing(in page: String, by generated: String) -> String {
        var kept: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == begin { break }
            kept.append(line)
        }
        while kept.last?.isEmpty == true { kept.removeLast() }
        let head = kept.isEmpty ? "" : kept.joined(separator: "\n") + "\n\n"
        return head + begin + "\n\n" + generated + "\n"
    }

    /// `page` with `rows` of its table in place of those that are called the same, or else below the others. `note`, up to its first `:`,
    /// is the name of a line above the table, and takes its place or is put there. Nil where the page has no table.
    public static func replacing(rows: [String], in page: String, note: String) -> String? {
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let part = lines.firstIndex(of: Self.begin),
            let effort = lines[part...].firstIndex(where: { $0.hasPrefix("- effort:") }),
            let head = lines[effort...].firstIndex(where: { $0.hasPrefix("| ---") })
        else { return nil }
        for row in rows {
            let end = lines[head...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
            if let old = lines[head..<end].firstIndex(where: { name($0) == name(row) }) {
                lines[old] = row
            } else {
                lines.insert(row, at: end)
            }
        }
        let start = note.prefix { $0 != ":" } + ":"
        if let old = lines[effort..<head].firstIndex(where: { $0.hasPrefix(start) }) {
            lines[old] = note
        } else {
            lines.insert(note, at: effort + 1)
        }
        return lines.joined(separator: "\n")
    }

    /// What a line of a table is about: its first cell.
    private static func name(_ line: String) -> Substring? { line.split(separator: "|").first }

    /// The text below each heading `## key` of a page, as one paragraph.
    public static func notes(in page: String) -> [String: String] {
        var notes: [String: String] = [:]
        var key: String?
        for line in page.split(separator: "\n") {
            if line.hasPrefix("## ") {
                key = String(line.dropFirst(3))
            } else if let key {
                notes[key] = notes[key].map { $0 + " " + line } ?? String(line)
            }
        }
        return notes
    }
}
