// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// A request for all actuators.
public struct ActuatorsParams: WireCall {
    public typealias Result = ActuatorsResult

    public static let method = "actuators"
    public static let summary = "all actuators with their abilities and limits"

    public init() {}

    public static let blank = Self()
    public static let members: [WireMember<Self>] = []
}

// sizes: plain values
/// An actuator, for the choice of one.
public struct ActuatorResult: WireResult {
    public var name: String
    public var backend: String
    public var isAvailable: Bool
    public var error: String?
    public var fault: ActuatorFault.Kind?
    public var fallback: String?
    public var variesIntensity: Bool
    public var variesSharpness: Bool
    public var mostDrive: Double
    public var reverses: Bool
    public var shapesItself: Bool
    public var fit: Fit
    public var motor: MotorResult?
    public var minGapMs: Double
    public var maxOnMs: Double?
    public var duty: Double

    public init(
        name: String, capabilities: ActuatorCapabilities, limits: MotorLimits, backend: String, fault: ActuatorFault?,
        fallback: String?, fit: Fit, motor: MotorResult?
    ) {
        self.name = name
        self.backend = backend
        isAvailable = fault == nil
        error = fault?.words
        self.fault = fault?.kind
        self.fallback = fallback
        variesIntensity = capabilities.variesIntensity
        variesSharpness = capabilities.variesSharpness
        mostDrive = capabilities.mostDrive.value
        reverses = capabilities.reverses
        shapesItself = capabilities.shapesItself
        self.fit = fit
        self.motor = motor
        minGapMs = limits.minGap.inMilliseconds
        maxOnMs = limits.maxOn?.inMilliseconds
        duty = limits.duty.value
    }

    public static let blank = Self(
        name: "", capabilities: .full, limits: .none, backend: "", fault: nil, fallback: nil, fit: .auto, motor: nil)

    public static let members: [WireMember<Self>] = [
        .required("name", \.name, .anyText, "the name"),
        .required("backend", \.backend, .anyText, "the backend"),
        .required("available", \.isAvailable, .boolean, "whether the actuator can be used now"),
        .nullable("error", \.error, .anyText, "the reason why the actuator is not available, and a remedy"),
        .nullable("fault", \.fault, .choice(), "the reason in one word"),
        .nullable(
            "fallback", \.fallback, .anyText,
            "the substitute if the actuator is not available, or if the profile suppresses it"),
        .required("variesIntensity", \.variesIntensity, .boolean, "whether the intensity varies, or is only on or off"),
        .required("variesSharpness", \.variesSharpness, .boolean, "whether the sharpness varies"),
        .required("mostDrive", \.mostDrive, .amount, "the greatest drive of the driver, as a multiple of the rated drive; 1…1.5"),
        .required("reverses", \.reverses, .boolean, "whether the driver can drive the motor backwards, to brake it"),
        .required(
            "shapesItself", \.shapesItself, .boolean,
            "whether the driver kicks and brakes automatically, as a haptic chip in closed loop"),
        .required(
            "fit", \.fit, .choice(), "`auto`: patterns are fitted to the motor if the motor is known or assumed; `off`: never"),
        .nullable("motor", \.motor, .object, "the model of the motor; null: unknown, or no motor"),
        .required("minGapMs", \.minGapMs, .amount, "the off time that the motor needs between two pulses"),
        .nullable("maxOnMs", \.maxOnMs, .amount, "the longest permitted time without a break; null: no limit"),
        .required("duty", \.duty, .amount, "the permitted share of any 10 s; 1: no limit"),
    ]
}

public struct ActuatorsResult: WireResult {
    public var actuators: [ActuatorResult]

    public init(actuators: [ActuatorResult]) { self.actuators = actuators }

    public static let blank = Self(actuators: [])

    public static let members: [WireMember<Self>] = [
        .required("actuators", \.actuators, .items(of: .object), "all actuators, in the order of the configuration")
    ]
}
