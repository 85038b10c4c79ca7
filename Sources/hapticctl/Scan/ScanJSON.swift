// SPDX-License-Identifier: MIT
import HapticBackends
import HapticJSON

/// What a machine has, one object for each device, with all its members: null where there is none.
enum ScanJSON {
    static func objects(_ inventory: Inventory) -> [JSONValue] {
        (inventory.gpioChips ?? []).map(gpio) + inventory.pwmChips.map(pwm) + inventory.forceFeedback.map(forceFeedback)
            + inventory.leds.map(led)
    }

    private static func gpio(_ chip: GPIOChip) -> JSONValue {
        [
            "backend": "gpio", "path": .string(chip.path), "name": .string(chip.name), "label": .string(chip.label),
            "lines": .array(
                chip.lines.map { line in
                    [
                        "line": number(line.offset), "name": text(line.name), "consumer": text(line.consumer),
                        "used": .bool(line.isUsed), "output": .bool(line.isOutput),
                    ]
                }), "available": .bool(chip.fault == nil), "problem": problem(chip.fault),
        ]
    }

    private static func pwm(_ chip: PWMChipDescription) -> JSONValue {
        [
            "backend": "pwm", "path": .string(chip.path), "name": .string(chip.name), "device": text(chip.devicePath),
            "channels": .array(
                chip.channels.map { channel in
                    [
                        "channel": number(channel.number), "exported": .bool(channel.isExported),
                        "enabled": .bool(channel.isEnabled), "available": .bool(channel.fault == nil),
                        "problem": problem(channel.fault),
                    ]
                }),
        ]
    }

    private static func forceFeedback(_ device: FFDevice) -> JSONValue {
        let abilities = try? device.abilities.get()
        let waveforms = FFWaveform.allCases.filter { abilities?.waveforms.contains($0) ?? false }
        return [
            "backend": "evdev", "path": .string(device.path), "name": .string(device.name), "phys": .string(device.phys),
            "vendor": number(device.vendor), "product": number(device.product), "rumble": flag(abilities?.rumble),
            "waveforms": abilities == nil ? .null : texts(waveforms.map { "\($0)" }), "constant": flag(abilities?.constant),
            "gain": flag(abilities?.gain), "effects": abilities.map { number($0.effectCount) } ?? .null,
            "available": .bool(device.fault == nil), "problem": problem(device.fault),
        ]
    }

    private static func led(_ led: LEDDescription) -> JSONValue {
        [
            "backend": "led", "path": .string(led.path), "name": .string(led.name), "maxBrightness": number(led.maximum),
            "colours": texts(led.colours), "trigger": text(led.trigger), "lit": .bool(led.isLit),
            "available": .bool(led.fault == nil), "problem": problem(led.fault),
        ]
    }

    private static func number(_ value: Int) -> JSONValue { .number(Double(value)) }
    private static func flag(_ value: Bool?) -> JSONValue { value.map { .bool($0) } ?? .null }
    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    private static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
    private static func problem(_ fault: DriverFault?) -> JSONValue { text(fault.map { "\($0)" }) }
}
