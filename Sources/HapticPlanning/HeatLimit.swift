// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// The strength that the heat of a motor leaves it, and the instant of the next look at that heat.
struct HeatLimit: Hashable {
    private var heat: MotorHeat
    /// The drive can be lowered.
    private var varies: Bool
    /// The strength that was left when the wish was set, and is in it already.
    private var wishedStrength = 1.0
    private(set) var nextLook = MonotonicInstant.distantFuture

    /// A motor as cold as its surroundings. `varies`: it can get less than all or nothing.
    init(_ model: ThermalModel, varies: Bool) { (heat, self.varies) = (MotorHeat(model), varies) }

    /// The same motor with the same past, as `model` describes it from now on.
    func with(_ model: ThermalModel, varies: Bool) -> HeatLimit {
        var limit = self
        (limit.heat, limit.varies) = (heat.with(model), varies)
        return limit
    }

    /// The motor is as hot as it may be, or has not cooled down enough since it was.
    var isAtLimit: Bool { heat.isAtLimit }

    /// The strength that was left when the heat was looked at last.
    @inline(__always)
    var strength: Double { varies ? heat.strength : 1 }

    /// The motor's heat at `now` as a share of its limit, and the strength that is left.
    func state(at now: MonotonicInstant) -> (share: Double, strength: Double) {
        var heat = heat
        heat.look(at: now)
        return (heat.share, varies || heat.isAtLimit ? heat.strength : 1)
    }

    // MARK: Wishes

    /// Notes a new wish, from which nothing has been taken.
    mutating func beginWish() { wishedStrength = 1 }

    /// Notes a new wish, from which the present strength has been taken already.
    mutating func beginLoweredWish() { wishedStrength = strength }

    /// Nothing has been taken from the wish.
    var wishIsWhole: Bool { wishedStrength == 1 }

    /// The part of `wish` that the motor gets. A brake is not lowered: it ends a pulse.
    @inline(__always)  // A call copies all of this to ask it.
    func granted(_ wish: DrivenLevel) -> DrivenLevel {
        guard wish.isOn, !wish.isBrake, strength < wishedStrength else { return wish }
        return DrivenLevel(wish.level, drive: Drive(clamping: wish.drive.value * strength / wishedStrength))
    }

    // MARK: Time

    mutating func look(at now: MonotonicInstant) { heat.look(at: now) }

    /// Sets `nextLook` after a look.
    mutating func planLook() { nextLook = heat.nextLook }

    /// The motor gets `drive` from `now` on.
    mutating func follow(_ drive: Drive, at now: MonotonicInstant) {
        heat.follow(drive, at: now)
        nextLook = heat.nextLook
    }

    /// The machine slept for `time`, and the motor was off.
    mutating func cool(for time: Nanoseconds) { heat.cool(for: time) }
}
