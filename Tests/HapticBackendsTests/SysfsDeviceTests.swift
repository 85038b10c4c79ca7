// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite("Sightings of devices")
struct SightingTests {
    private let sysfs: SysfsImitation

    init() throws { sysfs = try SysfsImitation() }

    private func lamp() -> DeviceSighting { LEDLight("lamp", root: sysfs.root).sighting() }

    private func channel(_ number: Int = 1) -> DeviceSighting {
        PWMChannel(chip: "pwmchip0", channel: number, period: .milliseconds(5), root: sysfs.root).sighting()
    }

    @Test("A device that is not there is missing, and has no files")
    func missing() {
        #expect(lamp() == DeviceSighting(fault: DriverFault(.absent, device: "LED lamp")))
        #expect(channel().fault?.cause == .absent)
        #expect(channel().files.isEmpty)
    }

    @Test("A light has the files that drive it, and its fault names one that may not be written")
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

@Suite struct SysfsInventoryTests {
    private let sysfs: SysfsImitation

    init() throws { sysfs = try SysfsImitation() }

    @Test("PWM chips are listed by number with their channels, and an unusable channel with the file that refuses")
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

    @Test("Lights are listed by name, with their triggers")
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

@Suite("Outputs that a killed daemon left on") struct LeftoverTests {
    private let sysfs: SysfsImitation
    private let pwm = "class/pwm/pwmchip0/pwm0"
    private let led = "class/leds/glow"

    init() throws {
        sysfs = try SysfsImitation()
        try sysfs.makeChip()
    }

    private var channel: PWMChannel { PWMChannel(chip: "pwmchip0", channel: 0, period: .milliseconds(1), root: sysfs.root) }
    private var light: LEDLight { LEDLight("glow", root: sysfs.root) }

    private func fault(_ output: any Leftover) -> DriverFault? {
        do throws(DriverFault) {
            try output.switchOffLeftover()
            return nil
        } catch {
            return error
        }
    }

    @Test("A channel is off and stays exported and enabled, for a disabled one may hold any level")
    func channelOn() throws {
        try sysfs.makeChannel(0, period: 1_000_000, duty: 700_000, enable: 1)
        #expect(sysfs.output() != .off)
        #expect(fault(channel) == nil)
        #expect(sysfs.output() == .off)
        #expect(sysfs.number("\(pwm)/period") == 1_000_000)
        #expect(sysfs.number("\(pwm)/enable") == 1)
        #expect(sysfs.text("class/pwm/pwmchip0/unexport") == "")
    }

    @Test("A channel that takes no duty is disabled")
    func refusingChannel() throws {
        try sysfs.makeChannel(0, period: 1_000_000, duty: 700_000, enable: 1)
        try sysfs.replace("\(pwm)/duty_cycle", byLinkTo: "/dev/full")
        #expect(fault(channel) == nil)
        #expect(sysfs.number("\(pwm)/enable") == 0)
    }

    @Test("A channel that takes nothing is reported, with the reason and what to do")
    func brokenChannel() throws {
        try sysfs.makeChannel(0, period: 1_000_000, duty: 700_000, enable: 1)
        for file in ["duty_cycle", "enable"] { try sysfs.replace("\(pwm)/\(file)", byLinkTo: "/dev/full") }
        let fault = try #require(self.fault(channel))
        #expect(fault.cause == .io(errno: 28))
        #expect("\(fault)".contains("\(pwm)/duty_cycle (for PWM channel 0 of pwmchip0) failed"))
        #expect("\(fault)".contains("dmesg"))
    }

    @Test("A channel that nobody has exported, a new one, and one whose chip has gone are left alone")
    func nothingToDo() throws {
        #expect(fault(channel) == nil)
        #expect(sysfs.text("class/pwm/pwmchip0/export") == "")
        try sysfs.makeChannel(0)
        try sysfs.replace("\(pwm)/duty_cycle", byLinkTo: "/dev/full")
        #expect(fault(channel) == nil, "a new channel refuses any duty")
        #expect(fault(PWMChannel(chip: "pwmchip7", channel: 0, period: .milliseconds(1), root: sysfs.root)) == nil)
    }

    @Test("A light that a daemon drove is switched off; its colour stays")
    func lightOn() throws {
        try sysfs.makeLED("glow", brightness: 90)
        try sysfs.write("1 2 3", to: "\(led)/multi_intensity")
        #expect(fault(light) == nil)
        #expect(sysfs.number("\(led)/brightness") == 0)
        #expect(sysfs.text("\(led)/trigger") == "[none] timer")
        #expect(sysfs.text("\(led)/multi_intensity") == "1 2 3")
    }

    @Test("A light without triggers is switched off, too; a missing light is left alone")
    func plainLight() throws {
        #expect(fault(light) == nil)
        try sysfs.makeLED("glow", trigger: nil, brightness: 90)
        #expect(fault(light) == nil)
        #expect(sysfs.number("\(led)/brightness") == 0)
    }

    @Test("A light with a trigger is left alone, because a daemon would have removed the trigger")
    func triggeredLight() throws {
        try sysfs.makeLED("glow", trigger: "none [heartbeat]", brightness: 90)
        #expect(fault(light) == nil)
        #expect(sysfs.number("\(led)/brightness") == 90)
    }

    @Test("Without the permission the report says which it is, and who can give it")
    func noPermission() throws {
        try sysfs.makeLED("glow", brightness: 90)
        try sysfs.makeChannel(0, period: 1_000_000, duty: 700_000, enable: 1)
        let faults = asNobody { [fault(light), fault(channel)] }
        #expect(faults.map { $0?.cause } == [.permission, .permission])
        for fault in faults { #expect("\(fault!)".contains("group hapticd")) }
        #expect(sysfs.number("\(led)/brightness") == 90)
        #expect(sysfs.number("\(pwm)/enable") == 1)
    }

    @Test("A line of a chip that is not there is left alone")
    func noChip() {
        #expect(fault(GPIOLeftover(GPIOAddress(chip: "hapticd-test-without-this-chip", line: .offset(1)))) == nil)
    }
}
