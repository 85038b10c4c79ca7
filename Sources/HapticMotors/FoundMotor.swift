// SPDX-License-Identifier: MIT

/// The motor that an open device turns out to have.
public struct FoundMotor: Hashable, Sendable, Codable {
    /// The model that stands for it; `nil` if the configuration says what the motor is.
    public var model: MotorModel?
    /// Its driver kicks and brakes by itself: patterns are sent as they are.
    public var shapesItself: Bool

    public init(model: MotorModel?, shapesItself: Bool) { (self.model, self.shapesItself) = (model, shapesItself) }

    public init(_ motor: NamedMotor) { self.init(model: motor.model, shapesItself: motor.shapesItself) }
}
