// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal

private let allGlyphs = [TimelinePicture.Glyphs.blocks, .ascii]

@Suite("Pictures of patterns")
struct OutlinePictureTests {
    /// - Parameter points: (ms, intensity, sharpness).
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
        var cases = SnapshotCases()
        for glyphs in allGlyphs {
            cases.add("a rise and a tap, in \(glyphs)", OutlinePicture(outline: try swell(), glyphs: glyphs).lines(width: 43))
        }
        let nothing = OutlinePicture(outline: try outline([(0, 0, 0), (9, 0, 0)]), glyphs: .blocks)
        cases.add("nothing", nothing.lines(width: 80))
        for glyphs in allGlyphs {
            let small = [
                try outline([(0, 0, 0), (0, 1, 0), (8, 1, 0), (8, 0, 0)]),
                try outline([(0, 0, 0), (0, 0.01, 0), (8, 0.01, 0), (8, 0, 0), (100, 0, 0)]),
                try outline([(0, 0, 0), (0, 1, 0), (10, 1, 0), (10, 0, 0), (90, 0, 0), (90, 0.5, 0), (100, 0.5, 0), (100, 0, 0)]),
                try outline([(0, 0, 0), (50, 0, 0)]), try outline([]),
            ].map { "|\(OutlinePicture(outline: $0, glyphs: glyphs).small())|" }
            cases.add("small: a tap, a faint one, two, silence and nothing, in \(glyphs)", small)
        }
        try expectSnapshot(of: cases.text, "outlines")
    }

    @Test("No line of a picture is wider than the terminal, with either glyphs", arguments: [1, 38, 40, 41, 79, 80, 500])
    func widths(width: Int) throws {
        let limit = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth)
        var train = PulseTrain(actuator: "main")
        for pulse in 0..<75 as Range<Int64> {
            train.add(1, drive: 1, at: .microseconds(pulse * 21_300))
            train.add(0, drive: 0, at: .microseconds(pulse * 21_300 + 500))
        }
        for glyphs in allGlyphs {
            let timeline = TimelinePicture(width: width, glyphs: glyphs).lines([train])
            #expect(timeline[8].reduce(0) { $0 + ($1.wholeNumberValue ?? 0) } == 75, "the digits add up to the pulses")
            // The sentences below the picture may be longer.
            let lines =
                OutlinePicture(outline: try swell(), glyphs: glyphs).lines(width: width).dropLast() + timeline[1...8]
            #expect(lines.filter { $0.count > limit } == [])
            if glyphs == .ascii { #expect(lines.filter { !$0.utf8.allSatisfy { $0 < 0x7f } } == []) }
        }
    }

    private func svg(_ name: String, _ description: String, _ outline: Outline) -> String {
        OutlineSVG(name: name, description: description, outline: outline).lines.map { $0 + "\n" }.joined()
    }

    @Test("The legend names only visible items")
    func legend() throws {
        let swell = svg("swell", "It rises.", try outline([(0, 0, 0), (0, 0.1, 0.2), (200, 1, 0.96), (200, 0, 0)]))
        #expect(swell.contains("sharpness, from 0% (round)"))
        #expect(!swell.contains("a tap"))
        let silence = svg("silence", "", try outline([(0, 0, 0), (9, 0, 0)]))
        for word in ["meant to be felt", "sharpness, from", "a tap", "class=\"meant\""] {
            #expect(!silence.contains(word), "\(word)")
        }
        try check(silence)
    }

    @Test("The SVG has a title, a description, axes with units, intensity, sharpness and taps, for light and dark pages")
    func picture() throws {
        let svg = svg("swell", "It rises.", try swell())
        try check(svg)
        try expectSnapshot(of: svg, "outline-svg")
    }

    /// Expects well-formed XML without references to other files.
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
        "A hostile name or description stays text, and the picture stays below 20 KB",
        arguments: [
            "</title><script>alert(1)</script>", "a&b\"'<>", "\u{1b}[2J\n\r\t\u{0}\u{202e}\u{fffe}\u{ffff}", "]]><!--",
            "\u{301}\u{301}\u{301}", "\u{10ffff}\u{e0001}",
        ])
    func hostile(text: String) throws {
        let points = (0..<(Outline.mostPoints - 1)).map { (number: Int) -> (Double, Double, Double) in
            (Double(number) * 117.3, Double(number % 3 + 1) / 3.7, Double(number % 7) / 7.3)
        }
        for long in [text, String(repeating: text, count: 4000)] {
            let svg = svg(long, long, try outline(points))
            try check(svg)
            #expect(svg.utf8.count < 20_000)
            #expect(svg.unicodeScalars.filter { $0 != "\n" && !$0.isPrintable } == [])
        }
    }
}

