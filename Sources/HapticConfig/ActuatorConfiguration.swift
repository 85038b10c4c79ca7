// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore

/// One motor or light as the configuration has it.
public struct ActuatorConfiguration: Hashable, Sendable {
    /// What kind of motor it is, how fast it follows, and what it must not be asked for.
    public struct Motor: Hashable, Sendable {
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A rotating mass.
            case erm
            /// A linear resonant actuator.
            case lra
        }

        public var kind: Kind?
        /// From off to full speed.
        public var rise: Nanoseconds
        /// From full speed to rest.
        public var fall: Nanoseconds
        public var limits: MotorLimits

        public init(
            kind: Kind? = nil, rise: Nanoseconds = .zero, fall: Nanoseconds = .zero, limits: MotorLimits = .none
        ) {
            self.kind = kind
            self.rise = rise
            self.fall = fall
            self.limits = limits
        }
    }

    public var name: String
    /// Its device.
    public var backend: any Backend {
        get { device.backend }
        set { device = ComparableBackend(backend: newValue) }
    }
    private var device: ComparableBackend
    public var motor: Motor
    /// What stands in for it where it is missing or a profile wants nothing of it: another one, which has no fallback itself.
    public var fallback: ActuatorIndex?

    public init(name: String, backend: any Backend, motor: Motor = Motor(), fallback: ActuatorIndex? = nil) {
        self.name = name
        device = ComparableBackend(backend: backend)
        self.motor = motor
        self.fallback = fallback
    }

    /// What can be known without opening the device.
    public var capabilities: ActuatorCapabilities { backend.capabilities }
    /// Whether its output would keep its level where the daemon dies.
    public var isGuarded: Bool { backend.leftover != nil }
}

/// Compares what may be of different kinds.
private struct ComparableBackend: Hashable, Sendable {
    let backend: any Backend

    static func == (a: Self, b: Self) -> Bool { a.backend.isEqual(to: b.backend) }

    func hash(into hasher: inout Hasher) { backend.hash(into: &hasher) }
}
