// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore

/// What the executor has to do.
public enum ExecutorOrder: Hashable, Sendable {
    /// An actuation, or the revocation of actuations.
    case planned(ActuationOrder)
    /// Drop everything and switch every actuator off, now.
    case allOff
    /// The device of this actuator was seen to go, by someone else than its driver.
    case lose(ActuatorIndex, DriverFault)
    /// The driver of a faulty actuator has been reopened: use it again.
    case restore(ActuatorIndex)
    /// Count this: it shows that orders are still taken.
    case beat

    /// Whether it is to be felt at once, and not only planned ahead.
    func isUrgent(at now: MonotonicInstant) -> Bool {
        switch self {
        case .planned(.actuate(let actuation)): actuation.planned <= now
        // Nothing is switched off by it, and what is to be felt at once instead is an actuation of its own. Until the thread has woken,
        // some 0.1 ms later, a change that is revoked may still be applied.
        case .planned(.revoke(_, _, _, let continues)): !continues
        case .allOff, .lose: true
        case .restore, .beat: false
        }
    }
}

/// What the executor reports.
public enum ExecutorReport: Hashable, Sendable {
    /// A driver has applied this, at this real time.
    case actuated(Actuation, at: MonotonicInstant)
    /// A driver has switched off by itself, because the longest on-time was over. The actuation is that off.
    case cutOff(Actuation, at: MonotonicInstant)
    /// The thread was so late that what comes after this was due as well, or that the motor's gap had not passed: it was left out.
    case missed(Actuation, at: MonotonicInstant)
    /// Nothing more was planned for an actuator that was on, so it has been switched off. The actuation is that off.
    case abandoned(Actuation, at: MonotonicInstant)
    /// A driver failed: its actuator is switched off where possible, and left alone until it is restored.
    case faulted(ActuatorIndex, DriverFault, at: MonotonicInstant)
    case restored(ActuatorIndex, at: MonotonicInstant)
    /// The queue was full, or there is no such actuator.
    case refused(Actuation)
}
