// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import Testing

@testable import hapticctl

@Suite("A pattern on a motor, drawn")
struct MotorPictureTests {
    private func choice(_ name: String) throws -> MotorChoice { MotorChoice(try #require(MotorLibrary.motor(named: name))) }

    private func builtIn(_ name: String) throws -> Pattern {
        try #require(Configuration.builtIn.patterns.first { $0.key.string == name }?.value)
    }

    @Test("No line is wider than the terminal, with either glyphs", arguments: [1, 40, 80, 500])
    func widths(width: Int) throws {
        let choice = try choice("precision-305-000")
        for glyphs in [TimelinePicture.Glyphs.blocks, .ascii] {
            let picture = MotorPicture(course: try choice.course(of: try builtIn("success")), motor: choice, glyphs: glyphs)
            let lines = picture.lines(width: width)
            let limit = min(max(width, TimelinePicture.leastWidth), TimelinePicture.greatestWidth)
            // What is said of it may be longer, as any sentence.
            #expect(lines.dropLast(2).allSatisfy { $0.count <= limit }, "\(lines)")
            if glyphs == .ascii { #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x7f } }) }
        }
    }

    @Test("A motor with a brake is shown backwards, one without is not")
    func brake() throws {
        for (name, isBraked) in [("precision-305-000", true), ("coin", false)] {
            let choice = try choice(name)
            let course = try choice.course(of: try builtIn("alarm"))
            let lines = MotorPicture(course: course, motor: choice, glyphs: .ascii).lines(width: 80)
            #expect(lines.contains { $0.contains("backwards") } == isBraked, "\(name)")
            #expect(course.drives.samples.contains { $0 < 0 } == isBraked)
        }
    }

    @Test("The same pattern on the same motor is the same SVG, and a name cannot break it")
    func svg() throws {
        let choice = try choice("coin")
        let course = try choice.course(of: try builtIn("success"))
        let lines = MotorSVG(name: "<&\"", course: course, motor: choice).lines
        #expect(lines == MotorSVG(name: "<&\"", course: course, motor: choice).lines)
        #expect(lines.contains { $0.contains("&lt;&amp;&quot; on coin") } && !lines.contains { $0.contains("<&") })
        #expect(lines.joined().utf8.count < 40_000 && !lines.joined().contains("nan"))
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
        #expect(row.felt.count <= MotorRow.mostPoints && row.intended.count <= MotorRow.mostPoints && row.lengthMs > 10_000)
        let felt = try #require(
            MotorSVG(name: "long", course: course, motor: choice).lines.first { $0.contains(#"class="felt""#) })
        #expect(felt.split(separator: "L").count <= MotorSVG.mostPoints + 2)
    }

    @Test("What is drawn without fitting is what is sent today")
    func unfitted() throws {
        let motor = try #require(MotorLibrary.motor(named: "coin"))
        let soft = try builtIn("soft")
        let course = try #require(MotorCourse(soft, on: motor.model, .full, fitted: false))
        #expect(
            course.changes == [
                DriveChange(at: .zero, drive: Drive(clamping: 0.5)), DriveChange(at: .milliseconds(8), drive: .zero),
            ])
        // On or off: 50 % is on, 20 % is off.
        let onOff = try #require(MotorCourse(soft, on: motor.model, .onOff, fitted: false))
        #expect(onOff.changes.map(\.drive.value) == [1, 0])
        let faint = try #require(MotorCourse(try builtIn("frequentTick"), on: motor.model, .onOff, fitted: false))
        #expect(faint.changes.isEmpty)
    }
}
