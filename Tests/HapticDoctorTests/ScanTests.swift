// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticText
import HapticYAML
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticDoctor

/// What a machine with these devices has.
private func inventories(
    gpioChips: [GPIOChip]? = nil, pwmChips: [PWMChipDescription] = [], forceFeedback: [FFDevice] = [], leds: [LEDDescription] = []
) -> [Inventory] {
    [
        GPIOBackend.inventory(of: gpioChips), PWMBackend.inventory(of: pwmChips), EvdevBackend.inventory(of: forceFeedback),
        LEDBackend.inventory(of: leds),
    ]
}

private let pads = [
    pad(3, "Xbox \"360\" Pad", phys: "usb-1/input0"), pad(4, "Twin", phys: "usb-2/input0"),
    pad(5, "Twin", phys: "usb-3/input0"),
    pad(6, "Star*", vendor: 0x54c), pad(7, "", vendor: 0), pad(8, "123", .success(FFAbilities(gain: true))),
    pad(9, "Zwölf\u{7}", vendor: 1, phys: "bt"),
    pad(10, "Locked", .failure(DriverFault(.permission, device: "/dev/input/event10"))),
]

/// A board with some of everything, and names that try to break what they are put into.
private let board = inventories(
    gpioChips: [
        GPIOChip(
            path: "/dev/gpiochip0", name: "gpiochip0", label: "pinctrl-bcm2711",
            lines: [
                .init(offset: 0, name: "ID_SDA"), .init(offset: 2, name: "SDA1", consumer: "i2c", isUsed: true),
                .init(offset: 18, name: "GPIO18\n- evil", isOutput: true),
            ]),
        GPIOChip(path: "/dev/gpiochip1", name: "gpiochip1", fault: DriverFault(.permission, device: "/dev/gpiochip1")),
    ],
    pwmChips: [
        PWMChipDescription(
            name: "pwmchip0", path: "/sys/class/pwm/pwmchip0", devicePath: "/sys/devices/platform/soc/fe20c000.pwm",
            channels: [.init(number: 0), .init(number: 1, isExported: true, isEnabled: true)])
    ],
    forceFeedback: pads,
    leds: [
        LEDDescription(name: "ACT", path: "/sys/class/leds/ACT", maximum: 255, trigger: "mmc0", isLit: true),
        LEDDescription(
            name: "rgb:status", path: "/sys/class/leds/rgb:status", maximum: 255, colours: ["red", "green"],
            fault: DriverFault(.permission, device: "/sys/class/leds/rgb:status/brightness")),
    ])

private func pad(
    _ number: Int, _ name: String, vendor: Int = 0x45e, phys: String = "",
    _ abilities: Result<FFAbilities, DriverFault> = .success(FFAbilities(rumble: true, waveforms: [.sine], gain: true))
) -> FFDevice {
    FFDevice(
        path: "/dev/input/event\(number)", name: name, phys: phys, vendor: vendor, product: 0x28e, abilities: abilities)
}

private func configuration(_ lines: [String]) throws(InvalidDocument) -> Configuration {
    let text = (["version: 1"] + lines).joined(separator: "\n") + "\n"
    return try Configuration.read(yaml: Array(text.utf8), file: "scan.yaml")
}

@Suite("Devices of this machine")
struct ScanTests {
    private let yaml = ScanYAML(board).lines

    @Test("The section is valid in a configuration, with pads and free lights as its actuators")
    func validYAML() throws {
        let actuators = try configuration(yaml).actuators
        #expect(
            actuators.map(\.name) == ["xbox-360-pad", "twin", "twin-2", "star", "pad", "zw-lf", "locked", "led-rgb-status"])
    }

    @Test("The section stays valid when every suggestion that is a comment is taken")
    func validWithComments() throws {
        let lines = yaml.map { $0.hasPrefix("  # - ") ? "  - " + $0.dropFirst(6) : $0 }
        let actuators = try configuration(lines).actuators
        #expect(actuators.count == 14)
        func isThere(_ backend: any Backend) -> Bool { actuators.contains { $0.backend.isEqual(to: backend) } }
        func line(_ offset: Int) -> GPIOBackend {
            GPIOBackend(chip: "pinctrl-bcm2711", line: .offset(offset), pwmPeriod: .milliseconds(5))
        }
        let pwm = PWMBackend(chip: "/sys/devices/platform/soc/fe20c000.pwm", channel: 1, period: .microseconds(50))
        #expect(isThere(pwm))
        #expect(isThere(line(18)))
        #expect(!isThere(line(2)), "it is in use")
    }

    @Test("Lines and channels, which may be wired to anything, appear only as comments")
    func neverBlindly() {
        #expect(yaml.filter { !$0.hasPrefix("  #") && ($0.contains("gpio") || $0.contains("pwm")) } == [])
    }

    @Test("A machine without anything gives a section that is valid, with a simulated actuator")
    func empty() throws {
        let actuators = try configuration(ScanYAML(inventories()).lines).actuators
        #expect(actuators.map(\.name) == ["main"])
        #expect(actuators.first?.backend.isEqual(to: SimulatedBackend()) == true)
    }

    @Test("Devices beyond the bounds of a configuration become comments")
    func many() throws {
        let leds = (0..<100).map { LEDDescription(name: "l\($0)", path: "/sys/class/leds/l\($0)") }
        #expect(try configuration(ScanYAML(inventories(leds: leds)).lines).actuators.count == 64)
    }

    @Test(
        "A pad is distinguished from all others by as few keys as necessary",
        arguments: [
            (0, #"{ name: "Xbox \"360\" Pad" }"#), (1, #"{ name: "Twin", phys: "usb-2/input0" }"#),
            (3, "{ vendor: 0x054c, product: 0x028e }"), (4, #"{ path: "/dev/input/event7" }"#),
            (6, "{ vendor: 0x0001, product: 0x028e }"),
        ])
    func matches(index: Int, match: String) {
        #expect(ConfigurationKey.Value.keys(DeviceMatch(pads[index], among: pads).keys).yaml == match)
    }

    @Test("Each device is shown with its user, and a refusal with the remedy; JSON has an object for each")
    func texts() throws {
        var cases = SnapshotCases()
        cases.add("a board, for people", ScanText(board).lines.map(\.printable))
        cases.add("a board, as YAML", yaml)
        cases.add("a board, for programs", board.flatMap(\.objects).map { jsonLine($0) })
        cases.add("nothing, for people", ScanText(inventories(gpioChips: [])).lines)
        cases.add("nothing, built without libgpiod", ScanText(inventories()).lines)
        cases.add("nothing, as YAML", ScanYAML(inventories()).lines)
        let leds = (0..<3).map {
            LEDDescription(name: "l\($0)", path: "l\($0)", fault: DriverFault(.permission, device: "l\($0)"))
        }
        cases.add("three refusals of one kind", ScanText(inventories(leds: leds)).lines)
        try expectSnapshot(of: cases.text, "scan")
    }
}
