// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// Which input device is meant: one for which all that is given holds.
public struct EvdevMatch: Hashable, Sendable {
    /// Globs.
    public let name: String?
    public let phys: String?
    /// A node, or a link to one such as those in `/dev/input/by-id`.
    public let path: String?
    /// USB and Bluetooth ids, 0…0xffff.
    public let vendor: Int?
    public let product: Int?
    private let nameGlob: Glob?
    private let physGlob: Glob?

    public init(
        name: String? = nil, path: String? = nil, phys: String? = nil, vendor: Int? = nil, product: Int? = nil
    ) {
        self.name = name
        self.path = path
        self.phys = phys
        self.vendor = vendor
        self.product = product
        nameGlob = name.map(Glob.init)
        physGlob = phys.map(Glob.init)
    }

    /// `target`: what the path leads to, where it is a link.
    func matches(_ node: InputNode, target: String?) -> Bool {
        (nameGlob?.matches(node.name) ?? true) && (physGlob?.matches(node.phys) ?? true)
            && (path == nil || path == node.path || target == node.path)
            && (vendor == nil || vendor == node.vendor) && (product == nil || product == node.product)
    }
}

extension EvdevMatch: CustomStringConvertible {
    /// `the input device with name "*Pad*", vendor 0x045e`.
    public var description: String {
        let parts = [
            name.map { "name \"\($0)\"" }, path.map { "path \($0)" }, phys.map { "phys \"\($0)\"" },
            vendor.map { "vendor \(hexadecimal($0))" }, product.map { "product \(hexadecimal($0))" },
        ]
        return "the input device with " + parts.compactMap(\.self).joined(separator: ", ")
    }
}

/// `0x045e`.
func hexadecimal(_ id: Int) -> String {
    let digits = String(id, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

/// Finds the one device that is meant among those that are there. Pure.
enum EvdevSearch {
    enum Outcome: Hashable {
        case found(InputNode)
        case fault(DriverFault.Cause, device: String)
    }

    /// Nodes without force feedback, such as a pad's motion sensors, do not count; nor do those that may not be opened, as long
    /// as another one fits.
    static func pick(_ match: EvdevMatch, among nodes: [InputNode], target: String?) -> Outcome {
        let matching = nodes.filter { match.matches($0, target: target) }
        let able = matching.filter(\.hasForceFeedback)
        let open = able.filter(\.isAccessible)
        if let only = open.first, open.count == 1 { return .found(only) }
        if open.count > 1 { return .fault(.ambiguous(open.map(\.description)), device: match.description) }
        if let denied = able.first { return .fault(.permission, device: denied.description) }
        if let other = matching.first {
            return .fault(
                .unusable(
                    why: "it has no force feedback", remedy: "run `hapticctl actuators --scan` and name a device that has it"),
                device: other.description)
        }
        return .fault(.absent, device: match.description)
    }
}
