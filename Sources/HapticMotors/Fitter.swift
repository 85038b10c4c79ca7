// SPDX-License-Identifier: MIT
import Glibc
public import HapticCore

/// Turns what is meant to be felt into the drive that makes one motor do it, frame by frame.
///
/// A value: who plans copies it to look ahead, and puts the copy back when what was planned is revoked. All methods are called
/// in order of time. Each takes a bounded number of steps and no memory.
///
/// The order is fit, then limit, then `follow`: what `intend` and `elapse` return is a wish, and the limits have the last word. A
/// stop at once waits for no fitting: it is `follow(.zero)` and `stop`.
public struct Fitter: Hashable, Sendable {
    /// What the pattern intends from an instant on.
    public struct Frame: Hashable, Sendable {
        public var at: MonotonicInstant
        public var intensity: Intensity

        @inlinable public init(at: MonotonicInstant, intensity: Intensity) {
            self.at = at
            self.intensity = intensity
        }
    }

    /// What was wished for last.
    public private(set) var wish = Drive.zero
    private let model: MotorModel
    private let abilities: DriverAbilities

    /// Nil where the model contradicts itself, see `MotorModel.mistakes`.
    public init?(_ model: MotorModel, _ abilities: DriverAbilities) {
        guard model.rise > .zero, model.fall > .zero, model.hold <= model.start else { return nil }
        self.model = model
        self.abilities = abilities
    }

    /// The pattern intends `intensity` from `now` on, and `next` after it; nil where nothing follows.
    ///
    /// `afterNext` says what follows `next`. It matters only where `next` is off, and who asks need not look for it elsewhere.
    /// Returns the drive to send from `now` on; nil: as before.
    public mutating func intend(
        _ intensity: Intensity, next: Frame?, afterNext: Frame?, at now: MonotonicInstant
    ) -> Drive? {
        change(to: steadyDrive(intensity))
    }

    /// When the fitter has something to do by itself, unless a frame comes first; `distantFuture` where it has nothing. Where both are due at
    /// one instant, the frame counts and `elapse` is not called.
    public var nextEvent: MonotonicInstant { .distantFuture }

    /// Does what is due at `nextEvent`, which is `now`. Returns the drive to send from `now` on; nil: as before.
    public mutating func elapse(at now: MonotonicInstant) -> Drive? { nil }

    /// The motor gets `drive` from `now` on: what came of the wish, within the limits. Its predicted motion goes on from there.
    public mutating func follow(_ drive: Drive, at now: MonotonicInstant) {}

    /// Nothing is intended any more, and nothing that was planned counts. The motor runs down by itself.
    public mutating func stop(at now: MonotonicInstant) { wish = .zero }

    /// Intensity means felt acceleration, which goes with the square of an ERM's speed.
    private func steadyDrive(_ intensity: Intensity) -> Drive {
        guard intensity > .zero else { return .zero }
        guard abilities.levels else { return Drive(Intensity.one) }
        guard model.kind == .erm, !abilities.shapesItself else { return Drive(intensity) }
        return Drive(clamping: max(sqrt(intensity.value), model.hold.value))
    }

    private mutating func change(to drive: Drive) -> Drive? {
        guard drive != wish else { return nil }
        wish = drive
        return drive
    }
}
