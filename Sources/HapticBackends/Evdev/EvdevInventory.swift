internal import HapticMotors
// SPDX-License-Identifier: MIT
internal import HapticText

extension EvdevBackend {
    public static func inventory() -> Inventory? { inventory(of: FFDevice.all()) }

    package static func inventory(of devices: [FFDevice]) -> Inventory {
        let rows = devices.map { [$0.path, $0.name, abilities($0), stateForYou($0.fault)] }
        return Inventory(
            backend: name, title: "Input devices with force feedback",
            whenEmpty: "none. Plug in a game pad, or let a driver of the kernel make one of a motor on the board (hw/overlays).",
            tables: rows.isEmpty
                ? []
                : [.init(columns: ["PATH", "NAME", "ABILITIES", "FOR YOU"], rows: rows, faults: devices.compactMap(\.fault))],
            objects: devices.map(object), noun: "pad", proposals: devices.map { proposal($0, among: devices) })
    }

    private static func abilities(_ device: FFDevice) -> String {
        switch device.abilities {
        case .success(let abilities): abilities.form == nil ? "nothing that is felt" : "\(abilities)"
        case .failure: "unknown"
        }
    }

    private static func object(_ device: FFDevice) -> JSONValue {
        let abilities = try? device.abilities.get()
        let waveforms = FFWaveform.allCases.filter { abilities?.waveforms.contains($0) ?? false }
        return [
            "backend": .string(name), "path": .string(device.path), "name": .string(device.name), "phys": .string(device.phys),
            "vendor": .count(device.vendor), "product": .count(device.product), "rumble": .flag(abilities?.rumble),
            "waveforms": abilities == nil ? .null : .texts(waveforms.map { "\($0)" }), "constant": .flag(abilities?.constant),
            "gain": .flag(abilities?.gain), "effects": .count(abilities?.effectCount),
            "available": .bool(device.fault == nil), "problem": .problem(device.fault),
        ]
    }

    private static func proposal(_ device: FFDevice, among devices: [FFDevice]) -> Inventory.Proposal {
        let what = device.fault == nil ? abilities(device) : "you cannot open it"
        // One that is refused to this user may be open to the daemon.
        let isFelt = device.fault != nil || (try? device.abilities.get())?.form != nil
        let motor = motor(named: device.name, hasButtons: device.hasButtons)
        return .init(
            name: device.name,
            keys: [.init("match", .keys(DeviceMatch(device, among: devices).keys)), .init("motor", .word(motor.name))],
            note: "\(device.path): \(what)", isSafe: isFelt)
    }
}

extension DeviceMatch {
    private enum Trait { case name, ids, phys }

    /// The least that tells a device from all others: its name, its ids, where it is plugged in, or its node.
    package init(_ device: FFDevice, among devices: [FFDevice]) {
        // A name is a glob: one with a wildcard in it could fit others.
        func isPlain(_ text: String) -> Bool {
            NodeReader.isName(text) && !text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
        }
        func isUsable(_ trait: Trait) -> Bool {
            switch trait {
            case .name: isPlain(device.name)
            case .ids: device.vendor != 0
            case .phys: isPlain(device.phys)
            }
        }
        func isShared(_ trait: Trait, with other: FFDevice) -> Bool {
            switch trait {
            case .name: other.name == device.name
            case .ids: other.vendor == device.vendor && other.product == device.product
            case .phys: other.phys == device.phys
            }
        }
        let choices: [[Trait]] = [[.name], [.ids], [.name, .ids], [.name, .phys], [.ids, .phys], [.phys]]
        let least = choices.first { traits in
            traits.allSatisfy(isUsable) && devices.count { other in traits.allSatisfy { isShared($0, with: other) } } == 1
        }
        guard let least else {
            self.init(path: device.path)
            return
        }
        self.init(
            name: least.contains(.name) ? device.name : nil, phys: least.contains(.phys) ? device.phys : nil,
            vendor: least.contains(.ids) ? device.vendor : nil, product: least.contains(.ids) ? device.product : nil)
    }

    /// As the configuration has it.
    package var keys: [ConfigurationKey] {
        let keys: [ConfigurationKey?] = [
            name.map { .init("name", .text($0)) }, vendor.map { .init("vendor", .word(Self.hexadecimal($0))) },
            product.map { .init("product", .word(Self.hexadecimal($0))) }, phys.map { .init("phys", .text($0)) },
            path.map { .init("path", .text($0)) },
        ]
        return keys.compactMap(\.self)
    }
}
