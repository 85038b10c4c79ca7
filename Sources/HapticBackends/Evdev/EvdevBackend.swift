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

    public static let members = Draft.keys.map(\.member)

    public init?(_ fields: inout FieldReader) {
        guard let match = fields.read(Draft.keys, from: Draft()).match else { return nil }
        self.init(match)
    }

    private struct Draft {
        var match: DeviceMatch?

        static let keys: [Key<Self>] = [.required("match", DeviceMatch.form, "which device it is") { $0.match = $1 }]
    }

    public var device: String? { "\(match)" }
    /// The strong and the weak motor of a pad mix to dull and sharp.
    public var capabilities: ActuatorCapabilities {
        var capabilities = ActuatorCapabilities.full
        capabilities.shapesItself = match.isHapticChip == true
        return capabilities
    }
    /// A chip in closed loop must not be sent the inverse of its motor, and a pad should be.
    public var fittingDoubt: String? {
        guard match.isHapticChip == nil else { return nil }
        return
            "patterns are fitted to its motor, and `match` does not say whether it is a haptic chip, which shapes them by itself: add to it the `name` of the device, such as \(quoted(DeviceMatch.chipNames[0])), or write `fit: off`"
    }
    /// The kernel stops a device's effects with the descriptor that they came by.
    public var leftover: (any Leftover)? { nil }

    public func sighting() -> DeviceSighting {
        let (nodes, target) = (InputNode.all(), match.path.flatMap(resolved))
        switch EvdevSearch.pick(match, among: nodes, target: target) {
        case .found(let node): return DeviceSighting(files: [node.path])
        case .fault(let cause, let device):
            let closed = nodes.filter { match.matches($0, target: target) && $0.hasForceFeedback && !$0.isAccessible }
            return DeviceSighting(files: closed.map(\.path), fault: DriverFault(cause, device: device))
        }
    }

    public func makeDriver(_ parts: DriverParts) -> any ActuatorDriver {
        EvdevDriver(match, runs: parts.runs, maxOn: parts.limits.maxOn)
    }
}

extension DeviceMatch {
    /// What the kernel calls TI's haptic chips, which drive their motor in a closed loop.
    fileprivate static let chipNames = ["drv260x:haptics", "drv2665:haptics", "drv2667:haptics"]

    /// Whether it matches these and no other device; nil: both may be. They have neither vendor nor product.
    fileprivate var isHapticChip: Bool? {
        if (vendor ?? 0) != 0 || (product ?? 0) != 0 { return false }
        guard let name else { return nil }
        if name.begins(with: "drv26") { return true }
        let glob = Glob(name)
        return Self.chipNames.contains(where: glob.matches) ? nil : false
    }

    fileprivate static let form = Form<Self>.object(keys, into: Self()) { match, reader in
        guard reader.node.content == .object([]) else { return match }
        reader.fail("nothing to find the device by; give its `name`, `path`, `phys`, `vendor` or `product`")
        return nil
    }.described(as: .objectOfAny(keys.map(\.member)))

    private static let id = Form<Int>.integer(in: 0...0xffff)

    private static let keys: [Key<Self>] = [
        .optional("name", .name(), "a glob for its name") { $0.name = $1.string },
        .optional("path", .name(limit: 4096), "a node, or a link to one") { $0.path = $1.string },
        .optional("phys", .name(), "a glob for where it is connected") { $0.phys = $1.string },
        .optional("vendor", id, "its maker's number on USB or Bluetooth") { $0.vendor = $1 },
        .optional("product", id, "its model's number on USB or Bluetooth") { $0.product = $1 },
    ]
}