@Suite("The list of patterns")
struct PatternTableTests {
    private func pattern(_ name: String, _ description: String) throws -> PatternResult {
        let text = #"{"name":"\#(name)","description":"\#(description)","durationMs":8,"feltMs":8,"peak":0.5}"#
        return try JSONDecoder().decode(PatternResult.self, from: Data(text.utf8))
    }

    private func lines(_ width: Int?) throws -> [String] {
        let soft = try pattern("soft", "A soft, round touch, short enough to be repeated every 10 ms.")
        let patterns = [soft, try pattern("thresholdActivate", "")]
        return PatternTable(width: width, patterns: patterns, pictures: ["▄▄▄▄▄▄▄▄▄▄", ""]).lines
    }

    @Test(
        "In a pipe each pattern is one line; on a terminal a description goes on below, and on a narrow one the picture gives way"
    )
    func texts() throws {
        var cases = SnapshotCases()
        for width in [nil, 80, 40] { cases.add(width.map { "\($0) columns" } ?? "in a pipe", try lines(width)) }
        // All beats are visible: four, and three.
        for name in ["alarm", "reject"] {
            let pattern = try #require(Configuration.builtIn.patterns[Text(name)])
            let picture = OutlinePicture(outline: Outline(Timeline(pattern)), glyphs: .blocks)
            cases.add("the larger picture of \(name)", [picture.small(OutlinePicture.largerSmallWidth)])
        }
        try expectSnapshot(of: cases.text, "patterns")
    }

    @Test("No line is wider than the terminal, at any width that has room for the names", arguments: [38, 40, 60, 79, 80, 200])
    func widths(width: Int) throws {
        #expect(try lines(width).filter { $0.count > width } == [])
        let wide = [try pattern("漢字", String(repeating: "漢字のパターン", count: 9))]
        let lines = PatternTable(width: width, patterns: wide, pictures: ["▄▄▄▄▄▄▄▄▄▄"]).lines
        #expect(lines.filter { $0.columns > width } == [])
    }
}

@Suite("Pictures of what was felt")
struct TimelinePictureTests {
    /// - Parameter levels: (ms, intensity, drive).
    private func train(driven levels: [(Double, Double, Double)], actuator: String = "main") -> PulseTrain {
        var train = PulseTrain(actuator: actuator)
        for (at, intensity, drive) in levels { train.add(intensity, drive: drive, at: .microseconds(Int64(at * 1000))) }
        return train
    }

    /// - Parameter levels: (ms, intensity); each drive is the intensity.
    private func train(_ levels: [(Double, Double)], actuator: String = "main") -> PulseTrain {
        train(driven: levels.map { ($0, $1, $1) }, actuator: actuator)
    }

    private func pulses(_ starts: [Double], length: Double = 0.5) -> [(Double, Double)] {
        starts.flatMap { [($0, 1), ($0 + length, 0)] }
    }

