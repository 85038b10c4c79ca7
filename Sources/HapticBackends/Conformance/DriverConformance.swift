// SPDX-License-Identifier: MIT
public import HapticCore

/// The contract of `ActuatorDriver` as checks that every driver has to pass. Needs no test library, so it also runs on a board.
public enum DriverConformance {
    /// Runs every check on a driver of its own and returns what was broken, a sentence each; empty when all is well.
    ///
    /// `start` is the first instant that the driver is given; later ones follow it by sums of what the checks need, without waiting.
    public static func violations(
        startingAt start: MonotonicInstant = .zero, make: () throws -> DriverUnderTest
    ) -> [String] {
        var found: [String] = []
        for check in Check.all {
            do {
                var probe = Probe(try make(), at: start)
                do {
                    try check.run(&probe)
                } catch {
                    probe.found.append("it threw where nothing was wrong: \(error)")
                }
                probe.subject.driver.close(at: probe.now)
                found += probe.found.map { "\(check.name): \($0)" }
            } catch {
                found.append("\(check.name): no driver could be made: \(error)")
            }
        }
        return found
    }
}

/// A driver in the middle of a check.
struct Probe {
    let subject: DriverUnderTest
    var now: MonotonicInstant
    var found: [String] = []

    init(_ subject: DriverUnderTest, at now: MonotonicInstant) {
        self.subject = subject
        self.now = now
    }

    var driver: any ActuatorDriver { subject.driver }

    mutating func apply(_ level: Level, drive: Drive? = nil) throws(DriverFault) {
        now = now + .milliseconds(1)
        try driver.apply(DrivenLevel(level, drive: drive), run: nil, planned: now, at: now)
    }

    mutating func expect(_ holds: Bool, _ violation: String) {
        if !holds { found.append(violation) }
    }

    mutating func expectOutput(_ asked: Level, after what: String) {
        let (wanted, shown) = (driver.capabilities.fitted(asked), subject.output())
        let isClose =
            abs(wanted.intensity.value - shown.intensity.value) <= subject.resolution
            && abs(wanted.sharpness.value - shown.sharpness.value) <= subject.resolution
        expect(
            wanted.isOn == shown.isOn && (isClose || !wanted.isOn),
            "after \(what) the output is \(text(shown)) and should be \(text(wanted))")
    }

    mutating func expectOff(after what: String) {
        expect(!subject.output().isOn, "after \(what) the output is \(text(subject.output())) and should be off")
        expect(
            driver.nextDeadline == .distantFuture,
            "after \(what) it is off and still asks to be called, at \(driver.nextDeadline): the executor could not sleep")
    }

    /// True where `body` threw a fault.
    mutating func faults(_ body: (inout Probe) throws -> Void) -> Bool {
        do {
            try body(&self)
            return false
        } catch {
            return true
        }
    }

    /// Calls `advance` at each of the driver's deadlines up to `end`; true where one of them cut it off.
    mutating func advance(to end: MonotonicInstant) throws(DriverFault) -> Bool {
        while driver.nextDeadline <= end {
            now = max(now, driver.nextDeadline)
            if try driver.advance(to: now) == .cutOff { return true }
            guard driver.nextDeadline > now else {
                expect(false, "`advance` to \(now) leaves a deadline at \(driver.nextDeadline): the executor would spin")
                return false
            }
        }
        now = max(now, end)
        return false
    }

    private func text(_ level: Level) -> String {
        level.isOn ? "at \(level.intensity.value), sharpness \(level.sharpness.value)" : "off"
    }
}
