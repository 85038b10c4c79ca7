// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors

/// An actuator as its plans and the decisions about it need it.
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
    /// What plays in its place where it is not there, or where the profile wants nothing of it; has none itself.
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
