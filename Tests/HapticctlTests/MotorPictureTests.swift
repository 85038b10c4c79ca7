// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("Pictures of patterns on a motor")
struct MotorPictureTests {
    private func choice(_ name: String) throws -> MotorChoice { MotorChoice(try #require(MotorLibrary.motor(named: name))) }

    private func builtIn(_ name: String) throws -> Pattern {
        try #require(Configuration.builtIn.patterns.first { $0.key.string == name }?.value)
    }

    @Test("A motor with a brake is drawn backwards, one without is not; without fitting the pattern's drives are drawn")
    func texts() throws {
        var cases = SnapshotCases()
        for (name, isBraked) in [("precision-305-000", true), ("coin", false)] {
            let choice = try choice(name)
            let course = try choice.course(of: try builtIn("alarm"))
            let lines = MotorPicture(course: course, motor: choice, glyphs: .ascii).lines(width: 80)
            cases.add("alarm on \(name)", lines)
            #expect(lines.contains { $0.contains("backwards") } == isBraked)
            #expect(course.drives.samples.contains { $0 < 0 } == isBraked)
        }
        // On or off: 50 % is on, 20 % is off.
        let motor = try #require(MotorLibrary.motor(named: "coin"))
        for name in ["soft", "frequentTick"] {
            for (abilities, words) in [(ActuatorCapabilities.full, "with levels"), (.onOff, "on or off")] {
                let course = try #require(MotorCourse(try builtIn(name), on: motor.model, abilities, fitted: false))
                let changes = course.changes.map { "\(Words.time($0.at.count)): \(Words.percent($0.drive.value))" }
                cases.add("\(name) on coin, not fitted, \(words)", changes)
            }
        }
        try expectSnapshot(of: cases.text, "motors")
    }

    @Test("No line is wider than the terminal, with either glyphs", arguments: [1, 38, 40, 41, 79, 80, 500])
    func widths(width: Int) throws {
        let limit = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth)
        let choice = try choice("precision-305-000")
        let course = try choice.course(of: try builtIn("success"))
        for glyphs in [TimelinePicture.Glyphs.blocks, .ascii] {
            // The sentences below the picture may be longer.
            let lines = MotorPicture(course: course, motor: choice, glyphs: glyphs).lines(width: width).dropLast(2)
            #expect(lines.filter { $0.count > limit } == [])
            if glyphs == .ascii { #expect(lines.filter { !$0.utf8.allSatisfy { $0 < 0x7f } } == []) }
        }
    }

    @Test("The picture tells the peak and what the fitting does for it")
    func verdict() throws {
        func verdict(_ name: String, _ choice: MotorChoice) throws -> String {
            MotorWords.verdict(try choice.course(of: try builtIn(name)), choice)
        }
        let coin = try choice("coin")
        let plain = MotorChoice(coin, isFitted: false)
        #expect(try verdict("tick", coin) == "Peak 35% after 58 ms; without fitting: not felt.")
        #expect(try verdict("tick", plain) == "Not felt (peak 0%); with fitting: peak 35% after 58 ms.")
        #expect(try verdict("heavy", plain) == "Not felt (peak 7%); with fitting: peak 35% after 58 ms.")
        #expect(try verdict("tick", try choice("closed-loop-lra")).hasSuffix("; fitting changes nothing."))
        #expect(MotorRow(pattern: "tick", try coin.course(of: try builtIn("tick")), coin).peakMs == 58)
    }

    @Test("Both kinds of pictures mark a half, and both SVGs have a title and smooth curves")
    func style() throws {
        let (choice, pattern) = (try choice("coin"), try builtIn("start"))
        let course = try choice.course(of: pattern)
        let outline = Outline(course.timeline)
        let texts = [
            MotorPicture(course: course, motor: choice, glyphs: .ascii).lines(width: 80),
            OutlinePicture(outline: outline, glyphs: .ascii).lines(width: 80),
        ]
        #expect(texts.map { $0.filter { $0.contains(" 50%") && $0.contains("_") }.count } == [2, 1])
        let svgs = [
            MotorSVG(name: "start", course: course, motor: choice).lines,
            OutlineSVG(name: "start", description: "", outline: outline).lines,
        ]
        for svg in svgs {
            #expect(svg.contains { $0.contains("class=\"title\"") })
            #expect(svg.contains { $0.contains(">50%</text>") })
            // One slope from the level at 0 to each next point; frames would be steps.
            let meant = try #require(svg.first { $0.contains("class=\"meant\"") })
            #expect(meant.split(separator: "L").count == outline.points.count + 2)
        }
    }

    @Test("The same pattern on the same motor is the same SVG, and a name cannot break it")
    func svg() throws {
        let choice = try choice("coin")
        let course = try choice.course(of: try builtIn("success"))
        let lines = MotorSVG(name: "<&\"", course: course, motor: choice).lines
        #expect(lines == MotorSVG(name: "<&\"", course: course, motor: choice).lines)
        #expect(lines.contains { $0.contains("&lt;&amp;&quot; on coin") })
        let text = lines.joined()
        #expect(!text.contains("<&"))
        #expect(!text.contains("nan"))
        #expect(text.utf8.count < 40_000)
    }

    @Test("A long pattern is drawn with as many points as can be seen")
    func long() throws {
        let frames = [
            Keyframe(at: .zero, intensity: .one, sharpness: .zero),
            Keyframe(at: .seconds(10), intensity: .zero, sharpness: .zero),
        ]
        let choice = try choice("fast-erm")
        let course = try choice.course(of: try Pattern(name: "long", tracks: [.keyframes(frames)]))
        let row = MotorRow(pattern: "long", course, choice)
        #expect(row.felt.count <= MotorRow.mostPoints)
        #expect(row.intended.count <= MotorRow.mostPoints)
        #expect(row.lengthMs > 10_000)
        let svg = MotorSVG(name: "long", course: course, motor: choice).lines
        let felt = try #require(svg.first { $0.contains(#"class="felt""#) })
        #expect(felt.split(separator: "L").count <= MotorSVG.mostPoints + 2)
    }
}
