// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticCore
import HapticMotors
import HapticService
import HapticWire
import Testing

@testable import hapticctl

@Suite("Which motor is drawn")
struct MotorChoiceTests {
    private func actuator(
        _ motor: MotorModel?, _ capabilities: ActuatorCapabilities = .full, fit: Fit = .auto
    ) -> ActuatorResult {
        ActuatorResult(
            name: "main", capabilities: capabilities, limits: .none, backend: "pwm", fault: nil, fallback: nil, fit: fit,
            motor: motor.map { MotorResult($0) })
    }

    /// As a program reads it.
    private func read(_ actuator: ActuatorResult, without keys: [String] = []) throws -> ActuatorResult {
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(actuator))
        var members = try #require(written as? [String: Any])
        for key in keys { #expect(members.removeValue(forKey: key) != nil, "\(key) is not written") }
        return try JSONDecoder().decode(ActuatorResult.self, from: JSONSerialization.data(withJSONObject: members))
    }

    @Test("A pattern that only a daemon knows cannot be fitted, and the error says why and what to do")
    func daemonsPattern() {
        let failure = #expect(throws: Failure.self) {
            try KnownPattern.here("doorman", Console(isJSON: false, isQuiet: true))
        }
        #expect(failure?.code == .unknownName)
        for part in ["name its file", "gives outlines of its patterns"] {
            #expect(failure?.message.contains(part) == true)
        }
    }

    @Test("What a daemon says of an actuator makes the same choice as its configuration", arguments: [Fit.auto, .off])
    func same(fit: Fit) throws {
        let model = MotorLibrary.motors[0].model
        let capabilities = ActuatorCapabilities(
            variesIntensity: true, variesSharpness: false, mostDrive: Drive(clamping: 1.2), reverses: true)
        let choice = try MotorChoice(read(actuator(model, capabilities, fit: fit)))
        #expect(choice.name == "main" && choice.model == model && choice.isFitted == (fit == .auto))
        #expect(choice.abilities == capabilities)
    }

    @Test("A daemon that does not say how the motor moves is answered with what to do")
    func notSaid() throws {
        let said = ["mostDrive", "reverses", "shapesItself", "fit", "motor"]
        let earlier = try read(actuator(MotorLibrary.motors[0].model), without: said)
        #expect(earlier.fit == nil && earlier.motor == nil)
        let old = #expect(throws: Failure.self) { try MotorChoice(earlier) }
        #expect(old?.code == .noActuator && old?.message.contains("of an earlier version") == true)
        #expect(old?.message.contains("--config") == true && old?.message.contains("--motor") == true)
        let unknown = #expect(throws: Failure.self) { try MotorChoice(read(actuator(nil))) }
        #expect(unknown?.code == .noActuator && unknown?.message.contains("`hapticctl tune main`") == true)
        var newer = actuator(MotorLibrary.motors[0].model)
        newer.motor?.kind = "piezo"
        let other = #expect(throws: Failure.self) { try MotorChoice(read(newer)) }
        #expect(other?.code == .notUnderstood && other?.message.contains("--motor") == true)
    }
}
