// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

/// An input device with force feedback.
public struct EvdevBackend: Backend {
    public static let name = "evdev"
    public static let shortestInterval = Nanoseconds.milliseconds(2)
    public static let mayHang = true
    public static let appearsInDev = true
    public static let playsRuns = true

    public var match: DeviceMatch

    public init(_ match: DeviceMatch) { self.match = match }

    public init?(_ fields: inout FieldReader) {
        guard let match = fields.required("match")?.object({ DeviceMatch(&$0) }) else { return nil }
        self.init(match)
    }

    public var device: String? { "\(match)" }
    /// The strong and the weak motor of a pad mix to dull and sharp.
    public var capabilities: ActuatorCapabilities { .full }
    /// The kernel stops a device's effects with the descriptor that they came by.
    public var leftover: (any Leftover)? { nil }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        EvdevDriver(match, runs: parts.runs, maxOn: parts.limits.maxOn)
    }
}

extension DeviceMatch {
    fileprivate init(_ fields: inout FieldReader) {
        self.init(
            name: fields.optional("name")?.name()?.string, path: fields.optional("path")?.name(limit: 4096)?.string,
            phys: fields.optional("phys")?.name()?.string, vendor: fields.optional("vendor")?.integer(in: 0...0xffff),
            product: fields.optional("product")?.integer(in: 0...0xffff))
        if fields.isEmpty { fields.fail("nothing to find the device by; give its `name`, `path`, `phys`, `vendor` or `product`") }
    }
}
