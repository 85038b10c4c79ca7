// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import TestSupport

/// The record of one motor: its limits, the actuations of its driver, and the disturbances by the walk. Times in nanoseconds.
struct Motor {
    let limits: Limits
    /// The most that the executor is late without a fault.
    let jitter: Int64
    /// Each change with the level from then on, in order; the first entry is earlier than any instant that is still checked.
    private(set) var history: [(at: Int64, level: Double)] = [(.min, 0)]
    private var heat = Heat()
    /// The recent times of more than the rated drive.
    private var overdriven: [(from: Int64, to: Int64)] = []
    private var troubles: [Trouble: Int64] = [:]
    /// The times of disturbances that excuse lateness, in the order of their ends.
    private var disturbances: [(from: Int64, to: Int64)] = []
    /// The times in which the executor stood still: only they excuse a motor that is on for longer than `maxOn`.
    private var halts: [(from: Int64, to: Int64)] = []
    /// The playback that plays on the motor, since `ownedSince`.
    private(set) var owner: UInt64?
    private var ownedSince: Int64 = 0
    /// Whether the engine knows that the device has gone.
    var isLost = false
    /// The latest instant of an order that the executor has, carried out or had to drop.
    var known: Int64 = .min
    /// The instants of the actuations that were handed out and not revoked, in order.
    private var handedOut: [Int64] = []
    private var earliest: Int64 = .min / 2

    init(_ limits: Limits, jitter: Int64) { (self.limits, self.jitter) = (limits, jitter) }

    var isOn: Bool { history[history.count - 1].level != 0 }
    var lastChange: Int64 { history[history.count - 1].at }

    mutating func own(_ owner: UInt64?, since now: Int64) { (self.owner, ownedSince) = (owner, now) }

    /// Begins with another executor, without a playback. `isOther`: it is another motor, too.
    mutating func begin(again isOther: Bool, at now: Int64) {
        let isKnown = !isOther && !isDisturbed(now - World.settling, now)
        for trouble in troubles.keys { end(trouble, at: now) }
        (known, handedOut, isLost) = (.min, [], false)
        own(nil, since: now)
        // The next executor does not know of an off that came late. The heat is carried over all the same.
        guard !isKnown else { return }
        if !isOther, let thermal = limits.thermal { cool(for: 0, at: now, thermal) }
        let heat = heat
        self = Motor(limits, jitter: jitter)
        own(nil, since: now)
        guard !isOther, limits.thermal != nil else { return }
        self.heat = heat
        history.append((now, 0))
        disturb(from: now, to: now + 1)
    }

    // MARK: What is handed out for it

    /// Notes an actuation that is handed out for `instant`. Returns false if a later one was handed out before.
    mutating func handOut(for instant: Int64) -> Bool {
        defer { handedOut.append(instant) }
        return handedOut.last.map { instant >= $0 } ?? true
    }

    /// Whether several actuations are handed out for `instant`: the last of them counts.
    func hasSeveral(at instant: Int64) -> Bool { handedOut.count { $0 == instant } > 1 }

    mutating func revoke(from instant: Int64) {
        while let last = handedOut.last, last >= instant { handedOut.removeLast() }
    }

    // MARK: Disturbances

    /// A disturbance that lasts until another event ends it.
    enum Trouble { case device, doorbell, leftOut, leash }

    mutating func disturb(from: Int64, to: Int64) {
        guard let last = disturbances.last, from <= last.to else { return disturbances.append((from, to)) }
        disturbances[disturbances.count - 1] = (min(from, last.from), max(to, last.to))
    }

    mutating func halt(from: Int64, to: Int64) { halts.append((from, to)) }

    mutating func begin(_ trouble: Trouble, at now: Int64) { if troubles[trouble] == nil { troubles[trouble] = now } }

    mutating func end(_ trouble: Trouble, at now: Int64) {
        if let start = troubles.removeValue(forKey: trouble) { disturb(from: start, to: now) }
    }

    func isDisturbed(_ from: Int64, _ to: Int64) -> Bool {
        if troubles.values.contains(where: { $0 <= to }) { return true }
        for (start, end) in disturbances.reversed() {
            if end < from { return false }
            if start <= to { return true }
        }
        return false
    }

    // MARK: What it did

    /// Notes a change, and returns a complaint if it breaks a limit.
    mutating func change(to level: Double, at now: Int64) -> String? {
        defer { history.append((now, level)) }
        var complaint = heatComplaint(at: now) ?? driveComplaint(level, at: now)
        if level != 0, !isOn { complaint = complaint ?? gapComplaint(at: now) }
        if level == 0, isOn { complaint = complaint ?? onComplaint(at: now) }
        return complaint ?? silenceComplaint(level, at: now) ?? intervalComplaint(at: now)
    }

