// SPDX-License-Identifier: MIT
import HapticCore

/// Columns that stand below each other.
package enum Table {
    /// Below this many characters the last column is not worth its place: its cells stand on lines of their own.
    private static let leastRoom = 20
    private static let indent = "    "

    /// Each row as one line; all rows have as many cells as the first. `width`: the last cell is broken where its line would be
    /// longer.
    package static func lines(_ rows: [[String]], width: Int = .max) -> [String] {
        let columns = rows.first?.indices ?? 0..<0
        // As they will be shown, for a column to be as wide as that.
        let rows = rows.map { $0.map(\.printable) }
        let widths = columns.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        return rows.flatMap { row in
            var line = ""
            for (column, cell) in row.enumerated() where column + 1 < row.count {
                line += cell + String(repeating: " ", count: widths[column] - cell.columns + 2)
            }
            let last = row.last ?? ""
            if line.columns + last.columns <= width { return [trimmed(line + last)] }
            guard width - before >= leastRoom else {
                return [trimmed(line)] + Wrap.lines(last, width: width - indent.count).map { indent + $0 }
            }
            return Wrap.lines(last, width: width - before).enumerated().map { index, part in
                (index == 0 ? line : String(repeating: " ", count: before)) + part
            }
        }
    }

    /// Without spaces at the end.
    static func trimmed(_ line: String) -> String {
        var line = line
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line
    }
}
