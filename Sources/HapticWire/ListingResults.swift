// SPDX-License-Identifier: MIT
public import HapticCore

/// All that a caller needs to choose an actuator.
public struct ActuatorResult: Codable, Hashable, Sendable {
    public var name: String
    public var backend: String
    public var isAvailable: Bool
    /// Why it is not available, and what to do; null where it is.
    public var error: String?
    /// The same in a word: `absent`, `deviceLost`, `permission`, `busy` or `other`; null where it is available.
    public var fault: String?
    /// The actuator that plays in its place where it is not available, or where the profile wants nothing of it; null: none.
    public var fallback: String?
    public var variesIntensity: Bool
    public var variesSharpness: Bool
    /// The most that its driver can send, as a multiple of the rated drive; 1…1.5.
    public var mostDrive: Double
    /// Its driver can drive it backwards, which brakes.
    public var reverses: Bool
    /// Its driver kicks and brakes by itself, as a haptic chip in closed loop does.
    public var shapesItself: Bool
    /// `auto`: patterns are fitted to its motor if that is known or assumed; `off`: they are not.
    public var fit: String
    /// How its motor moves; null: nobody knows, or it is none.
    public var motor: MotorResult?
    public var minGapMs: Double
    /// Null: no limit.
    public var maxOnMs: Double?
    /// The share of any 10 s that it may be on; 1: no limit.
    public var duty: Double

    public init(
        name: String, capabilities: ActuatorCapabilities, limits: MotorLimits, backend: String, fault: ActuatorFault?,
        fallback: String?, fit: Fit = .auto, motor: MotorResult? = nil
    ) {
        self.name = name
        self.backend = backend
        isAvailable = fault == nil
        error = fault?.words
        self.fault = fault?.kind.rawValue
        self.fallback = fallback
        variesIntensity = capabilities.variesIntensity
        variesSharpness = capabilities.variesSharpness
        mostDrive = capabilities.mostDrive.value
        reverses = capabilities.reverses
        shapesItself = capabilities.shapesItself
        self.fit = fit.rawValue
        self.motor = motor
        minGapMs = limits.minGap.inMilliseconds
        maxOnMs = limits.maxOn?.inMilliseconds
        duty = limits.duty.value
    }

    private enum CodingKeys: String, CodingKey {
        case name, backend, error, fault, fallback, variesIntensity, variesSharpness, mostDrive, reverses, shapesItself, fit,
            motor
        case minGapMs, maxOnMs, duty
        case isAvailable = "available"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(backend, forKey: .backend)
        try container.encode(isAvailable, forKey: .isAvailable)
        try container.encode(error, forKey: .error)
        try container.encode(fault, forKey: .fault)
        try container.encode(fallback, forKey: .fallback)
        try container.encode(variesIntensity, forKey: .variesIntensity)
        try container.encode(variesSharpness, forKey: .variesSharpness)
        try container.encode(mostDrive, forKey: .mostDrive)
        try container.encode(reverses, forKey: .reverses)
        try container.encode(shapesItself, forKey: .shapesItself)
        try container.encode(fit, forKey: .fit)
        try container.encode(motor, forKey: .motor)
        try container.encode(minGapMs, forKey: .minGapMs)
        try container.encode(maxOnMs, forKey: .maxOnMs)
        try container.encode(duty, forKey: .duty)
    }
}

public struct ActuatorsResult: Codable, Hashable, Sendable {
    public var actuators: [ActuatorResult]

    public init(actuators: [ActuatorResult]) { self.actuators = actuators }
}

/// All that a caller needs to choose a pattern.
public struct PatternResult: Codable, Hashable, Sendable {
    public var name: String
    public var description: String
    /// Silence at the end included.
    public var durationMs: Double
    /// Until nothing is felt any more.
    public var feltMs: Double
    /// The greatest intensity in it.
    public var peak: Double
    /// Where it was asked for by its name: what it is meant to feel like. Else it is left out.
    public var outline: Outline?

    public init(name: String, description: String, timeline: Timeline, outline: Outline? = nil) {
        self.name = name
        self.description = description
        self.outline = outline
        durationMs = timeline.duration.inMilliseconds
        feltMs = timeline.felt.inMilliseconds
        peak = timeline.peak.value
    }
}

/// Patterns in the order of their names.
public struct PatternsResult: Codable, Hashable, Sendable {
    public var patterns: [PatternResult]
    /// Others come behind these; ask for them with `after`.
    public var more: Bool

    public init(patterns: [PatternResult], more: Bool = false) { (self.patterns, self.more) = (patterns, more) }
}
