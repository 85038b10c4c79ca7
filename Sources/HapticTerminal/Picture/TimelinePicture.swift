// SPDX-License-Identifier: MIT
import HapticCore

/// Draws pulses over time as text.
///
/// Each actuator has a skyline, an axis and a line of digits. A column's height is how strong it was on average in that column's
/// time, relative to the strongest column, whose strength stands at the top; its digit is how many pulses began in it, so that
/// pulses that share a column are seen too and the digits add up to the number of pulses. If the motor is known, the skyline shows the
/// strength that its model predicts, and a second skyline below it the drive.
package struct TimelinePicture {
    package enum Glyphs: Hashable, Sendable { case blocks, ascii }

    /// Rows of a skyline.
    private static let height = 4
    /// More pulses in a column are a `+`.
    private static let mostDigit = 9
    package static let leastWidth = 40
    package static let greatestWidth = 120

    private let columns: Int
    private let glyphs: Glyphs

    /// `width` is that of the terminal, in characters.
    package init(width: Int, glyphs: Glyphs) {
        columns = min(max(width, Self.leastWidth), Self.greatestWidth) - 3
        self.glyphs = glyphs
    }

    /// All that `felt` holds, and what it does not.
    package func lines(_ felt: FeltRecord) -> [String] {
        lines(felt.closed) + (felt.dropped > 0 ? ["\(felt.dropped) later actuations are not in the picture."] : [])
    }

    /// Lines without their ends.
    func lines(_ trains: [PulseTrain]) -> [String] {
        let felt = trains.filter { !$0.starts.isEmpty }
        guard let end = felt.map(\.feltEnd).max(), end > .zero else { return ["Nothing was felt."] }
        let axis = TextAxis(columns: columns, glyphs: glyphs, end: end)
        let strongest = felt.flatMap { averages($0, axis) }.max() ?? 0
        var lines: [String] = []
        for train in felt {
            lines.append("\(train.actuator): \(summary(train))")
            if train.showsDrive { lines.append(train.motor == nil ? "Meant" : "Felt") }
            lines.append(" \(Words.percent(strongest))")
            lines += axis.skyline(averages(train, axis), strongest: strongest, height: Self.height)
            if train.showsDrive {
                let (forwards, backwards) = (drives(train, axis, sign: 1), drives(train, axis, sign: -1))
                lines += axis.drive(forwards, backwards: backwards, height: Self.height)
            }
            lines += axis.lines() + ["   " + counts(train, axis), ""]
        }
        let most = felt.flatMap { starts($0, axis) }.max() ?? 0
        let digits = "Digits: how many pulses begin there\(most > Self.mostDigit ? "; + is ten or more" : "")."
        let height = felt.contains { $0.motor != nil } ? "; what is felt is predicted from the motor" : ""
        return lines + ["Height: how strong, on average, in that time\(height). \(digits)"]
    }

    private func summary(_ train: PulseTrain) -> String {
        let count = train.starts.count
        let first = "\(Words.count(count, "pulse")), on for \(train.timeOn.words) in all"
        let peak = train.motor.map { _ in "; felt up to \(Words.percent(train.peak))" } ?? ""
        guard let start = train.starts.first, let last = train.starts.last else { return first + peak }
        let times = count == 1 ? "at \(start.words)" : "the first at \(start.words), the last at \(last.words)"
        return "\(first), \(times)\(peak)"
    }

    // MARK: Columns

    /// The mean strength in each column's time.
    private func averages(_ train: PulseTrain, _ axis: TextAxis) -> [Double] {
        averages(axis) { add in
            train.forEachFeltPart(until: axis.end) { add($0.start, $0.end, ($0.first + $0.last) / 2) }
        }
    }

    /// The mean drive in each column's time: forwards with a `sign` of 1, backwards with -1.
    private func drives(_ train: PulseTrain, _ axis: TextAxis, sign: Double) -> [Double] {
        averages(axis) { add in
            for stretch in train.stretches { add(stretch.start, stretch.end, max(0, stretch.drive * sign)) }
        }
    }

    /// The mean, column by column, of the values that `body` adds with their beginnings and ends.
    private func averages(
        _ axis: TextAxis, of body: ((_ start: Nanoseconds, _ end: Nanoseconds, _ value: Double) -> Void) -> Void
    ) -> [Double] {
        var sums = [Double](repeating: 0, count: columns)
        let width = Double(axis.end.count) / Double(columns)
        body { start, end, value in
            for column in axis.column(of: start)...axis.column(of: end) {
                let from = max(Double(start.count), Double(column) * width)
                let to = min(Double(end.count), Double(column + 1) * width)
                sums[column] += max(0, to - from) * value
            }
        }
        return sums.map { $0 / width }
    }

    /// How many pulses begin in each column's time.
    private func starts(_ train: PulseTrain, _ axis: TextAxis) -> [Int] {
        var counts = [Int](repeating: 0, count: columns)
        for start in train.starts { counts[axis.column(of: start)] += 1 }
        return counts
    }

    private func counts(_ train: PulseTrain, _ axis: TextAxis) -> String {
        Table.trimmed(starts(train, axis).map { $0 == 0 ? " " : $0 > Self.mostDigit ? "+" : "\($0)" }.joined())
    }
}
