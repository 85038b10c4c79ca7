// SPDX-License-Identifier: MIT
import HapticCore

/// Time from left to right, in columns of text.
struct TextAxis {
    let columns: Int
    let glyphs: TimelinePicture.Glyphs
    /// Where the last column ends; more than 0.
    let end: Nanoseconds

    func column(of time: Nanoseconds) -> Int {
        // trap: `time` is not after `end`.
        min(columns - 1, Int(Double(time.count) / Double(end.count) * Double(columns)))
    }

    /// A share of `strongest` for each column, as high as it is; whatever is above 0 is seen.
    func skyline(_ shares: [Double], strongest: Double, height: Int) -> [String] {
        let ramp = glyphs == .blocks ? Array(" ▁▂▃▄▅▆▇█") : Array(" .:#")
        let levels = ramp.count - 1
        let heights = shares.map { share in
            // trap: the strongest is the greatest of the shares, or more.
            share > 0 ? max(1, Int((share / strongest * Double(height * levels)).rounded())) : 0
        }
        return (0..<height).reversed().map { row in
            let cells = heights.map { ramp[min(levels, max(0, $0 - row * levels))] }
            return Table.trimmed(" " + (glyphs == .blocks ? "│ " : "| ") + String(cells))
        }
    }

    /// The line with its marks and the times below it.
    func lines() -> [String] {
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
