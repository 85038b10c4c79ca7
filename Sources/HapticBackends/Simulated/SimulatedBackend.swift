// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

/// An actuator that is not there.
public struct SimulatedBackend: Backend {
    public static let name = "simulated"
    /// What is not there does not wear out.
    public static let longestOn: Nanoseconds? = nil
    public static let isDirect = true

    /// By how much the lateness of a real clock may break a simulated motor's limits unnoticed.
    private static let tolerance = Nanoseconds.milliseconds(5)

    public var capabilities: ActuatorCapabilities
    /// How it fails, to try out what happens then.
    public var faults: FaultPlan

    public init(capabilities: ActuatorCapabilities = .full, faults: FaultPlan = .none) {
        self.capabilities = capabilities
        self.faults = faults
    }

    public init(_ fields: inout FieldReader) {
        let variesIntensity = fields.optional("variesIntensity")?.bool() ?? true
        let variesSharpness = fields.optional("variesSharpness")?.bool() ?? true
        let faults: FaultPlan? = fields.optional("faults")?.object { fields in
            let failAfter = fields.required("failAfter")?.integer(in: 0...1_000_000)
            let recoverAfter = fields.optionalDuration("recoverAfter", in: .milliseconds(1) ... .seconds(3600))
            return failAfter.map { .lost(after: $0, for: recoverAfter) }
        }
        self.init(
            capabilities: .init(variesIntensity: variesIntensity, variesSharpness: variesSharpness), faults: faults ?? .none)
    }

    public var device: String? { nil }
    public var leftover: (any Leftover)? { nil }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        SimulatedDriver(
            name: parts.name, capabilities: capabilities, limits: parts.limits, tolerance: Self.tolerance, faults: faults)
    }
}
