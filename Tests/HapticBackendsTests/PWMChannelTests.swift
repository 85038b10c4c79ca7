// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import TestSupport
import Testing

@testable import HapticBackends

private let millisecond = Nanoseconds.milliseconds(1)
@Suite struct PWMChannelTests {
    private let sysfs: SysfsImitation
    private let folder = "class/pwm/pwmchip0/pwm0"

    init() throws {
        sysfs = try SysfsImitation()
        try sysfs.makeChip()
    }

    private func channel(_ number: Int = 0, chip: String = "pwmchip0", period: Nanoseconds = millisecond) -> PWMChannel {
        PWMChannel(chip: chip, channel: number, period: period, root: sysfs.root)
    }

    private func fault(_ body: () throws -> Void) -> DriverFault? {
        do {
            try body()
            return nil
        } catch {
            return error as? DriverFault
        }
    }

    @Test(
        "The duty is a share of the period in whole nanoseconds, at least 1 when on and never more than the period",
        arguments: [
            (0, 1_000_000, 0), (1, 1_000_000, 1_000_000), (0.5, 1_000_000, 500_000), (0.333, 1001, 333), (1e-12, 1000, 1),
            (0.9999999, 3, 3), (0.5, 1, 1), (1, 1, 1),
        ] as [(Double, Int64, Int64)])
    func duty(intensity: Double, period: Int64, duty: Int64) {
        #expect(PWMDuty.nanoseconds(Drive(clamping: intensity), period: Nanoseconds(period)) == duty)
    }

    @Test("The driver keeps the contract, by what the files say")
    func conformance() throws {
        try sysfs.makeChannel(0)
        let found = violations(
            of: { channel() }, writing: "\(folder)/duty_cycle", in: sysfs, resolution: 1e-6, output: { sysfs.output() })
        #expect(found == [])
    }

    @Test("A channel that is not there is exported, and taken back at the end; enabled and off while it is open")
    func export() throws {
        let kernel = ChipImitation(sysfs)
        let channel = channel()
        _ = try channel.open()
        #expect(sysfs.number("\(folder)/period") == 1_000_000)
        #expect(sysfs.number("\(folder)/duty_cycle") == 0)
        #expect(sysfs.number("\(folder)/enable") == 1)
        channel.close()
        #expect(sysfs.number("class/pwm/pwmchip0/unexport") == 0)
        withExtendedLifetime(kernel) {}
    }

