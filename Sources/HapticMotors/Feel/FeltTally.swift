// SPDX-License-Identifier: MIT

/// The peak of a felt curve and the number of its pulses that stay apart, from the accelerations at the changes of the drive alone: under
/// one drive the acceleration only rises or only falls.
public struct FeltTally: Hashable, Sendable {
    /// The most acceleration under a drive; 1 is that at rated drive. Running down undriven does not count.
    public private(set) var peak = 0.0
    /// The number of pulses that stay apart, by the rules of `TrainMeasure` without its smoothing.
    public private(set) var pulsesApart = 0
    private var rises: Bool
    /// Of the present rise, and of the present fall.
    private var top: Double
    private var bottom: Double

    /// Begins with a motor that has this `acceleration`. A motor that is still driven has to fall first, or its next pulse is part of the one
    /// before.
    init(from acceleration: Double, isDriven: Bool = false) { (rises, top, bottom) = (isDriven, acceleration, acceleration) }

    /// Counts the `acceleration` that the motor has reached. `isDriven`: there was a drive until now.
    mutating func note(_ acceleration: Double, isDriven: Bool) {
        if isDriven { peak = max(peak, acceleration) }
        if rises {
            top = max(top, acceleration)
            if acceleration <= (1 - TrainMeasure.dip) * top { (rises, bottom) = (false, acceleration) }
        } else {
            bottom = min(bottom, acceleration)
            guard acceleration >= TrainMeasure.least, bottom <= (1 - TrainMeasure.dip) * acceleration else { return }
            (rises, top) = (true, acceleration)
            pulsesApart += 1
        }
    }
}
