// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import Testing

@testable import HapticBackends

@Suite("Rules of udev for single devices") struct DeviceRuleTests {
    private let sysfs: SysfsImitation
    private let oddName = #"lamp", RUN+="/bin/false"#

    init() throws { sysfs = try SysfsImitation() }

    private func cause(_ body: () throws(DriverFault) -> Void) -> DriverFault.Cause? {
        do throws(DriverFault) { try body() } catch { return error.cause }
        return nil
    }

    private func isUnusable(_ cause: DriverFault.Cause?) -> Bool { if case .unusable? = cause { true } else { false } }

    @Test(
        "A text that is empty, too long or special to udev or a shell does not go into a rule",
        arguments: [
            "", "a b", "a\"", "a*", "a?", "[a]", "a|b", "$env", "%p", "a\\", "a\nb", "a'b", "a;b", "ä", "a\u{301}", "a!", "{a}",
            "a,b",
            String(repeating: "a", count: 1025),
        ])
    func odd(text: String) {
        #expect(DeviceRule.plain(text) == nil)
    }

    @Test("The usual paths of sysfs go into a rule")
    func plain() {
        for text in ["/devices/platform/soc/fe20c000.pwm", "input3::capslock", "pci-0000:00:14.0-usb-0:2:1.0", "a+b@c_d"] {
            #expect(DeviceRule.plain(text) == text)
        }
        #expect(DeviceRule.plain(String(repeating: "a", count: 1024)) != nil)
    }

    // MARK: Lines of GPIO chips

    private let chips = [
        GPIOChip(path: "/dev/gpiochip903", name: "gpiochip903", label: "pinctrl", lines: [.init(offset: 0)]),
        GPIOChip(path: "/dev/gpiochip904", name: "gpiochip904", fault: DriverFault(.permission, device: "/dev/gpiochip904")),
    ]

    private func rule(_ chip: String) throws(DriverFault) -> DeviceRule {
        try GPIOBackend(chip: chip, line: .offset(0)).accessRule(among: chips, in: sysfs.root)
    }

