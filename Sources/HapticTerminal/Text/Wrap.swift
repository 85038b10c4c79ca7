// SPDX-License-Identifier: MIT

/// Text in lines of a width.
enum Wrap {
    /// Breaks `text` at spaces, and within a word that is longer than a line. One line at least, and no wider than `width` columns
    /// of a terminal, unless one character is. `indent`: before all lines but the first, which leave as much less room.
    static func lines(_ text: String, width: Int, indent: String = "") -> [String] {
        var lines: [String] = []
        var (line, taken) = ("", 0)
        var room: Int { max(1, width - (lines.isEmpty ? 0 : indent.columns)) }
        func end() {
            lines.append((lines.isEmpty ? "" : indent) + line)
            (line, taken) = ("", 0)
        }
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                if taken + 1 + word.columns <= room {
                    line += " "
                    taken += 1
                } else if !line.isEmpty {
                    end()
                }
            }
            for character in word {
                let columns = character.unicodeScalars.columns
                if taken > 0, taken + columns > room { end() }
                line.append(character)
                taken += columns
            }
        }
        if !line.isEmpty || lines.isEmpty { end() }
        return lines
    }
}
