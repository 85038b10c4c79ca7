// SPDX-License-Identifier: MIT
public import HapticCore

/// The motion of a motor from rest, under the drives that it gets.
///
/// The instants of the calls ascend. An earlier instant counts as the last one.
public struct DrivenMotion: Hashable, Sendable {
    private var motion: MotorMotion
    private var drive = Drive.zero
    private var now = MonotonicInstant.zero

    /// `nil` if the model contradicts itself, see `MotorModel.mistakes`.
    public init?(_ model: MotorModel) {
        guard model.mistakes.isEmpty else { return nil }
        motion = MotorMotion(model)
    }

    /// The acceleration at the last instant; 1 is that at rated drive.
    public var acceleration: Double { motion.acceleration }

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
}
