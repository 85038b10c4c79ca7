// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// Draws a pattern on a motor as an SVG: what is meant and what is felt above, what the motor is sent below. For a light and for a dark
/// page, without anything from elsewhere; the same course gives the same bytes.
struct MotorSVG {
    private static let (left, right) = (62.0, 700.0)
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
        let curves: [String] = [
            "  <path class=\"meant\" d=\"\(area(course.intended.samples))\"/>",
            "  <path class=\"sent\" d=\"\(sent)\"/>", "  <path class=\"felt\" d=\"\(line(course.felt.samples))\"/>",
        ]
        let parts: [[String]] = [head, Self.style, words, scales, times, curves, Self.key, ["</svg>"]]
        return parts.flatMap(\.self)
    }

    private var length: Nanoseconds { FeltCurve.interval * max(1, course.felt.samples.count) }
    /// The lowest and the highest drive that is shown.
    private var range: (low: Double, high: Double) {
        let drives = course.changes.map(\.drive.value)
        return (drives.contains { $0 < 0 } ? -1 : 0, max(1, drives.max() ?? 1))
    }

    // MARK: Where things are

    private func x(_ time: Nanoseconds) -> String {
        OutlineSVG.tenths(Self.left + Double(time.count) / Double(length.count) * (Self.right - Self.left))
    }

    private func y(felt: Double) -> String {
        OutlineSVG.tenths(Self.feltArea.bottom - min(felt, 1.1) * (Self.feltArea.bottom - Self.feltArea.top))
    }

    private func y(drive: Double) -> String {
        let share = (drive - range.low) / (range.high - range.low)
        return OutlineSVG.tenths(Self.driveArea.bottom - share * (Self.driveArea.bottom - Self.driveArea.top))
    }

    // MARK: What is drawn

    /// Of each of so many equal parts of the time the first and the strongest sample.
    private func places(_ samples: [Double]) -> [String] {
        let stride = max(1, (2 * samples.count + Self.mostPoints - 1) / Self.mostPoints)
        return Swift.stride(from: 0, to: samples.count, by: stride).flatMap { start -> [String] in
            let part = samples[start..<min(samples.count, start + stride)]
            // trap: no part is empty.
            let top = part.indices.max { samples[$0] < samples[$1] }!
            return (top == start ? [start] : [start, top]).map { "\(x(FeltCurve.interval * $0)) \(y(felt: samples[$0]))" }
        }
    }

    private func line(_ samples: [Double]) -> String { "M" + places(samples).joined(separator: "L") }

    private func area(_ samples: [Double]) -> String {
        "M\(x(.zero)) \(y(felt: 0))L" + places(samples).joined(separator: "L") + "L\(x(length)) \(y(felt: 0))Z"
    }

    /// Steps: a drive stays until the next change.
    private var sent: String {
        var path = "M\(x(.zero)) \(y(drive: 0))"
        for change in course.changes where change.at <= length { path += "H\(x(change.at))V\(y(drive: change.drive.value))" }
        return path + "H\(x(length))"
    }

    private var scales: [String] {
        [0, 0.5, 1].flatMap { mark($0, y(felt: $0)) }
            + Set([range.low, 0, range.high]).sorted().flatMap { mark($0, y(drive: $0)) }
    }

    private func mark(_ share: Double, _ y: String) -> [String] {
        [
            "  <path class=\"grid\" d=\"M\(OutlineSVG.tenths(Self.left)) \(y)H\(OutlineSVG.tenths(Self.right))\"/>",
            "  <text class=\"end\" x=\"\(OutlineSVG.tenths(Self.left - 8))\" y=\"\(y)\" dy=\"4\">\(Words.percent(share))</text>",
        ]
    }

    private var times: [String] {
        let step = TextAxis.markDistance(least: Double(length.count) / 8)
        var lines: [String] = []
        var time = Nanoseconds.zero
        while time <= length {
            lines.append("  <path class=\"grid\" d=\"M\(x(time)) \(OutlineSVG.tenths(Self.driveArea.bottom))v5\"/>")
            let words = time == .zero ? "0" : time.words
            lines.append(
                "  <text class=\"middle\" x=\"\(x(time))\" y=\"\(OutlineSVG.tenths(Self.driveArea.bottom + 22))\">\(words)</text>"
            )
            time += step
        }
        return lines
    }

    private static let key = [
        #"  <path class="meant" d="M62 424V412H86V424Z"/><text x="94" y="422">meant to be felt</text>"#,
        #"  <path class="felt" d="M222 418H246"/><text x="254" y="422">felt</text>"#,
        #"  <path class="sent" d="M310 418H334"/><text x="342" y="422">sent to the motor, as a share of its rated drive</text>"#,
    ]

    private static let style = [
        "  <style>", #"    text { font: 13px system-ui, "DejaVu Sans", Arial, sans-serif; fill: #55524c }"#,
        "    .title { font-size: 19px; font-weight: 600; fill: #1f1e1b } .end { text-anchor: end } .middle { text-anchor: middle }",
        "    .back { fill: #fbfaf7 } .grid { stroke: #d6d3cb } path { fill: none; stroke-linejoin: round }",
        "    .meant { fill: #b8651b; fill-opacity: .2; stroke: #b8651b; stroke-width: 1.5 }",
        "    .felt { stroke: #3b6ea5; stroke-width: 2.5 } .sent { stroke: #6b7d3a; stroke-width: 2 }",
        "    @media (prefers-color-scheme: dark) {",
        "      text { fill: #b5b1a8 } .title { fill: #f1efe9 } .back { fill: #1d1c1a } .grid { stroke: #45423c }",
        "      .meant { fill: #e2934a; stroke: #e2934a } .felt { stroke: #82b1e0 } .sent { stroke: #a9bd70 }", "    }",
        "  </style>",
    ]
}
