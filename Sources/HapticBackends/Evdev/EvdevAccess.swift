// SPDX-License-Identifier: MIT

extension EvdevBackend {
    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? {
        let nodes = InputNode.all(classes: "\(root.path)/class/input")
        let places = InputPlaces(root: root, database: "/run/udev/data")
        return try accessRule(among: nodes, target: match.path.flatMap(resolved), places)
    }

    /// `target`: what the path of the match leads to, where it is a link.
    func accessRule(among nodes: [InputNode], target: String?, _ places: InputPlaces) throws(DriverFault) -> DeviceRule {
        // Whether this user may open them says nothing about the daemon.
        let able = nodes.filter(\.hasForceFeedback).map { node in
            var node = node
            node.isAccessible = true
            return node
        }
        switch EvdevSearch.pick(match, among: able + nodes.filter { !$0.hasForceFeedback }, target: target) {
        case .fault(let cause, let device): throw DriverFault(cause, device: device)
        case .found(let node): return try rule(for: node, twins: able.filter { $0 != node && $0.hasIds(of: node) }, places)
        }
    }

    /// `twins`: others with the same ids.
    private func rule(for node: InputNode, twins: [InputNode], _ places: InputPlaces) throws(DriverFault) -> DeviceRule {
        // What the driver of a board's own motor leaves at 0 says nothing about which one it is.
        if node.vendor != 0, twins.isEmpty { return rule(for: node, nil) }
        for place in [InputPlaces.pathID, InputPlaces.devicePath] {
            guard let match = place(places)(node), !twins.contains(where: { place(places)($0) == match }) else { continue }
            return rule(for: node, match)
        }
        throw DriverFault(
            .unusable(
                why: "no path without odd characters tells it from others with the same ids", remedy: "write its rule by hand"),
            device: "\(node)")
    }

    private func rule(for node: InputNode, _ place: String?) -> DeviceRule {
        let ids = [("bustype", node.bus), ("vendor", node.vendor), ("product", node.product)].map { name, id in
            #"ATTRS{id/\#(name)}=="\#(DeviceMatch.hexadecimal(id & 0xffff).dropFirst(2))""#
        }
        // All of these have to hold for the same parent: another part of a device with these ids, such as its keyboard, has no effects.
        let able = [#"ATTRS{capabilities/ff}=="?*""#, #"ATTRS{capabilities/ff}!="0""#]
        let matches = [#"SUBSYSTEM=="input""#, #"KERNEL=="event[0-9]*""#] + (place.map { [$0] } ?? []) + ids + able
        return DeviceRule(matches.joined(separator: ", "), .node)
    }
}

extension InputNode {
    fileprivate func hasIds(of other: InputNode) -> Bool {
        bus == other.bus && vendor == other.vendor && product == other.product
    }
}

/// Where input devices are, as udev can be asked for it.
struct InputPlaces {
    var root: SysfsRoot
    /// Where udev keeps what it knows of devices.
    var database: String

    /// Where a device is plugged in; nil where udev does not say, or the path is not plain.
    func pathID(_ node: InputNode) -> String? {
        let prefix = "E:ID_PATH="
        guard let number = try? Sysfs.text("\(root.path)/class/input/event\(node.number)/dev"), DeviceRule.plain(number) != nil,
            let line = (try? Sysfs.lines("\(database)/c\(number)"))?.first(where: { $0.hasPrefix(prefix) }),
            let path = DeviceRule.plain(String(line.dropFirst(prefix.count)))
        else { return nil }
        return #"ENV{ID_PATH}=="\#(path)""#
    }

    /// The device's parent, without the numbers of `input7/event3`, which change; nil where the path is not plain.
    func devicePath(_ node: InputNode) -> String? {
        guard let path = root.devicePath("class/input/event\(node.number)").flatMap(DeviceRule.plain) else { return nil }
        let parts = path.split(separator: "/")
        guard parts.count > 2, parts[parts.count - 2].hasPrefix("input") else { return nil }
        return #"DEVPATH=="/\#(parts.dropLast(2).joined(separator: "/"))/input[0-9]*/event[0-9]*""#
    }
}