    private func silenceComplaint(_ level: Double, at now: Int64) -> String? {
        guard owner == nil, isOn || level != 0, now > ownedSince + jitter, !isDisturbed(ownedSince - World.settling, now)
        else { return nil }
        return "is or was on, and nothing has played on it for \(now - ownedSince) ns"
    }

    /// Checks the abilities of the driver and the time of an overdrive.
    private mutating func driveComplaint(_ drive: Double, at now: Int64) -> String? {
        if drive < (limits.reverses ? -1 : 0) || drive > limits.mostDrive { return "was driven with \(drive)" }
        if !limits.variesIntensity, drive != 0, abs(drive) != 1 { return "was driven with \(drive), and is on or off" }
        if drive < 0, !isOn { return "was driven backwards with no pulse to end" }
        guard let most = limits.model?.overdrive?.time.count else { return nil }
        if history[history.count - 1].level > 1 { overdriven.append((lastChange, now)) }
        overdriven.removeAll { $0.to <= now - 2 * most }
        let time = overdriven.reduce(0) { $0 + $1.to - max($1.from, now - 2 * most) }
        // An overdrive's time recovers as fast as it is used, so a window of twice that time has room for half as much again.
        let isLong = overdriven.contains { $0.to - $0.from > most + jitter }
        guard isLong || time > most * 3 / 2 + jitter * Int64(overdriven.count), !isDisturbed(now - 2 * most - World.settling, now)
        else { return nil }
        return "was overdriven for \(time) ns, and may be for \(most)"
    }

    private mutating func heatComplaint(at now: Int64) -> String? {
        guard let thermal = limits.thermal else { return nil }
        if lastChange > .min {
            heat = heat.after(now - lastChange, at: history[history.count - 1].level, thermal)
        }
        // After a disturbance the heat that the engine assumes differs for a while from the heat of the motor.
        let isDisturbed = isDisturbed(now - 6 * thermal.housing.count - World.settling, now)
        guard heat.total > Heat.most(thermal, jitter: jitter, mostDrive: limits.mostDrive), !isDisturbed else { return nil }
        return "has a heat of \(heat.total), with \(thermal.continuous) for its continuous drive"
    }

    /// Notes that the machine slept for `time`, with the motor off.
    mutating func slept(_ time: Int64, at now: Int64) {
        guard let thermal = limits.thermal else { return }
        // The order that switches it off is still pending.
        if isOn { disturb(from: now, to: now + 1) } else { cool(for: time, at: now, thermal) }
    }

    private mutating func cool(for time: Int64, at now: Int64, _ thermal: ThermalModel) {
        if lastChange > .min { heat = heat.after(now - lastChange, at: history[history.count - 1].level, thermal) }
        heat = heat.after(time, at: 0, thermal)
        history.append((now, 0))
    }

    private func gapComplaint(at now: Int64) -> String? {
        // The last off that ended an on.
        guard let place = history.indices.last(where: { $0 > 0 && history[$0].level == 0 && history[$0 - 1].level != 0 })
        else { return nil }
        let off = history[place].at
        let tolerance: Int64 = isDisturbed(off - World.settling, now) ? 2_000_000 : jitter
        guard now - off < limits.limits.minGap.count - tolerance else { return nil }
        return "went on \(now - off) ns after it went off, with a gap of \(limits.limits.minGap)"
    }

    private func onComplaint(at now: Int64) -> String? {
        var start = history.count - 1
        while start > 0, history[start - 1].level != 0 { start -= 1 }
        let rise = history[start].at
        if let maxOn = limits.limits.maxOn?.count, now - rise > maxOn + jitter,
            !halts.contains(where: { $0.from <= now && $0.to >= rise })
        {
            return "was on for \(now - rise) ns, with a maxOn of \(maxOn)"
        }
        let (window, duty) = (MotorLimits.dutyWindow.count, limits.limits.duty.value)
        guard duty < 1, !isDisturbed(now - window, now) else { return nil }
        let (on, pulses) = onTime(in: window, until: now)
        guard on > Int64(Double(window) * duty) + jitter * Int64(pulses) else { return nil }
        return "was on for \(on) ns of 10 s, with a duty of \(duty)"
    }

