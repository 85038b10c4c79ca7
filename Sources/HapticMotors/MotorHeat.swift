// SPDX-License-Identifier: MIT
public import HapticCore

/// How hot a motor is, and what is left of its strength for that. Time goes forward only.
///
/// In whole numbers throughout, so that a journal is decided again in the same way on any machine. Within a pulse, from an on to the next
/// off, the strength only becomes less: there is no pumping, and few changes.
public struct MotorHeat: Hashable, Sendable {
    /// So many steps lead from full strength to the limit.
    static let steps: Int64 = 16
    /// The next look is never nearer than this, and the limit may be exceeded by what comes within it: little, as the winding takes
    /// `ThermalModel.windings` or more.
    static let leastUpdateInterval = Nanoseconds.milliseconds(10)

    /// The winding over the case, and the case over the air, in parts of 2³² of what the rated drive comes to in the end.
    private struct Parts: Hashable {
        var winding: Int64 = 0
        var housing: Int64 = 0

        var sum: Int64 { winding + housing }
    }

    private let model: ThermalModel
    /// At the present instant, and when the drive last changed. All that comes later is reckoned from there, so it is the same whoever
    /// looked in between.
    private var present = Parts()
    private var base = Parts()
    private var now = MonotonicInstant.zero
    private var since = MonotonicInstant.zero
    /// The present drive's square, in the same parts.
    private var power: Int64 = 0
    /// Of the pulse that is on; at `steps` the limit is reached.
    private var step: Int64 = 0
    /// It has reached its limit, and has to fall below the soft one before anything begins.
    private var isTripped = false

    /// As cold as its surroundings.
    public init(_ model: ThermalModel) { self.model = model }

    /// As hot as this one, where another model holds from now on.
    public func with(_ model: ThermalModel) -> MotorHeat {
        var heat = MotorHeat(model)
        (heat.present, heat.base, heat.now, heat.since, heat.isTripped) = (present, present, now, now, isTripped)
        return heat
    }

    // MARK: What happens

    /// The motor gets `drive` from `now` on.
    public mutating func follow(_ drive: Drive, at now: MonotonicInstant) {
        advance(to: now)
        (base, since) = (present, self.now)
        // trap: a drive is −1…1.5.
        let parts = Int64((abs(drive.value) * Double(1 << 16)).rounded())
        power = parts * parts
    }

    /// Updates how hot it is at `now`. Within a pulse a strength that was lowered stays so.
    public mutating func update(at now: MonotonicInstant) {
        advance(to: now)
        step = power == 0 ? presentStep : max(step, presentStep)
        if step >= Self.steps { isTripped = true }
        let resumeStep: Int64 = Canary.is("hot-motor-resumes-at-limit") ? Self.steps : 0
        if power == 0, present.sum < threshold(resumeStep) { isTripped = false }
    }

    /// The machine slept so long, and the motor was off.
    public mutating func cool(for time: Nanoseconds) {
        power = 0
        present = parts(after: time, from: present)
        (base, since) = (present, now)
    }

    // MARK: What there is

    /// The share of the limit; 1 is as hot as it may be.
    public var share: Double { Double(present.sum) / Double(limit) }

    /// It is as hot as it may be, or was, and has not cooled down to its soft limit since.
    public var isAtLimit: Bool { isTripped }

    /// What is left of its drive, 1 to the model's `floor`; at the limit nothing.
    public var strength: Double {
        isAtLimit ? 0 : step == 0 ? 1 : 1 - (1 - model.floor.value) * Double(step) / Double(Self.steps)
    }

    /// When to look again while it gets what it gets now; `distantFuture`: it never becomes hot enough to matter.
    public var nextUpdate: MonotonicInstant {
        guard !isAtLimit, power > 0 else { return .distantFuture }
        let goal = threshold(step + 1)
        // What is below its end rises ever more slowly, so it is there no sooner than at its present rate.
        let end = self.end
        guard max(present.winding, end.winding) + max(present.housing, end.housing) >= goal else { return .distantFuture }
        let perMillisecond =
            Self.rise(from: present.winding, to: end.winding, model.winding)
            + Self.rise(from: present.housing, to: end.housing, model.housing)
        guard perMillisecond > 0 else { return .distantFuture }
        let left = max(0, goal - present.sum) / perMillisecond
        return now + max(Self.leastUpdateInterval, .milliseconds(min(left, 3_600_000)))
    }

    // MARK: Inside

    /// In a millisecond at first, rounded up; 0 where it falls.
    private static func rise(from start: Int64, to end: Int64, _ tau: Nanoseconds) -> Int64 {
        end > start ? (end - start) / max(1, tau.count / 1_000_000) + 1 : 0
    }

    /// What the present drive comes to in the end.
    private var end: Parts {
        let part = power / 1024
        return Parts(winding: part * ThermalModel.windingParts, housing: part * (1024 - ThermalModel.windingParts))
    }

    /// What `continuous` comes to in the end.
    private var limit: Int64 {
        // trap: a share is 0…1.
        let parts = Int64((model.continuous.value * Double(1 << 16)).rounded())
        return parts * parts
    }

    /// How hot it is where this step begins.
    private func threshold(_ step: Int64) -> Int64 {
        // trap: a share is 0…1.
        let soft = limit / 1024 * Int64((model.soft.value * 1024).rounded())
        return soft + (limit - soft) / Self.steps * step
    }

    private var presentStep: Int64 {
        let above = present.sum - threshold(0)
        let size = max(1, (threshold(Self.steps) - threshold(0)) / Self.steps)
        return above < size ? 0 : min(above / size, Self.steps)
    }

    private mutating func advance(to instant: MonotonicInstant) {
        guard instant > now else { return }
        now = instant
        present = parts(after: now - since, from: base)
    }

    private func parts(after time: Nanoseconds, from start: Parts) -> Parts {
        Parts(
            winding: Self.approach(end.winding, from: start.winding, in: time, model.winding),
            housing: Self.approach(end.housing, from: start.housing, in: time, model.housing))
    }

    private static func approach(_ end: Int64, from start: Int64, in time: Nanoseconds, _ tau: Nanoseconds) -> Int64 {
        end + Decay.scaled(start - end, by: Decay.share(after: time, tau))
    }
}
