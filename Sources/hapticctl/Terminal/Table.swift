// SPDX-License-Identifier: MIT
import HapticCore

/// Columns that stand below each other.
enum Table {
    /// Each row as one line; all rows have as many cells as the first.
    static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.first?.indices ?? 0..<0
        // As they will be shown, for a column to be as wide as that.
        let rows = rows.map { $0.map(\.printable) }
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                guard column + 1 < row.count else { break }
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
            return line
        }
    }
}
