// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import HapticService
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("The choice of a motor")
struct MotorChoiceTests {
    private func actuator(
        _ motor: MotorModel?, _ capabilities: ActuatorCapabilities = .full, isFitted: Bool = true
    ) -> ActuatorResult {
        ActuatorResult(EngineActuator(name: "main", capabilities: capabilities, motor: motor, isFitted: isFitted))
    }

    /// As a program reads it.
    private func read(_ actuator: ActuatorResult) throws -> ActuatorResult {
        try JSONDecoder().decode(ActuatorResult.self, from: JSONEncoder().encode(actuator))
    }

    @Test("A pattern that only a daemon knows cannot be fitted, and the error says why and what to do")
    func daemonsPattern() {
        let failure = #expect(throws: Failure.self) {
            try KnownPattern.here("doorman", Console(isJSON: false, isQuiet: true))
        }
        #expect(failure?.code == .unknownName)
        #expect(failure?.message.contains("name its file") == true)
        #expect(failure?.message.contains("gives outlines of its patterns") == true)
    }

    @Test("A daemon's actuator makes the same choice as its configuration", arguments: [Fit.auto, .off])
    func same(fit: Fit) throws {
        let model = MotorLibrary.motors[0].model
        let capabilities = ActuatorCapabilities(
            variesIntensity: true, variesSharpness: false, mostDrive: Drive(clamping: 1.2), reverses: true)
        let choice = try MotorChoice(read(actuator(model, capabilities, isFitted: fit == .auto)))
        #expect(choice.name == "main")
        #expect(choice.model == model)
        #expect(choice.isFitted == (fit == .auto))
        #expect(choice.abilities == capabilities)
    }

    @Test("A daemon that does not report how the motor moves is reported with the remedy")
    func notSaid() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ actuator: ActuatorResult) {
            let failure = #expect(throws: Failure.self) { try MotorChoice(actuator) }
            cases.add(heading, failure.map { ["\($0.code)"] + $0.lines } ?? [])
        }
        add("no motor is described", try read(actuator(nil)))
        var newer = actuator(MotorLibrary.motors[0].model)
        newer.motor?.kind = "piezo"
        add("a later version", try read(newer))
        try expectSnapshot(of: cases.text, "motor-unknown")
    }
}
