// SPDX-License-Identifier: MIT
internal import HapticCore

extension DeviceMatch {
    /// `target`: what the path leads to, where it is a link.
    func matches(_ node: InputNode, target: String?) -> Bool {
        (name.map { Glob($0).matches(node.name) } ?? true) && (phys.map { Glob($0).matches(node.phys) } ?? true)
            && (path == nil || path == node.path || target == node.path)
            && (vendor == nil || vendor == node.ids.vendor) && (product == nil || product == node.ids.product)
    }
}

/// What an input device is opened for.
package enum InputUse: Hashable, Sendable {
    case forceFeedback
    /// One of its keys, switches or axes is read.
    case input(InputCapability, code: Int, name: String)
}

extension InputUse {
    fileprivate func isServed(by node: InputNode) -> Bool {
        switch self {
        case .forceFeedback: node.hasForceFeedback
        case .input(let capability, let code, _): node.bitmaps.has(code, capability)
        }
    }

    fileprivate func isOpen(_ node: InputNode) -> Bool {
        switch self {
        case .forceFeedback: node.isAccessible
        case .input: node.isReadable
        }
    }

    fileprivate var lack: DriverFault.Cause {
        switch self {
        case .forceFeedback:
            .unusable(why: "it has no force feedback", remedy: "run `hapticctl actuators --scan` and name a device that has it")
        case .input(_, _, let name):
            .unusable(
                why: "it has no \(name)",
                remedy: "name a device that has it; `evtest`, of the package evtest, lists the keys, switches and axes of each")
        }
    }
}

/// Finds the one device that is meant among those that are there. Pure.
package enum EvdevSearch {
    package enum Pick: Hashable {
        case found(InputNode)
        case fault(DriverFault.Cause, device: String)
    }

    /// Nodes that do not serve the use, such as a pad's motion sensors, do not count; nor do those that may not be opened, as long
    /// as another one fits.
    package static func pick(
        _ match: DeviceMatch, among nodes: [InputNode], target: String?, for use: InputUse = .forceFeedback
    ) -> Pick {
        let matching = nodes.filter { match.matches($0, target: target) }
        let able = matching.filter(use.isServed)
        let open = able.filter(use.isOpen)
        if let only = open.first, open.count == 1 { return .found(only) }
        if open.count > 1 { return .fault(.ambiguous(open.map(\.description)), device: match.description) }
        if let denied = able.first { return .fault(.permission, device: denied.description) }
        if let other = matching.first { return .fault(use.lack, device: other.description) }
        return .fault(.absent, device: match.description)
    }
}

extension DeviceMatch {
    /// What this process sees of the device now. Changes nothing; may block, any thread.
    package func sighting(for use: InputUse) -> DeviceSighting {
        let (nodes, target) = (InputNode.all(), path.flatMap(resolved))
        switch EvdevSearch.pick(self, among: nodes, target: target, for: use) {
        case .found(let node): return DeviceSighting(files: [node.path])
        case .fault(let cause, let device):
            let closed = nodes.filter { matches($0, target: target) && use.isServed(by: $0) && !use.isOpen($0) }
            return DeviceSighting(files: closed.map(\.path), fault: DriverFault(cause, device: device))
        }
    }
}
