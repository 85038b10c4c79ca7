// SPDX-License-Identifier: MIT
public import HapticCore

/// When a simulated actuator fails. Applies are counted from 1, from the moment the plan is given.
public enum FaultPlan: Hashable, Sendable {
    public enum Recovery: Hashable, Sendable {
        case never
        /// This long after the first failure; for good.
        case after(Nanoseconds)
        /// With the next `open`; for good.
        case onOpen
    }

    case none
    /// The apply of this number and all after it fail, until it recovers.
    case from(apply: Int, DriverFault.Cause, until: Recovery)
    /// Each apply whose number is a multiple of this fails, and the one after it works again.
    case every(Int, DriverFault.Cause)

    /// The device goes with the apply after the first `applies`, and comes back `absence` later, or never.
    public static func lost(after applies: Int, for absence: Nanoseconds?) -> FaultPlan {
        .from(apply: applies + 1, .deviceLost, until: absence.map { .after($0) } ?? .never)
    }
}

/// A plan being followed. A value: the same calls at the same times fail in the same places.
struct FaultState {
    private let plan: FaultPlan
    private(set) var applies = 0
    private var failingSince: MonotonicInstant?
    private var hasRecovered = false

    init(_ plan: FaultPlan) { self.plan = plan }

    /// What an apply fails with, nil where it works.
    mutating func faultOfApply(at now: MonotonicInstant) -> DriverFault.Cause? {
        applies += 1
        switch plan {
        case .none: return nil
        case .every(let count, let cause): return applies.isMultiple(of: count) ? cause : nil
        case .from(let first, let cause, let recovery):
            guard applies >= first, !hasRecovered else { return nil }
            let since = failingSince ?? now
            failingSince = since
            if case .after(let duration) = recovery, now >= since + duration {
                hasRecovered = true
                return nil
            }
            return cause
        }
    }

    /// What a `open` fails with; nil where it works.
    mutating func faultOfOpen(at now: MonotonicInstant) -> DriverFault.Cause? {
        guard let failingSince, !hasRecovered, case .from(_, let cause, let recovery) = plan else { return nil }
        switch recovery {
        case .never: return cause
        case .after(let duration) where now < failingSince + duration: return cause
        case .after, .onOpen:
            hasRecovered = true
            return nil
        }
    }

    /// Its device is gone, and with it whatever was on.
    var isLost: Bool {
        guard failingSince != nil, !hasRecovered, case .from(_, .deviceLost, _) = plan else { return false }
        return true
    }
}
