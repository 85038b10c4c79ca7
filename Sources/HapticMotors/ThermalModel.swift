// SPDX-License-Identifier: MIT
public import HapticCore

/// How a motor gets hot, and what is done about it.
///
/// Its heat is that of the winding over its case plus that of the case over the air: two parts in a row, each of first order, heated by
/// the square of the drive. 1 is what the rated drive comes to in the end.
public struct ThermalModel: Hashable, Sendable, Codable {
    /// What of 1024 parts of the heat is the winding's own, in the end: a quarter, a constant of ours, see `docs/motors.md`.
    static let windingParts: Int64 = 256

    /// The time constant of the winding, and that of the case, which is the longer one; more than 0.
    public var winding: Nanoseconds
    public var housing: Nanoseconds
    /// The drive that it bears for ever: what that comes to is the limit.
    public var continuous: Share
    /// From this share of the limit on it is driven less.
    public var soft: Share
    /// What is left of its drive just below the limit.
    public var floor: Share

    public init(winding: Nanoseconds, housing: Nanoseconds, continuous: Share, soft: Share, floor: Share) {
        self.winding = winding
        self.housing = housing
        self.continuous = continuous
        self.soft = soft
        self.floor = floor
    }

    /// What is taken for a motor of which nothing is known but its kind: constants of ours, see `docs/motors.md`.
    public static func standard(_ kind: MotorModel.Kind) -> ThermalModel {
        ThermalModel(
            winding: kind == .erm ? .seconds(3) : .milliseconds(1500), housing: .seconds(kind == .erm ? 60 : 45),
            continuous: Share(clamping: 0.85), soft: Share(clamping: 0.8), floor: Share(clamping: 0.4))
    }

    /// What each may be.
    public static let windings = Nanoseconds.milliseconds(100) ... .seconds(60)
    public static let housings = Nanoseconds.seconds(1) ... .seconds(3600)
    /// Of `continuous`, `soft` and `floor`.
    public static let shares = 0.1...1.0

    public enum Mistake: Error, Hashable, Sendable {
        case windingOutOfRange(Nanoseconds)
        case housingOutOfRange(Nanoseconds)
        /// The case would follow as fast as the winding.
        case windingNotFaster(winding: Nanoseconds, housing: Nanoseconds)
        case share(String, Share)
    }

    /// All that is wrong with it.
    public var mistakes: [Mistake] {
        var mistakes: [Mistake] = []
        if !Self.windings.contains(winding) { mistakes.append(.windingOutOfRange(winding)) }
        if !Self.housings.contains(housing) { mistakes.append(.housingOutOfRange(housing)) }
        if mistakes.isEmpty, winding >= housing { mistakes.append(.windingNotFaster(winding: winding, housing: housing)) }
        for (name, share) in [("continuous", continuous), ("soft", soft), ("floor", floor)]
        where !Self.shares.contains(share.value) {
            mistakes.append(.share(name, share))
        }
        if soft == .one { mistakes.append(.share("soft", soft)) }
        return mistakes
    }
}

extension ThermalModel.Mistake: CustomStringConvertible {
    public var description: String {
        switch self {
        case .windingOutOfRange(let time):
            "`winding` (\(time)) must be \(ThermalModel.windings.lowerBound) to \(ThermalModel.windings.upperBound)"
        case .housingOutOfRange(let time):
            "`case` (\(time)) must be \(ThermalModel.housings.lowerBound) to \(ThermalModel.housings.upperBound)"
        case .windingNotFaster(let winding, let housing):
            "`winding` (\(winding)) must be shorter than `case` (\(housing)): the winding heats up within its case"
        case .share("soft", .one): "a `soft` of 1 leaves nothing to lower the strength in; write less, such as `80%`"
        case .share(let name, let share):
            "`\(name)` (\(share.value)) must be \(ThermalModel.shares.lowerBound) to \(ThermalModel.shares.upperBound)"
        }
    }
}
