// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticDocuments

/// What a machine has, as the `actuators` of a configuration.
///
/// Only what is surely there to be felt or seen is an entry: pads, and lights that nobody uses. GPIO lines and PWM channels
/// are comments, for they may be wired to anything, and driving the wrong one can break it.
struct ScanYAML {
    private(set) var lines: [String] = []
    private var names: Set<String> = []
    private var entryCount = 0

    /// What a coin motor stands without getting hot, until its data sheet says better.
    private static let coinMotor = "motor: { kind: erm, minGap: 20ms, maxOn: 2s, duty: 40% }"

    /// As many actuators as a configuration may have.
    private static let limit = 64

    init(_ inventory: Inventory) {
        lines = ["# What `hapticctl actuators --scan` found here. Keep what you want, under names that you like.", "actuators:"]
        for device in inventory.forceFeedback { add(device, among: inventory.forceFeedback) }
        for led in inventory.leds where led.looksFree { add(led) }
        if entryCount == 0 {
            lines += [
                "  # No pad and no free light was found. This one is simulated, so that there is one.",
                "  - { name: main, backend: simulated }",
            ]
            names.insert("main")
        }
        let lights = inventory.leds.filter { !$0.looksFree }.map { comment($0) }
        section("Lights that are in use. Remove the # to take one over.", lights)
        let channels = inventory.pwmChips.flatMap { chip in chip.channels.map { comment($0, of: chip) } }
        section("PWM channels. One may be wired to anything: remove the # only where you know that a motor is on it.", channels)
        let chips = inventory.gpioChips ?? []
        for case let fault? in chips.map(\.fault) {
            lines += ["", "  # GPIO lines that are not shown: \("\(fault)".printable)"]
        }
        // One that has a name is likelier the one that is meant.
        let unused = chips.flatMap { chip in chip.lines.filter { !$0.isUsed }.map { (chip, $0) } }
        let ordered = unused.filter { $0.1.name != nil } + unused.filter { $0.1.name == nil }
        let free = ordered.map { comment($0.1, of: $0.0, among: chips) }
        section(
            "GPIO lines that nobody uses. Wired to anything, too: remove the # only where you know that a motor is on it.", free)
    }

    // MARK: Entries

    private mutating func add(_ device: FFDevice, among devices: [FFDevice]) {
        let match = Self.match(device, among: devices)
        let name = name(device.name, orElse: "pad")
        let what = "\(device.path): \(device.fault == nil ? ScanText.abilities(device) : "it may not be opened by you")"
        // One that is refused to this user may be open to the daemon.
        let isFelt = device.fault != nil || (try? device.abilities.get())?.form != nil
        guard isFelt, entryCount < Self.limit else {
            lines.append(comment("{ name: \(name), backend: evdev, match: \(match) }", what))
            return
        }
        entryCount += 1
        lines += ["  # \(what.printable)", "  - name: \(name)", "    backend: evdev", "    match: \(match)"]
    }

    private mutating func add(_ led: LEDDescription) {
        let name = name("led-\(led.name)", orElse: "led")
        guard Self.isUsable(led.name), entryCount < Self.limit else { return lines.append(comment(led, name)) }
        entryCount += 1
        lines += ["  - name: \(name)", "    backend: led", "    led: \(YAML.quoted(led.name))"]
    }

