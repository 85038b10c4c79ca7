// SPDX-License-Identifier: MIT
private import Glibc
public import HapticCore

/// Turns what is meant to be felt into the drive that makes one motor do it, frame by frame.
///
/// A value: who plans copies it to look ahead, and puts the copy back when what was planned is revoked. All methods are called
/// in order of time. Each takes a bounded number of steps and no memory.
///
/// The order is fit, then limit, then `follow`: what `intend` and `elapse` return is a wish, and the limits have the last word. A
/// stop at once waits for no fitting: it is `stop` and `follow(.zero)`.
public struct Fitter: Hashable, Sendable {
    /// What the pattern intends from an instant on.
    public struct Frame: Hashable, Sendable {
        public var at: MonotonicInstant
        public var intensity: Intensity

        @inlinable public init(at: MonotonicInstant, intensity: Intensity) {
            self.at = at
            self.intensity = intensity
        }

        var isOff: Bool { intensity == .zero }
        func isOff(at instant: MonotonicInstant) -> Bool { isOff && at == instant }
    }

    /// From an on to the off that follows it, as intended.
    struct Pulse: Hashable, Sendable {
        var start: MonotonicInstant
        /// The most that is intended in it so far.
        var peak = 0.0
        /// The motor did not move when it began.
        var fromRest: Bool
    }

    /// What the fitter does by itself, unless a frame comes first.
    struct Due: Hashable, Sendable {
        /// Goes over to what keeps `speed`.
        struct Settling: Hashable, Sendable {
            var at: MonotonicInstant
            var speed: Double
        }

        /// Ends a pulse at another time than the pattern does.
        struct Ending: Hashable, Sendable {
            var at: MonotonicInstant
            /// When the pattern itself goes off, where that is later.
            var off: MonotonicInstant?
            /// When the next pulse begins, as far as that is known.
            var nextOn: MonotonicInstant?
        }

        var settling: Settling?
        var ending: Ending?
        var brakeEnd = MonotonicInstant.distantFuture
        var overdriveEnd = MonotonicInstant.distantFuture

        fileprivate func relative(to origin: MonotonicInstant) -> Due {
            var relative = self
            relative.settling?.at = settling?.at.relative(to: origin) ?? .zero
            if let ending {
                relative.ending = Ending(
                    at: ending.at.relative(to: origin), off: ending.off?.relative(to: origin),
                    nextOn: ending.nextOn?.relative(to: origin))
            }
            relative.brakeEnd = brakeEnd.relative(to: origin)
            relative.overdriveEnd = overdriveEnd.relative(to: origin)
            return relative
        }

        var next: MonotonicInstant {
            min(min(settling?.at ?? .distantFuture, ending?.at ?? .distantFuture), min(brakeEnd, overdriveEnd))
        }
    }

    /// The drive that was requested last.
    public private(set) var requested = Drive.zero
    let abilities: ActuatorCapabilities
    /// The most that the motor may get and the driver can send.
    let most: Drive
    /// Undriven, what is felt falls to half in this time.
    let halving: Nanoseconds
    /// The predicted motion under what the motor was sent.
    private(set) var motion: DrivenMotion
    /// The motion since `begin`, summed up.
    private var tally = FeltTally()
    private(set) var isTrain = false
    /// What whoever keeps the limits has said at `now`.
    private(set) var overdriveLeft = Nanoseconds.zero
    var pulse: Pulse?
    var due = Due() { didSet { nextEvent = due.next } }
    /// When the fitter has something to do by itself, unless a frame comes first; `distantFuture` where it has nothing. Where both are due at
    /// one instant, the frame counts and `elapse` is not called.
    public private(set) var nextEvent = MonotonicInstant.distantFuture
    /// The pulse has been ended early; the pattern goes off then.
    var silentUntil: MonotonicInstant?

    /// Nil where the model contradicts itself, see `MotorModel.mistakes`.
    public init?(_ model: MotorModel, _ abilities: ActuatorCapabilities) {
        guard let motion = DrivenMotion(model) else { return nil }
        self.abilities = abilities
        self.motion = motion
        halving = model.tauDown.scaled(by: -log(0.5) * (model.kind == .erm ? 0.5 : 1))
        let overdrive = abilities.variesIntensity ? model.overdrive?.level : nil
        most = max(Drive(.one), min(abilities.mostDrive, overdrive ?? Drive(.one)))
    }

    var model: MotorModel { motion.model }
    var now: MonotonicInstant { motion.now }
    /// The drive that the motor has got since `now`.
    var sent: Drive { motion.drive }

