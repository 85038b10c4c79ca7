// SPDX-License-Identifier: MIT
public import HapticCore

/// The motion of a motor from rest, under the drives that it gets.
///
/// The instants of the calls ascend. An earlier instant counts as the last one.
public struct DrivenMotion: Hashable, Sendable {
    private var motion: MotorMotion
    /// The drive that the motor gets from `now` on.
    private(set) var drive = Drive.zero
    private(set) var now = MonotonicInstant.zero

    /// `nil` if the model contradicts itself, see `MotorModel.mistakes`.
    public init?(_ model: MotorModel) {
        guard model.mistakes.isEmpty else { return nil }
        motion = MotorMotion(model)
    }

    /// The acceleration at the last instant; 1 is that at rated drive.
    public var acceleration: Double { motion.acceleration }
    /// The speed at the last instant, see `MotorMotion`.
    var speed: Double { motion.speed }
    /// It is in motion, if only just.
    var moves: Bool { motion.moves }
    var model: MotorModel { motion.model }
    var tauUp: Nanoseconds { motion.tauUp }
    var tauDown: Nanoseconds { motion.tauDown }

    /// How long it takes from the present speed, forwards, to `goal` under `drive`; nil where it never gets there.
    func time(to goal: Double, at drive: Drive) -> Nanoseconds? { motion.time(to: goal, at: drive) }

    /// Goes on to `instant` under the present drive.
    public mutating func advance(to instant: MonotonicInstant) {
        guard instant > now else { return }
        // Undriven and at rest it stays so, however long that is.
        if drive.isOn || motion.moves { motion.advance(by: instant - now, at: drive) }
        now = instant
    }

    /// Applies `drive` from `instant` on.
    public mutating func follow(_ drive: Drive, at instant: MonotonicInstant) {
        advance(to: instant)
        self.drive = drive
    }

    /// This state with `origin` as instant 0. At rest and undriven the motor stays so, however long that is.
    func relative(to origin: MonotonicInstant) -> DrivenMotion {
        var relative = self
        relative.now = motion.moves || drive.isOn ? now.relative(to: origin) : .zero
        return relative
    }
}
