// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticTerminal

/// Draws a pattern on a motor as an SVG: what is meant and what is felt above, what the motor is sent below. For a light and for a dark
/// page, without anything from elsewhere; the same course gives the same bytes.
struct MotorSVG {
    private static let feltArea = (top: 84.0, bottom: 234.0)
    private static let driveArea = (top: 268.0, bottom: 368.0)
    /// Points of a curve: more are not seen at this width.
    static let mostPoints = 638

    let name: String
    let course: MotorCourse
    let motor: MotorChoice

    /// Lines without their ends.
    var lines: [String] {
        let title = "\(OutlineSVG.escaped(name, most: 40)) on \(OutlineSVG.escaped(motor.name, most: 40))"
        let verdict = OutlineSVG.escaped(MotorWords.verdict(course, motor), most: 160)
        // In pieces of a known type: the compiler of the cross build gives up on the sum of them all.
        let head: [String] = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 736 440" width="736" height="440" role="img" aria-labelledby="title desc">"#,
            "  <title id=\"title\">The pattern \(title)</title>",
            "  <desc id=\"desc\">\(verdict) Drawn by hapticctl render: what is meant, what is felt and what the motor is sent, over \(length.words).</desc>",
        ]
        let words: [String] = [
            #"  <rect class="back" width="736" height="440" rx="8"/>"#,
            "  <text class=\"title\" x=\"24\" y=\"34\">\(title)</text>",
            "  <text x=\"24\" y=\"58\">\(verdict)</text>",
        ]
        let drawn: [(path: String, item: SVGStyle.Item)] = [
            (meant, .area("meant", "meant to be felt")), (felt, .line("felt", "felt")),
            (sent, .line("sent", "sent to the motor, as a share of its rated drive")),
        ]
        let curves = SVGStyle.curves(drawn, legendAt: 418)
        let times = SVGStyle.times(length, below: Self.driveArea.bottom)
        let parts: [[String]] = [head, SVGStyle.lines, words, scales, times, curves, ["</svg>"]]
        return parts.flatMap(\.self)
    }

    private var length: Nanoseconds { SampledEnvelope.interval * max(1, course.felt.samples.count) }
    /// The lowest and the highest drive that is shown.
    private var range: (low: Double, high: Double) {
        let drives = course.changes.map(\.drive.value)
        return (drives.contains { $0 < 0 } ? -1 : 0, max(1, drives.max() ?? 1))
    }

    // MARK: Where things are

    private func x(_ time: Nanoseconds) -> String { SVGStyle.x(time, of: length) }

    private func y(felt: Double) -> String {
        SVGStyle.tenths(Self.feltArea.bottom - min(felt, 1.1) * (Self.feltArea.bottom - Self.feltArea.top))
    }

    private func y(drive: Double) -> String {
        let share = (drive - range.low) / (range.high - range.low)
        return SVGStyle.tenths(Self.driveArea.bottom - share * (Self.driveArea.bottom - Self.driveArea.top))
    }

    // MARK: What is drawn

    /// The first and the strongest sample of each of so many equal parts of the time; nothing if there are no samples.
    private var felt: String {
        let samples = course.felt.samples
        let stride = max(1, (2 * samples.count + Self.mostPoints - 1) / Self.mostPoints)
        let places = Swift.stride(from: 0, to: samples.count, by: stride).flatMap { start -> [String] in
            let part = samples[start..<min(samples.count, start + stride)]
            // trap: no part is empty.
            let top = part.indices.max { samples[$0] < samples[$1] }!
            return (top == start ? [start] : [start, top]).map { "\(x(SampledEnvelope.interval * $0)) \(y(felt: samples[$0]))" }
        }
        return places.isEmpty ? "" : "M" + places.joined(separator: "L")
    }

    /// The curve of the pattern itself, not the frames that are played; nothing if nothing is to be felt.
    private var meant: String {
        let points = Outline(course.timeline).points.filter { $0.offset <= length }
        guard points.contains(where: \.level.isOn), let end = points.last?.offset else { return "" }
        let places = points.map { "L\(x($0.offset)) \(y(felt: $0.level.intensity.value))" }
        return "M\(x(.zero)) \(y(felt: 0))" + places.joined() + "L\(x(end)) \(y(felt: 0))Z"
    }

    /// Steps: a drive stays until the next change.
    private var sent: String {
        var path = "M\(x(.zero)) \(y(drive: 0))"
        for change in course.changes where change.at <= length { path += "H\(x(change.at))V\(y(drive: change.drive.value))" }
        return path + "H\(x(length))"
    }

    private var scales: [String] {
        let felt: [String] = [0, 0.5, 1].flatMap { SVGStyle.mark($0, at: y(felt: $0)) }
        return felt + Set([range.low, 0, 0.5, range.high]).sorted().flatMap { SVGStyle.mark($0, at: y(drive: $0)) }
    }
}
