// SPDX-License-Identifier: MIT

/// What who plans and who plays promise each other, so that nothing planned is cut short and no motor stays on unplanned.
///
/// **Who plans** hands out for each actuator all that comes up to `horizon` from now, and, where the actuator is on then, what
/// comes next, however far ahead that is. It asks to be called again `lead` before the last of what leaves an actuator on is due. So
/// whatever switches an actuator on, or changes what is felt, is never the last that is known of it, unless who plans is late.
///
/// **Who plays** switches off what has been on for `leash` since it got the last that was handed out for it, and lets it go
/// on where it was once who plans says that it does. So who plans may be `lead` late without any notice, and a motor is on for no
/// more than `leash` after the last that it got when who plans has stopped. The leash counts from when the motor really got it, not
/// from when that was due: where who plays is late both often are, and what comes late would go off at once, before who plans
/// could say more.
public enum PlanningContract {
    /// Enough to ride out a busy event loop, short enough to forget on a revocation.
    @inlinable public static var horizon: Nanoseconds { .milliseconds(100) }
    @inlinable public static var lead: Nanoseconds { .milliseconds(50) }
    @inlinable public static var leash: Nanoseconds { .milliseconds(100) }

    /// Whether more than what is due by `horizon` has to be handed out: what was handed out `last` leaves the actuator on there.
    public static func needsMore(isOn: Bool, last: MonotonicInstant, horizon: MonotonicInstant) -> Bool {
        isOn && last <= horizon
    }

    /// When who plans has to be called again, having done the above: `next` comes next, after `last`.
    public static func nextCall(isOn: Bool, last: MonotonicInstant, next: MonotonicInstant) -> MonotonicInstant {
        (isOn ? min(last, next) : next) - lead
    }

    /// When who plays switches off what was switched on `last`, and has nothing more planned for it.
    @inlinable public static func leashEnd(last: MonotonicInstant) -> MonotonicInstant { last + leash }
}
