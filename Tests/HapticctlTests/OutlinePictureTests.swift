// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("What a pattern is meant to feel like, drawn")
struct OutlinePictureTests {
    /// `points`: (ms, intensity, sharpness).
    private func outline(_ points: [(Double, Double, Double)]) throws -> Outline {
        try #require(
            Outline(
                points: points.map { at, intensity, sharpness in
                    .init(
                        offset: .microseconds(Int64(at * 1000)),
                        level: Level(intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness)))
                }))
    }

    private func swell() throws -> Outline {
        try outline([
            (0, 0, 0), (0, 0.1, 0.2), (200, 1, 0.96), (200, 0, 0), (300, 0, 0), (300, 0.5, 0), (308, 0.5, 0), (308, 0, 0),
            (400, 0, 0),
        ])
    }

    @Test("A rise and a tap are a skyline against full strength, with an axis and the sharpness in digits")
    func text() throws {
        let lines = OutlinePicture(outline: try swell(), glyphs: .blocks).lines(width: 43)
        #expect(
            lines.joined(separator: "\n") == """
                 100%
                 │                 ▂▄▆█
                 │             ▁▃▅▇████
                 │          ▂▅▇████████
                 │      ▂▄▆████████████          █
                 │  ▁▃▅████████████████          █
                 │ ▇███████████████████          █
                 └─┬─────────┬─────────┬─────────┬────────┬
                   0      100 ms    200 ms    300 ms 400 ms
                   22333445556667788899          0

                Height: how strong it is meant to be. Digits: how sharp, from 0 (round) to 9 (crisp).
                """)
    }

    @Test("No line of it is wider than the terminal, with either glyphs", arguments: [1, 40, 41, 80, 500])
    func widths(width: Int) throws {
        for glyphs in [TimelinePicture.Glyphs.blocks, .ascii] {
            let lines = OutlinePicture(outline: try swell(), glyphs: glyphs).lines(width: width)
            let limit = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth)
            #expect(lines.dropLast().allSatisfy { $0.count <= limit } && lines.count == 12)
            if glyphs == .ascii { #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x7f } }) }
        }
    }

    @Test("The small picture has one width, ends where nothing is felt any more, and shows the faintest")
    func small() throws {
        let cases: [(Outline, String, String)] = [
            (try outline([(0, 0, 0), (0, 1, 0), (8, 1, 0), (8, 0, 0)]), "██████████", "##########"),
            (try outline([(0, 0, 0), (0, 0.01, 0), (8, 0.01, 0), (8, 0, 0), (100, 0, 0)]), "▁▁▁▁▁▁▁▁▁▁", ".........."),
            (
                try outline([(0, 0, 0), (0, 1, 0), (10, 1, 0), (10, 0, 0), (90, 0, 0), (90, 0.5, 0), (100, 0.5, 0), (100, 0, 0)]),
                "█        ▄", "#        ="
            ),
            (try outline([(0, 0, 0), (50, 0, 0)]), "          ", "          "), (try outline([]), "          ", "          "),
        ]
        for (outline, blocks, ascii) in cases {
            #expect(OutlinePicture(outline: outline, glyphs: .blocks).small() == blocks)
            #expect(OutlinePicture(outline: outline, glyphs: .ascii).small() == ascii)
        }
        let nothing = OutlinePicture(outline: try outline([(0, 0, 0), (9, 0, 0)]), glyphs: .blocks)
        #expect(nothing.lines(width: 80) == ["Nothing is to be felt."])
    }

    private func svg(_ name: String, _ description: String, _ outline: Outline) -> String {
        OutlineSVG(name: name, description: description, outline: outline).lines.map { $0 + "\n" }.joined()
    }

    @Test("The SVG has a title, a description, axes with units, intensity, sharpness and taps, for light and dark pages")
    func picture() throws {
        let svg = svg("swell", "It rises.", try swell())
        try check(svg)
        for part in [
            #"<title id="title">The pattern swell</title>"#, "It rises.", ">100%</text>", ">400 ms</text>",
            #"d="M62 246L62 246L62 229L381 76L381 246L540.5 246L540.5 161L553.3 161L553.3 246L700 246L700 246Z""#,
            #"class="sharpness" d="M62 212L381 82.8M540.5 246L553.3 246""#, #"class="tap" d="M546.9 161h0""#,
            "prefers-color-scheme: dark", #"role="img""#,
        ] {
            #expect(svg.contains(part), "\(part) in \(svg)")
        }
    }

    /// That it is well-formed XML without anything from elsewhere.
    private func check(_ svg: String) throws {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let reads = "import sys, xml.etree.ElementTree as tree; tree.fromstring(sys.stdin.buffer.read())"
        python.arguments = ["python3", "-c", reads]
        let input = Pipe()
        python.standardInput = input
        try python.run()
        try input.fileHandleForWriting.write(contentsOf: Data(svg.utf8))
        try input.fileHandleForWriting.close()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0, "\(svg)")
        for word in ["<script", "href", "url(", "onload=", "<image", "<!"] { #expect(!svg.contains(word), "\(word)") }
    }

    @Test(
        "A name and a description that others wrote stay text, and the picture below 20 KB",
        arguments: [
            "</title><script>alert(1)</script>", "a&b\"'<>", "\u{1b}[2J\n\r\t\u{0}\u{202e}\u{fffe}\u{ffff}", "]]><!--",
            "\u{301}\u{301}\u{301}",
            "\u{10ffff}\u{e0001}",
        ])
    func hostile(text: String) throws {
        var points: [(Double, Double, Double)] = []
        for number in 0..<(Outline.mostPoints - 1) {
            points.append((Double(number) * 117.3, Double(number % 3 + 1) / 3.7, Double(number % 7) / 7.3))
        }
        for long in [text, String(repeating: text, count: 4000)] {
            let svg = svg(long, long, try outline(points))
            try check(svg)
            #expect(svg.utf8.count < 20_000, "\(svg.utf8.count)")
            #expect(svg.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable })
        }
    }
}

