// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// The strength that the heat of a motor leaves it, and the instant of the next update of that heat.
struct HeatLimit: Hashable {
    private var heat: MotorHeat
    /// The drive can be lowered.
    private var varies: Bool
    /// The strength that was left when the request was made, and is in it already.
    private var requestedStrength = 1.0
    private(set) var nextUpdate = MonotonicInstant.distantFuture

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
        heat.update(at: now)
        return (heat.share, varies || heat.isAtLimit ? heat.strength : 1)
    }

    // MARK: Wishes

    /// Notes a new request, from which nothing has been taken.
    mutating func beginRequest() { requestedStrength = 1 }

    /// Notes a new request, from which the present strength has been taken already.
    mutating func beginLoweredRequest() { requestedStrength = strength }

    /// Nothing has been taken from the request.
    var requestIsWhole: Bool { requestedStrength == 1 }

    /// The part of `requested` that the motor gets. A brake is not lowered: it ends a pulse.
    @inline(__always)  // A call copies all of this to ask it.
    func granted(_ requested: DrivenLevel) -> DrivenLevel {
        guard requested.isOn, !requested.isBrake, strength < requestedStrength else { return requested }
        return DrivenLevel(requested.level, drive: Drive(clamping: requested.drive.value * strength / requestedStrength))
    }

    // MARK: Time

    mutating func update(at now: MonotonicInstant) { heat.update(at: now) }

    /// Sets `nextUpdate` after a look.
    mutating func planUpdate() { nextUpdate = heat.nextUpdate }

    /// The motor gets `drive` from `now` on.
    mutating func follow(_ drive: Drive, at now: MonotonicInstant) {
        heat.follow(drive, at: now)
        nextUpdate = heat.nextUpdate
    }

    /// The machine slept for `time`, and the motor was off.
    mutating func cool(for time: Nanoseconds) { heat.cool(for: time) }
}
