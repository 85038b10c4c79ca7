// SPDX-License-Identifier: MIT

/// The peak of a felt curve and the number of its pulses that run together, from the accelerations at some instants: those at which the
/// drive changes, and any between them. Under one drive the acceleration only rises or only falls, unless
/// the motor is driven backwards: then it falls to 0 and may rise again.
public struct FeltTally: Hashable, Sendable {
    /// The most acceleration that a drive has caused; 1 is that at rated drive. Running down from more does not count.
    public private(set) var peak = 0.0
    /// The pulses that began before the motor had slowed down since the one before, by the rules of `TrainMeasure` without its smoothing.
    public private(set) var pulsesRunTogether = 0
    /// It is felt, and has not fallen by `TrainMeasure.dip` since its top.
    private var isUp = false
    private var top = 0.0

    /// Begins the tally of another playback. A motor that has not slowed down since the last pulse makes the next one run together with it.
    mutating func restart() { (peak, pulsesRunTogether) = (0, 0) }

    /// Counts the `acceleration` that the motor has reached. `driven`: as much of it as the drive has caused.
    mutating func note(_ acceleration: Double, driven: Double) {
        peak = max(peak, driven)
        if isUp {
            top = max(top, acceleration)
            isUp = acceleration > (1 - TrainMeasure.dip) * top
        } else if driven >= TrainMeasure.least {
            (isUp, top) = (true, acceleration)
        }
    }

    /// The drive goes on.
    mutating func beginPulse() { if isUp { pulsesRunTogether += 1 } }
}