    private func onTime(in window: Int64, until now: Int64) -> (on: Int64, pulses: Int) {
        var (on, pulses, end) = (Int64(0), 0, now)
        for index in history.indices.reversed() {
            if history[index].level != 0 {
                on += end - max(now - window, history[index].at)
                if index == 0 || history[index - 1].level == 0 { pulses += 1 }
            }
            end = history[index].at
            if end <= now - window { break }
        }
        return (on, pulses)
    }

    /// n + 1 actuations take at least n − 2 intervals, one less where a brake may come before an off.
    private mutating func intervalComplaint(at now: Int64) -> String? {
        if isDisturbed(now - World.settling, now) { earliest = .min / 2 }
        let interval = limits.limits.minInterval.count
        earliest = max(earliest + interval, now - (limits.reverses ? 3 : 2) * interval)
        return now < earliest - jitter ? "was changed \(earliest - now) ns too early for its interval" : nil
    }

    /// The number of times that it went on in `from`…`to`.
    func rises(from: Int64, to: Int64) -> Int {
        history.indices.dropFirst().count {
            (from...to).contains(history[$0].at) && history[$0].level != 0 && history[$0 - 1].level == 0
        }
    }

    /// Forgets all records before `instant`.
    mutating func forget(before instant: Int64) {
        let kept = history.lastIndex { $0.at <= instant } ?? 0
        if kept > 256 { history.removeFirst(kept) }
        if handedOut.count > 256 { handedOut.removeFirst(handedOut.count - 128) }
        if disturbances.count > 64 { disturbances.removeAll { $0.to < instant } }
        if halts.count > 64 { halts.removeAll { $0.to < instant } }
    }
}

extension Motor {
    /// The configured abilities and limits of a motor.
    struct Limits: Sendable {
        var limits: MotorLimits
        var variesIntensity = true
        /// Whether its driver can drive it backwards.
        var reverses = false
        /// The model that patterns are fitted to; nil without fitting.
        var model: MotorModel?
        /// The model of its heat; nil without a limit.
        var thermal: ThermalModel?

        var mostDrive: Double { model?.overdrive?.level.value ?? 1 }
        var capabilities: ActuatorCapabilities {
            ActuatorCapabilities(
                variesIntensity: variesIntensity, variesSharpness: false, mostDrive: Drive(mostDrive)!, reverses: reverses)
        }
        /// The time after its end in which a playback may still lengthen a pulse, or brake.
        var tail: Int64 { model == nil ? 0 : 500_000_000 }

        static func random(_ random: inout SplitMix64) -> Limits {
            var limits = Limits(limits: MotorLimits(minInterval: .milliseconds(random.one(of: [1, 1, 2, 7]))))
            if random.chance(2) { limits.limits.minGap = .milliseconds(random.one(of: [3, 9, 20, 150])) }
            if random.chance(2) { limits.limits.maxOn = .milliseconds(random.one(of: [50, 400, 2000])) }
            if random.chance(3) { limits.limits.duty = Share(random.one(of: [0.01, 0.1, 0.4]))! }
            limits.variesIntensity = !random.chance(4)
            guard random.chance(3) else { return limits }
            limits.reverses = random.chance(2)
            let (rise, start) = (random.milliseconds(1...400), Double.random(in: 0...0.9, using: &random))
            // An overdrive of more than three times `rise` contradicts it.
            let time = min(random.milliseconds(2...200), rise * 3)
            let drive = Drive(Double.random(in: 1.05...1.5, using: &random))!
            limits.model = MotorModel(
                kind: random.chance(2) ? .erm : .lra, rise: rise, fall: random.milliseconds(1...400), start: Share(start)!,
                hold: Share(Double.random(in: 0...start, using: &random))!, minPulse: random.milliseconds(0...100),
                overdrive: random.chance(2) ? .init(level: drive, time: time) : nil, brake: random.chance(2))
            return limits
        }

        /// Adds a model of heat that is soon at its limit, but bears a pulse of 30 ms when cold.
        mutating func heat(_ random: inout SplitMix64) {
            // An overdriven motor is hot sooner.
            let least = model?.overdrive == nil ? 0.35 : 0.5
            thermal = ThermalModel(
                winding: .milliseconds(random.one(of: [100, 400, 1500])), housing: .seconds(random.one(of: [2, 8])),
                continuous: Share(max(least, random.one(of: [0.35, 0.5, 0.9])))!, soft: Share(random.one(of: [0.5, 0.8]))!,
                floor: Share(random.one(of: [0.2, 0.6]))!)
        }
    }
}
