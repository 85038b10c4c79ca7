// SPDX-License-Identifier: MIT
package import HapticCore

/// Draws an outline as text: a skyline of the intensity, an axis, and a line of digits for the sharpness.
package struct OutlinePicture {
    private static let height = 6
    /// Columns of the small picture in a list: on a narrow terminal, and with room. In the first, beats that are close together run
    /// into one another.
    package static let (smallWidth, largerSmallWidth) = (10, 20)

    let outline: Outline
    let glyphs: TimelinePicture.Glyphs

    package init(outline: Outline, glyphs: TimelinePicture.Glyphs) { (self.outline, self.glyphs) = (outline, glyphs) }

    /// Lines without their ends. `width` is that of the terminal, in characters.
    package func lines(width: Int) -> [String] {
        let columns = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth) - 3
        guard let axis = axis(columns), outline.points.contains(where: \.level.isOn) else { return ["Nothing is to be felt."] }
        let levels = strongest(axis)
        // trap: a sharpness is at most 1.
        let digits = levels.map { $0.isOn ? "\(min(9, Int($0.sharpness.value * 10)))" : " " }.joined()
        return [" 100%"] + axis.skyline(levels.map(\.intensity.value), strongest: 1, height: Self.height, marked: true)
            + axis.lines()
            + [
                Table.trimmed("   " + digits), "",
                "Height: how strong it is meant to be. Digits: how sharp, from 0 (round) to 9 (crisp).",
            ]
    }

    /// So many characters: as long as anything is to be felt, each as high as it is strong on average in its time, so that beats
    /// closer than that still differ from what is on all the time.
    package func small(_ columns: Int = smallWidth) -> String {
        let ramp = glyphs == .blocks ? Array(" ▁▂▃▄▅▆▇█") : Array(" .:-=+*#")
        let felt = outline.points.last { $0.level.isOn }.map { last in
            // The last one that is on lasts until the next one that is off.
            outline.points.first { $0.offset >= last.offset && !$0.level.isOn }?.offset ?? last.offset
        }
        guard let axis = axis(columns, end: felt) else { return String(repeating: " ", count: columns) }
        return String(
            averages(axis).map { average in
                // trap: an intensity is at most 1.
                average > 0 ? ramp[min(ramp.count - 1, max(1, Int((average * Double(ramp.count - 1)).rounded())))] : " "
            })
    }

    private func axis(_ columns: Int, end: Nanoseconds? = nil) -> TextAxis? {
        guard let end = end ?? outline.points.last?.offset, end > .zero else { return nil }
        return TextAxis(columns: columns, glyphs: glyphs, end: end)
    }

    /// The strongest level in each column's time.
    package func strongest(_ axis: TextAxis) -> [Level] {
        var levels = [Level](repeating: .off, count: axis.columns)
        forEachPart(axis) { column, _, ends in
            for level in ends where level.intensity > levels[column].intensity { levels[column] = level }
        }
        return levels
    }

    /// The mean intensity in each column's time.
    private func averages(_ axis: TextAxis) -> [Double] {
        var sums = [Double](repeating: 0, count: axis.columns)
        forEachPart(axis) { column, share, ends in
            sums[column] += share * (ends[0].intensity.value + ends[1].intensity.value) / 2
        }
        return sums
    }

    /// Calls `body` with each line between two points, column by column: what share of the column's time it takes, and the levels at both
    /// ends of it.
    private func forEachPart(_ axis: TextAxis, _ body: (_ column: Int, _ share: Double, _ ends: [Level]) -> Void) {
        let width = Double(axis.end.count) / Double(axis.columns)
        for (a, b) in zip(outline.points, outline.points.dropFirst()) where a.offset < b.offset && a.offset < axis.end {
            for column in axis.column(of: a.offset)...axis.column(of: min(b.offset, axis.end)) {
                let from = max(Double(a.offset.count), Double(column) * width)
                let to = min(Double(b.offset.count), Double(column + 1) * width)
                if from < to { body(column, (to - from) / width, [Self.level(at: from, a, b), Self.level(at: to, a, b)]) }
            }
        }
    }

    /// On the line between two points; `time` is in nanoseconds, and the points are apart.
    private static func level(at time: Double, _ a: Outline.Point, _ b: Outline.Point) -> Level {
        let share = (time - Double(a.offset.count)) / Double((b.offset - a.offset).count)
        func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return Level(
            intensity: Intensity(clamping: between(a.level.intensity.value, b.level.intensity.value)),
            sharpness: Sharpness(clamping: between(a.level.sharpness.value, b.level.sharpness.value)))
    }
}