    @Test(
        "A chip is matched by its device, whatever number it gets, and by no other device",
        arguments: ["/dev/gpiochip903", "pinctrl"])
    func gpio(chip: String) throws {
        try sysfs.makeDevice("devices/platform/soc/3f200000.gpio/gpiochip903", in: "bus/gpio/devices")
        let place = "/devices/platform/soc/3f200000.gpio/gpiochip[0-9]*"
        #expect(
            try rule(chip).line
                == #"SUBSYSTEM=="gpio", KERNEL=="gpiochip[0-9]*", ENV{MAJOR}=="?*", DEVPATH=="\#(place)", DEVPATH!="\#(place)/*", ENV{.HAPTICD}="node""#
        )
    }

    @Test("One of two chips of a device is matched by its number, which alone tells them apart")
    func siblings() throws {
        for number in [903, 905] { try sysfs.makeDevice("devices/platform/expander/gpiochip\(number)", in: "bus/gpio/devices") }
        #expect(try rule("gpiochip903").line.contains(#"DEVPATH=="/devices/platform/expander/gpiochip903","#))
    }

    @Test("A bank of an AM335x keeps the name that the package's rules give it")
    func bank() throws {
        try sysfs.makeDevice("devices/platform/ocp/4804c000.gpio/gpiochip903", in: "bus/gpio/devices")
        #expect(try rule("pinctrl").line.contains(#"SYMLINK+="am335x-gpio1""#))
    }

    @Test("A chip that this user may not open is found by its path, and not by its label")
    func closed() throws {
        try sysfs.makeDevice("devices/platform/other/gpiochip904", in: "bus/gpio/devices")
        #expect(try rule("/dev/gpiochip904").line.contains("/devices/platform/other/"))
        #expect(cause { () throws(DriverFault) in _ = try rule("label of 904") } == .permission)
    }

    @Test("A chip with an odd path, and one without a device, have no rule")
    func noChip() throws {
        #expect(cause { () throws(DriverFault) in _ = try rule("pinctrl") } == .absent)
        try sysfs.makeDevice("devices/\(oddName)/gpiochip903", in: "bus/gpio/devices")
        #expect(isUnusable(cause { () throws(DriverFault) in _ = try rule("pinctrl") }))
    }

    // MARK: PWM chips and lights

    @Test("A PWM chip is matched by its device; one that is elsewhere, or not there, has no rule")
    func pwm() throws {
        func rule(_ chip: String) throws(DriverFault) -> DeviceRule? {
            try PWMBackend(chip: chip, channel: 0, period: .milliseconds(1)).accessRule(in: sysfs.root)
        }
        try sysfs.makeDevice("devices/platform/fe20c000.pwm/pwm/pwmchip2", in: "class/pwm")
        try sysfs.write("2", to: "class/pwm/pwmchip2/npwm")
        let place = "/devices/platform/fe20c000.pwm/pwm/pwmchip[0-9]*"
        let line =
            #"SUBSYSTEM=="pwm", KERNEL=="pwmchip[0-9]*", DEVPATH=="\#(place)", DEVPATH!="\#(place)/*", ENV{.HAPTICD}="pwm""#
        for chip in ["pwmchip2", sysfs.path("devices/platform/fe20c000.pwm")] { #expect(try rule(chip)?.line == line) }
        #expect(cause { () throws(DriverFault) in _ = try rule("3") } == .absent)
        try sysfs.makeChip(4)
        #expect(cause { () throws(DriverFault) in _ = try rule("4") } == .absent)
    }

    @Test("A light is matched by its place; one with an odd name, or a name that is a path, has no rule")
    func led() throws {
        func rule(_ name: String) throws(DriverFault) -> DeviceRule? { try LEDBackend(name).accessRule(in: sysfs.root) }
        try sysfs.makeDevice("devices/platform/leds/leds/red:status", in: "class/leds")
        #expect(
            try rule("red:status")?.line
                == #"SUBSYSTEM=="leds", DEVPATH=="/devices/platform/leds/leds/red:status", ENV{.HAPTICD}="led""#)
        try sysfs.makeFolder("devices/lamp")
        for name in ["green", "../../devices/lamp", ".."] {
            #expect(cause { () throws(DriverFault) in _ = try rule(name) } == .absent)
        }
        let odd = "lamp\", RUN+=\"false"
        try sysfs.makeDevice("devices/platform/leds/leds/\(odd)", in: "class/leds")
        #expect(isUnusable(cause { () throws(DriverFault) in _ = try rule(odd) }))
    }

    // MARK: Input devices

    private func makeInput(_ number: Int, parent: String, vendor: String = "045e", isAble: Bool = true) throws {
        let input = "\(parent)/input/input\(number + 20)"
        try sysfs.makeDevice("\(input)/event\(number)", in: "class/input")
        for folder in ["\(input)/id", "\(input)/capabilities", "dev/input", "data"] { try sysfs.makeFolder(folder) }
        for (file, text) in [("name", oddName), ("id/bustype", "0003"), ("id/vendor", vendor), ("id/product", "028e")] {
            try sysfs.write(text, to: "\(input)/\(file)")
        }
        try sysfs.write(isAble ? "107030000 0" : "0", to: "\(input)/capabilities/ff")
        try FileManager.default.createSymbolicLink(
            atPath: sysfs.path("\(input)/event\(number)/device"), withDestinationPath: sysfs.path(input))
        try sysfs.write("13:\(64 + number)", to: "\(input)/event\(number)/dev")
        try sysfs.write("", to: "dev/input/event\(number)")
    }

    private func rule(_ match: DeviceMatch) throws(DriverFault) -> DeviceRule {
        let nodes = InputNode.all(devices: sysfs.path("dev/input"), classes: sysfs.path("class/input"))
        let places = InputPlaces(root: sysfs.root, database: sysfs.path("data"))
        return try EvdevBackend(match).accessRule(among: nodes, target: nil, places)
    }

    private let ids = #"ATTRS{id/bustype}=="0003", ATTRS{id/vendor}=="045e", ATTRS{id/product}=="028e""#
    private let able = #"ATTRS{capabilities/ff}=="?*", ATTRS{capabilities/ff}!="0", ENV{.HAPTICD}="node""#

    @Test(
        "A pad whose ids nothing else has is matched by these, whatever it is called; a device without force feedback does not count"
    )
    func pad() throws {
        try makeInput(3, parent: "devices/pci0/usb1")
        try makeInput(4, parent: "devices/pci0/usb2", isAble: false)
        #expect(
            try rule(DeviceMatch(name: "lamp*", vendor: 0x045e)).line
                == #"SUBSYSTEM=="input", KERNEL=="event[0-9]*", \#(ids), \#(able)"#)
        #expect(cause { () throws(DriverFault) in _ = try rule(DeviceMatch(vendor: 1)) } == .absent)
    }

    @Test("One of two equal pads is matched by its place, too: by udev's name of it, or else by its parent")
    func twins() throws {
        try makeInput(3, parent: "devices/pci0/usb1")
        try makeInput(4, parent: "devices/pci0/usb2")
        let match = DeviceMatch(path: sysfs.path("dev/input/event4"))
        #expect(
            try rule(match).line
                == #"SUBSYSTEM=="input", KERNEL=="event[0-9]*", DEVPATH=="/devices/pci0/usb2/input/input[0-9]*/event[0-9]*", \#(ids), \#(able)"#
        )
        try sysfs.write("I:1\nE:ID_PATH=pci-0:2:1.0\nE:ID_PATH_TAG=x", to: "data/c13:68")
        #expect(try rule(match).line.contains(#"ENV{ID_PATH}=="pci-0:2:1.0", ATTRS"#))
        // A path with odd characters is none.
        try sysfs.write(#"E:ID_PATH=x", RUN+="false"#, to: "data/c13:68")
        #expect(try rule(match).line.contains(#"DEVPATH=="/devices/pci0/usb2/"#))
        guard case .ambiguous? = cause({ () throws(DriverFault) in _ = try rule(DeviceMatch(vendor: 0x45e)) }) else {
            Issue.record("two pads are one")
            return
        }
    }

    @Test("Two devices that nothing tells apart have no rule")
    func indistinguishable() throws {
        try makeInput(3, parent: "devices/virtual")
        try makeInput(4, parent: "devices/virtual")
        #expect(isUnusable(cause { () throws(DriverFault) in _ = try rule(DeviceMatch(path: sysfs.path("dev/input/event4"))) }))
    }

    @Test("Ids of 0, as a board's own motor has them, are not enough")
    func zero() throws {
        try makeInput(3, parent: "devices/platform/vibrator", vendor: "0000")
        let line = try rule(DeviceMatch(name: "*")).line
        #expect(line.contains(#"DEVPATH=="/devices/platform/vibrator/input/input[0-9]*/event[0-9]*", ATTRS{id/bustype}=="0003""#))
    }

    // MARK: Keys that are read

    private func makeKeys(_ number: Int, parent: String, vendor: String = "0001", keys: String = "10000000000000 0") throws {
        try makeInput(number, parent: parent, vendor: vendor, isAble: false)
        try sysfs.write(keys, to: "\(parent)/input/input\(number + 20)/capabilities/key")
    }

    private func keyRule(_ match: DeviceMatch) throws(DriverFault) -> DeviceRule {
        let nodes = InputNode.all(devices: sysfs.path("dev/input"), classes: sysfs.path("class/input"))
        let places = InputPlaces(root: sysfs.root, database: sysfs.path("data"))
        return try match.accessRule(for: .input(.key, code: 116, name: "KEY_POWER"), among: nodes, target: nil, places)
    }

    @Test("A device with an input key is matched by its keys, too, and is only readable unless it is also driven")
    func key() throws {
        try makeKeys(3, parent: "devices/platform/gpio-keys")
        // The same maker's keyboard, which has that key, too.
        try makeKeys(4, parent: "devices/usb1", keys: "1f 10000000000000 fffffffffffffffe")
        let rule = try keyRule(DeviceMatch(path: sysfs.path("dev/input/event3")))
        let ids = #"ATTRS{id/bustype}=="0003", ATTRS{id/vendor}=="0001", ATTRS{id/product}=="028e""#
        #expect(
            rule.line
                == #"SUBSYSTEM=="input", KERNEL=="event[0-9]*", \#(ids), ATTRS{capabilities/key}=="10000000000000 0", ENV{.HAPTICD}!="node", ENV{.HAPTICD}="read""#
        )
        #expect(rule.grant.lines.count == 2)
        #expect(rule.grant.lines.allSatisfy { $0.hasPrefix(#"ENV{.HAPTICD}=="read", "#) })
        #expect(rule.grant.lines[1].hasSuffix(#"RUN+="/usr/bin/setfacl -m g:hapticd:r $devnode""#))
        guard case .ambiguous? = cause({ () throws(DriverFault) in _ = try keyRule(DeviceMatch(vendor: 1)) }) else {
            Issue.record("two keyboards are one")
            return
        }
    }

    @Test("Two equal keyboards, and one without ids, are matched by their place; one without the key has no rule")
    func keyPlaces() throws {
        for number in [3, 4] { try makeKeys(number, parent: "devices/usb\(number)") }
        let twin = try keyRule(DeviceMatch(path: sysfs.path("dev/input/event4"))).line
        #expect(twin.contains(#"DEVPATH=="/devices/usb4/input/input[0-9]*/event[0-9]*""#))
        try makeKeys(5, parent: "devices/acpi", vendor: "0000")
        #expect(try keyRule(DeviceMatch(vendor: 0)).line.contains(#"DEVPATH=="/devices/acpi/"#))
        try makeKeys(6, parent: "devices/other", vendor: "0006", keys: "8000000000000 0")
        #expect(isUnusable(cause { () throws(DriverFault) in _ = try keyRule(DeviceMatch(vendor: 6)) }))
        // Not a bitmap.
        try makeKeys(7, parent: "devices/odd", vendor: "0007", keys: #"10000000000000 0", RUN+="false"#)
        #expect(isUnusable(cause { () throws(DriverFault) in _ = try keyRule(DeviceMatch(vendor: 7)) }))
    }

    @Test("A slider is matched by its axes")
    func slider() throws {
        try makeKeys(3, parent: "devices/platform/alert-slider", keys: "0")
        try sysfs.write("400000000", to: "devices/platform/alert-slider/input/input23/capabilities/abs")
        let nodes = InputNode.all(devices: sysfs.path("dev/input"), classes: sysfs.path("class/input"))
        let rule = try DeviceMatch(vendor: 1).accessRule(
            for: .input(.abs, code: 34, name: "ABS_SND_PROFILE"), among: nodes, target: nil,
            InputPlaces(root: sysfs.root, database: sysfs.path("data")))
        #expect(rule.line.contains(#"ATTRS{capabilities/abs}=="400000000", ENV{.HAPTICD}!="node""#))
    }

    // MARK: The package's rules

    @Test("The grants of devices are those of the package's rules, which change no owner, group or mode")
    func grants() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../hw/udev/70-hapticd.rules").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let rules = text.split(separator: "\n").filter { $0.hasPrefix("ENV{.HAPTICD}") }.map(String.init)
        #expect([DeviceRule.Grant.node, PWMBackend.grant, LEDBackend.grant].flatMap(\.lines) == rules)
        // Nothing is taken from others: owner, group and mode of nodes are as other rules say.
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        for word in ["GROUP", "OWNER", "MODE=", "MODE:="] { #expect(!lines.contains { $0.contains(word) }) }
    }
}
