// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticDocuments
import HapticJSON
import HapticWire
import Testing

@testable import hapticctl

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

@Suite("What this machine has")
struct ScanTests {
    private let yaml = ScanYAML(board).lines

    @Test("The section is valid in a configuration, with pads and free lights as its actuators")
    func validYAML() throws {
        let actuators = try configuration(yaml).actuators
        #expect(
            actuators.map(\.name) == ["xbox-360-pad", "twin", "twin-2", "star", "pad", "zw-lf", "locked", "led-rgb-status"])
        #expect(Set(actuators.map(\.name)).count == actuators.count)
    }

    @Test("The section stays valid when every suggestion that is a comment is taken")
    func validWithComments() throws {
        let lines = yaml.map { $0.hasPrefix("  # - ") ? "  - " + $0.dropFirst(6) : $0 }
        let actuators = try configuration(lines).actuators
        #expect(actuators.count == 8 + 1 + 1 + 2 + 2)
        #expect(
            actuators.contains {
                $0.backend.isEqual(
                    to: PWMBackend(chip: "/sys/devices/platform/soc/fe20c000.pwm", channel: 1, period: .microseconds(50)))
            })
        #expect(
            actuators.contains {
                $0.backend.isEqual(to: GPIOBackend(chip: "pinctrl-bcm2711", line: .offset(18), pwmPeriod: .milliseconds(5)))
            })
        #expect(
            !actuators.contains {
                $0.backend.isEqual(to: GPIOBackend(chip: "pinctrl-bcm2711", line: .offset(2), pwmPeriod: .milliseconds(5)))
            })
    }

    @Test("Lines and channels, which may be wired to anything, are comments only")
    func neverBlindly() {
        let driven = yaml.filter { !$0.hasPrefix("  #") && ($0.contains("gpio") || $0.contains("pwm")) }
        #expect(driven == [])
    }

    @Test("What this user may not open is listed all the same: a pad is an entry still, a chip a comment")
    func refused() {
        #expect(yaml.contains("  # /dev/input/event10: you cannot open it"))
        #expect(yaml.contains { $0.contains("GPIO lines that are not shown: /dev/gpiochip1 cannot be opened") })
        let locked = DriverFault(.permission, device: "x")
        let leds = (0..<3).map {
            LEDDescription(name: "l\($0)", path: "l\($0)", fault: DriverFault(locked.cause, device: "l\($0)"))
        }
        let text = ScanText(inventories(leds: leds)).lines
        #expect(text.count { $0.contains("refused: ") } == 1 && text.contains { $0.hasSuffix("(and so for 2 others)") })
    }

    @Test("A machine without anything gives a section that is valid, with a simulated actuator")
    func empty() throws {
        let actuators = try configuration(ScanYAML(inventories()).lines).actuators
        #expect(actuators.map(\.name) == ["main"] && actuators.first?.backend.isEqual(to: SimulatedBackend()) == true)
    }

    @Test("More than a configuration may have become comments")
    func many() throws {
        let leds = (0..<100).map { LEDDescription(name: "l\($0)", path: "/sys/class/leds/l\($0)") }
        #expect(try configuration(ScanYAML(inventories(leds: leds)).lines).actuators.count == 64)
    }

    @Test(
        "A pad is distinguished from all others by as little as that takes",
        arguments: [
            (0, #"{ name: "Xbox \"360\" Pad" }"#), (1, #"{ name: "Twin", phys: "usb-2/input0" }"#),
            (3, "{ vendor: 0x054c, product: 0x028e }"), (4, #"{ path: "/dev/input/event7" }"#),
            (6, "{ vendor: 0x0001, product: 0x028e }"),
        ])
    func matches(index: Int, match: String) {
        #expect(ConfigurationKey.Value.keys(DeviceMatch(pads[index], among: pads).keys).yaml == match)
    }

    @Test("People are shown each thing with who uses it, and a refusal with what to do")
    func text() {
        let text = ScanText(board).lines.joined(separator: "\n")
        for part in [
            "/dev/gpiochip0, pinctrl-bcm2711: 3 lines, 1 in use", "SDA1            used by i2c  input",
            #"GPIO18\n- evil  free         output"#,
            "refused: /dev/gpiochip1 cannot be opened: permission denied; let the group hapticd read and write it",
            "pwmchip0, /sys/devices/platform/soc/fe20c000.pwm: 2 channels", "1        exported, running  ready",
            "periodic (sine), rumble, gain, 16 effects", "nothing that is felt", "/dev/input/event10  Locked          unknown",
            "used by trigger mmc0", "red green",
            "sudo -u hapticd hapticctl actuators --scan",
        ] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }

    @Test("A machine without anything gets for each kind what would make it appear")
    func emptyText() {
        let text = ScanText(inventories(gpioChips: [])).lines.joined(separator: "\n")
        for part in ["/dev/gpiochip*", "/sys/class/pwm is empty", "Plug in a game pad", "/sys/class/leds is empty"] {
            #expect(text.contains(part))
        }
        #expect(!text.contains("sudo"))
        #expect(ScanText(inventories()).lines.contains("  not listed: this hapticctl was built without libgpiod"))
    }

    @Test("`--json` has an object for each device, with all its members")
    func json() throws {
        let objects = board.flatMap(\.objects)
        #expect(objects.map { $0["backend"] } == ["gpio", "gpio", "pwm"] + Array(repeating: "evdev", count: 8) + ["led", "led"])
        #expect(objects[1]["available"] == false && objects[0]["problem"] == .null)
        #expect(objects[3]["rumble"] == true && objects[3]["waveforms"] == ["sine"] && objects[3]["effects"] == .number(16))
        #expect(objects[10]["rumble"] == .null && objects[11]["trigger"] == "mmc0" && objects[12]["trigger"] == .null)
        guard case .array(let lines) = objects[0]["lines"] else { throw Failure("no lines") }
        #expect(lines[0] == ["line": .number(0), "name": "ID_SDA", "consumer": .null, "used": false, "output": false])
    }

    @Test(
        "The flags belong together",
        arguments: [
            ("actuators --yaml", "--yaml is about --scan"), ("actuators --scan --yaml --json", "one of them"),
            ("actuators --udev", "--udev is about --scan"), ("actuators --scan --udev --yaml", "--udev and --yaml are two forms"),
            ("actuators --scan --udev --json", "--udev and --json are two forms"),
            ("actuators --scan --config x", "--config is for --udev"),
            ("actuators --scann", "--scan"),
        ])
    func flags(line: String, word: String) {
        do {
            _ = try Program.parse(line.split(separator: " ").map(String.init))
            Issue.record("`\(line)` was accepted")
        } catch {
            #expect(Program.status(of: error) == ExitStatus.usage)
            #expect(Program.failure(error).lines.contains { $0.contains(word) })
        }
    }
}
