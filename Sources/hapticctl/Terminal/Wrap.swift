// SPDX-License-Identifier: MIT

/// Text in lines of a width.
enum Wrap {
    /// Breaks `text` at spaces, and within a word that is longer than a line. One line at least. `indent`: before all lines but
    /// the first, which has room for as much less.
    static func lines(_ text: String, width: Int, indent: String = "") -> [String] {
        var lines: [String] = []
        var line: [Character] = []
        var room: Int { max(1, width - (lines.isEmpty ? 0 : indent.count)) }
        func end() {
            lines.append((lines.isEmpty ? "" : indent) + String(line))
            line = []
        }
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                if line.count + 1 + word.count <= room { line.append(" ") } else if !line.isEmpty { end() }
            }
            var rest = word[...]
            while rest.count > room - line.count {
                let part = rest.prefix(room - line.count)
                line += part
                rest = rest.dropFirst(part.count)
                end()
            }
            line += rest
        }
        if !line.isEmpty || lines.isEmpty { end() }
        return lines
    }
}
