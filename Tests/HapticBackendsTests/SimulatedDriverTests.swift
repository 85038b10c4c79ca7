// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import TestSupport
import Testing

private func ms(_ count: Int64) -> MonotonicInstant { .zero + .milliseconds(count) }
private let on = Level(intensity: .one, sharpness: .zero)

extension SimulatedDriver {
    fileprivate func pulse(from start: Int64, to end: Int64) throws(DriverFault) {
        try apply(on, planned: ms(start), at: ms(start))
        try apply(.off, planned: ms(end), at: ms(end))
    }
}

@Suite struct SimulatedDriverTests {
    @Test("The driver keeps the last 4,096 actuations and counts them all")
    func recordIsBounded() throws {
        let driver = SimulatedDriver(name: "main")
        for index in 0..<Int64(5000) { try driver.apply(index.isMultiple(of: 2) ? on : .off, planned: ms(index), at: ms(index)) }
        #expect(driver.actuationCount == 5000)
        #expect(driver.record.map(\.real) == (904..<5000).map(ms))
    }

    @Test("A pulse that comes sooner than the minimum gap is a violation", arguments: [(19, true), (20, false), (21, false)])
    func minGap(gap: Int64, isViolation: Bool) throws {
        let driver = SimulatedDriver(name: "main", limits: MotorLimits(minGap: .milliseconds(20)))
        try driver.pulse(from: 0, to: 8)
        try driver.pulse(from: 8 + gap, to: 16 + gap)
        #expect(driver.violations == (isViolation ? [MotorViolation(at: ms(8 + gap), kind: .minGap(.milliseconds(gap)))] : []))
    }

    @Test("A motor that is on for the longest on-time goes off by itself, which is recorded as a violation")
    func maxOn() throws {
        let driver = SimulatedDriver(name: "main", limits: MotorLimits(maxOn: .seconds(2)))
        try driver.apply(on, planned: ms(5), at: ms(10))
        #expect(driver.nextDeadline == ms(2010))
        #expect(try driver.advance(to: ms(2009)) == .kept)
        #expect(try driver.advance(to: ms(2012)) == .cutOff)
        #expect(driver.record.last == SimulatedActuation(planned: ms(2010), real: ms(2012), level: .off))
        #expect(driver.violations == [MotorViolation(at: ms(2012), kind: .maxOn(.milliseconds(2002)))])
    }

    @Test(
        "An off after the longest on-time is one violation, even if nobody calls `advance`; at exactly that time it is none",
        arguments: [(2000, false), (2001, true)])
    func lateOff(end: Int64, isViolation: Bool) throws {
        let driver = SimulatedDriver(name: "main", limits: MotorLimits(maxOn: .seconds(2)))
        try driver.pulse(from: 0, to: end)
        #expect(driver.violations == (isViolation ? [MotorViolation(at: ms(end), kind: .maxOn(.milliseconds(end)))] : []))
    }

    @Test("More on-time than the duty in any 10 s is a violation, and less of it later is none")
    func duty() throws {
        let driver = SimulatedDriver(name: "main", limits: MotorLimits(duty: Share(clamping: 0.4)))
        try driver.pulse(from: 0, to: 2000)
        try driver.pulse(from: 5000, to: 7000)
        #expect(driver.violations == [])
        try driver.pulse(from: 9000, to: 9500)
        #expect(driver.violations == [MotorViolation(at: ms(9500), kind: .duty(.milliseconds(4500)))])
        // From 1,100 to 11,100 it is on for 900 + 2,000 + 500 + 100 ms.
        try driver.pulse(from: 11_000, to: 11_100)
        #expect(driver.violationCount == 1)
    }

    @Test("The watch agrees with a plain sum over all pulses, for random play", arguments: [1, 2] as [UInt64])
    func dutyAgainstAModel(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let driver = SimulatedDriver(name: "main", limits: MotorLimits(duty: Share(clamping: 0.4)))
        var pulses: [(start: Int64, end: Int64)] = []
        var now: Int64 = 0
        var expected = 0
        for _ in 0..<500 {
            let start = now + Int64.random(in: 1...60, using: &random)
            now = start + Int64.random(in: 1...45, using: &random)
            try driver.pulse(from: start, to: now)
            pulses.append((start, now))
            let felt = pulses.reduce(0) { $0 + max(0, $1.end - max($1.start, now - 10_000)) }
            if felt > 4000 { expected += 1 }
        }
        #expect(expected > 0)
        #expect(expected < 500)
        #expect(driver.violationCount == expected, "seed \(seed)")
    }
}

