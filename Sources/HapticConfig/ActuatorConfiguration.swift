// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore
public import HapticMotors

/// One motor or light as the configuration has it.
public struct ActuatorConfiguration: Hashable, Sendable {
    /// What kind of motor it is, how fast it follows, and what it must not be asked for.
    public struct Motor: Hashable, Sendable {
        public var limits: MotorLimits
        /// How it moves; `nil` if nobody knows, or if it is no motor.
        public var model: MotorModel?
        /// The configuration does not describe it: the model is the one that its backend assumes, if any, until its device says better.
        public var isAssumed: Bool
        /// More than the rated drive, for which its supply has the voltage; nil: no more.
        public var overdrive: MotorModel.Overdrive?
        /// How it gets hot; nil: nothing is done about that but what the limits do.
        public var thermal: ThermalModel?

        public init(
            limits: MotorLimits = .none, model: MotorModel? = nil, isAssumed: Bool = true,
            overdrive: MotorModel.Overdrive? = nil, thermal: ThermalModel? = nil
        ) {
            self.limits = limits
            self.model = model
            self.isAssumed = isAssumed
            self.overdrive = overdrive
            self.thermal = thermal
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
    /// Whether patterns are fitted to its motor if that is known.
    public var fit: Fit
    /// What stands in for it where it is missing or a profile wants nothing of it: another one, which has no fallback itself.
    public var fallback: ActuatorIndex?

    public init(
        name: String, backend: any Backend, motor: Motor = Motor(), fit: Fit = .auto, fallback: ActuatorIndex? = nil
    ) {
        self.name = name
        device = ComparableBackend(backend: backend)
        self.motor = motor
        self.fit = fit
        self.fallback = fallback
    }

    /// What can be known without opening the device.
    public var capabilities: ActuatorCapabilities {
        backend.capabilities.with(mostDrive: min(backend.capabilities.mostDrive, motor.overdrive?.level ?? .rated))
    }
    /// The model that patterns are fitted to; `nil` if nothing is fitted.
    public var fittedModel: MotorModel? { fit == .auto ? motor.model : nil }
    /// Whether its output would keep its level where the daemon dies.
    public var isGuarded: Bool { backend.leftover != nil }
}

/// Compares what may be of different kinds.
private struct ComparableBackend: Hashable, Sendable {
    let backend: any Backend

    static func == (a: Self, b: Self) -> Bool { a.backend.isEqual(to: b.backend) }

    func hash(into hasher: inout Hasher) { backend.hash(into: &hasher) }
}