@Suite("The list of patterns")
struct PatternTableTests {
    @Test("The larger small pictures show each beat", arguments: [("alarm", 4), ("reject", 3)])
    func beats(name: String, count: Int) throws {
        let outline = try #require(KnownPattern.builtIn(name)?.outline)
        let picture = OutlinePicture(outline: outline, glyphs: .blocks).small(OutlinePicture.largerSmallWidth)
        let heights = ([" "] + Array(picture) + [" "]).map { Array(" ▁▂▃▄▅▆▇█").firstIndex(of: $0) ?? 0 }
        let rises = zip(heights, heights.dropFirst()).map { ($1 - $0).signum() }.filter { $0 != 0 }
        #expect(zip(rises, rises.dropFirst()).count { $0 == (1, -1) } == count, "\(picture)")
    }

    private func pattern(_ name: String, _ description: String) throws -> PatternResult {
        let text = #"{"name":"\#(name)","description":"\#(description)","durationMs":8,"feltMs":8,"peak":0.5}"#
        return try JSONDecoder().decode(PatternResult.self, from: Data(text.utf8))
    }

    private func lines(_ width: Int?) throws -> [String] {
        PatternTable(
            width: width,
            patterns: [
                try pattern("soft", "A soft, round touch, short enough to be repeated every 10 ms."),
                try pattern("thresholdActivate", ""),
            ],
            pictures: ["▄▄▄▄▄▄▄▄▄▄", ""]
        ).lines
    }

    @Test("In a pipe each pattern is one line, with its picture")
    func pipe() throws {
        #expect(
            try lines(nil).joined(separator: "\n") == """
                NAME               FELT FOR  PEAK  SHAPE       WHAT IT MEANS
                soft               8 ms      50%   ▄▄▄▄▄▄▄▄▄▄  A soft, round touch, short enough to be repeated every 10 ms.
                thresholdActivate  8 ms      50%
                """)
    }

    @Test("On a terminal a description goes on below itself; on a narrow one it stands below, and the picture gives way")
    func terminal() throws {
        #expect(
            try lines(80).joined(separator: "\n") == """
                NAME               FELT FOR  PEAK  SHAPE       WHAT IT MEANS
                soft               8 ms      50%   ▄▄▄▄▄▄▄▄▄▄  A soft, round touch, short enough
                                                               to be repeated every 10 ms.
                thresholdActivate  8 ms      50%
                """)
        #expect(
            try lines(40).joined(separator: "\n") == """
                NAME               FELT FOR  PEAK
                  WHAT IT MEANS
                soft               8 ms      50%
                  A soft, round touch, short enough to
                  be repeated every 10 ms.
                thresholdActivate  8 ms      50%
                """)
    }

    @Test("No line is wider than the terminal, at any width that has room for the names", arguments: [38, 40, 60, 79, 80, 200])
    func widths(width: Int) throws {
        #expect(try lines(width).allSatisfy { $0.count <= width })
    }

    @Test("Wide characters take two columns", arguments: [38, 60, 80])
    func wide(width: Int) throws {
        let patterns = [try pattern("漢字", String(repeating: "漢字のパターン", count: 9))]
        let lines = PatternTable(width: width, patterns: patterns, pictures: ["▄▄▄▄▄▄▄▄▄▄"]).lines
        #expect(lines.count > 2 && lines.allSatisfy { $0.columns <= width }, "\(lines)")
    }
}