@Suite struct FaultPlanTests {
    /// Which of `count` applies, 1 ms apart from 1 ms on, fail.
    private func failures(of driver: SimulatedDriver, count: Int64) -> [Int64] {
        (1...count).filter { index in
            do throws(DriverFault) {
                try driver.apply(on, planned: ms(index), at: ms(index))
                return false
            } catch {
                return true
            }
        }
    }

    @Test(
        "The driver fails where the plan says",
        arguments: [
            (FaultPlan.none, []),
            (.from(apply: 3, .deviceLost, until: .never), [3, 4, 5, 6, 7, 8]),
            (.from(apply: 3, .deviceLost, until: .onOpen), [3, 4, 5, 6, 7, 8]),
            (.from(apply: 3, .deviceLost, until: .after(.milliseconds(2))), [3, 4]),
            (.every(3, .io(errno: 5)), [3, 6]),
        ] as [(FaultPlan, [Int64])])
    func schedule(plan: FaultPlan, expected: [Int64]) {
        let driver = SimulatedDriver(name: "main", faults: plan)
        #expect(failures(of: driver, count: 8) == expected)
    }

    @Test("A lost device is off, cannot be switched off, and comes back by reopening")
    func lostDevice() throws {
        let driver = SimulatedDriver(name: "pad", faults: .from(apply: 2, .deviceLost, until: .onOpen))
        try driver.apply(on, planned: ms(1), at: ms(1))
        #expect(throws: DriverFault(.deviceLost, device: "pad")) { try driver.apply(on, planned: ms(2), at: ms(2)) }
        #expect(driver.output == .off)
        #expect(throws: DriverFault(.deviceLost, device: "pad")) { try driver.switchOff(at: ms(3)) }
        try driver.open(at: ms(4))
        try driver.apply(on, planned: ms(5), at: ms(5))
        #expect(driver.output == DrivenLevel(on))
    }

    @Test("A device that fails otherwise stays as it was, and can be switched off")
    func failingDevice() throws {
        let driver = SimulatedDriver(name: "pad", faults: .from(apply: 2, .io(errno: 5), until: .never))
        try driver.apply(on, planned: ms(1), at: ms(1))
        #expect(throws: DriverFault(.io(errno: 5), device: "pad")) { try driver.apply(.off, planned: ms(2), at: ms(2)) }
        #expect(driver.output == DrivenLevel(on))
        try driver.switchOff(at: ms(3))
        #expect(driver.output == .off)
    }

    @Test("Reopening fails until the plan lets it recover")
    func reopeningTooSoon() throws {
        let busy = DriverFault(.busy(holder: "gpioset"), device: "line 18")
        let driver = SimulatedDriver(
            name: "line 18", faults: .from(apply: 1, busy.cause, until: .after(.milliseconds(10))))
        #expect(throws: busy) { try driver.apply(on, planned: ms(1), at: ms(1)) }
        #expect(throws: busy) { try driver.open(at: ms(10)) }
        try driver.open(at: ms(11))
        try driver.apply(on, planned: ms(11), at: ms(11))
    }

    @Test(
        "A fault says what happened, to what, and what to do",
        arguments: [
            (.deviceLost, "pad is gone; plug it in again, it is used again when it is back"),
            (.absent, "pad is not there; connect it, or run `hapticctl actuators --scan` and name what is there instead"),
            (
                .ambiguous(["a", "b"]),
                "pad fits 2 devices: a, b; say more of the one that is meant, such as its phys or path"
            ),
            (.unusable(why: "it is locked", remedy: "unlock it"), "pad cannot be used: it is locked; unlock it"),
            (.hanging, "pad hangs: it does not answer; unplug it and plug it in again"),
            (
                .permission,
                "pad cannot be opened: permission denied; let the group hapticd read and write it (the package has udev rules for that, and the sources in hw/udev) and run hapticd in that group"
            ),
            (.busy(holder: "gpioset"), "pad is held by gpioset; stop that, or choose another device in the configuration"),
            (.busy(holder: nil), "pad is held by another program; stop that, or choose another device in the configuration"),
            (.io(errno: 5), "pad failed: Input/output error (errno 5); see the kernel's log (dmesg)"),
            (.closed, "pad is closed; open it again before it is used"),
        ] as [(DriverFault.Cause, String)])
    func faultTexts(cause: DriverFault.Cause, text: String) {
        #expect(DriverFault(cause, device: "pad").description == text)
    }
}
