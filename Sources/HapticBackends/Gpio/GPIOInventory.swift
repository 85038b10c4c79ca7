// SPDX-License-Identifier: MIT
internal import HapticText

extension GPIOBackend {
    public static func inventory() -> Inventory? {
        #if GPIO
            return inventory(of: GPIOChip.all())
        #else
            return inventory(of: nil)
        #endif
    }

    /// Nil: this build cannot list them.
    package static func inventory(of chips: [GPIOChip]?) -> Inventory {
        let whenEmpty =
            chips == nil
            ? "not listed: this hapticctl was built without libgpiod"
            : "none: there is no /dev/gpiochip*. Boards have them; a PC gets one by an adapter (such as an FT232H on USB)."
        let chips = chips ?? []
        return Inventory(
            backend: name, title: "GPIO chips and their lines", whenEmpty: whenEmpty, tables: chips.map(table),
            objects: chips.map(object), noun: "gpio", sections: sections(chips))
    }

    private static func table(_ chip: GPIOChip) -> Inventory.Table {
        let heading = "\(chip.path)\(chip.label.isEmpty ? "" : ", \(chip.label)")"
        if let fault = chip.fault { return .init(heading: heading, faults: [fault]) }
        let used = chip.lines.count { $0.isUsed }
        return .init(
            heading: "\(heading): \(counted(chip.lines.count, "line")), \(used) in use",
            columns: ["LINE", "NAME", "STATE", "DIRECTION"],
            rows: chip.lines.map { line in
                [
                    "\(line.offset)", line.name ?? "-",
                    line.isUsed ? "used by \(line.consumer ?? "the kernel")" : "free",
                    line.isOutput ? "output" : "input",
                ]
            })
    }

    private static func object(_ chip: GPIOChip) -> JSONValue {
        [
            "backend": .string(name), "path": .string(chip.path), "name": .string(chip.name), "label": .string(chip.label),
            "lines": .array(
                chip.lines.map { line in
                    [
                        "line": .count(line.offset), "name": .text(line.name), "consumer": .text(line.consumer),
                        "used": .bool(line.isUsed), "output": .bool(line.isOutput),
                    ]
                }), "available": .bool(chip.fault == nil), "problem": .problem(chip.fault),
        ]
    }

    private static func sections(_ chips: [GPIOChip]) -> [Inventory.Section] {
        let hidden = chips.compactMap(\.fault).map { Inventory.Section("GPIO lines that are not shown: \($0)") }
        // One that has a name is likelier the one that is meant.
        let unused = chips.flatMap { chip in chip.lines.filter { !$0.isUsed }.map { (chip, $0) } }
        let ordered = unused.filter { $0.1.name != nil } + unused.filter { $0.1.name == nil }
        guard !ordered.isEmpty else { return hidden }
        let free = Inventory.Section(
            "GPIO lines that nobody uses. Wired to anything, too: remove the # only where you know that a motor is on it.",
            ordered.map { proposal($0.1, of: $0.0, among: chips) })
        return hidden + [free]
    }

    private static func proposal(_ line: GPIOChip.Line, of chip: GPIOChip, among chips: [GPIOChip]) -> Inventory.Proposal {
        let hasOwnLabel = NodeReader.isName(chip.label) && chips.count { $0.label == chip.label || $0.name == chip.label } == 1
        return .init(
            name: "\(chip.name)-\(line.offset)",
            keys: [
                .init("chip", .text(hasOwnLabel ? chip.label : chip.path)), .init("line", .number(line.offset)),
                .init("pwm", .word("200Hz")), .coinMotor,
            ], note: line.name)
    }
}
