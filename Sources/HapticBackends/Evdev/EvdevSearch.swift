// SPDX-License-Identifier: MIT
internal import HapticCore

extension DeviceMatch {
    /// `target`: what the path leads to, where it is a link.
    func matches(_ node: InputNode, target: String?) -> Bool {
        (name.map { Glob($0).matches(node.name) } ?? true) && (phys.map { Glob($0).matches(node.phys) } ?? true)
            && (path == nil || path == node.path || target == node.path)
            && (vendor == nil || vendor == node.vendor) && (product == nil || product == node.product)
    }
}

/// Finds the one device that is meant among those that are there. Pure.
enum EvdevSearch {
    enum Pick: Hashable {
        case found(InputNode)
        case fault(DriverFault.Cause, device: String)
    }

    /// Nodes without force feedback, such as a pad's motion sensors, do not count; nor do those that may not be opened, as long
    /// as another one fits.
    static func pick(_ match: DeviceMatch, among nodes: [InputNode], target: String?) -> Pick {
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
