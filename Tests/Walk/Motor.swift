// SPDX-License-Identifier: MIT
import HapticCore

/// What the oracle knows of one motor: what it may be asked for, what it did, and when the walk disturbed it. Times in nanoseconds.
struct Motor {
    struct Limits: Sendable {
        var interval: Int64
        var minGap: Int64 = 0
        var maxOn: Int64?
        var duty = 1.0
        var variesIntensity = true
        /// Nil: what plays on it is not fitted to it.
        var model: Model?
        /// Its driver can drive it backwards.
        var reverses = false
        /// Nil: it may be as hot as it gets.
        var thermal: Heat.Model?

        /// The most drive that it may be sent.
        var most: Double { model?.overdrive?.level ?? 1 }
        /// What is meant to be felt is what it gets, but for the interval.
        var isFree: Bool { minGap == 0 && maxOn == nil && duty == 1 && variesIntensity && model == nil && thermal == nil }
        /// How long after its end a playback may still lengthen a pulse, or brake.
        var tail: Int64 { model == nil ? 0 : 500_000_000 }
    }

    /// What patterns are fitted to; times in nanoseconds.
    struct Model: Sendable {
        var isERM: Bool
        var rise: Int64
        var fall: Int64
        var start: Double
        var hold: Double
        var minPulse: Int64
        var overdrive: (level: Double, time: Int64)?
        var brake: Bool
    }

    let limits: Limits
    /// By how much the executor is late without any fault.
    let jitter: Int64
    /// Each with the level from then on, in order; the first one is before all that is still asked for.
    private(set) var history: [(at: Int64, level: Double)] = [(.min, 0)]
    /// How hot it was at each of them; empty where nobody wants to know.
    private var heats: [Heat] = []
    /// When it got more than its rated drive lately.
    private var overdriven: [(from: Int64, to: Int64)] = []
    private var troubles: [Trouble: Int64] = [:]
    /// From when to when something was done to it that excuses lateness; what comes later ends later.
    private var disturbances: [(from: Int64, to: Int64)] = []
    /// From when to when the executor stood still: nothing else excuses that it is on for longer than it may be.
    private var halts: [(from: Int64, to: Int64)] = []
    /// What plays on it, from when on, and what it does after that.
    var owner: UInt64?
    /// When it got its last owner, or lost it.
    var ownedSince: Int64 = 0
    /// The latest instant for which the executor has something, or at which it did or had to drop something.
    var known: Int64 = .min
    /// The instants of what was handed out and not revoked, in order.
    private var handedOut: [Int64] = []
    private var earliest: Int64 = .min / 2

    init(_ limits: Limits, jitter: Int64) {
        (self.limits, self.jitter) = (limits, jitter)
        if limits.thermal != nil { heats = [Heat()] }
    }

    var isOn: Bool { history[history.count - 1].level != 0 }
    var lastChange: Int64 { history[history.count - 1].at }

    /// How `intensity` shows on it.
    func fitted(_ intensity: Double) -> Double {
        limits.variesIntensity ? intensity : intensity >= 0.25 ? 1 : 0
    }

    /// Another executor has it from now on, and nothing plays on it. `isOther`: and it is another motor.
    mutating func begin(again isOther: Bool, at now: Int64) {
        // An off that came late is not known to the next executor.
        if isOther || isDisturbed(now - 300_000_000, now) {
            let heat = isOther ? nil : heat(at: now)
            self = Motor(limits, jitter: jitter)
            if let heat {
                history.append((now, 0))
                heats.append(heat)
                // How hot the engine takes it to be is another question.
                disturb(from: now, to: now + 1)
            }
            return
        }
        for trouble in troubles.keys { end(trouble, at: now) }
        (known, handedOut) = (.min, [])
    }

    // MARK: What is handed out for it

    /// Takes what is handed out for `instant`, and says what is wrong with it.
    mutating func handOut(for instant: Int64) -> String? {
        defer { handedOut.append(instant) }
        guard let last = handedOut.last, instant < last else { return nil }
        return "was handed out an actuation for \(instant) after one for \(last)"
    }

