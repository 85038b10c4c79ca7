// SPDX-License-Identifier: MIT
import HapticCore

/// Draws pulses over time as text.
///
/// Each actuator has a skyline, an axis and a line of digits. A column's height is how strong it was on average in that column's
/// time, relative to the strongest column, whose strength stands at the top; its digit is how many pulses began in it, so that
/// pulses that share a column are seen too and the digits add up to the number of pulses.
struct TimelinePicture {
    enum Glyphs: Hashable, Sendable { case blocks, ascii }

    /// Rows of a skyline.
    private static let height = 4
    static let leastWidth = 40
    static let greatestWidth = 120

    private let columns: Int
    private let glyphs: Glyphs

    /// `width` is that of the terminal, in characters.
    init(width: Int, glyphs: Glyphs) {
        columns = min(max(width, Self.leastWidth), Self.greatestWidth) - 3
        self.glyphs = glyphs
    }

    /// All that `felt` holds, and what it does not.
    func lines(_ felt: FeltRecord) -> [String] {
        lines(felt.closed) + (felt.dropped > 0 ? ["\(felt.dropped) later actuations are not in the picture."] : [])
    }

    /// Lines without their ends.
    func lines(_ trains: [PulseTrain]) -> [String] {
        let felt = trains.filter { !$0.starts.isEmpty }
        guard let end = felt.map(\.end).max(), end > .zero else { return ["Nothing was felt."] }
        let strongest = felt.flatMap { averages($0, end) }.max() ?? 0
        var lines: [String] = []
        for train in felt {
            lines += ["\(train.actuator): \(summary(train))", " \(Words.percent(strongest))"]
            lines += skyline(averages(train, end), strongest: strongest)
            lines += axis(end)
            lines += ["   " + counts(train, end), ""]
        }
        return lines + ["Height: how strong, on average, in that time. Digits: how many pulses begin there."]
    }

    private func summary(_ train: PulseTrain) -> String {
        let count = train.starts.count
        let first = "\(count) \(count == 1 ? "pulse" : "pulses"), on for \(short(train.timeOn)) in all"
        guard let start = train.starts.first, let last = train.starts.last else { return first }
        return count == 1 ? "\(first), at \(short(start))" : "\(first), the first at \(short(start)), the last at \(short(last))"
    }

    // MARK: Columns

    private func column(of time: Nanoseconds, _ end: Nanoseconds) -> Int {
        // trap: `time` is not after `end`.
        min(columns - 1, Int(Double(time.count) / Double(end.count) * Double(columns)))
    }

    /// The mean intensity in each column's time.
    private func averages(_ train: PulseTrain, _ end: Nanoseconds) -> [Double] {
        var sums = [Double](repeating: 0, count: columns)
        let width = Double(end.count) / Double(columns)
        for stretch in train.stretches {
            for column in column(of: stretch.start, end)...column(of: stretch.end, end) {
                let from = max(Double(stretch.start.count), Double(column) * width)
                let to = min(Double(stretch.end.count), Double(column + 1) * width)
                sums[column] += max(0, to - from) * stretch.intensity
            }
        }
        return sums.map { $0 / width }
    }

    private func counts(_ train: PulseTrain, _ end: Nanoseconds) -> String {
        var counts = [Int](repeating: 0, count: columns)
        for start in train.starts { counts[column(of: start, end)] += 1 }
        return trimmed(counts.map { $0 == 0 ? " " : $0 > 9 ? "+" : "\($0)" }.joined())
    }

    // MARK: Drawing

    private func skyline(_ averages: [Double], strongest: Double) -> [String] {
        let ramp = glyphs == .blocks ? Array(" ▁▂▃▄▅▆▇█") : Array(" .:#")
        let levels = ramp.count - 1
        let heights = averages.map { average in
            // Whatever was felt is seen.
            // trap: the strongest is the greatest of the averages.
            average > 0 ? max(1, Int((average / strongest * Double(Self.height * levels)).rounded())) : 0
        }
        return (0..<Self.height).reversed().map { row in
            let cells = heights.map { ramp[min(levels, max(0, $0 - row * levels))] }
            return trimmed(" " + (glyphs == .blocks ? "│ " : "| ") + String(cells))
        }
    }

    /// The line with its marks and the times below it.
    private func axis(_ end: Nanoseconds) -> [String] {
        let (line, mark, corner): (Character, Character, String) = glyphs == .blocks ? ("─", "┬", " └─") : ("-", "+", " +-")
        var marks = [Character](repeating: line, count: columns)
        var labels = [Character](repeating: " ", count: columns)
        let step = markDistance(end)
        var (time, free) = (Nanoseconds.zero, 0)
        while time <= end {
            let column = column(of: time, end)
            marks[column] = mark
            let label = Array(time == .zero ? "0" : "\(time)")
            let start = max(0, min(columns - label.count, column - label.count / 2))
            if start >= free {
                labels.replaceSubrange(start..<(start + label.count), with: label)
                free = start + label.count + 1
            }
            time += step
        }
        return [corner + String(marks), trimmed("   " + String(labels))]
    }

    /// 1, 2 or 5 times a power of ten, so that marks are at least ten columns apart.
    private func markDistance(_ end: Nanoseconds) -> Nanoseconds {
        let least = Double(end.count) * 10 / Double(columns)
        var power: Int64 = 1000
        while true {
            for factor in [1, 2, 5] as [Int64] where Double(power * factor) >= least { return Nanoseconds(power * factor) }
            power *= 10
        }
    }

    /// To a thousandth of a second, or of a millisecond where it is short.
    private func short(_ time: Nanoseconds) -> String {
        let unit: Int64 = time.count >= 1_000_000_000 ? 1_000_000 : 1000
        return time == .zero ? "0s" : "\(Nanoseconds((time.count + unit / 2) / unit * unit))"
    }

    private func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}
