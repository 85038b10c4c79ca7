// SPDX-License-Identifier: MIT
import HapticCore

/// Draws an outline as an SVG: one file without anything from elsewhere, for a light and for a dark page, below 20 KB.
///
/// The same pattern gives the same bytes. All that others wrote is escaped and cut.
struct OutlineSVG {
    /// A stretch of at most this is felt as one tap and gets a dot.
    static let longestTap = Nanoseconds.milliseconds(20)
    private static let (left, right, top, bottom) = (62.0, 700.0, 76.0, 246.0)
    /// In scalars: what is shown, and what is there to be read out.
    private static let (mostTitle, mostLine, mostDescription) = (60, 90, 200)

    let name: String
    let description: String
    let outline: Outline

    /// Lines without their ends.
    var lines: [String] {
        let title = Self.escaped(name, most: Self.mostTitle)
        let shown = Self.escaped(description, most: Self.mostLine)
        let summary = Self.escaped(description, most: Self.mostDescription)
        let head = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 736 320" width="736" height="320" role="img" aria-labelledby="title desc">"#,
            "  <title id=\"title\">The pattern \(title)</title>",
            "  <desc id=\"desc\">\(summary) Drawn by hapticctl render: how strong it is meant to be over \(duration), with its sharpness.</desc>",
        ]
        let words = [
            #"  <rect class="back" width="736" height="320" rx="8"/>"#,
            "  <text class=\"title\" x=\"24\" y=\"34\">\(title)</text>", "  <text x=\"24\" y=\"56\">\(shown)</text>",
        ]
        let curves = [
            "  <path class=\"intensity\" d=\"\(intensity)\"/>", "  <path class=\"sharpness\" d=\"\(sharpness)\"/>",
            "  <path class=\"tap\" d=\"\(taps)\"/>",
        ]
        return [head, Self.style, words, scale, times, curves, Self.key, ["</svg>"]].flatMap { $0 }
    }

    private var duration: Nanoseconds { max(Nanoseconds(1), outline.points.last?.offset ?? .zero) }

    // MARK: Where things are

    private func x(_ offset: Nanoseconds) -> String {
        Self.tenths(Self.left + Double(offset.count) / Double(duration.count) * (Self.right - Self.left))
    }

    private static func y(_ share: Double) -> String { tenths(bottom - share * (bottom - top)) }

    /// `12.3`, the same everywhere; `number` is a place in the picture.
    static func tenths(_ number: Double) -> String {
        // trap: a place in the picture is below a thousand.
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private func place(_ offset: Nanoseconds, _ share: Double) -> String { "\(x(offset)) \(Self.y(share))" }

    // MARK: What is drawn

    private var intensity: String {
        let places = outline.points.map { place($0.offset, $0.level.intensity.value) }
        return "M\(place(.zero, 0))" + places.map { "L\($0)" }.joined() + "L\(place(duration, 0))Z"
    }

    /// Only where anything is to be felt.
    private var sharpness: String {
        var path = ""
        var isDrawn = false
        for (a, b) in zip(outline.points, outline.points.dropFirst()) {
            guard a.level.isOn, b.level.isOn else {
                isDrawn = false
                continue
            }
            if !isDrawn { path += "M\(place(a.offset, a.level.sharpness.value))" }
            path += "L\(place(b.offset, b.level.sharpness.value))"
            isDrawn = true
        }
        return path
    }

    /// A dot at the top of each; none where the outline may have left points out, as it may have left out the silence beside a tap.
    private var taps: String {
        guard outline.points.count < Outline.mostPoints else { return "" }
        var path = ""
        var start: Nanoseconds?
        var peak = 0.0
        for point in outline.points {
            guard !point.level.isOn else {
                start = start ?? point.offset
                peak = max(peak, point.level.intensity.value)
                continue
            }
            if let start, point.offset - start <= Self.longestTap {
                path += "M\(place(start + (point.offset - start) / 2, peak))h0"
            }
            (start, peak) = (nil, 0)
        }
        return path
    }

    private var scale: [String] {
        [0, 50, 100].flatMap { percent in
            let y = Self.y(Double(percent) / 100)
            return [
                "  <path class=\"grid\" d=\"M\(Self.tenths(Self.left)) \(y)H\(Self.tenths(Self.right))\"/>",
                "  <text class=\"end\" x=\"\(Self.tenths(Self.left - 8))\" y=\"\(y)\" dy=\"4\">\(percent)%</text>",
            ]
        }
    }

    private var times: [String] {
        let step = TextAxis.markDistance(least: Double(duration.count) / 8)
        var lines: [String] = []
        var time = Nanoseconds.zero
        while time <= duration {
            let x = x(time)
            lines.append("  <path class=\"grid\" d=\"M\(x) \(Self.tenths(Self.bottom))v5\"/>")
            lines.append(
                "  <text class=\"middle\" x=\"\(x)\" y=\"\(Self.tenths(Self.bottom + 22))\">\(time == .zero ? "0" : time.words)</text>"
            )
            time += step
        }
        return lines
    }

    private static let key = [
        #"  <path class="intensity" d="M62 306V294H86V306Z"/><text x="94" y="304">intensity</text>"#,
        #"  <path class="sharpness" d="M190 300H214"/><text x="222" y="304">sharpness, from 0% (round) to 100% (crisp)</text>"#,
        #"  <path class="tap" d="M530 300h0"/><text x="542" y="304">a tap: at most 20 ms</text>"#,
    ]

    private static let style = [
        "  <style>", #"    text { font: 13px system-ui, "DejaVu Sans", Arial, sans-serif; fill: #55524c }"#,
        "    .title { font-size: 19px; font-weight: 600; fill: #1f1e1b } .end { text-anchor: end } .middle { text-anchor: middle }",
        "    .back { fill: #fbfaf7 } .grid { stroke: #d6d3cb } path { fill: none }",
        "    .intensity { fill: #b8651b; fill-opacity: .2; stroke: #b8651b; stroke-width: 2; stroke-linejoin: round }",
        "    .sharpness { stroke: #3b6ea5; stroke-width: 1.5; stroke-dasharray: 5 3 }",
        "    .tap { stroke: #b8651b; stroke-width: 8; stroke-linecap: round }", "    @media (prefers-color-scheme: dark) {",
        "      text { fill: #b5b1a8 } .title { fill: #f1efe9 } .back { fill: #1d1c1a } .grid { stroke: #45423c }",
        "      .intensity { fill: #e2934a; stroke: #e2934a } .sharpness { stroke: #82b1e0 } .tap { stroke: #e2934a }", "    }",
        "  </style>",
    ]

    /// For XML, between tags: printable, at most so many scalars, and without what XML cannot hold.
    static func escaped(_ text: String, most: Int) -> String {
        var shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))).printable
        if text.unicodeScalars.dropFirst(most).first != nil { shown += "…" }
        var escaped = ""
        for scalar in shown.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
