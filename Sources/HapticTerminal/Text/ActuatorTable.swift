// SPDX-License-Identifier: MIT
import HapticCore
package import HapticWire

/// Actuators as a table for people, and a line for each that is missing or has an assumed motor.
package struct ActuatorTable {
    var actuators: [ActuatorResult]

    package init(actuators: [ActuatorResult]) { self.actuators = actuators }

    package var lines: [String] {
        let head = ["NAME", "BACKEND", "STATE", "INTENSITY", "SHARPNESS", "MOTOR", "LIMITS"]
        return Table.lines([head] + actuators.map(row)) + actuators.flatMap(trouble) + actuators.compactMap(Words.assumption)
    }

    private func row(_ actuator: ActuatorResult) -> [String] {
        [
            actuator.name, actuator.backend, actuator.isAvailable ? "ready" : "missing",
            actuator.variesIntensity ? "any intensity" : "on or off",
            actuator.variesSharpness ? "any sharpness" : "one sharpness",
            motor(actuator), limits(actuator),
        ]
    }

    /// Why an actuator is missing, and the state of its fallback.
    private func trouble(_ actuator: ActuatorResult) -> [String] {
        guard let error = actuator.error else { return [] }
        let line = "\(actuator.name): \(error)"
        guard let fallback = actuator.fallback else { return [line] }
        let isThere = actuators.contains { Text($0.name) == Text(fallback) && $0.isAvailable }
        return [line, isThere ? "  \(fallback) plays in its place meanwhile" : "  its fallback \(fallback) is missing, too"]
    }

    private func motor(_ actuator: ActuatorResult) -> String {
        guard let motor = actuator.motor else { return "not known" }
        return
            "\(motor.name ?? motor.kind)\(motor.assumed ? ", assumed" : ""), \(actuator.fit == .auto ? "fitted" : "not fitted")"
    }

    private func limits(_ actuator: ActuatorResult) -> String {
        var limits: [String] = []
        if actuator.minGapMs > 0 {
            let gap = Words.time(milliseconds: actuator.minGapMs)
            limits.append("at least \(gap) off between pulses")
        }
        if let maxOn = actuator.maxOnMs { limits.append("at most \(Words.time(milliseconds: maxOn)) on") }
        if actuator.duty < 1 { limits.append("on for at most \(Words.percent(actuator.duty)) of any 10 s") }
        return limits.isEmpty ? "none" : limits.joined(separator: ", ")
    }
}
