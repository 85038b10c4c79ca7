// SPDX-License-Identifier: MIT

/// Columns that stand below each other.
enum Table {
    /// Each row as one line; all rows have as many cells as the first.
    static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                guard column + 1 < row.count else { break }
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
