// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticConfig
import HapticCore
import HapticDocuments
import HapticJSON
import HapticMotors
import HapticPatterns
import TestSupport
import Testing

@testable import hapticctl

@Suite("Findings of lint")
struct LintFindingsTests {
    private let console = Console(isJSON: false, isQuiet: true)
    private let slow = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(clamping: 0.6))

    /// A pattern of keyframes: (ms, intensity).
    private func yaml(_ name: String, _ frames: [(Int, Double)]) -> String {
        let lines = frames.enumerated().map { index, frame in
            "      - { at: \(frame.0)ms, intensity: \(frame.1)\(index == 0 ? "" : ", curve: step") }\n"
        }
        return "version: 1\nname: \(name)\ntracks:\n  - keyframes:\n" + lines.joined()
    }

    private let parts = "version: 1\nname: parts\ncompose:\n  - { use: heavy }\n  - { use: soft, at: 400ms }\n"

    private let ahap = """
        {"Version": 1, "Pattern": [
          {"Event": {"Time": 0, "EventType": "HapticTransient"}},
          {"Event": {"Time": 0.1, "EventType": "HapticContinuous", "EventDuration": 0.9, "EventParameters": [
            {"ParameterID": "HapticIntensity", "ParameterValue": 0.8}]}}]}

        """
    private let haptic = """
        {"version": {"major": 1, "minor": 0, "patch": 0}, "signals": {"continuous": {"envelopes": {"amplitude": [
          {"time": 0, "amplitude": 0.04}, {"time": 0.1, "amplitude": 0.04},
          {"time": 0.1, "amplitude": 0.64},
          {"time": 0.9, "amplitude": 0.64}, {"time": 0.9, "amplitude": 0}]}}}}

        """
    private let hjif = """
        {"timescale": 1000, "perceptions": [{"perception_modality": "Vibrotactile", "effect_library": [
          {"effect_type": "Basis", "id": 7, "position": 0, "keyframes": [{"amplitude_modulation": 0.7},
            {"relative_position": 700, "amplitude_modulation": 0.7}]}],
          "channels": [{"gain": 1, "bands": [{"band_type": "VectorialWave", "effects": [
            {"effect_type": "Reference", "id": 7, "position": 50}]}]}]}]}

        """

    @Test("A finding stands at its line, with a caret, under the path that it has in a file of its format")
    func places() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ name: String, _ text: String, on motors: [MotorChoice] = []) throws {
            let lines = try withFile(name, text) { path in
                let linted = try LintedPattern(file: path, console)
                return Findings.lines(Findings.all([linted], on: motors), of: [linted]).map { $0.replacing(path, with: name) }
            }
            cases.add(heading, lines)
        }
        let coin = MotorChoice(try #require(MotorLibrary.motor(named: "coin")))
        let unfitted = MotorChoice(coin, isFitted: false)
        let cut = yaml("cut", [(0, 0.9), (80, 0.6)])
        try add("the end is not silent", "cut.yaml", cut)
        try add("a file without an ending", "noend", cut)
        try add("AHAP", "long.ahap", ahap, on: [unfitted])
        try add("Lofelt", "long.haptic", haptic, on: [unfitted])
        try add("HJIF", "long.hjif", hjif, on: [unfitted])
        try add("parts on a fitted coin motor", "parts.yaml", parts, on: [coin])
        try add("parts on a coin motor that is not fitted", "parts.yaml", parts, on: [unfitted])
        try expectSnapshot(of: cases.text, "lint")
    }

    @Test("Beats that run together, peaks below the start and patterns that are too weak are findings on a motor that is so")
    func motors() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ text: String, on model: MotorModel, _ abilities: ActuatorCapabilities, fitted: Bool = true)
            throws
        {
            let pattern = try withFile("pattern.yaml", text) { try LintedPattern($0, console).pattern }
            let found = MotorLint.findings(pattern, on: model, abilities, fitted: fitted)
            cases.add(heading, found.map { "\($0.rule) at \(Words.time($0.at.count)): \($0.reason)" })
        }
        let unstarted = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75))
        let sluggish = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(900))
        let ideal = MotorModel(kind: .lra, rise: .milliseconds(2), fall: .milliseconds(2))
        let beats = yaml("beats", [(0, 1), (100, 0), (106, 1), (206, 0)])
        try add("two beats, 6 ms apart, on a slow motor", beats, on: sluggish, .onOff)
        try add("two beats, 6 ms apart, on a fast motor", beats, on: ideal, .full)
        let humps = yaml("humps", [(0, 1), (100, 0), (106, 1), (206, 0.02), (290, 1), (390, 0)])
        try add("two beats that are one, and one that is felt as two", humps, on: unstarted, .full, fitted: false)
        let low = yaml("low", [(0, 1), (200, 0), (210, 0.5), (400, 0), (700, 0.05), (900, 0)])
        try add("peaks below the start level, not fitted", low, on: slow, .full, fitted: false)
        try add("peaks below the start level, fitted", low, on: slow, .full)
        try add("peaks below the start level, on or off", low, on: slow, .onOff, fitted: false)
        let faint = yaml("faint", [(0, 0.2), (60, 0)])
        try add("what an on/off actuator leaves out", faint, on: slow, .onOff)
        let lazy = MotorModel(kind: .erm, rise: .seconds(3), fall: .seconds(1))
        try add("what a motor is too slow for", yaml("short", [(0, 0.5), (8, 0)]), on: lazy, .full)
        try expectSnapshot(of: cases.text, "lint-motors")
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

    @Test("An unknown name is refused with what may be meant")
    func unknown() throws {
        let failure = #expect(throws: Failure.self) { try LintedPattern("sucess", console) }
        #expect(failure?.code == .unknownName)
        #expect(failure?.message.contains("`success`") == true)
    }
}
