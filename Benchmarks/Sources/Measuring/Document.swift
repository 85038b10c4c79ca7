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
