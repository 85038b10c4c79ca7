// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Ask for all actuators.
public struct ActuatorsParams: WireCall {
    public typealias Result = ActuatorsResult

    public static let method = "actuators"
    public static let summary = "all actuators with what they can do"

    public init() {}

    public static let blank = Self()
    public static let members: [WireMember<Self>] = []
}

/// All that a caller needs to choose an actuator.
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
        .required("name", \.name, .anyText, "its name"),
        .required("backend", \.backend, .anyText, "its backend"),
        .required("available", \.isAvailable, .boolean, "whether it can be used now"),
        .nullable("error", \.error, .anyText, "why it is not available, and what to do"),
        .nullable("fault", \.fault, .choice(), "the same in a word"),
        .nullable(
            "fallback", \.fallback, .anyText,
            "the actuator that plays in its place where it is not available, or where the profile wants nothing of it"),
        .required("variesIntensity", \.variesIntensity, .boolean, "whether its intensity varies: else it is on or off"),
        .required("variesSharpness", \.variesSharpness, .boolean, "whether its sharpness varies"),
        .required(
            "mostDrive", \.mostDrive, .amount, "the most that its driver can send, as a multiple of the rated drive; 1…1.5"),
        .required("reverses", \.reverses, .boolean, "whether its driver can drive it backwards, which brakes"),
        .required(
            "shapesItself", \.shapesItself, .boolean,
            "whether its driver kicks and brakes by itself, as a haptic chip in closed loop does"),
        .required(
            "fit", \.fit, .choice(), "`auto`: patterns are fitted to its motor if that is known or assumed; `off`: they are not"),
        .nullable("motor", \.motor, .object, "how its motor moves; null: nobody knows, or it is none"),
        .required("minGapMs", \.minGapMs, .amount, "the off time that its motor needs between two pulses"),
        .nullable("maxOnMs", \.maxOnMs, .amount, "the longest time that it may be on; null: no limit"),
        .required("duty", \.duty, .amount, "the share of any 10 s that it may be on; 1: no limit"),
    ]
}

public struct ActuatorsResult: WireResult {
    public var actuators: [ActuatorResult]

    public init(actuators: [ActuatorResult]) { self.actuators = actuators }

    public static let blank = Self(actuators: [])

    public static let members: [WireMember<Self>] = [
        .required("actuators", \.actuators, .items(of: .object), "all of them, in the order of the configuration")
    ]
}
