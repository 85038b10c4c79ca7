// SPDX-License-Identifier: MIT
internal import HapticText

extension PWMBackend {
    public static func inventory() -> Inventory? { inventory(of: PWMChipDescription.all(in: .system)) }

    package static func inventory(of chips: [PWMChipDescription]) -> Inventory {
        let channels = chips.flatMap { chip in chip.channels.map { proposal($0, of: chip) } }
        return Inventory(
            backend: name, title: "PWM chips and their channels",
            whenEmpty:
                "none: /sys/class/pwm is empty. A board has it once its device tree enables a PWM (hw/overlays, `dtoverlay=pwm` on a Raspberry Pi).",
            tables: chips.map(table), objects: chips.map(object), noun: "pwm",
            sections: channels.isEmpty
                ? []
                : [
                    .init(
                        "PWM channels. One may be wired to anything: remove the # only where you know that a motor is on it.",
                        channels)
                ])
    }

    private static func table(_ chip: PWMChipDescription) -> Inventory.Table {
        let device = chip.devicePath.map { ", \($0)" } ?? ""
        return .init(
            heading: "\(chip.name)\(device): \(counted(chip.channels.count, "channel"))",
            columns: ["CHANNEL", "STATE", "FOR YOU"],
            rows: chip.channels.map { channel in
                let state = channel.isExported ? channel.isEnabled ? "exported, running" : "exported" : "not exported"
                return ["\(channel.number)", state, stateForYou(channel.fault)]
            }, faults: chip.channels.compactMap(\.fault))
    }

    private static func object(_ chip: PWMChipDescription) -> JSONValue {
        [
            "backend": .string(name), "path": .string(chip.path), "name": .string(chip.name), "device": .text(chip.devicePath),
            "channels": .array(
                chip.channels.map { channel in
                    [
                        "channel": .count(channel.number), "exported": .bool(channel.isExported),
                        "enabled": .bool(channel.isEnabled), "available": .bool(channel.fault == nil),
                        "problem": .problem(channel.fault),
                    ]
                }),
        ]
    }

    private static func proposal(_ channel: PWMChipDescription.Channel, of chip: PWMChipDescription) -> Inventory.Proposal {
        // The device's folder keeps its name; a chip's number depends on which was found first.
        let chipName = chip.devicePath.flatMap { NodeReader.isName($0) ? $0 : nil } ?? chip.name
        return .init(
            name: "\(chip.name)-\(channel.number)",
            keys: [
                .init("chip", .text(chipName)), .init("channel", .number(channel.number)), .init("frequency", .word("20kHz")),
                .coinMotor,
            ], note: channel.isExported ? "\(chip.name), exported: some program may use it" : chip.name)
    }
}
