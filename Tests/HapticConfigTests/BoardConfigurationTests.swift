// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import HapticYAML
import Testing

/// The files in configs/boards name the chip and the line that the board has, and keep a coin motor from harm.
@Suite("Configurations of boards")
struct BoardConfigurationTests {
    private static let folder =
        String(#filePath.prefix(#filePath.count - "Tests/HapticConfigTests/BoardConfigurationTests.swift".count))
        + "configs/boards/"

    /// A coin motor on a line with intensity, each board by its own chip.
    static let boards: [(file: String, chip: String, line: Int)] = [
        ("raspberry-pi-3.yaml", "pinctrl-bcm2835", 17), ("raspberry-pi-zero-2w.yaml", "pinctrl-bcm2835", 17),
        ("raspberry-pi-4.yaml", "pinctrl-bcm2711", 17), ("raspberry-pi-5.yaml", "pinctrl-rp1", 17),
        ("beaglebone-black.yaml", "/dev/am335x-gpio1", 12),
    ]

    @Test("A board's motor is on the line that hw/wiring.md wires, with intensity and limits", arguments: boards)
    func motor(file: String, chip: String, line: Int) throws {
        let actuators = try Configuration.load(path: Self.folder + file).actuators
        let motor = try #require(actuators.first)
        #expect(actuators.count == 1)
        #expect(motor.backend.isEqual(to: GPIOBackend(chip: chip, line: .offset(line), pwmPeriod: .milliseconds(5))))
        // A coin motor is slower than any useful gap: the steps of a charge run together on it.
        #expect(motor.limits.minGap == .zero)
        let longest = try #require(motor.limits.maxOn)
        #expect(longest <= .seconds(2))
        #expect(motor.limits.duty.value <= 0.5)
    }

    @Test("Every file that is shipped names the model of its motor, and nothing is overdriven")
    func models() throws {
        for board in Self.boards {
            let actuators = try Configuration.load(path: Self.folder + board.file).actuators
            #expect(actuators.map(\.fittedMotor) == [MotorLibrary.coin.model], "\(board.file)")
        }
        #expect(
            try Configuration.load(path: Self.folder + "gamepad.yaml").actuators.map(\.fittedMotor) == [MotorLibrary.pad.model])
        let configs = String(Self.folder.dropLast("boards/".count))
        let names =
            try FileManager.default.contentsOfDirectory(atPath: Self.folder).map { "boards/\($0)" } + [
                "hapticd.yaml", "user.yaml",
            ]
        let files = names.filter { $0.hasSuffix(".yaml") }
        #expect(files.count >= 8)
        for file in files {
            let actuators = try Configuration.load(path: configs + file).actuators
            let simulated = actuators.allSatisfy { $0.backend is SimulatedBackend }
            if !simulated { #expect(actuators.allSatisfy { !$0.isMotorAssumed }, "\(file)") }
            #expect(actuators.allSatisfy { $0.capabilities.mostDrive == .rated }, "\(file)")
        }
    }

    @Test("A pad is found by its name, wherever it is plugged in")
    func pad() throws {
        let actuators = try Configuration.load(path: Self.folder + "gamepad.yaml").actuators
        #expect(actuators.map(\.name) == ["pad"])
        let match = try #require(actuators.first?.backend as? EvdevBackend, "the pad is no input device").match
        #expect(match == .init(name: "*Controller*"))
        let name = Glob(try #require(match.name))
        #expect(name.matches("Xbox Wireless Controller"))
        #expect(!name.matches("AT Translated Set 2 keyboard"))
    }

    @Test(
        "An example in a comment is valid without its comment signs",
        arguments: boards.map(\.file) + ["gamepad.yaml"])
    func examples(file: String) throws {
        let bytes = try FileAccess.disk.read(Self.folder + file, YAML.Limit.bytes)
        var shown = 0
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("  # - {") else { return String(line) }
            shown += 1
            // Each with a name of its own: some show the same motor again.
            return "  - { name: shown\(shown), " + line.drop { $0 != "," }.dropFirst()
        }
        let configuration = try Configuration.read(yaml: Array(lines.joined(separator: "\n").utf8), file: file)
        #expect(shown > 0)
        #expect(configuration.actuators.count == 1 + shown)
    }
}
