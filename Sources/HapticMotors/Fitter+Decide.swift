// SPDX-License-Identifier: MIT
import Glibc
internal import HapticCore

extension Fitter {
    /// The constants of the fitting. All are ours: `make feel` is what they were chosen by (docs/feel.md).
    private enum Constant {
        /// Frames that are no further apart belong to a glide, see `Schedule.frameInterval`.
        static let glide = Nanoseconds.milliseconds(6)
        /// A larger step than this is meant to be felt as one.
        static let jump = 0.25
        /// What takes no longer is meant as an impact: it may be lengthened, and its end is not brought forward.
        static let impact = Nanoseconds.milliseconds(60)
        /// An impact is lengthened until this is felt: twice the 0.1 that is felt for certain, as the motor may be slower than its model.
        static let leastPeak = 0.2
        /// And a strong one until this, which a slow motor can still do within `longestImpact`.
        static let strongPeak = 0.35
        /// No impact is driven longer, unless the motor's `minPulse` is.
        static let longestImpact = Nanoseconds.milliseconds(70)
        /// A pulse that is lengthened leaves so much more of a gap, as it was one before.
        static let keptGap = 1.3
        /// No pulse is cut shorter than this for the gap after it: from rest, and where the motor moves already.
        static let leastPulse = (fromRest: Nanoseconds.milliseconds(25), moving: Nanoseconds.milliseconds(10))
        /// How long a pulse is driven at least where the motor is faster than it intends.
        static let renewedKick = Nanoseconds.milliseconds(10)
        /// A motor that starts harder than its model says still starts.
        static let startMargin = 0.1
        /// Driven with this it runs down as if undriven, and the pulse is still one.
        static let coasting = Drive(clamping: 0.01)
        /// A motor that runs down with a fading pattern is driven again below this share of the speed that it should have.
        static let leftBehind = 0.7
        /// And never for less than this speed: an acceleration of 0.02 is not felt.
        static let leastNudged = 0.15
        /// A glide is overdriven below this only: above, a faster motor than the model's would overshoot.
        static let overdrivenGlide = 0.3
        /// A brake ends before the predicted standstill: a faster motor than the model's would turn backwards.
        static let brakeShare = 0.85
        /// Below this speed there is nothing to brake.
        static let leastBrakedSpeed = 0.1
        /// Within a train what is felt is braked down to this share, and a peak below this not at all: such pulses have to build up first.
        static let (brakedDip, leastBrakedPeak) = (0.6, 0.05)
        /// What takes less is not worth a change.
        static let leastStep = Nanoseconds.microseconds(500)
    }

    // MARK: Within a pulse

    /// The pattern intends `intensity`, which is more than 0, from `now` on.
    mutating func advancePulse(_ intensity: Double, next: Frame?, afterNext: Frame?) -> Drive? {
        let isNew = pulse == nil
        var pulse = self.pulse ?? Pulse(start: now, fromRest: !motion.moves)
        pulse.peak = max(pulse.peak, intensity)
        self.pulse = pulse
        due = Due()
        if let ending = earlyEnding(of: pulse, intensity, next: next, afterNext: afterNext) {
            guard ending.at > now else {
                silentUntil = ending.off
                return release(nextOn: ending.nextOn)
            }
            due.ending = ending
        }
        guard abilities.variesIntensity else { return change(to: Drive(.one)) }
        let goal = speed(for: intensity)
        if let next, glides(from: intensity, to: next) {
            return glide(from: goal, to: speed(for: next.intensity.value), within: next.at - now)
        }
        let isShort = next.map { $0.at - now <= Constant.impact } ?? false
        if isNew, isShort, motion.speed > goal * 0.9 {
            // Were it left to run down to its goal, it would not be felt as one more pulse.
            due.settling = .init(at: now + Constant.renewedKick, speed: goal)
            return change(to: full())
        }
        return reach(goal)
    }

    /// A kick up or down to `goal`, then what keeps it there.
    private mutating func reach(_ goal: Double) -> Drive? {
        let drive =
            goal > motion.speed
            ? full() : brakes ? Drive(clamping: -1) : min(Constant.coasting, Drive(clamping: goal))
        let time = motion.time(to: goal, at: drive)
        if let time, time < Constant.leastStep { return change(to: steadyDrive(goal)) }
        due.settling = time.map { .init(at: now + $0, speed: goal) }
        return change(to: drive)
    }

    /// The inverse of the model: what brings it to where the glide is at the next frame. The faster the motor, the more that would run
    /// ahead of the pattern, and the more it is where the glide is now that counts.
    private mutating func glide(from goal: Double, to next: Double, within time: Nanoseconds) -> Drive? {
        let x = motion.speed
        let tau = next > x ? motion.tauUp : motion.tauDown
        let share = exp(-Double(time.count) / Double(tau.count))
        let ahead = goal + (next - goal) * share
        guard share < 1 else { return change(to: steadyDrive(goal)) }
        let drive = (ahead - x * share) / (1 - share)
        // Nothing keeps it this slow. It runs down with the pattern, and stays down, rather than being nudged again and again.
        let fades = next <= goal && ahead < model.hold.value && (drive >= 0 || !brakes)
        let isDown = requested == Constant.coasting && (!motion.moves || ahead < Constant.leastNudged)
        if fades, isDown || (motion.moves && x > ahead * Constant.leftBehind) { return change(to: Constant.coasting) }
        if ahead > x {
            let ceiling = motion.acceleration < Constant.overdrivenGlide ? full().value : 1
            let needsKick = !motion.moves && model.start > .zero
            let floor = needsKick ? model.start.value + Constant.startMargin : model.hold.value
            return change(to: Drive(clamping: min(max(drive, floor), ceiling)))
        }
        guard drive < model.hold.value || drive <= 0 else { return change(to: Drive(clamping: drive)) }
        if drive < 0, brakes { return change(to: Drive(clamping: max(drive, -1))) }
        // Between 0 and what keeps it in motion there is nothing: it is the nearer one.
        let runsDown = model.hold == .zero || drive < model.hold.value / 2
        return change(to: runsDown ? Constant.coasting : Drive(clamping: model.hold.value))
    }

