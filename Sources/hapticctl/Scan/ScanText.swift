// SPDX-License-Identifier: MIT
import HapticBackends

/// What a machine has, as tables for people.
struct ScanText {
    private(set) var lines: [String] = []
    private var hasRefusal = false

    init(_ inventory: Inventory) {
        let gpioRows = inventory.gpioChips?.flatMap { gpio($0) }
        add("GPIO chips and their lines (backend gpio)", gpioRows ?? [], gpioRows == nil ? Self.noGPIOLibrary : Self.noGPIO)
        let pwmRows = inventory.pwmChips.flatMap { pwm($0) }
        add("PWM chips and their channels (backend pwm)", pwmRows, Self.noPWM)
        let deviceRows = forceFeedback(inventory.forceFeedback)
        add("Input devices with force feedback (backend evdev)", deviceRows, Self.noForceFeedback)
        let lightRows = leds(inventory.leds)
        add("Lights (backend led)", lightRows, Self.noLEDs)
        guard hasRefusal else { return }
        lines += [
            "", "What is refused to you need not be to hapticd, which is of the group hapticd: as that one,",
            "`sudo -u hapticd hapticctl actuators --scan` shows what it may use.",
        ]
    }

    // MARK: What would make it appear

    private static let noGPIOLibrary = "not listed: this hapticctl was built without libgpiod"
    private static let noGPIO =
        "none: there is no /dev/gpiochip*. Boards have them; a PC gets one by an adapter (such as an FT232H on USB)."
    private static let noPWM =
        "none: /sys/class/pwm is empty. A board has it once its device tree enables a PWM (hw/overlays, `dtoverlay=pwm` on a Raspberry Pi)."
    private static let noForceFeedback =
        "none. Plug in a game pad, or let a driver of the kernel make one of a motor on the board (hw/overlays)."
    private static let noLEDs =
        "none: /sys/class/leds is empty. The lights of a board's device tree and of keyboards appear there."

    // MARK: The kinds

    private mutating func add(_ title: String, _ rows: [String], _ whenEmpty: String) {
        if !lines.isEmpty { lines.append("") }
        lines.append(title)
        lines += rows.isEmpty ? ["  \(whenEmpty)"] : rows
    }

    private mutating func gpio(_ chip: GPIOChip) -> [String] {
        let label = chip.label.isEmpty ? "" : ", \(chip.label)"
        if let fault = chip.fault { return ["  \(chip.path)\(label)", "    \(refusal(fault))"] }
        let used = chip.lines.count { $0.isUsed }
        let rows = chip.lines.map { line in
            [
                "\(line.offset)", line.name ?? "-",
                line.isUsed ? "used by \(line.consumer ?? "the kernel")" : "free",
                line.isOutput ? "output" : "input",
            ]
        }
        return ["  \(chip.path)\(label): \(Words.count(chip.lines.count, "line")), \(used) in use"]
            + Self.table(["LINE", "NAME", "STATE", "DIRECTION"], rows, indent: 4)
    }

    private mutating func pwm(_ chip: PWMChipDescription) -> [String] {
        let device = chip.devicePath.map { ", \($0)" } ?? ""
        let rows = chip.channels.map { channel in
            let state = channel.isExported ? channel.isEnabled ? "exported, running" : "exported" : "not exported"
            return ["\(channel.number)", state, channel.fault == nil ? "ready" : "refused"]
        }
        return ["  \(chip.name)\(device): \(Words.count(chip.channels.count, "channel"))"]
            + Self.table(["CHANNEL", "STATE", "FOR YOU"], rows, indent: 4) + refusals(chip.channels.map(\.fault), indent: 4)
    }

    private mutating func forceFeedback(_ devices: [FFDevice]) -> [String] {
        let rows = devices.map { device in
            [device.path, device.name, Self.abilities(device), device.fault == nil ? "ready" : "refused"]
        }
        return Self.table(["PATH", "NAME", "ABILITIES", "FOR YOU"], rows, indent: 2) + refusals(devices.map(\.fault), indent: 2)
    }

    private mutating func leds(_ leds: [LEDDescription]) -> [String] {
        let rows = leds.map { led in
            [
                led.name, led.maximum == 1 ? "on or off" : "0…\(led.maximum)",
                led.colours.isEmpty ? "one" : led.colours.joined(separator: " "), Self.state(led),
                led.fault == nil ? "ready" : "refused",
            ]
        }
        return Self.table(["NAME", "BRIGHTNESS", "COLOURS", "STATE", "FOR YOU"], rows, indent: 2)
            + refusals(leds.map(\.fault), indent: 2)
    }

    // MARK: Words

    static func abilities(_ device: FFDevice) -> String {
        switch device.abilities {
        case .success(let abilities): abilities.form == nil ? "nothing that is felt" : "\(abilities)"
        case .failure: "unknown"
        }
    }

    static func state(_ led: LEDDescription) -> String {
        if let trigger = led.trigger { return "used by trigger \(trigger)" }
        return led.isLit ? "lit" : "free"
    }

    private mutating func refusal(_ fault: DriverFault) -> String {
        if fault.cause == .permission { hasRefusal = true }
        return "refused: \(fault)"
    }

    /// The first of these faults, for all of one kind ask for the same; and how many there are.
    private mutating func refusals(_ faults: [DriverFault?], indent: Int) -> [String] {
        let faults = faults.compactMap(\.self)
        guard let first = faults.first else { return [] }
        let others = Set(faults.map(\.device)).count - 1
        let more = others == 0 ? "" : " (and so for \(Words.count(others, "other")))"
        return [String(repeating: " ", count: indent) + refusal(first) + more]
    }

    private static func table(_ heading: [String], _ rows: [[String]], indent: Int) -> [String] {
        rows.isEmpty ? [] : Table.lines([heading] + rows).map { String(repeating: " ", count: indent) + $0 }
    }
}
