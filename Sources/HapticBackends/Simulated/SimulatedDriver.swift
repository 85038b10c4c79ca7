// SPDX-License-Identifier: MIT
public import HapticCore
private import Synchronization

/// What a simulated motor was given, with the time it was meant for and the time it came.
public struct SimulatedActuation: Hashable, Sendable {
    public var planned: MonotonicInstant
    public var real: MonotonicInstant
    public var driven: DrivenLevel
    public var level: Level { driven.level }
    public var drive: Drive { driven.drive }

    /// `drive`: nil is as much as is meant to be felt.
    public init(planned: MonotonicInstant, real: MonotonicInstant, level: Level, drive: Drive? = nil) {
        self.planned = planned
        self.real = real
        driven = DrivenLevel(level, drive: drive)
    }
}

/// A motor that only remembers: every actuation, and what each broke of its limits. It can be made to fail.
///
/// A failed apply changes nothing; `switchOff` works even then, unless the device is lost, and then the output is off in any case.
/// What it remembers can be read on any thread. The lock for that is held for a copy at the longest and never allocates under
/// the executor's calls; only readers of the record can make those wait.
public final class SimulatedDriver: ActuatorDriver {
    /// How many actuations are kept.
    public static let recordCapacity = 4096
    /// How many violations are kept.
    public static let violationCapacity = 256

    public let name: String
    public let capabilities: ActuatorCapabilities
    public let limits: MotorLimits
    private let state: Mutex<State>

    /// `tolerance`: by how much a real clock's lateness may break a limit unnoticed; 0 under a virtual clock.
    public init(
        name: String, capabilities: ActuatorCapabilities = .full, limits: MotorLimits = .none,
        tolerance: Nanoseconds = .zero, faults: FaultPlan = .none
    ) {
        self.name = name
        self.capabilities = capabilities
        self.limits = limits
        state = Mutex(
            State(
                watch: MotorWatch(limits, tolerance: tolerance), onTime: OnTimeGuard(maxOn: limits.maxOn),
                faults: FaultState(faults)))
    }

    // MARK: What is felt, on any thread

    /// What the motor does now.
    public var output: DrivenLevel { state.withLock { $0.output } }
    /// The last actuations, oldest first.
    public var record: [SimulatedActuation] { state.withLock { $0.record.entries } }
    /// All actuations there ever were.
    public var actuationCount: Int { state.withLock { $0.record.total } }
    /// All calls of `apply` since the plan of faults in force was set, those that failed included.
    public var applyCount: Int { state.withLock { $0.faults.applies } }
    /// The last violations, oldest first.
    public var violations: [MotorViolation] { state.withLock { $0.violations.entries } }
    public var violationCount: Int { state.withLock { $0.violations.total } }

    /// Fails by this plan from now on.
    public func follow(_ plan: FaultPlan) { state.withLock { $0.faults = FaultState(plan) } }

    // MARK: ActuatorDriver

    public func apply(
        _ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant
    ) throws(DriverFault) {
        let fitted = capabilities.fitted(driven)
        let cause: DriverFault.Cause? = state.withLock { state in
            guard state.isOpen else { return .closed }
            if let cause = state.faults.faultOfApply(at: now) {
                if state.faults.isLost { state.lose(at: now) }
                return cause
            }
            let admitted = state.onTime.admit(fitted, at: now)
            // What is held off after a cut-off never reaches the motor, so there is nothing to record.
            if admitted.isOn == fitted.isOn { state.show(admitted, planned: planned, at: now) }
            return nil
        }
        if let cause { throw DriverFault(cause, device: name) }
    }

    public var devicePath: String? { nil }

    public var nextDeadline: MonotonicInstant { state.withLock { $0.onTime.deadline } }

    public func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        state.withLock { state in
            let planned = state.onTime.deadline
            guard state.onTime.cutsOff(at: now) else { return .kept }
            state.show(.off, planned: planned, at: now, isCutOff: true)
            return .cutOff
        }
    }

    public func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        let isLost = state.withLock { state in
            state.switchOff(at: now)
            return state.faults.isLost
        }
        if isLost { throw DriverFault(.deviceLost, device: name) }
    }

    /// Levels need no preparation here: every timeline is ready.
    public func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        guard state.withLock({ $0.isOpen }) else { throw DriverFault(.closed, device: name) }
        return timelines.map { _ in .ready(until: .distantFuture) }
    }

    public func open(at now: MonotonicInstant) throws(DriverFault) {
        let cause = state.withLock { state in
            state.switchOff(at: now)
            let cause = state.faults.faultOfOpen(at: now)
            state.isOpen = cause == nil
            return cause
        }
        if let cause { throw DriverFault(cause, device: name) }
    }

    public func close(at now: MonotonicInstant) {
        state.withLock { state in
            state.switchOff(at: now)
            state.isOpen = false
        }
    }
}

/// What a simulated motor is and remembers.
private struct State {
    var watch: MotorWatch
    var onTime: OnTimeGuard
    var faults: FaultState
    var isOpen = true
    var output = DrivenLevel.off
    var record = RecentLog<SimulatedActuation>(capacity: SimulatedDriver.recordCapacity)
    var violations = RecentLog<MotorViolation>(capacity: SimulatedDriver.violationCapacity)

    mutating func show(
        _ driven: DrivenLevel, planned: MonotonicInstant, at now: MonotonicInstant, isCutOff: Bool = false
    ) {
        output = driven
        record.append(SimulatedActuation(planned: planned, real: now, level: driven.level, drive: driven.drive))
        watch.see(isOn: driven.isOn, isCutOff: isCutOff, at: now, violations: &violations)
    }

    mutating func switchOff(at now: MonotonicInstant) {
        _ = onTime.admit(.off, at: now)
        if output.isOn { show(.off, planned: now, at: now) }
    }

    /// The motor stops because nothing feeds it any more: no actuation, but its time on is over.
    mutating func lose(at now: MonotonicInstant) {
        _ = onTime.admit(.off, at: now)
        output = .off
        watch.see(isOn: false, at: now, violations: &violations)
    }
}