    /// The least that tells a device from all others: its name, its ids, where it is plugged in, or its node.
    static func match(_ device: FFDevice, among devices: [FFDevice]) -> String {
        typealias Key = (text: String?, isSame: (FFDevice) -> Bool)
        // A name is a glob: one with a wildcard in it could fit others.
        func text(_ key: String, _ value: String) -> String? {
            isUsable(value) && !value.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
                ? "\(key): \(YAML.quoted(value))" : nil
        }
        let name: Key = (text("name", device.name), { $0.name == device.name })
        let ids: Key = (
            device.vendor == 0 ? nil : "vendor: \(hexadecimal(device.vendor)), product: \(hexadecimal(device.product))",
            { $0.vendor == device.vendor && $0.product == device.product }
        )
        let phys: Key = (text("phys", device.phys), { $0.phys == device.phys })
        for keys in [[name], [ids], [name, ids], [name, phys], [ids, phys], [phys]] {
            let texts = keys.compactMap(\.text)
            guard texts.count == keys.count else { continue }
            if devices.count(where: { other in keys.allSatisfy { $0.isSame(other) } }) == 1 {
                return "{ \(texts.joined(separator: ", ")) }"
            }
        }
        return "{ path: \(YAML.quoted(device.path)) }"
    }

    // MARK: Comments

    private mutating func section(_ title: String, _ comments: [String]) {
        if !comments.isEmpty { lines += ["", "  # \(title)"] + comments }
    }

    /// One line that is an entry without its `#`.
    private func comment(_ entry: String, _ note: String?) -> String {
        "  # - \(entry)" + (note.map { "   # \($0.printable)" } ?? "")
    }

    private func comment(_ led: LEDDescription, _ name: String) -> String {
        comment("{ name: \(name), backend: led, led: \(YAML.quoted(led.name)) }", ScanText.state(led))
    }

    private mutating func comment(_ led: LEDDescription) -> String { comment(led, name("led-\(led.name)", orElse: "led")) }

    private mutating func comment(_ channel: PWMChipDescription.Channel, of chip: PWMChipDescription) -> String {
        // The device's folder keeps its name; a chip's number depends on which was found first.
        let place = chip.devicePath.flatMap { Self.isUsable($0) ? $0 : nil } ?? chip.name
        let name = name("\(chip.name)-\(channel.number)", orElse: "pwm")
        let note = channel.isExported ? "\(chip.name), exported: some program may use it" : chip.name
        return comment(
            "{ name: \(name), backend: pwm, chip: \(YAML.quoted(place)), channel: \(channel.number), frequency: 20kHz, \(Self.coinMotor) }",
            note)
    }

    private mutating func comment(_ line: GPIOChip.Line, of chip: GPIOChip, among chips: [GPIOChip]) -> String {
        let hasOwnLabel = Self.isUsable(chip.label) && chips.count { $0.label == chip.label || $0.name == chip.label } == 1
        let name = name("\(chip.name)-\(line.offset)", orElse: "gpio")
        return comment(
            "{ name: \(name), backend: gpio, chip: \(YAML.quoted(hasOwnLabel ? chip.label : chip.path)), line: \(line.offset), pwm: 200Hz, \(Self.coinMotor) }",
            line.name)
    }

    // MARK: Words

    /// A name for an actuator out of one of a device: small letters, digits and dashes, and not used before.
    private mutating func name(_ text: String, orElse other: String) -> String {
        var words = ""
        for character in text.unicodeScalars.map(Self.small) {
            let isPlain = ("a"..."z").contains(character) || ("0"..."9").contains(character)
            if isPlain { words.unicodeScalars.append(character) } else if let last = words.last, last != "-" { words += "-" }
        }
        words = String(words.prefix(40))
        while words.last == "-" { words.removeLast() }
        // YAML takes a word of digits for a number, and some words for others than text.
        if words.isEmpty || words.allSatisfy(\.isNumber) || ["null", "true", "false"].contains(words) {
            words = words.isEmpty ? other : "\(other)-\(words)"
        }
        var name = words
        var number = 2
        while !names.insert(name).inserted {
            name = "\(words)-\(number)"
            number += 1
        }
        return name
    }

    private static func small(_ letter: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(letter) ? Unicode.Scalar(UInt8(letter.value) | 0x20) : letter
    }

    /// Whether a configuration takes it for a name.
    private static func isUsable(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }

    private static func hexadecimal(_ id: Int) -> String {
        let digits = String(id, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
