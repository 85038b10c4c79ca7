// SPDX-License-Identifier: MIT
public import HapticCore

/// How a press and hold goes, from the press to the confirmation.
public struct HoldShape: Hashable, Sendable, Codable {
    public static let longestPress = Nanoseconds.seconds(60)
    public static let longestDuration = Nanoseconds.seconds(600)
    public static let longestFall = Nanoseconds.seconds(60)
    /// How long the lease of a press may be.
    public static let leases = Nanoseconds.milliseconds(50)...Nanoseconds.seconds(60)

    /// How long it has to be pressed before the charge begins; 0…`longestPress`.
    public var press: Nanoseconds
    /// How long the charge takes from 0 to 1; above 0, at most `longestDuration`.
    public var duration: Nanoseconds
    public var curve: StepTrain.Ramp
    /// Which of the charge's steps are felt.
    public var gate: GateConfiguration
    /// How long a fall from 1 to 0 takes; 0…`longestFall`.
    public var fall: Nanoseconds

    public init(
        press: Nanoseconds = .milliseconds(500), duration: Nanoseconds = StepTrain.standardDuration,
        curve: StepTrain.Ramp = .charge, gate: GateConfiguration = GateConfiguration(step: 0.01),
        fall: Nanoseconds = .milliseconds(300)
    ) {
        self.press = press
        self.duration = duration
        self.curve = curve
        self.gate = gate
        self.fall = fall
    }
}

/// The charge is a sequence of ticks, `tickCount` of them in the whole duration.
extension HoldShape {
    static let tickCount = 160

    /// When tick `number` comes, from the beginning of the charge. Whole numbers only: the same on every machine.
    func offset(ofTick number: Int) -> Nanoseconds {
        let (whole, remainder) = duration.count.quotientAndRemainder(dividingBy: Int64(Self.tickCount))
        return Nanoseconds(whole * Int64(number) + remainder * Int64(number) / Int64(Self.tickCount))
    }

    /// How far it has come after so many ticks, 0…1.
    ///
    /// `charge`: 0.000035 n² + 0.000665 n, the sum of n increments that begin at 0.0007 and grow by 0.00007 (`docs/patterns.md`).
    func value(atTick n: Double) -> Progress {
        switch curve {
        case .linear: Progress(clamping: n / Double(Self.tickCount))
        case .charge: Progress(clamping: n >= Double(Self.tickCount) ? 1 : 0.000035 * n * n + 0.000665 * n)
        }
    }

    /// The inverse of `value(atTick:)`; 0…`tickCount`.
    func tick(at value: Progress) -> Double {
        switch curve {
        case .linear: return value.value * Double(Self.tickCount)
        case .charge:
            let (a, b) = (0.000035, 0.000665)
            return min((-b + (b * b + 4 * a * value.value).squareRoot()) / (2 * a), Double(Self.tickCount))
        }
    }
}
