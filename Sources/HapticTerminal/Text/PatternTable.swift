// SPDX-License-Identifier: MIT
import HapticCore
package import HapticWire

/// Patterns as a list for people, each with a small picture where there is room.
///
/// Where the output is no terminal each is one line, for other programs to search. On a terminal no line is wider than that, unless
/// a name is: a description goes on below itself, and where there is too little room for that, it stands below its pattern.
package struct PatternTable {
    private static let leastDescription = 24
    private static let indent = "  "

    /// In columns; nil: no terminal.
    var width: Int?
    var patterns: [PatternResult]
    /// Of each pattern; empty where it has none.
    var pictures: [String]

    package init(width: Int?, patterns: [PatternResult], pictures: [String]) {
        (self.width, self.patterns, self.pictures) = (width, patterns, pictures)
    }

    package var lines: [String] {
        let heads: [[String]] = zip(patterns, pictures).map { pattern, picture in
            [pattern.name, Words.time(milliseconds: pattern.feltMs), Words.percent(pattern.peak), picture]
        }
        let rows = [["NAME", "FELT FOR", "PEAK", "SHAPE"]] + heads
        let descriptions = ["WHAT IT MEANS"] + patterns.map(\.description.printable)
        guard let width else { return Table.lines(zip(rows, descriptions).map { $0 + [$1] }) }
        let isWide = Self.width(rows) <= width
        let table = isWide ? rows : rows.map { Array($0.dropLast()) }
        let room = width - Self.width(table) - 2
        guard room >= Self.leastDescription else {
            return zip(Table.lines(table), descriptions).flatMap { head, description in
                [head] + Self.parts(description, max(Self.leastDescription, width - Self.indent.count)).map { Self.indent + $0 }
            }
        }
        return Table.lines(
            zip(table, descriptions).flatMap { cells, description in
                let parts = Self.parts(description, room)
                let others = parts.dropFirst().map { [String](repeating: "", count: cells.count) + [$0] }
                return [cells + [parts.first ?? ""]] + others
            })
    }

    /// Of the rows as a table.
    private static func width(_ rows: [[String]]) -> Int {
        let columns = rows.first?.indices ?? 0..<0
        return columns.reduce(2 * (columns.count - 1)) { sum, column in
            sum + (rows.map { $0[column].printable.columns }.max() ?? 0)
        }
    }

    /// None of a text that is empty.
    private static func parts(_ text: String, _ room: Int) -> [String] { text.isEmpty ? [] : Wrap.lines(text, width: room) }
}
