// SPDX-License-Identifier: MIT
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

@Suite("The table of actuators")
struct ActuatorTableTests {
    @Test("Each actuator has its abilities, its motor and its limits, and a missing one the reason and its fallback")
    func rows() throws {
        let limits = MotorLimits(minGap: .milliseconds(20), maxOn: .seconds(2), duty: Share(clamping: 0.4))
        let engine = [
            EngineActuator(name: "main", limits: limits, motor: MotorLibrary.coin.model),
            EngineActuator(name: "line", capabilities: .onOff, motor: MotorLibrary.coin.model, isFitted: false),
            EngineActuator(name: "left", fallback: ActuatorIndex(0)), EngineActuator(name: "right", fallback: ActuatorIndex(4)),
            EngineActuator(name: "lamp"),
        ]
        let missing = Set([2, 3, 4])
        let actuators = engine.indices.map { index in
            ActuatorResult(
                index, of: engine, backend: "gpio", isMotorAssumed: index == 0,
                fault: missing.contains(index) ? ActuatorFault("unplugged", kind: .deviceLost) : nil)
        }
        var cases = SnapshotCases()
        cases.add("all", ActuatorTable(actuators: actuators).lines)
        cases.add("none", ActuatorTable(actuators: []).lines)
        try expectSnapshot(of: cases.text, "actuators")
    }
}
