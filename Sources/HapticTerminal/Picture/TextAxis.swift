// SPDX-License-Identifier: MIT
package import HapticCore

/// Time from left to right, in columns of text.
package struct TextAxis {
    package let columns: Int
    let glyphs: TimelinePicture.Glyphs
    /// Where the last column ends; more than 0.
    let end: Nanoseconds

    package init(columns: Int, glyphs: TimelinePicture.Glyphs, end: Nanoseconds) {
        (self.columns, self.glyphs, self.end) = (columns, glyphs, end)
    }

    package func column(of time: Nanoseconds) -> Int {
        // trap: `time` is not after `end`.
        min(columns - 1, Int(Double(time.count) / Double(end.count) * Double(columns)))
    }

    /// A share of `strongest` for each column, as high as it is; whatever is above 0 is seen. `height` is in rows, an even number if
    /// half of `strongest` is `marked`.
    package func skyline(_ shares: [Double], strongest: Double, height: Int, marked: Bool = false) -> [String] {
        let ramp = glyphs == .blocks ? Array(" ▁▂▃▄▅▆▇█") : Array(" .:#")
        let levels = ramp.count - 1
        let heights = shares.map { share in
            // trap: the strongest is the greatest of the shares, or more.
            share > 0 ? max(1, Int((share / strongest * Double(height * levels)).rounded())) : 0
        }
        return (0..<height).reversed().map { row in
            var cells = heights.map { ramp[min(levels, max(0, $0 - row * levels))] }
            if marked, row == height / 2 { markHalf(in: &cells) }
            return Table.trimmed(" " + (glyphs == .blocks ? "│ " : "| ") + String(cells))
        }
    }

    /// The drive of a motor, as a share of its rated drive for each column. Columns in which it is driven backwards have a mark below.
    package func drive(_ forwards: [Double], backwards: [Double], height: Int) -> [String] {
        let most = max(1, forwards.max() ?? 1)
        let marks = backwards.contains { $0 > 0 } ? backwards.map { $0 > 0 ? "-" : " " }.joined() : ""
        let head = ["Sent to the motor\(marks.isEmpty ? "" : " (-: backwards)")", " \(Words.percent(most))"]
        let foot = marks.isEmpty ? [] : [Table.trimmed("   " + marks)]
        return head + skyline(forwards, strongest: most, height: height) + foot
    }

    /// Draws the lower edge of a row as a dashed line with its share, behind what stands there.
    private func markHalf(in cells: inout [Character]) {
        let label = Array(" 50%")
        let starts = 0...max(0, cells.count - label.count)
        let place = starts.last { start in cells[start...].prefix(label.count).allSatisfy { $0 == " " } }
        for column in stride(from: 1, to: cells.count, by: 2) where cells[column] == " " { cells[column] = "_" }
        if let place, place + label.count <= cells.count { cells.replaceSubrange(place..<place + label.count, with: label) }
    }

    /// The line with its marks and the times below it.
    package func lines() -> [String] {
        let (line, mark, corner): (Character, Character, String) = glyphs == .blocks ? ("─", "┬", " └─") : ("-", "+", " +-")
        var marks = [Character](repeating: line, count: columns)
        var labels = [Character](repeating: " ", count: columns)
        let step = Self.markDistance(least: Double(end.count) * 10 / Double(columns))
        var (time, free) = (Nanoseconds.zero, 0)
        while time <= end {
            let column = column(of: time)
            marks[column] = mark
            let label = Array(time == .zero ? "0" : time.words)
            let start = max(0, min(columns - label.count, column - label.count / 2))
            if start >= free {
                labels.replaceSubrange(start..<(start + label.count), with: label)
                free = start + label.count + 1
            }
            time += step
        }
        return [corner + String(marks), Table.trimmed("   " + String(labels))]
    }

    /// 1, 2 or 5 times a power of ten microseconds or more, and at least `least` nanoseconds.
    static func markDistance(least: Double) -> Nanoseconds {
        var power: Int64 = 1000
        while true {
            for factor in [1, 2, 5] as [Int64] where Double(power * factor) >= least { return Nanoseconds(power * factor) }
            power *= 10
        }
    }
}