    private func glides(from intensity: Double, to next: Frame) -> Bool {
        !next.isOff && next.at - now <= Constant.glide && abs(next.intensity.value - intensity) <= Constant.jump
    }

    // MARK: At its end

    /// The pattern has gone off.
    mutating func endPulse(next: Frame?) -> Drive? {
        guard silentUntil == nil else {
            silentUntil = nil
            return nil
        }
        guard let pulse else { return requested > .zero ? change(to: .zero) : nil }
        let nextOn = next.flatMap { $0.isOff ? nil : $0.at }
        let end = lengthenedEnd(of: pulse, nextOn: nextOn)
        guard end > now + Constant.leastStep else { return release(nextOn: nextOn) }
        due = Due()
        due.ending = .init(at: end, nextOn: nextOn)
        return change(to: full())
    }

    /// Off, or the brake first.
    mutating func release(nextOn: MonotonicInstant?) -> Drive? {
        pulse = nil
        due = Due()
        let time = brakeTime(nextOn: nextOn)
        guard time > Constant.leastStep else { return change(to: .zero) }
        due.brakeEnd = now + time
        return change(to: Drive(clamping: -1))
    }

    /// How long to brake; 0: not at all.
    private func brakeTime(nextOn: MonotonicInstant?) -> Nanoseconds {
        let speed = motion.speed
        guard brakes, speed > Constant.leastBrakedSpeed else { return .zero }
        // From ω0 at −1 to standstill: τ ln(ω0 + 1).
        guard let nextOn, nextOn - now <= Constant.impact else {
            return motion.tauDown.scaled(by: log(speed + 1) * Constant.brakeShare)
        }
        // The next pulse is near. It begins soonest while the motor moves, so it is braked only where the gap would not be felt.
        guard nextOn - now < gap, motion.acceleration >= Constant.leastBrakedPeak else { return .zero }
        let goal = self.speed(for: motion.acceleration * Constant.brakedDip)
        return min((nextOn - now) / 2, motion.time(to: goal, at: Drive(clamping: -1)) ?? .zero)
    }

    /// When a pulse should end that the pattern has just ended: later, where it is an impact that is not felt yet.
    private func lengthenedEnd(of pulse: Pulse, nextOn: MonotonicInstant?) -> MonotonicInstant {
        // A step that the limits have held back so far is not made longer: a train has as many pulses on every motor.
        guard requested > .zero, sent.isOn || !isTrain, now - pulse.start <= Constant.impact else { return now }
        let goal = max(Constant.leastPeak, min(pulse.peak, Constant.strongPeak))
        var end = now
        if motion.acceleration < goal {
            end = motion.time(to: speed(for: goal), at: full()).map { now + $0 } ?? .distantFuture
        }
        if pulse.fromRest { end = max(end, pulse.start + model.minPulse) }
        end = min(end, pulse.start + max(Constant.longestImpact, model.minPulse))
        // The number of pulses outranks their strength.
        if let nextOn { end = min(end, nextOn - gap.scaled(by: Constant.keptGap)) }
        return end
    }

    /// When the pulse should end before the pattern ends it; nil: with the pattern.
    private func earlyEnding(of pulse: Pulse, _ intensity: Double, next: Frame?, afterNext: Frame?) -> Due.Ending? {
        guard let next, let off = next.isOff ? next : afterNext, off.isOff else { return nil }
        let nextOn = next.isOff ? afterNext.flatMap { $0.isOff ? nil : $0.at } : nil
        var end = off.at
        if let nextOn, nextOn - off.at < gap {
            let least = motion.moves ? Constant.leastPulse.moving : Constant.leastPulse.fromRest
            end = max(nextOn - gap, max(now + (off.at - now) / 2, min(off.at, pulse.start + least)))
        }
        if abilities.variesIntensity, off.at - pulse.start > Constant.impact {
            // The error is least where half of what is felt has gone when the pattern ends. Two thirds of the pulse are driven in any case.
            let least = pulse.start + (off.at - pulse.start) * 2 / 3
            end = min(end, max(now, least, off.at - halfTime(from: intensity)))
        }
        return end < off.at - Constant.leastStep ? .init(at: end, off: off.at, nextOn: nextOn) : nil
    }

    // MARK: The motor

    private var brakes: Bool { abilities.reverses && model.brake }

    /// As much as it may get now.
    private func full() -> Drive { overdriveLeft >= .milliseconds(1) ? most : Drive(.one) }

    /// What is felt falls from `intensity` to half of it in this time, braked where that can be: from ω0 to ω at −1, τ ln((ω0 + 1)/(ω + 1)).
    private func halfTime(from intensity: Double) -> Nanoseconds {
        guard brakes else { return halving }
        return motion.tauDown.scaled(by: log((speed(for: intensity) + 1) / (speed(for: intensity / 2) + 1)))
    }

    /// What is felt falls to half in it, so that even a slower motor's gap is one.
    private var gap: Nanoseconds { halving }

    /// Intensity means felt acceleration, which goes with the square of an ERM's speed.
    private func speed(for intensity: Double) -> Double { model.kind == .erm ? intensity.squareRoot() : intensity }

    /// What keeps `speed`.
    func steadyDrive(_ speed: Double) -> Drive { Drive(clamping: max(speed, model.hold.value)) }
}