    /// Whether more than one is handed out for the instant: the last of them counts.
    func hasSeveral(at instant: Int64) -> Bool { handedOut.count { $0 == instant } > 1 }

    mutating func revoke(from instant: Int64) {
        while let last = handedOut.last, last >= instant { handedOut.removeLast() }
    }

    // MARK: Disturbances

    /// What lasts until something else is over.
    enum Trouble {
        case device, doorbell, leftOut, leash
    }

    mutating func disturb(from: Int64, to: Int64) {
        guard let last = disturbances.last, from <= last.to else { return disturbances.append((from, to)) }
        disturbances[disturbances.count - 1] = (min(from, last.from), max(to, last.to))
    }

    mutating func halt(from: Int64, to: Int64) { halts.append((from, to)) }

    mutating func begin(_ trouble: Trouble, at now: Int64) {
        if troubles[trouble] == nil { troubles[trouble] = now }
    }

    mutating func end(_ trouble: Trouble, at now: Int64) {
        guard let start = troubles.removeValue(forKey: trouble) else { return }
        disturb(from: start, to: now)
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

    /// Takes a change, and says what is wrong with it.
    mutating func change(to level: Double, at now: Int64) -> String? {
        defer { history.append((now, level)) }
        let wasOn = isOn
        if let complaint = heatComplaint(at: now) { return complaint }
        if let complaint = driveComplaint(level, at: now) { return complaint }
        if level != 0, !wasOn, let complaint = gapComplaint(at: now) { return complaint }
        if level == 0, wasOn, let complaint = onComplaint(at: now) { return complaint }
        return intervalComplaint(at: now)
    }

    /// What its driver cannot do, and what it must not bear.
    private mutating func driveComplaint(_ drive: Double, at now: Int64) -> String? {
        if drive < (limits.reverses ? -1 : 0) || drive > limits.most { return "was driven with \(drive)" }
        if !limits.variesIntensity, drive != 0, abs(drive) != 1 { return "was driven with \(drive), and is on or off" }
        if drive < 0, !isOn { return "was driven backwards with no pulse to end" }
        guard let overdrive = limits.model?.overdrive else { return nil }
        if history[history.count - 1].level > 1 { overdriven.append((lastChange, now)) }
        overdriven.removeAll { $0.to <= now - 2 * overdrive.time }
        let time = overdriven.reduce(0) { $0 + $1.to - max($1.from, now - 2 * overdrive.time) }
        // It comes back as fast as it is used: in twice its time there is half of it more.
        let isLong = overdriven.contains { $0.to - $0.from > overdrive.time + jitter }
        guard isLong || time > overdrive.time * 3 / 2 + jitter * Int64(overdriven.count),
            !isDisturbed(now - 2 * overdrive.time - 300_000_000, now)
        else { return nil }
        return "was overdriven for \(time) ns, and may be for \(overdrive.time)"
    }

    /// Takes note of how hot it is.
    private mutating func heatComplaint(at now: Int64) -> String? {
        guard let thermal = limits.thermal, let heat = heat(at: now) else { return nil }
        heats.append(heat)
        let most = thermal.limit * (1 + Heat.tolerance) + thermal.slack(jitter, most: limits.most)
        guard heat.total > most, !isHeatDisturbed(now) else { return nil }
        return "is at \(heat.total / thermal.limit) of what it may have of heat"
    }

    /// It did something else than the engine takes it to have done, and is not as hot as that for a while.
    func isHeatDisturbed(_ now: Int64) -> Bool { isDisturbed(now - 6 * (limits.thermal?.housing ?? 0) - 300_000_000, now) }

    private func heat(at instant: Int64) -> Heat? {
        guard let thermal = limits.thermal else { return nil }
        let index = index(at: instant)
        return history[index].at == .min
            ? heats[0] : heats[index].after(instant - history[index].at, at: history[index].level, thermal)
    }

    /// The least and the most that may be left of its strength at `instant`, and whether it may be cut.
    func strengths(at instant: Int64) -> (least: Double, most: Double, mayBeCut: Bool) {
        guard let thermal = limits.thermal, let present = heat(at: instant) else { return (1, 1, false) }
        // Within a pulse it only becomes less, and what was cut waits until it is below the soft limit.
        var (inPulse, sinceCold, isOnePulse, wasCold) = (present.total, present.total, true, false)
        for index in stride(from: index(at: instant), through: 1, by: -1) {
            isOnePulse = isOnePulse && history[index].level != 0
            if isOnePulse { inPulse = max(inPulse, heats[index].total) }
            if !wasCold { sinceCold = max(sinceCold, heats[index].total) }
            wasCold = wasCold || heats[index].total < thermal.limit * thermal.soft * (1 - Heat.tolerance)
            if wasCold, !isOnePulse { break }
        }
        let earlier = heat(at: instant - 12_000_000 - 2 * limits.interval - jitter)?.total ?? 0
        return (
            thermal.strengths(inPulse).least, thermal.strengths(earlier).most, sinceCold > thermal.limit * (1 - Heat.tolerance)
        )
    }

    /// The machine slept so long, and the motor was off.
    mutating func cool(for time: Int64, at now: Int64) {
        guard let thermal = limits.thermal, let heat = heat(at: now) else { return }
        // Its off is on its way.
        guard !isOn else { return disturb(from: now, to: now + 1) }
        history.append((now, 0))
        heats.append(heat.after(time, at: 0, thermal))
    }

    private func gapComplaint(at now: Int64) -> String? {
        guard let off = lastOff(before: now), off > .min else { return nil }
        let tolerance: Int64 = isDisturbed(off - 300_000_000, now) ? 2_000_000 : jitter
        guard now - off < limits.minGap - tolerance else { return nil }
        return "went on \(now - off) ns after it went off, with a gap of \(limits.minGap)"
    }

    private func onComplaint(at now: Int64) -> String? {
        let start = lastRise(before: now)
        let isHalted = halts.contains { $0.from <= now && $0.to >= start }
        if let maxOn = limits.maxOn, now - start > maxOn + jitter, !isHalted {
            return "was on for \(now - start) ns, with a maxOn of \(maxOn)"
        }
        let window: Int64 = 10_000_000_000
        guard limits.duty < 1, !isDisturbed(now - window, now) else { return nil }
        let (on, pulses) = onTime(until: now)
        guard on > Int64(Double(window) * limits.duty) + jitter * Int64(pulses) else { return nil }
        return "was on for \(on) ns of 10 s, with a duty of \(limits.duty)"
    }

    /// n + 1 actuations take at least n − 2 intervals, one less where a brake may come before an off.
    private mutating func intervalComplaint(at now: Int64) -> String? {
        if isDisturbed(now - 300_000_000, now) { earliest = .min / 2 }
        let atOnce: Int64 = limits.reverses ? 3 : 2
        earliest = max(earliest + limits.interval, now - atOnce * limits.interval)
        return now < earliest - jitter ? "was changed \(earliest - now) ns too early for its interval" : nil
    }

    func index(at instant: Int64) -> Int {
        var (low, high) = (0, history.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if history[middle].at <= instant { low = middle } else { high = middle }
        }
        return low
    }

    /// Forgets what was before `instant`.
    mutating func forget(before instant: Int64) {
        let kept = index(at: instant)
        if kept > 256 {
            history.removeFirst(kept)
            if limits.thermal != nil { heats.removeFirst(kept) }
        }
        if handedOut.count > 256 { handedOut.removeFirst(handedOut.count - 128) }
        if disturbances.count > 64 { disturbances.removeAll { $0.to < instant } }
        if halts.count > 64 { halts.removeAll { $0.to < instant } }
    }
}
