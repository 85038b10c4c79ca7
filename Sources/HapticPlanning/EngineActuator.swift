// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors

/// The properties of an actuator that plans and decisions depend on.
public struct EngineActuator: Hashable, Sendable, Codable {
    public var name: String
    public var capabilities: ActuatorCapabilities
    public var limits: MotorLimits
    /// How its motor moves; `nil` if it is not known.
    public var motor: MotorModel?
    /// Patterns are fitted to a motor that is known. Without it the model only judges what is felt.
    public var isFitted: Bool
    /// How it gets hot; nil: nothing is done about that but what the limits do.
    public var thermal: ThermalModel?
    /// The actuator that plays instead if this one is absent, or if the profile wants nothing of it. It has no fallback itself.
    public var fallback: ActuatorIndex?

    public init(
        name: String, capabilities: ActuatorCapabilities = .full, limits: MotorLimits = .none, motor: MotorModel? = nil,
        isFitted: Bool = true, thermal: ThermalModel? = nil, fallback: ActuatorIndex? = nil
    ) {
        self.name = name
        self.capabilities = capabilities
        self.limits = limits
        self.motor = motor
        self.isFitted = isFitted
        self.thermal = thermal
        self.fallback = fallback
    }

    /// The same actuator with the motor that its open device has turned out to have; `nil` if that does not tell.
    public func with(_ found: FoundMotor?) -> EngineActuator {
        guard let found else { return self }
        var actuator = self
        actuator.motor = found.model?.within(maxOn: limits.maxOn) ?? motor
        actuator.capabilities.shapesItself = found.shapesItself
        return actuator
    }

    /// The model that patterns are fitted to; `nil` if nothing is fitted.
    public var fittedMotor: MotorModel? { isFitted ? motor : nil }
}
