// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite("What is seen of a device")
struct SightingTests {
    private let sysfs: SysfsImitation

    init() throws { sysfs = try SysfsImitation() }

    private func lamp() -> DeviceSighting { LEDLight("lamp", root: sysfs.root).sighting() }

    private func channel(_ number: Int = 1) -> DeviceSighting {
        PWMChannel(chip: "0", channel: number, period: .milliseconds(5), root: sysfs.root).sighting()
    }

    @Test("One that is not there is missing, and has no files")
    func missing() {
        #expect(lamp() == DeviceSighting(fault: DriverFault(.absent, device: "LED lamp")))
        #expect(channel().fault?.cause == .absent)
        #expect(channel().files.isEmpty)
    }

    @Test("A light has the files that it is driven by; who may not write them sees which")
    func light() throws {
        try sysfs.makeLED("lamp")
        let files = ["brightness", "trigger"].map { sysfs.path("class/leds/lamp/\($0)") }
        #expect(lamp() == DeviceSighting(files: files))
        #expect(asNobody { lamp() } == DeviceSighting(files: files, fault: DriverFault(.permission, device: files[0])))
    }

    @Test("A channel has its chip's files until it is exported, then its own, and nothing is exported to see them")
    func pwm() throws {
        try sysfs.makeChip()
        #expect(channel() == DeviceSighting(files: ["export", "unexport"].map { sysfs.path("class/pwm/pwmchip0/\($0)") }))
        #expect(sysfs.text("class/pwm/pwmchip0/export").isEmpty)
        try sysfs.makeChannel(1)
        #expect(
            channel()
                == DeviceSighting(files: ["period", "duty_cycle", "enable"].map { sysfs.path("class/pwm/pwmchip0/pwm1/\($0)") }))
    }
}
