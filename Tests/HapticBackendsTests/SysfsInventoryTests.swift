// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite struct SysfsInventoryTests {
    private let sysfs: SysfsImitation

    init() throws { sysfs = try SysfsImitation() }

    @Test("PWM chips are listed with their channels, by number; one that may not be used with the file that refuses")
    func pwm() throws {
        for chip in [0, 2, 10] { try sysfs.makeChip(chip, channels: 2) }
        try sysfs.makeChannel(1, chip: 2, period: 1000, enable: 1)
        let chips = PWMChipDescription.all(in: sysfs.root)
        #expect(chips.map(\.name) == ["pwmchip0", "pwmchip2", "pwmchip10"])
        #expect(chips[1].channels == [.init(number: 0), .init(number: 1, isExported: true, isEnabled: true)])
        let refused = asNobody { PWMChipDescription.all(in: sysfs.root)[1].channels.map { $0.fault?.device } }
        #expect(
            refused == [
                sysfs.path("class/pwm/pwmchip2/export"), sysfs.path("class/pwm/pwmchip2/pwm1/period"),
            ])
    }

    @Test("Lights are listed by name, with what makes them shine")
    func leds() throws {
        try sysfs.makeLED("red", trigger: nil)
        try sysfs.makeLED("green", trigger: "none [mmc0]")
        try sysfs.makeLED("lit", brightness: 7)
        let leds = LEDDescription.all(in: sysfs.root)
        #expect(leds.map(\.name) == ["green", "lit", "red"])
        #expect(leds.map(\.trigger) == ["mmc0", nil, nil])
        #expect(leds.map(\.looksFree) == [false, false, true])
        #expect(leds.allSatisfy { $0.fault == nil })
        let refused = asNobody { LEDDescription.all(in: sysfs.root)[0].fault }
        #expect(refused == DriverFault(.permission, device: sysfs.path("class/leds/green/brightness")))
    }
}
