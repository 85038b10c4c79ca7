// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticTerminal

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
        let axis = TextAxis(columns: columns, glyphs: glyphs, end: SampledEnvelope.interval * samples)
        let drives = course.drives.samples
        let meant = OutlinePicture(outline: Outline(course.timeline), glyphs: glyphs).strongest(axis).map(\.intensity.value)
        var lines = ["Meant", " 100%"] + axis.skyline(meant, strongest: 1, height: Self.height, marked: true)
        lines += axis.drive(columnwise(drives, axis), backwards: columnwise(drives.map { -$0 }, axis), height: Self.height)
        lines += ["Felt on \(motor.name)", " 100%"]
        lines += axis.skyline(columnwise(course.felt.samples, axis), strongest: 1, height: Self.height, marked: true)
        return lines + axis.lines() + ["", MotorWords.verdict(course, motor)]
    }

    /// The greatest in each column's time; not below 0.
    private func columnwise(_ samples: [Double], _ axis: TextAxis) -> [Double] {
        var columns = [Double](repeating: 0, count: axis.columns)
        for (index, value) in samples.enumerated() {
            // trap: the axis ends with the samples.
            let (first, last) = (
                axis.column(of: SampledEnvelope.interval * index), axis.column(of: SampledEnvelope.interval * (index + 1))
            )
            for column in first...max(first, last - 1) { columns[column] = max(columns[column], min(value, 1.5)) }
        }
        return columns
    }
}

/// A pattern on a motor, in words.
enum MotorWords {
    /// How much of it is felt, and what the fitting does for that, in one line.
    static func verdict(_ course: MotorCourse, _ motor: MotorChoice) -> String {
        let shown =
            isFelt(course) ? "Peak \(peak(course)) after \(course.felt.peakTime.words)" : "Not felt (peak \(peak(course)))"
        let other = MotorCourse(course.timeline, on: motor.model, motor.abilities, fitted: !motor.isFitted)
        guard let other, other.changes != course.changes else { return "\(shown); fitting changes nothing." }
        let words = isFelt(other) ? "peak \(peak(other)) after \(other.felt.peakTime.words)" : "not felt"
        return "\(shown); \(motor.isFitted ? "without" : "with") fitting: \(words)."
    }

    private static func isFelt(_ course: MotorCourse) -> Bool { course.felt.peak >= ImpactMeasure.felt }

    /// In whole percents: a model is no more exact. A peak that is not felt never reads as the least that is.
    private static func peak(_ course: MotorCourse) -> String {
        let percents = (course.felt.peak * 100).rounded() / 100
        return Words.percent(isFelt(course) ? percents : min(percents, ImpactMeasure.felt - 0.01))
    }
}
