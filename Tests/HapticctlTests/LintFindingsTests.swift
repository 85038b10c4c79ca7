// SPDX-License-Identifier: MIT
import ArgumentParser
import FoundationEssentials
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import HapticText
import HapticYAML
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("Findings of lint")
struct LintFindingsTests {
    private let console = Console(isJSON: false, isQuiet: true)
    /// Lints each file in `Patterns` on a coin motor without fitting, and then on other motors.
    @Test(
        "A finding stands at its line, with a caret, under the path that it has in a file of its format; each motor has its own")
    func findings() throws {
        let slow = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(clamping: 0.6))
        func erm(_ rise: Nanoseconds, _ fall: Nanoseconds) -> MotorModel { MotorModel(kind: .erm, rise: rise, fall: fall) }
        let motors: [(String, MotorModel, ActuatorCapabilities, isFitted: Bool)] = [
            ("slow", slow, .full, true), ("slow, not fitted", slow, .full, false), ("slow, on or off", slow, .onOff, false),
            ("slow to start", erm(.seconds(3), .seconds(1)), .full, true),
            ("slow to stop, on or off", erm(.milliseconds(193), .milliseconds(900)), .onOff, true),
            ("ideal", MotorModel(kind: .lra, rise: .milliseconds(2), fall: .milliseconds(2)), .full, true),
        ]
        let coin = MotorChoice(MotorChoice(try #require(MotorLibrary.motor(named: "coin"))), isFitted: false)
        let folder = #filePath.dropLast("LintFindingsTests.swift".count) + "Patterns/"
        var cases = SnapshotCases()
        for name in try FileManager.default.contentsOfDirectory(atPath: String(folder)).sorted() {
            let linted = try LintedPattern(file: folder + name, console)
            let lines = Findings.lines(Findings.all([linted], on: [coin]), of: [linted])
            cases.add(name, lines.map { $0.replacing(folder, with: "") })
            for (motor, model, abilities, isFitted) in motors {
                let found = MotorLint.findings(linted.pattern, on: model, abilities, fitted: isFitted)
                guard !found.isEmpty else { continue }
                cases.add("\(name), \(motor)", found.map { "\($0.rule) at \(Words.time($0.at.count)): \($0.reason)" })
            }
        }
        try expectSnapshot(of: cases.text, "lint")
    }

    private func rows(_ text: String, file: String = "x.yaml") throws -> [LintRow] {
        try withFile(file, text) { try LintedPattern(file: $0, console).findings(on: []) }
    }

    @Test("A ramp in place of a pause stands at its keyframe, and is meant if the file names its curve")
    func ramps() throws {
        func file(_ curve: String) -> String {
            """
            version: 1
            name: x
            tracks:
              - keyframes:
                  - { at: 0ms, intensity: 1 }
                  - { at: 20ms, intensity: 0 }
                  - { at: 80ms, intensity: 1\(curve) }
                  - { at: 100ms, intensity: 0 }
            """
        }
        let found = try rows(file(""))
        #expect(found.map(\.rule) == ["pauseIsRamp"])
        #expect(found.map { [$0.line, $0.column] } == [[7, 9]])
        #expect(try rows(file(", curve: linear")) == [])
        // Another format leaves nothing to a default.
        let points = [(0, 1), (0.02, 0), (0.08, 1), (0.1, 0)].map { "{\"time\":\($0.0),\"amplitude\":\($0.1)}" }
        let clip =
            "{\"version\":{\"major\":1},\"signals\":{\"continuous\":{\"envelopes\":{\"amplitude\":[\(points.joined(separator: ","))]}}}}"
        #expect(try rows(clip, file: "x.haptic") == [])
    }

    @Test("A finding about pulses stands at `pulses`, also behind tracks and in phases")
    func pulses() throws {
        let head = "version: 1\nname: x\n"
        let long = try rows(head + "pulses: [400]\n")
        #expect(long.map { "\($0.rule) \($0.path) \($0.line ?? 0):\($0.column ?? 0)" } == ["notInterruptible pulses 3:9"])
        let both = try rows(head + "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]\npulses: [0, 50, 400]\n")
        #expect(both.map { "\($0.rule) \($0.path) \($0.line ?? 0)" } == ["notInterruptible pulses 4"])
        let phases = try rows(head + "phases: [{ use: tick }, { pulses: [400] , until: released }, { pulses: [400] }]\n")
        #expect(phases.map { "\($0.rule) \($0.path)" } == ["notInterruptible phases[2].pulses"])
    }

    @Test(
        "Every built-in pattern passes on every motor of the library, or its file says why not",
        arguments: MotorLibrary.motors)
    func builtIn(motor: NamedMotor) throws {
        let patterns = #filePath.dropLast("Tests/HapticctlTests/LintFindingsTests.swift".count) + "configs/patterns/"
        let choice = MotorChoice(motor)
        for (name, pattern) in Configuration.builtIn.patterns.sorted(by: { $0.key < $1.key }) {
            let file = try FileAccess.disk.read(patterns + "\(name.string).yaml", 65_536)
            let remark = String(decoding: file, as: UTF8.self).split(separator: "\n").first { $0.contains("(lint: ") } ?? ""
            for finding in MotorLint.findings(pattern, on: choice.model, choice.abilities) {
                #expect(remark.contains(finding.rule.rawValue), "\(name.string) on \(motor.name): \(finding.reason)")
            }
        }
    }

    private let board = """
        version: 1
        actuators:
          - { name: left, backend: simulated, motor: pinephone }
          - { name: right, backend: simulated, motor: fast-erm }
          - { name: other, backend: simulated }

        """

    @Test("An unknown actuator is refused with those that there are")
    func unknownActuator() throws {
        try withFile("board.yaml", board) { path in
            let options = try MotorOptions.parse(["--actuator", "nosuch"])
            let failure = #expect(throws: Failure.self) { _ = try options.choice(config: path, CommonOptions.parse([])) }
            #expect(failure?.message == "\(path): unknown actuator `nosuch`; there is `left`, `right`, `other`")
            #expect(failure?.code == .unknownName)
        }
    }

    @Test("A glob judges each actuator that matches, and warns of one whose motor is not known")
    func glob() throws {
        try withFile("board.yaml", board) { path in
            func choices(_ name: String) throws -> [String] {
                let options = try ConfiguredMotorOptions.parse(["--actuator", name, "--config", path])
                return try options.choices(CommonOptions.parse([]), console).map(\.name)
            }
            let found = try ["*", "r*", "left"].map(choices)
            #expect(found == [["left", "right"], ["right"], ["left"]])
            let failure = #expect(throws: Failure.self) { try choices("x*") }
            #expect(failure?.message == "no actuator matches `x*`; there are left, right, other")
        }
    }

    @Test("A short pattern whose steps run together on a slow motor gives a note")
    func charge() throws {
        let slow = MotorChoice(try #require(MotorLibrary.motor(named: "pinephone")))
        let note = slow.chargeNote(on: try LintedPattern("soft", console))
        #expect(note?.message.contains("run together into one growing vibration") == true)
        #expect(slow.chargeNote(on: try LintedPattern("success", console)) == nil)
    }

    @Test("An unknown name is refused with a suggestion")
    func unknown() throws {
        let failure = #expect(throws: Failure.self) { try LintedPattern("sucess", console) }
        #expect(failure?.code == .unknownName)
        #expect(failure?.message.contains("`success`") == true)
    }
}
