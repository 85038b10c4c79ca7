// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

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

    public init(capabilities: ActuatorCapabilities = .full.with(mostDrive: .most), faults: FaultPlan = .none) {
        self.capabilities = capabilities
        self.faults = faults
    }

    public static let members = keys.map(\.member)

    public init(_ fields: inout FieldReader) {
        self.init()
        fields.read(Self.keys, into: &self)
    }

    private static let keys: [Key<Self>] = [
        .optional("variesIntensity", .boolean, default: "true", "whether the intensity varies, or is only on or off") {
            $0.capabilities.variesIntensity = $1
        },
        .optional("variesSharpness", .boolean, default: "true", "whether the sharpness varies") {
            $0.capabilities.variesSharpness = $1
        },
        .optional("reverses", .boolean, default: "false", "whether the driver can drive the motor backwards, to brake it") {
            $0.capabilities.reverses = $1
        },
        .optional("faults", FaultDraft.form, "a simulated fault of the device") { $0.faults = $1 },
    ]

    private struct FaultDraft {
        var failAfter: Int?
        var recoverAfter: Nanoseconds?

        static let form = Form<FaultPlan>.object(keys, into: Self()) { draft, _ in
            draft.failAfter.map { .lost(after: $0, for: draft.recoverAfter) }
        }

        private static let keys: [Key<Self>] = [
            .required("failAfter", .integer(in: 0...1_000_000), "the number of actuations until the device is lost") {
                $0.failAfter = $1
            },
            .optional(
                "recoverAfter", .duration(in: .milliseconds(1) ... .seconds(3600)), default: "never",
                "the time until the device is back"
            ) {
                $0.recoverAfter = $1
            },
        ]
    }

    public var device: String? { nil }
    public var leftover: (any Leftover)? { nil }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        SimulatedDriver(
            name: parts.name, capabilities: capabilities.with(mostDrive: parts.mostDrive), limits: parts.limits,
            tolerance: Self.tolerance, faults: faults)
    }
}
