// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns

/// One shape on one motor: what is intended, what is sent, and what is felt of it with fitting and without.
struct Picture {
    private static let (left, right, top, bottom) = (62.0, 700.0, 76.0, 266.0)
    /// What is sent may be more than the rated drive, or less than 0.
    private static let (most, least) = (1.25, -1.0)

    let file: String
    let title: String
    private let result: Result

    /// A motor 30 % slower than its model, which is the harder half of the truths.
    private init(_ file: String, _ title: String, _ shape: String, _ judged: Judged) {
        (self.file, self.title) = ("\(file).svg", title)
        // trap: the shapes have names of their own, and a test makes every picture.
        let shape = (Shape.all + Shape.builtIn).first { $0.name == shape }!
        result = Result(shape, judged, on: judged.truths[judged.truths.count - 1])
    }

    static let all: [Picture] = [
        .init("level", "Half strength for 300 ms on a slow ERM", "level 0.5, 300 ms", .slow),
        .init("ramp", "A ramp of 500 ms on a slow ERM", "ramp, 500 ms", .slow),
        .init("swell", "A swell of 250 ms on a fast ERM", "swell, 250 ms", .fast),
        .init("impact", "An impact of 8 ms on a slow ERM", "impact 0.45, 8 ms", .slow),
        .init("train", "Six pulses on a slow ERM that can be braked", "6 × 50 ms on, 50 ms off", .braked),
        .init("overdrive", "A level of 0.75 on a slow ERM with an overdrive of 1.2", "level 0.75, 300 ms", .overdriven),
        .init("lra", "A ramp of 250 ms on an LRA that can be braked", "ramp, 250 ms", .brakedLRA),
        .init("success", "The pattern success on a slow ERM", "success", .slow),
    ]

    var svg: String {
        // In pieces of a known type: the compiler of the cross build gives up on the sum of them all.
        let head: [String] = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 736 330" width="736" height="330" role="img" aria-labelledby="title desc">"#,
            "  <title id=\"title\">\(title)</title>",
            "  <desc id=\"desc\">Intended, sent and felt over \(Figure.whole(length)), on a motor 30 % slower than its model.</desc>",
        ]
        let words: [String] = [
            #"  <rect class="back" width="736" height="330" rx="8"/>"#,
            "  <text class=\"title\" x=\"24\" y=\"34\">\(title)</text>",
            "  <text x=\"24\" y=\"56\">The motor is 30 % slower than its model says.</text>",
        ]
        let sent: [(Nanoseconds, Double)] = result.drives.map { ($0.at, $0.drive.value) }
        let curves: [String] = [
            "  <path class=\"intended\" d=\"\(intended)\"/>",
            "  <path class=\"sent\" d=\"\(steps(sent))\"/>",
            "  <path class=\"plain\" d=\"\(curve(result.felt(by: .level)))\"/>",
            "  <path class=\"felt\" d=\"\(curve(result.felt))\"/>",
        ]
        let parts: [[String]] = [head, Self.style, words, grid, curves, Self.key, ["</svg>"]]
        return parts.flatMap(\.self).joined(separator: "\n") + "\n"
    }

    private var length: Nanoseconds { result.shape.end + .milliseconds(150) }
    private var lowest: Double { result.drives.contains { $0.drive < .zero } ? Self.least : 0 }

    // MARK: Where things are

    private func x(_ offset: Nanoseconds) -> String {
        Self.tenths(Self.left + Double(offset.count) / Double(length.count) * (Self.right - Self.left))
    }

    private func y(_ value: Double) -> String {
        Self.tenths(Self.bottom - (value - lowest) / (Self.most - lowest) * (Self.bottom - Self.top))
    }

    /// `12.3`, the same everywhere.
    private static func tenths(_ number: Double) -> String {
        // trap: a place in the picture is below a thousand.
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: What is drawn

    /// The curve of the shape itself, not the frames that are played.
    private var intended: String {
        let points = Outline(Timeline(frames: result.shape.frames, duration: result.shape.end)).points
        let places = points.map { "L\(x($0.offset)) \(y($0.level.intensity.value))" }
        return "M\(x(.zero)) \(y(0))\(places.joined())L\(x(result.shape.end)) \(y(0))Z"
    }

    private func steps(_ points: [(Nanoseconds, Double)]) -> String {
        "M\(x(.zero)) \(y(0))" + points.filter { $0.0 <= length }.map { "H\(x($0.0))V\(y($0.1))" }.joined() + "H\(x(length))"
    }

    private func curve(_ felt: SampledEnvelope?) -> String {
        let samples = felt?.samples.prefix(Int(length.count / SampledEnvelope.interval.count)) ?? []
        let points = stride(from: 0, to: samples.count, by: 3).map { "\(x(SampledEnvelope.interval * $0)) \(y(samples[$0]))" }
        return "M" + points.joined(separator: "L")
    }

    private var grid: [String] {
        let levels = (lowest < 0 ? [-1.0] : []) + [0, 0.5, 1]
        let rows = levels.flatMap { level in
            let y = y(level)
            return [
                "  <path class=\"grid\" d=\"M\(Self.tenths(Self.left)) \(y)H\(Self.tenths(Self.right))\"/>",
                "  <text class=\"end\" x=\"\(Self.tenths(Self.left - 8))\" y=\"\(y)\" dy=\"4\">\(Int(level * 100))%</text>",
            ]
        }
        let step = length > .milliseconds(600) ? 200 : length > .milliseconds(250) ? 100 : 50
        let marks = stride(from: 0, through: Int(length.inMilliseconds), by: step).map { time in
            let x = x(.milliseconds(Int64(time)))
            return
                "  <text class=\"middle\" x=\"\(x)\" y=\"\(Self.tenths(Self.bottom + 22))\">\(time == 0 ? "0" : "\(time) ms")</text>"
        }
        return rows + marks
    }

    private static let style = [
        "  <style>", "    text { font: 13px system-ui, sans-serif; fill: #59636e }",
        "    .title { font-size: 17px; font-weight: 600; fill: #1f2328 }",
        "    .end { text-anchor: end } .middle { text-anchor: middle }", "    .back { fill: #f6f8fa } .grid { stroke: #d1d9e0 }",
        "    .intended { fill: #d0d7de; opacity: 0.7 } .sent { fill: none; stroke: #bf8700; stroke-width: 1.4 }",
        "    .felt { fill: none; stroke: #0969da; stroke-width: 3 } .plain { fill: none; stroke: #8250df; stroke-width: 1.6; stroke-dasharray: 5 4 }",
        "    @media (prefers-color-scheme: dark) {",
        "      text { fill: #9198a1 } .title { fill: #f0f6fc } .back { fill: #151b23 }",
        "      .grid { stroke: #3d444d } .intended { fill: #57606a } .sent { stroke: #d29922 }",
        "      .felt { stroke: #4493f8 } .plain { stroke: #ab7df8 }", "    }", "  </style>",
    ]

    private static let key = [
        "  <path class=\"intended\" d=\"M62 304h26v10h-26z\"/><text x=\"96\" y=\"314\">intended</text>",
        "  <path class=\"sent\" d=\"M182 309h26\"/><text x=\"216\" y=\"314\">sent</text>",
        "  <path class=\"felt\" d=\"M274 309h26\"/><text x=\"308\" y=\"314\">felt</text>",
        "  <path class=\"plain\" d=\"M362 309h26\"/><text x=\"396\" y=\"314\">felt without fitting (level = intensity)</text>",
    ]
}