    @Test("Pulses are a skyline with an axis and their numbers below, and each actuator has rows of its own")
    func texts() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ glyphs: TimelinePicture.Glyphs, _ trains: PulseTrain...) {
            cases.add(heading, TimelinePicture(width: 43, glyphs: glyphs).lines(trains))
        }
        var rise: [(Double, Double)] = (0..<40).map { (Double($0) * 10, Double($0 + 1) / 40) }
        rise.append((400, 0))
        add("a level that rises", .blocks, train(rise))
        let dense = pulses([0, 100, 200, 300, 302, 390, 392, 394, 396, 399], length: 1)
        add("pulses that share a column", .blocks, train(dense))
        let main = train([(0, 1), (100, 0), (200, 0.5), (300, 0)])
        add("two actuators, in ASCII", .ascii, main, train([(350, 0.02), (400, 0)], actuator: "light"))
        for count in [9, 10, 400] {
            add("\(count) pulses within the first \(count) ms", .ascii, train(pulses((0..<count).map(Double.init) + [1000])))
        }
        add("no actuator", .blocks)
        add("nothing", .blocks, train([(5, 0)]))
        let braked: [(Double, Double, Double)] = [
            (0, 0.5, 1.2), (10, 0, 1), (20, 0, -1), (25, 0, 0), (60, 0, 1), (70, 0.5, 1), (80, 0, 0),
        ]
        add("lengthened and braked", .ascii, train(driven: braked))
        add("only the rest of a lengthened pulse was seen", .ascii, train(driven: [(0, 0, 1), (10, 0, 0)]))
        // Two pulses of a motor that takes longer than the gap to run down.
        var coin = train(driven: [(0, 0.1, 1), (60, 0, 0), (120, 0.8, 1), (180, 0.4, 0.6), (260, 0, 0)])
        coin.motor = MotorLibrary.coin.model
        add("felt on a coin motor", .ascii, coin)
        try expectSnapshot(of: cases.text, "timelines")
    }

    @Test("A motor that is steady for a day is drawn in few parts, and one that runs down in fine ones")
    func parts() throws {
        var day = train([(0, 1), (86_400_000, 0)])
        day.motor = MotorLibrary.coin.model
        var parts: [PulseTrain.Part] = []
        day.forEachFeltPart(until: day.feltEnd) { parts.append($0) }
        #expect(parts.count < 500)
        #expect(abs(day.peak - 1) < 1e-9)
        #expect(parts.filter { $0.start >= day.end }.count > 10)
        #expect(try #require(parts.last).last < 0.02)
        // A daemon may report any time.
        var endless = PulseTrain(actuator: "main", motor: MotorLibrary.coin.model)
        endless.add(1, drive: 1, at: .zero)
        endless.add(0, drive: 0, at: Nanoseconds(.max))
        #expect(endless.feltEnd == endless.end)
        #expect(abs(endless.peak - 1) < 1e-9)
    }

    @Test("A motor that rises slowly and falls at once is drawn in a bounded number of parts for each change of the drive")
    func partsOfUnevenMotor() throws {
        var uneven = train([(0, 1), (60_000, 0.5), (120_000, 0)])
        uneven.motor = MotorModel(kind: .erm, rise: MotorModel.longestTime, fall: Nanoseconds(1))
        var parts: [PulseTrain.Part] = []
        uneven.forEachFeltPart(until: uneven.feltEnd) { parts.append($0) }
        #expect(parts.count > 200)
        #expect(parts.count < 3 * 260)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test("A record begins with its origin, closes pulses that are still on, and counts those beyond its bound")
    func record() {
        var record = FeltRecord()
        record.begin(at: MonotonicInstant(nanoseconds: 1_000_000_000))
        record.add(actuator: "main", intensity: 1, drive: 1, at: MonotonicInstant(nanoseconds: 1_100_000_000))
        record.add(actuator: "pad", intensity: 1, drive: 1, at: MonotonicInstant(nanoseconds: 1_100_000_000))
        record.add(actuator: "pad", intensity: 0, drive: 0, at: MonotonicInstant(nanoseconds: 1_300_000_000))
        #expect(record.closed.map(\.starts) == [[.milliseconds(100)], [.milliseconds(100)]])
        #expect(record.closed.map(\.timeOn) == [.milliseconds(200), .milliseconds(200)])
        record.add(actuator: "odd", intensity: .infinity, drive: -1e308, at: MonotonicInstant(nanoseconds: 1_300_000_000))
        #expect(record.trains.last?.stretches.map { [$0.intensity, $0.drive] } == [[1, -1]])
        for _ in 0..<FeltRecord.mostActuations {
            record.add(actuator: "main", intensity: 0, drive: 0, at: .distantFuture)
        }
        #expect(record.dropped == 4)
    }
}
