// SPDX-License-Identifier: MIT

extension EvdevBackend {
    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? {
        try match.accessRule(for: .forceFeedback, in: root)
    }

    /// `target`: what the path of the match leads to, where it is a link.
    func accessRule(among nodes: [InputNode], target: String?, _ places: InputPlaces) throws(DriverFault) -> DeviceRule {
        try match.accessRule(for: .forceFeedback, among: nodes, target: target, places)
    }
}

extension DeviceMatch {
    /// The rule for the device that serves this use now, and for no other. Changes nothing; may block, any thread.
    package func accessRule(for use: InputUse, in root: SysfsRoot) throws(DriverFault) -> DeviceRule {
        let nodes = InputNode.all(classes: "\(root.path)/class/input")
        let places = InputPlaces(root: root, database: "/run/udev/data")
        return try accessRule(for: use, among: nodes, target: path.flatMap(resolved), places)
    }

    func accessRule(
        for use: InputUse, among nodes: [InputNode], target: String?, _ places: InputPlaces
    ) throws(DriverFault) -> DeviceRule {
        // Whether this user may open them says nothing about the daemon.
        let nodes = nodes.map { node in
            var node = node
            (node.isAccessible, node.isReadable) = (true, true)
            return node
        }
        switch EvdevSearch.pick(self, among: nodes, target: target, for: use) {
        case .fault(let cause, let device): throw DriverFault(cause, device: device)
        case .found(let node):
            return try use.rule(for: node, twins: nodes.filter { $0 != node && use.isTwin($0, of: node) }, places)
        }
    }
}

extension InputUse {
    /// Whether what is said of a device, but for its place, fits the other one, too.
    fileprivate func isTwin(_ other: InputNode, of node: InputNode) -> Bool {
        guard other.ids == node.ids else { return false }
        switch self {
        case .forceFeedback: return other.hasForceFeedback
        case .input(let capability, _, _): return other.bitmaps[capability] == node.bitmaps[capability]
        }
    }

    /// All of these have to hold for the same parent: another part of a device with these ids, such as its keyboard, does not have them.
    private func abilities(_ node: InputNode) -> [String] {
        switch self {
        case .forceFeedback: [#"ATTRS{capabilities/ff}=="?*""#, #"ATTRS{capabilities/ff}!="0""#]
        case .input(let capability, _, _):
            [#"ATTRS{capabilities/\#(capability.rawValue)}=="\#(node.bitmaps[capability])""#]
        }
    }

    private var grant: DeviceRule.Grant { if case .input = self { .reading } else { .node } }

    /// `twins`: others for which that holds.
    fileprivate func rule(for node: InputNode, twins: [InputNode], _ places: InputPlaces) throws(DriverFault) -> DeviceRule {
        // What the driver of a board's own motor leaves at 0 says nothing about which one it is.
        if node.ids.vendor != 0, twins.isEmpty { return rule(for: node, nil) }
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
        let ids = [("bustype", node.ids.bus), ("vendor", node.ids.vendor), ("product", node.ids.product)].map { name, id in
            #"ATTRS{id/\#(name)}=="\#(DeviceMatch.hexadecimal(id & 0xffff).dropFirst(2))""#
        }
        let matches = [#"SUBSYSTEM=="input""#, #"KERNEL=="event[0-9]*""#] + (place.map { [$0] } ?? []) + ids + abilities(node)
        return DeviceRule(matches.joined(separator: ", "), grant)
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
