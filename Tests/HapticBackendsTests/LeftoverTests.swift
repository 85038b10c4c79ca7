// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite("What a killed daemon left on") struct LeftoverTests {
    private let sysfs: SysfsImitation
    private let pwm = "class/pwm/pwmchip0/pwm0"
    private let led = "class/leds/glow"

    init() throws {
        sysfs = try SysfsImitation()
        try sysfs.makeChip()
    }

    private var channel: PWMChannel { PWMChannel(chip: "0", channel: 0, period: .milliseconds(1), root: sysfs.root) }
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
        #expect("\(fault)".contains("\(pwm)/duty_cycle (for PWM channel 0 of 0) failed"))
        #expect("\(fault)".contains("dmesg"))
    }

    @Test("A channel that nobody has exported, a new one, and one whose chip has gone are left alone")
    func nothingToDo() throws {
        #expect(fault(channel) == nil)
        #expect(sysfs.text("class/pwm/pwmchip0/export") == "")
        try sysfs.makeChannel(0)
        try sysfs.replace("\(pwm)/duty_cycle", byLinkTo: "/dev/full")
        #expect(fault(channel) == nil, "a new channel refuses any duty")
        #expect(fault(PWMChannel(chip: "7", channel: 0, period: .milliseconds(1), root: sysfs.root)) == nil)
    }

    @Test("A light that a daemon has taken is dark; its colour stays")
    func lightOn() throws {
        try sysfs.makeLED("glow", brightness: 90)
        try sysfs.write("1 2 3", to: "\(led)/multi_intensity")
        #expect(fault(light) == nil)
        #expect(sysfs.number("\(led)/brightness") == 0)
        #expect(sysfs.text("\(led)/trigger") == "[none] timer")
        #expect(sysfs.text("\(led)/multi_intensity") == "1 2 3")
    }

    @Test("A light without triggers is dark, too; one that is not there is left alone")
    func plainLight() throws {
        #expect(fault(light) == nil)
        try sysfs.makeLED("glow", trigger: nil, brightness: 90)
        #expect(fault(light) == nil)
        #expect(sysfs.number("\(led)/brightness") == 0)
    }

    @Test("A light with a trigger is the kernel's, for a daemon would have taken that off")
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