    @Test("A channel that someone else exported is used and left there, off and still enabled")
    func alreadyExported() throws {
        try sysfs.makeChannel(0, period: 5_000_000, duty: 4_000_000, enable: 1)
        let channel = channel()
        let outputs = try channel.open()
        #expect(sysfs.output() == .off)
        #expect(
            outputs.map(\.descriptor) == sysfs.descriptors(of: "\(folder)/duty_cycle"), "the guard gets the duty, nothing else")
        try channel.show(Drive(clamping: 0.25))
        #expect(sysfs.number("\(folder)/duty_cycle") == 250_000)
        channel.close()
        #expect((sysfs.output(), sysfs.number("\(folder)/enable")) == (.off, 1))
        #expect(sysfs.text("class/pwm/pwmchip0/unexport").isEmpty)
        #expect(sysfs.descriptors(of: "\(folder)/duty_cycle").isEmpty)
    }

    @Test(
        "A channel is set up in an order that the kernel accepts and that never switches it on",
        arguments: [
            (0, 0, 0, ["period", "duty_cycle", "enable"]),
            // A duty above the new period has to go first.
            (5_000_000, 4_000_000, 1, ["duty_cycle", "period", "duty_cycle"]),
            (1_000_000, 0, 0, ["duty_cycle", "enable"]),
            (1_000_000, 0, 1, ["duty_cycle"]),
        ])
    func order(period: Int, duty: Int, enable: Int, files: [String]) throws {
        try sysfs.makeChannel(0, period: period, duty: duty, enable: enable)
        let log = WriteLog(sysfs.path(folder))
        let channel = channel()
        _ = try channel.open()
        #expect(log.names() == files)
        for intensity in [0.5, 0.5, 1, 0] { try channel.show(Drive(clamping: intensity)) }
        #expect(log.names() == ["duty_cycle"], "nothing but the duty changes after that")
        channel.close()
    }

    @Test(
        "A chip is found by its name, its folder and its device's folder",
        arguments: ["pwmchip0", "ROOT/class/pwm/pwmchip0", "ROOT/class/pwm/pwmchip0/", "ROOT/class/pwm", "ROOT/device"])
    func chips(text: String) throws {
        try sysfs.makeFolder("device")
        try FileManager.default.createSymbolicLink(atPath: sysfs.path("device/pwm"), withDestinationPath: sysfs.path("class/pwm"))
        let path = text.replacingOccurrences(of: "ROOT", with: sysfs.root.path)
        #expect(try PWMChip.find(path, in: sysfs.root, device: "it").channelCount == 2)
    }

    @Test("A chip that is not there is refused with those that are; a device with two chips is ambiguous")
    func missingChip() throws {
        try sysfs.makeChip(2)
        for chip in ["7", "pwmchip7", "/no/such/device", ""] {
            let fault = fault { _ = try channel(chip: chip).open() }
            #expect(fault?.cause == .absent)
            #expect(fault?.description.contains("this machine has pwmchip0, pwmchip2") == true, "\(String(describing: fault))")
        }
        let device = fault { _ = try channel(chip: sysfs.path("class/pwm")).open() }
        #expect(device?.cause == .ambiguous(["pwmchip0", "pwmchip2"].map { sysfs.path("class/pwm/\($0)") }))
    }

    @Test("A channel beyond those of its chip, and a period that it cannot do, are refused with what to change")
    func unusable() throws {
        let beyond = fault { _ = try channel(2).open() }
        #expect(
            beyond?.description.contains("has the channels 0 to 1; correct `channel`") == true, "\(String(describing: beyond))")
        try sysfs.makeChannel(0)
        // A file of the kernel that refuses such a number, as a chip does: EINVAL.
        try sysfs.replace("\(folder)/period", byLinkTo: "/proc/self/oom_score_adj")
        let period = fault { _ = try channel().open() }
        #expect(period?.description.contains("it cannot do a period of 1ms; choose another `frequency`") == true)
        #expect(sysfs.number("\(folder)/enable") == 0, "and it was not switched on")
        #expect(sysfs.descriptors(of: "\(folder)/duty_cycle").isEmpty, "and nothing is left open")
    }

    @Test("A file that may not be written is named, with the group and the rules that fix it")
    func permission() throws {
        let export = asNobody { fault { _ = try channel().open() } }
        try sysfs.makeChannel(0)
        let duty = asNobody { fault { _ = try channel().open() } }
        for (fault, file) in [(export, "class/pwm/pwmchip0/export"), (duty, "\(folder)/duty_cycle")] {
            #expect(fault?.cause == .permission)
            let text = fault?.description ?? ""
            #expect(text.contains(sysfs.path(file)), "\(text)")
            #expect(text.contains("group hapticd"), "\(text)")
            #expect(text.contains("hw/udev"), "\(text)")
        }
    }

    @Test("A channel that does not appear after its export is a fault, and is taken back")
    func neverAppears() {
        let fault = fault { _ = try channel().open() }
        #expect(fault?.cause == .absent)
        #expect(sysfs.number("class/pwm/pwmchip0/unexport") == 0)
    }

    @Test("Off is written to the duty again, or to `enable` if that fails")
    func surestOff() throws {
        try sysfs.makeChannel(0)
        let first = channel()
        _ = try first.open()
        try first.show(Drive(clamping: 0.5))
        sysfs.refuseWrites(to: "\(folder)/duty_cycle")
        #expect(fault { try first.show(Drive(clamping: 0.6)) }?.cause == .io(errno: ENOSPC))
        first.switchOff()
        #expect((sysfs.number("\(folder)/duty_cycle"), sysfs.number("\(folder)/enable")) == (0, 1))
        first.close()

        let second = channel()
        _ = try second.open()
        try second.show(Drive(clamping: 0.5))
        sysfs.refuseWrites(to: "\(folder)/duty_cycle")
        try sysfs.replace("\(folder)/duty_cycle", byLinkTo: "/dev/full")
        second.switchOff()
        #expect(sysfs.number("\(folder)/enable") == 0)
        second.close()
    }

    @Test("A guard has its copies before the first on, can switch off by them, and gives them back at the end")
    func guarded() throws {
        try sysfs.makeChannel(0)
        let outputGuard = SharingGuard()
        let driver = LevelDriver(channel(), maxOn: nil, outputGuard: outputGuard)
        try driver.open(at: .zero)
        #expect(outputGuard.devices == ["PWM channel 0 of pwmchip0"])
        try driver.apply(level(0.5), planned: .zero, at: .zero)
        try wait(for: "the thread") { driver.hasFollowed }
        #expect(sysfs.output().isOn)
        outputGuard.switchEverythingOff()
        #expect(!sysfs.output().isOn)
        driver.close(at: .zero)
        #expect(outputGuard.held.isEmpty)
    }

    @Test("Without its guard a channel is not used: it is off and closed again")
    func guardRefuses() throws {
        try sysfs.makeChannel(0)
        let outputGuard = SharingGuard()
        outputGuard.refusal = DriverFault(.io(errno: EPIPE), device: "the guard")
        let driver = LevelDriver(channel(), maxOn: nil, outputGuard: outputGuard)
        #expect(fault { try driver.open(at: .zero) } == outputGuard.refusal)
        #expect(sysfs.descriptors(of: "\(folder)/duty_cycle").isEmpty)
        #expect(fault { try driver.apply(level(1), planned: .zero, at: .zero) }?.cause == .closed)
    }
}

extension Nanoseconds {
    fileprivate init(periodOf hertz: Int) { self.init(Int64((1e9 / Double(hertz)).rounded())) }
}
