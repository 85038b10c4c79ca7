// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// Draws what is intended, what the motor is sent for it, and what is felt, below each other in one scale of time.
struct MotorPicture {
    private static let height = 4

    let course: MotorCourse
    let motor: MotorChoice
    let glyphs: TimelinePicture.Glyphs

    /// Lines without their ends. `width` is that of the terminal, in characters.
    func lines(width: Int) -> [String] {
        let columns = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth) - 3
        let samples = course.felt.samples.count
        guard samples > 0 else { return ["Nothing is to be felt."] }
        let axis = TextAxis(columns: columns, glyphs: glyphs, end: FeltCurve.interval * samples)
        let drives = course.drives.samples
        let most = max(1, drives.max() ?? 1)
        let braked = columnwise(drives.map { -$0 }, axis).map { $0 > 0 ? "-" : " " }.joined()
        var lines =
            ["Meant", " 100%"] + axis.skyline(columnwise(course.intended.samples, axis), strongest: 1, height: Self.height)
        lines += [braked.contains("-") ? "Sent to the motor (-: backwards)" : "Sent to the motor", " \(Words.percent(most))"]
        lines += axis.skyline(columnwise(drives, axis), strongest: most, height: Self.height)
        if braked.contains("-") { lines.append(Table.trimmed("   " + braked)) }
        lines += ["Felt on \(motor.name)", " 100%"]
        lines += axis.skyline(columnwise(course.felt.samples, axis), strongest: 1, height: Self.height)
        return lines + axis.lines() + ["", MotorWords.verdict(course, motor)]
    }

    /// The greatest in each column's time; not below 0.
    private func columnwise(_ samples: [Double], _ axis: TextAxis) -> [Double] {
        var columns = [Double](repeating: 0, count: axis.columns)
        for (index, value) in samples.enumerated() {
            // trap: the axis ends with the samples.
            let (first, last) = (axis.column(of: FeltCurve.interval * index), axis.column(of: FeltCurve.interval * (index + 1)))
            for column in first...max(first, last - 1) { columns[column] = max(columns[column], min(value, 1.5)) }
        }
        return columns
    }
}

/// What is said of a pattern on a motor.
enum MotorWords {
    /// How near it comes, in one line.
    static func verdict(_ course: MotorCourse, _ motor: MotorChoice) -> String {
        let measure = course.measure
        let fitted = motor.isFitted ? "fitted" : "not fitted"
        return
            "Felt differs from meant by \(Words.percent(measure.error)) (100%: nothing felt) and lags by \(measure.lag.words); \(fitted)."
    }
}
