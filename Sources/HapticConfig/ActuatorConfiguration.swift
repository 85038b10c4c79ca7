// SPDX-License-Identifier: MIT
public import HapticBackends
private import HapticCore
import HapticEngine
private import HapticMotors
public import HapticPlanning

/// One motor or light as the configuration has it: the part that the engine decides by, and its device.
@dynamicMemberLookup
public struct ActuatorConfiguration: Hashable, Sendable {
    /// Its capabilities are those that are known without opening the device.
    public var engine: EngineActuator
    private let device: ComparableBackend
    /// The configuration does not describe the motor: its model is the one that the backend assumes, if any, until the device says better.
    public let isMotorAssumed: Bool

    /// The capabilities of `engine` are replaced by those of the backend, with as much drive as the described motor bears.
    public init(_ engine: EngineActuator, backend: any Backend, isMotorAssumed: Bool = true) {
        self.engine = engine
        device = ComparableBackend(backend: backend)
        self.isMotorAssumed = isMotorAssumed
        let bearable = isMotorAssumed ? nil : engine.motor?.overdrive?.level
        let capabilities = backend.capabilities
        self.engine.capabilities = capabilities.with(mostDrive: min(capabilities.mostDrive, bearable ?? .rated))
    }

    public subscript<Value>(dynamicMember property: KeyPath<EngineActuator, Value>) -> Value { engine[keyPath: property] }

    public var name: String { engine.name }
    /// Its device.
    public var backend: any Backend { device.backend }

    /// Whether its output would keep its level where the daemon dies.
    public var isGuarded: Bool { backend.leftover != nil }
}

/// Compares what may be of different kinds.
private struct ComparableBackend: Hashable, Sendable {
    let backend: any Backend

    static func == (a: Self, b: Self) -> Bool { a.backend.isEqual(to: b.backend) }

    func hash(into hasher: inout Hasher) { backend.hash(into: &hasher) }
}