    /// The pattern intends `intensity` from `now` on, then `next` and `afterNext`; nil where nothing follows.
    ///
    /// `overdriveLeft`: how long the motor may get more than its rated drive, see `OverdriveBudget`. Returns the drive to send from `now` on;
    /// nil: as before.
    public mutating func intend(
        _ intensity: Intensity, next: Frame?, afterNext: Frame?, at now: MonotonicInstant, overdriveLeft: Nanoseconds
    ) -> Drive? {
        advance(to: now)
        self.overdriveLeft = overdriveLeft
        if abilities.shapesItself { return change(to: Drive(intensity)) }
        // An on/off motor is silent where it should be subtle.
        let isSubtle = !abilities.variesIntensity && intensity.value < ActuatorCapabilities.onOffThreshold
        guard intensity > .zero, !isSubtle else { return endPulse(next: next) }
        if let off = silentUntil {
            if next?.isOff(at: off) ?? false || afterNext?.isOff(at: off) ?? false { return nil }
            silentUntil = nil
        }
        return advancePulse(intensity.value, next: next, afterNext: afterNext)
    }

    /// Does what is due at `nextEvent`, which is `now`. Returns the drive to send from `now` on; nil: as before.
    public mutating func elapse(at now: MonotonicInstant, overdriveLeft: Nanoseconds) -> Drive? {
        advance(to: now)
        self.overdriveLeft = overdriveLeft
        if let ending = due.ending, ending.at <= now {
            silentUntil = ending.off
            return release(nextOn: ending.nextOn)
        }
        if due.overdriveEnd <= now {
            due.overdriveEnd = .distantFuture
            if let settling = due.settling {
                due.settling = motion.time(to: settling.speed, at: Drive(.one)).map { .init(at: now + $0, speed: settling.speed) }
            }
            return change(to: Drive(.one))
        }
        if let settling = due.settling, settling.at <= now {
            due.settling = nil
            return change(to: steadyDrive(settling.speed))
        }
        guard due.brakeEnd <= now else { return nil }
        due.brakeEnd = .distantFuture
        return change(to: .zero)
    }

    /// The motor gets `drive` from `now` on: what came of the wish, within the limits. Its predicted motion goes on from there.
    public mutating func follow(_ drive: Drive, at now: MonotonicInstant) {
        advance(to: now)
        if !sent.isOn, drive.isOn { tally.beginPulse() }
        motion.follow(drive, at: now)
        // Where the limits have put it off, it takes until later.
        if let settling = due.settling, drive == requested, let time = motion.time(to: settling.speed, at: drive) {
            due.settling?.at = now + time
        }
    }

    /// Begins another playback, and its tally. `isTrain`: it plays a pattern in steps, so the number of its pulses counts.
    public mutating func begin(isTrain: Bool) {
        self.isTrain = isTrain
        tally.restart()
    }

    /// The tally by `instant`, if the drive stays as it is until then.
    public func tally(until instant: MonotonicInstant) -> FeltTally {
        var copy = self
        copy.advance(to: instant)
        return copy.tally
    }

    /// Nothing is intended any more, and nothing that was planned counts. The motor runs down by itself.
    public mutating func stop(at now: MonotonicInstant) {
        advance(to: now)
        (pulse, silentUntil, due, requested, overdriveLeft) = (nil, nil, Due(), .zero, .zero)
    }

    /// This state with `origin` as instant 0 and without the sums of its tally. Fitters that are equal after this fit alike from their
    /// origins on.
    public func relative(to origin: MonotonicInstant) -> Fitter {
        var relative = self
        relative.motion = motion.relative(to: origin)
        relative.tally.restart()
        relative.pulse?.start = pulse?.start.relative(to: origin) ?? .zero
        relative.due = due.relative(to: origin)
        relative.silentUntil = silentUntil?.relative(to: origin)
        return relative
    }

    private mutating func advance(to instant: MonotonicInstant) {
        guard instant > now else { return }
        let before = motion.acceleration
        motion.advance(to: instant)
        let (after, steady) = (motion.acceleration, model.steadyAcceleration(at: sent))
        tally.note(after, driven: after > before ? after : min(after, steady))
    }

    /// Wishes for `drive`; nil where it is wished for already.
    mutating func change(to drive: Drive) -> Drive? {
        due.overdriveEnd = drive > Drive(.one) ? now + overdriveLeft : .distantFuture
        guard drive != requested else { return nil }
        requested = drive
        return drive
    }
}
