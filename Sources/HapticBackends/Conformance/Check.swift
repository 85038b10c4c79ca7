// SPDX-License-Identifier: MIT
private import HapticCore

/// One rule of the contract and how it is tried.
struct Check: Sendable {
    let name: String
    let run: @Sendable (inout Probe) throws -> Void

    static let all = [start, levels, drives, off, switchOff, idle, cutOff, preparation, closing, reopening, fault]

    private static let full = Level(intensity: .one, sharpness: .one)
    private static func level(_ intensity: Double, _ sharpness: Double) -> Level {
        Level(intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness))
    }

    /// More than the 16 effects that many devices can hold, each different.
    private static let examples = (1...20).map { number in
        let (begin, end) = (Nanoseconds.milliseconds(Int64(number)), Nanoseconds.milliseconds(Int64(number + 8)))
        let tap = Level(intensity: .one, sharpness: Sharpness(clamping: Double(number) / 20))
        return Timeline(frames: [.init(offset: begin, level: tap), .init(offset: end, level: .off)], duration: end)
    }

    private static let start = Check(name: "a new driver is off") { probe in
        probe.expectOff(after: "being made")
    }

    private static let levels = Check(name: "`apply` brings the output to the level as it can be shown") { probe in
        for (intensity, sharpness) in [(1.0, 1.0), (0.5, 0.5), (0.75, 0), (0.25, 1), (0.1, 0.2), (1, 0)] {
            let level = level(intensity, sharpness)
            try probe.apply(level)
            probe.expectOutput(level, after: "`apply` of \(intensity), sharpness \(sharpness)")
            try probe.apply(level)
            probe.expectOutput(level, after: "the same `apply` again")
        }
    }

    private static let drives = Check(name: "`apply` of a drive that it cannot do is the nearest, and never backwards") { probe in
        for drive in [-1, 1.5] where !probe.driver.capabilities.reverses {
            try probe.apply(full, drive: Drive(clamping: drive))
            let shown = min(max(drive, 0), probe.driver.capabilities.mostDrive.value)
            probe.expectOutput(shown > 0 ? full : .off, after: "`apply` of a drive of \(drive)")
        }
    }

    private static let off = Check(name: "`apply` of intensity 0 is off") { probe in
        for level in [Level.off, level(0, 1)] {
            try probe.apply(full)
            try probe.apply(level)
            probe.expectOff(after: "`apply` of intensity 0, sharpness \(level.sharpness.value)")
            try probe.apply(level)
            probe.expectOff(after: "the same `apply` again")
        }
    }

    private static let switchOff = Check(name: "`switchOff` is off, at any time") { probe in
        try probe.driver.switchOff(at: probe.now)
        probe.expectOff(after: "`switchOff` of what was off")
        try probe.apply(full)
        try probe.driver.switchOff(at: probe.now)
        probe.expectOff(after: "`switchOff` of what was on")
        try probe.apply(full)
        probe.expectOutput(full, after: "`apply` after `switchOff`")
    }

    private static let idle = Check(name: "time passing changes nothing before the longest on-time is over") { probe in
        try probe.apply(full)
        let isCutOff = try probe.advance(to: probe.now + probe.subject.maxOn / 2)
        probe.expect(!isCutOff, "it was cut off after less than half of its longest on-time")
        probe.expectOutput(full, after: "half of the longest on-time")
    }

    private static let cutOff = Check(name: "what is on for too long is cut off until an off comes") { probe in
        try probe.apply(full)
        let end = probe.now + probe.subject.maxOn
        // A level in between is part of the same vibration: it must not start the time again.
        _ = try probe.advance(to: probe.now + probe.subject.maxOn / 2)
        try probe.apply(level(0.5, 0.5))
        let isCutOff = try probe.advance(to: end)
        probe.expect(isCutOff, "it was not cut off within its longest on-time of \(probe.subject.maxOn)")
        probe.expectOff(after: "the longest on-time")
        try probe.apply(full)
        probe.expectOff(after: "a level that goes on with what was cut off")
        try probe.apply(.off)
        try probe.apply(full)
        probe.expectOutput(full, after: "an off and an on")
    }

    private static let preparation = Check(name: "`prepare` answers for each pattern and changes nothing that is felt") { probe in
        let timelines = examples
        for count in [0, 1, timelines.count] {
            let answers = try probe.driver.prepare(Array(timelines[..<count]), at: probe.now)
            probe.expect(answers.count == count, "`prepare` of \(count) patterns gave \(answers.count) answers")
            for case .ready(let until) in answers where until <= probe.now {
                probe.expect(false, "`prepare` at \(probe.now) says ready until \(until), which is over")
            }
            probe.expectOff(after: "`prepare` of \(count) patterns")
        }
        try probe.apply(full)
        _ = try probe.driver.prepare(timelines, at: probe.now)
        probe.expectOutput(full, after: "`prepare` while it was on")
    }

    private static let closing = Check(name: "a closed driver is off and refuses") { probe in
        try probe.apply(full)
        probe.driver.close(at: probe.now)
        probe.expectOff(after: "`close`")
        probe.driver.close(at: probe.now)
        probe.expectOff(after: "a second `close`")
        let refuses = probe.faults { probe in try probe.apply(full) }
        probe.expect(refuses, "`apply` after `close` threw no fault")
        probe.expectOff(after: "`apply` to a closed driver")
    }

    private static let reopening = Check(name: "a reopened driver is off and works") { probe in
        probe.driver.close(at: probe.now)
        try probe.driver.open(at: probe.now)
        probe.expectOff(after: "`open` of a closed driver")
        try probe.apply(full)
        probe.expectOutput(full, after: "`apply` after `open`")
        try probe.driver.open(at: probe.now)
        probe.expectOff(after: "`open` of a driver that was on")
    }

    private static let fault = Check(name: "a fault is thrown, leaves nothing on, and is over after `open`") { probe in
        guard let breakDevice = probe.subject.breakDevice else { return }
        try probe.apply(full)
        breakDevice()
        // What is on or off only has to be sent nothing before the off.
        let throwsFault = probe.faults { probe in
            try probe.apply(level(0.5, 0.5))
            try probe.apply(.off)
        }
        probe.expect(throwsFault, "`apply` to a device that fails threw no fault")
        // The device may be past switching off, so what this throws is no violation; what it leaves on is.
        _ = probe.faults { probe in try probe.driver.switchOff(at: probe.now) }
        probe.expectOff(after: "`switchOff` of a driver with a fault")
        try probe.driver.open(at: probe.now)
        probe.expectOff(after: "`open` after a fault")
        try probe.apply(full)
        probe.expectOutput(full, after: "`apply` after a fault and `open`")
    }
}
