// SPDX-License-Identifier: MIT
package import HapticCore

/// Draws an outline as an SVG: one file without anything from elsewhere, for a light and for a dark page, below 20 KB.
///
/// The same pattern gives the same bytes. All that others wrote is escaped and cut.
package struct OutlineSVG {
    /// A stretch of at most this is felt as one tap and gets a dot.
    static let longestTap = Nanoseconds.milliseconds(20)
    private static let (top, bottom) = (76.0, 246.0)
    /// In scalars: what is shown, and what is there to be read out.
    private static let (mostTitle, mostLine, mostDescription) = (60, 90, 200)

    let name: String
    let description: String
    let outline: Outline

    package init(name: String, description: String, outline: Outline) {
        (self.name, self.description, self.outline) = (name, description, outline)
    }

    /// Lines without their ends.
    package var lines: [String] {
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
        let drawn: [(path: String, item: SVGStyle.Item)] = [
            (intensity, .area("meant", "meant to be felt")),
            (sharpness, .line("sharpness", "sharpness, from 0% (round) to 100% (crisp)")),
            (taps, .dot("tap", "a tap: at most 20 ms")),
        ]
        let curves = SVGStyle.curves(drawn, legendAt: 300)
        let scale: [String] = [0, 0.5, 1].flatMap { SVGStyle.mark($0, at: Self.y($0)) }
        let times = SVGStyle.times(duration, below: Self.bottom)
        let parts: [[String]] = [head, SVGStyle.lines, words, scale, times, curves, ["</svg>"]]
        return parts.flatMap(\.self)
    }

    private var duration: Nanoseconds { max(Nanoseconds(1), outline.points.last?.offset ?? .zero) }

    // MARK: Where things are

    private static func y(_ share: Double) -> String { SVGStyle.tenths(bottom - share * (bottom - top)) }

    private func place(_ offset: Nanoseconds, _ share: Double) -> String {
        "\(SVGStyle.x(offset, of: duration)) \(Self.y(share))"
    }

    // MARK: What is drawn

    /// Only if anything is to be felt.
    private var intensity: String {
        guard outline.points.contains(where: \.level.isOn) else { return "" }
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

    /// For XML, between tags: printable, at most so many scalars, and without what XML cannot hold.
    package static func escaped(_ text: String, most: Int) -> String {
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
