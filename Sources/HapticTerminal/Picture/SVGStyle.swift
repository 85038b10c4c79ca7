// SPDX-License-Identifier: MIT
package import HapticCore

/// The style that the SVGs of patterns share.
package enum SVGStyle {
    /// An item of the legend. `shape`: its path, relative to its place on the line.
    package struct Item {
        let kind: String
        let shape: String
        let words: String

        /// An area, as `kind` fills it.
        package static func area(_ kind: String, _ words: String) -> Item {
            Item(kind: kind, shape: "m0 6v-12h24v12Z", words: words)
        }
        package static func line(_ kind: String, _ words: String) -> Item { Item(kind: kind, shape: "h24", words: words) }
        static func dot(_ kind: String, _ words: String) -> Item { Item(kind: kind, shape: "m12 0h0", words: words) }
    }

    static let (left, right) = (62.0, 700.0)
    /// The width of a character of the legend, a little more than it mostly takes.
    private static let characterWidth = 6.5

    /// Returns the curves that have a path and, with the middle at `y`, a legend of the same curves.
    package static func curves(_ all: [(path: String, item: Item)], legendAt y: Double) -> [String] {
        let drawn = all.filter { !$0.path.isEmpty }
        return drawn.map { "  <path class=\"\($0.item.kind)\" d=\"\($0.path)\"/>" } + legend(drawn.map { $0.item }, y: y)
    }

    private static func legend(_ items: [Item], y: Double) -> [String] {
        var x = left
        return items.map { item in
            defer { x += 24 + 8 + Double(item.words.count) * characterWidth + 18 }
            let path = "<path class=\"\(item.kind)\" d=\"M\(tenths(x)) \(tenths(y))\(item.shape)\"/>"
            return "  \(path)<text x=\"\(tenths(x + 32))\" y=\"\(tenths(y + 4))\">\(item.words)</text>"
        }
    }

    /// A line across the picture at the place `y`, with its share.
    package static func mark(_ share: Double, at y: String) -> [String] {
        [
            "  <path class=\"grid\" d=\"M\(tenths(left)) \(y)H\(tenths(right))\"/>",
            "  <text class=\"end\" x=\"\(tenths(left - 8))\" y=\"\(y)\" dy=\"4\">\(Words.percent(share))</text>",
        ]
    }

    /// The place of `time` of `length`, which is more than 0.
    package static func x(_ time: Nanoseconds, of length: Nanoseconds) -> String {
        tenths(left + Double(time.count) / Double(length.count) * (right - left))
    }

    /// Marks with their times below the place `bottom`.
    package static func times(_ length: Nanoseconds, below bottom: Double) -> [String] {
        let step = TextAxis.markDistance(least: Double(length.count) / 8)
        var lines: [String] = []
        var time = Nanoseconds.zero
        while time <= length {
            let (place, words) = (x(time, of: length), time == .zero ? "0" : time.words)
            lines.append("  <path class=\"grid\" d=\"M\(place) \(tenths(bottom))v5\"/>")
            lines.append("  <text class=\"middle\" x=\"\(place)\" y=\"\(tenths(bottom + 22))\">\(words)</text>")
            time += step
        }
        return lines
    }

    /// `12.3`, the same everywhere; `number` is a place in the picture.
    package static func tenths(_ number: Double) -> String {
        // trap: a place in the picture is below a thousand.
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    package static let lines = [
        "  <style>", #"    text { font: 13px system-ui, "DejaVu Sans", Arial, sans-serif; fill: #55524c }"#,
        "    .title { font-size: 19px; font-weight: 600; fill: #1f1e1b } .end { text-anchor: end } .middle { text-anchor: middle }",
        "    .back { fill: #fbfaf7 } .grid { stroke: #d6d3cb } path { fill: none; stroke-linejoin: round }",
        "    .meant { fill: #b8651b; fill-opacity: .2; stroke: #b8651b; stroke-width: 2 }",
        "    .sharpness { stroke: #3b6ea5; stroke-width: 1.5; stroke-dasharray: 5 3 }",
        "    .tap { stroke: #b8651b; stroke-width: 8; stroke-linecap: round }",
        "    .felt { stroke: #3b6ea5; stroke-width: 2.5 } .sent { stroke: #6b7d3a; stroke-width: 2 }",
        "    @media (prefers-color-scheme: dark) {",
        "      text { fill: #b5b1a8 } .title { fill: #f1efe9 } .back { fill: #1d1c1a } .grid { stroke: #45423c }",
        "      .meant { fill: #e2934a; stroke: #e2934a } .sharpness { stroke: #82b1e0 } .tap { stroke: #e2934a }",
        "      .felt { stroke: #82b1e0 } .sent { stroke: #a9bd70 }", "    }", "  </style>",
    ]
}
