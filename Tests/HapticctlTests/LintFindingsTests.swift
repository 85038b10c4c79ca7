// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticConfig
import HapticCore
import HapticDocuments
import HapticJSON
import HapticMotors
import HapticPatterns
import Testing

@testable import hapticctl

@Suite("What lint finds")
struct LintFindingsTests {
    private static let cut = """
        version: 1
        name: cut
        tracks:
          - keyframes:
              - { at: 0ms, intensity: 0.9 }
              - { at: 80ms, intensity: 0.6 }

        """

    /// A folder of its own, with `text` as `name` in it; `body` gets the path.
    private func withFile(_ name: String, _ text: String, _ body: (String) throws -> Void) throws {
        var folder = Array("/tmp/hapticctl-lint-XXXXXX".utf8CString)
        let made = folder.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } }
        let path = try #require(made)
        defer {
            unlink("\(path)/\(name)")
            rmdir(path)
        }
        try WholeFile.write(text, to: "\(path)/\(name)", replacing: false)
        try body("\(path)/\(name)")
    }

    private var console: Console { Console(isJSON: false, isQuiet: true) }

    @Test("A finding stands at the line of the keyframe that it is about, with a caret")
    func place() throws {
        try withFile("cut.yaml", Self.cut) { path in
            let linted = try LintedPattern(path, console)
            let rows = Findings.all([linted], on: [])
            #expect(rows.map(\.rule) == ["endNotSilent"])
            #expect(rows.first?.line == 6 && rows.first?.column == 9 && rows.first?.path == "tracks[0].keyframes[1]")
            let lines = Findings.lines(rows, of: [linted])
            #expect(lines.count == 3 && lines[0].hasPrefix("\(path):6:9: tracks[0].keyframes[1]: "))
            #expect(lines[1].contains("at: 80ms") && lines[2].hasSuffix("^"))
        }
    }

    private static let otherFormats: [(file: String, text: String, line: Int, column: Int, path: String)] = [
        (
            "long.ahap",
            """
            {"Version": 1, "Pattern": [
              {"Event": {"Time": 0, "EventType": "HapticTransient"}},
              {"Event": {"Time": 0.1, "EventType": "HapticContinuous", "EventDuration": 0.9, "EventParameters": [
                {"ParameterID": "HapticIntensity", "ParameterValue": 0.8}]}}]}

            """, 3, 13, "Pattern[1].Event"
        ),
        (
            "long.haptic",
            """
            {"version": {"major": 1, "minor": 0, "patch": 0}, "signals": {"continuous": {"envelopes": {"amplitude": [
              {"time": 0, "amplitude": 0.04}, {"time": 0.1, "amplitude": 0.04},
              {"time": 0.1, "amplitude": 0.64},
              {"time": 0.9, "amplitude": 0.64}, {"time": 0.9, "amplitude": 0}]}}}}

            """, 3, 3, "signals.continuous.envelopes.amplitude[2]"
        ),
        (
            "long.hjif",
            """
            {"timescale": 1000, "perceptions": [{"perception_modality": "Vibrotactile", "effect_library": [
              {"effect_type": "Basis", "id": 7, "position": 0, "keyframes": [{"amplitude_modulation": 0.7},
                {"relative_position": 700, "amplitude_modulation": 0.7}]}],
              "channels": [{"gain": 1, "bands": [{"band_type": "VectorialWave", "effects": [
                {"effect_type": "Reference", "id": 7, "position": 50}]}]}]}]}

            """, 5, 5, "perceptions[0].channels[0].bands[0].effects[0]"
        ),
    ]

    @Test(
        "In a file of another format a finding stands where what it is about does, under the path that it has there",
        arguments: otherFormats)
    func foreign(file: String, text: String, line: Int, column: Int, path: String) throws {
        try withFile(file, text) { name in
            let linted = try LintedPattern(name, console)
            let rows = Findings.all([linted], on: [])
            let held = try #require(rows.first { $0.rule == "notInterruptible" }, "\(rows)")
            #expect(held.line == line && held.column == column && held.path == path, "\(held)")
            // What is about the whole stands at its beginning.
            let long = try #require(rows.first { $0.rule == "tooLong" }, "\(rows)")
            #expect(long.line == 1 && long.column == 1 && long.path.isEmpty, "\(long)")
            let motor = try #require(MotorLibrary.motor(named: "coin"))
            let choice = MotorChoice(MotorChoice(motor), isFitted: false)
            #expect(linted.findings(on: [choice]).allSatisfy { $0.path.isEmpty || !$0.path.hasPrefix("tracks") })
        }
    }

    @Test("Two beats that a slow motor makes one are a finding at the second one, and none on a fast motor")
    func merging() throws {
        let text = """
            version: 1
            name: beats
            tracks:
              - keyframes:
                  - { at: 0ms, intensity: 1 }
                  - { at: 100ms, intensity: 0, curve: step }
                  - { at: 106ms, intensity: 1, curve: step }
                  - { at: 206ms, intensity: 0, curve: step }

            """
        let slow = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(900))
        let ideal = MotorModel(kind: .lra, rise: .milliseconds(2), fall: .milliseconds(2))
        try withFile("beats.yaml", text) { path in
            let pattern = try LintedPattern(path, console).pattern
            let findings = MotorLint.findings(pattern, on: slow, .onOff)
            #expect(findings.map(\.rule) == [.beatsMerge] && findings.first?.at == .milliseconds(106))
            #expect(MotorLint.findings(pattern, on: ideal, .full).isEmpty)
        }
    }

    @Test("Two beats that are one are found, too, where another beat is felt as two")
    func humps() throws {
        let text = """
            version: 1
            name: humps
            tracks:
              - keyframes:
                  - { at: 0ms, intensity: 1 }
                  - { at: 100ms, intensity: 0, curve: step }
                  - { at: 106ms, intensity: 1, curve: step }
                  - { at: 206ms, intensity: 0.02, curve: step }
                  - { at: 290ms, intensity: 1, curve: step }
                  - { at: 390ms, intensity: 0, curve: step }

            """
        let slow = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75))
        try withFile("humps.yaml", text) { path in
            let pattern = try LintedPattern(path, console).pattern
            let course = try #require(MotorCourse(pattern, on: slow, .full, fitted: false))
            #expect(course.timeline.beats.count == 2 && TrainMeasure.pulsesApart(course.felt) == 2)
            let findings = MotorLint.findings(pattern, on: slow, .full, fitted: false)
            #expect(findings.map(\.rule) == [.beatsMerge] && findings.first?.at == .milliseconds(106), "\(findings)")
            let reason = findings.first?.reason ?? ""
            #expect(reason.hasPrefix("of 2 beats this motor keeps 1 apart: the gap before this one is 6 ms,"), "\(reason)")
        }
    }

    @Test("A peak below the start level is found where nothing is fitted, and a driver has levels")
    func belowStart() throws {
        let text = """
            version: 1
            name: low
            tracks:
              - keyframes:
                  - { at: 0ms, intensity: 1 }
                  - { at: 200ms, intensity: 0, curve: step }
                  - { at: 210ms, intensity: 0.5, curve: step }
                  - { at: 400ms, intensity: 0, curve: step }
                  - { at: 700ms, intensity: 0.05, curve: step }
                  - { at: 900ms, intensity: 0, curve: step }

            """
        let motor = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(clamping: 0.6))
        func low(_ abilities: ActuatorCapabilities, fitted: Bool, _ pattern: Pattern) -> MotorLint.Finding? {
            MotorLint.findings(pattern, on: motor, abilities, fitted: fitted).first { $0.rule == .belowStart }
        }
        try withFile("low.yaml", text) { path in
            let pattern = try LintedPattern(path, console).pattern
            let finding = low(.full, fitted: false, pattern)
            #expect(finding?.at == .milliseconds(210), "the first of two")
            let reason = finding?.reason ?? ""
            #expect(reason.hasPrefix("the peak of 2 of 3 beats, this one first, is 50%, below the 60% that set"), "\(reason)")
            #expect(low(.full, fitted: true, pattern) == nil && low(.onOff, fitted: false, pattern) == nil)
        }
    }

    @Test("A finding on a motor stands at the part that it is about, and is of the pattern as it is played there")
    func parts() throws {
        let text = """
            version: 1
            name: parts
            compose:
              - { use: heavy }
              - { use: soft, at: 400ms }

            """
        var choice = MotorChoice(try #require(MotorLibrary.motor(named: "coin")))
        try withFile("parts.yaml", text) { path in
            let linted = try LintedPattern(path, console)
            #expect(linted.findings(on: [choice]) == [])
            choice = MotorChoice(choice, isFitted: false)
            let rows = linted.findings(on: [choice])
            #expect(rows.map(\.rule) == ["tooWeak", "belowStart"], "\(rows)")
            #expect(rows.map(\.path) == ["compose[0]", "compose[1]"] && rows.map(\.line) == [4, 5], "\(rows)")
        }
    }

    @Test("What an on/off actuator leaves out, and what a motor is too slow for, is too weak")
    func weak() throws {
        // trap: both are built in.
        let faint = try LintedPattern("frequentTick", console).pattern
        let slow = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(clamping: 0.6))
        #expect(MotorLint.findings(faint, on: slow, .onOff).map(\.rule) == [.tooWeak])
        let sluggish = MotorModel(kind: .erm, rise: .seconds(3), fall: .seconds(1))
        let soft = try LintedPattern("soft", console).pattern
        #expect(MotorLint.findings(soft, on: sluggish, .full).map(\.rule) == [.tooWeak])
    }

    @Test(
        "Every built-in pattern passes on every motor of the library, or its file says why not",
        arguments: MotorLibrary.motors)
    func builtIn(motor: NamedMotor) throws {
        let choice = MotorChoice(motor)
        for (name, pattern) in Configuration.builtIn.patterns.sorted(by: { $0.key < $1.key }) {
            let file = try FileAccess.disk.read(Self.patterns + "\(name.string).yaml", 65_536)
            let remark = String(decoding: file, as: UTF8.self).split(separator: "\n").first { $0.contains("(lint: ") } ?? ""
            for finding in MotorLint.findings(pattern, on: choice.model, choice.abilities) {
                #expect(remark.contains(finding.rule.rawValue), "\(name.string) on \(motor.name): \(finding.reason)")
            }
        }
    }

    private static let patterns =
        String(#filePath.dropLast("Tests/HapticctlTests/LintFindingsTests.swift".count)) + "configs/patterns/"

    @Test("A file of any name is tried as a file")
    func anyName() throws {
        try withFile("noend", Self.cut) { path in
            let linted = try LintedPattern(file: path, console)
            #expect(linted.pattern.name == "cut")
        }
    }

    @Test("Where an actuator is unknown, those that there are are named")
    func unknownActuator() throws {
        let board = "version: 1\nactuators: [{ name: left, backend: simulated }, { name: right, backend: simulated }]\n"
        try withFile("board.yaml", board) { path in
            let options = try MotorOptions.parse(["--actuator", "nosuch"])
            let failure = #expect(throws: Failure.self) { _ = try options.choice(config: path, CommonOptions.parse([])) }
            #expect(failure?.message == "\(path): unknown actuator `nosuch`; there is `left`, `right`")
            #expect(failure?.code == .unknownName)
        }
    }

    @Test("A glob judges each actuator that matches, and warns of one whose motor is not known")
    func glob() throws {
        let board = """
            version: 1
            actuators:
              - { name: left, backend: simulated, motor: pinephone }
              - { name: right, backend: simulated, motor: fast-erm }
              - { name: other, backend: simulated }

            """
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
        let soft = try LintedPattern("soft", console)
        let slow = MotorChoice(try #require(MotorLibrary.motor(named: "pinephone")))
        #expect(slow.chargeNote(on: soft)?.message.contains("run together into one growing vibration") == true)
        #expect(slow.chargeNote(on: try LintedPattern("success", console)) == nil)
    }

    @Test("An unknown name says what may be meant")
    func unknown() throws {
        let failure = #expect(throws: Failure.self) { try LintedPattern("sucess", console) }
        #expect(failure?.code == .unknownName && failure?.message.contains("`success`") == true)
    }
}
