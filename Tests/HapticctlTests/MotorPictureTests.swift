// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import TestSupport
import Testing

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
