// SPDX-License-Identifier: MIT
package import HapticCore

/// A value that is followed.
extension Channel {
    /// Continues from the present motion to `plan`, whose value was said at `saidAt`.
    package mutating func follow(
        _ plan: FollowPlan, saidAt: MonotonicInstant, at now: MonotonicInstant, into orders: inout some OrderSink
    ) {
        guard let grid = planned.course?.grid else { return }
        let plan = plan.fitted(to: actuator.capabilities)
        let motion = interrupt(forGlide: true, orFrom: plan.initialMotion, at: now, into: &orders)
        planned.course = Course(following: plan, saidAt: saidAt, at: now, after: motion ?? plan.initialMotion, grid: grid)
    }
}
