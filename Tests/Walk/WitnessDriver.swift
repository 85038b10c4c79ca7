// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore

/// A driver that records the actuations of its motor, and a device that can be taken away. One thread.
final class WitnessDriver: ActuatorDriver, @unchecked Sendable {
    struct Change: Hashable {
        var at: Int64
        var level: Double
    }

    let capabilities: ActuatorCapabilities
    private var onTime: OnTimeGuard
    /// The changes since the last check of the walk.
    private(set) var changes: [Change] = []
    private(set) var level = 0.0
    private(set) var isGone = false
    private(set) var isOpen = true

    init(_ capabilities: ActuatorCapabilities, maxOn: Nanoseconds?) {
        self.capabilities = capabilities
        onTime = OnTimeGuard(maxOn: maxOn)
    }

    func takeChanges() -> [Change] {
        defer { changes.removeAll(keepingCapacity: true) }
        return changes
    }

    /// Takes the device away: the motor has no power any more.
    func vanish(at now: MonotonicInstant) {
        isGone = true
        isOpen = false
        _ = onTime.admit(.off, at: now)
        show(0, at: now)
    }

    func comeBack() { isGone = false }

    private func show(_ new: Double, at now: MonotonicInstant) {
        guard new != level else { return }
        level = new
        changes.append(Change(at: now.nanoseconds, level: new))
    }

    // MARK: ActuatorDriver

    var devicePath: String? { nil }
    var nextDeadline: MonotonicInstant { onTime.deadline }

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) throws(DriverFault) {
        guard isOpen else { throw DriverFault(.deviceLost, device: "witness") }
        show(onTime.admit(capabilities.fitted(driven), at: now).drive.value, at: now)
    }

    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        guard onTime.cutsOff(at: now) else { return .kept }
        show(0, at: now)
        return .cutOff
    }

    func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        _ = onTime.admit(.off, at: now)
        show(0, at: now)
        if isGone { throw DriverFault(.deviceLost, device: "witness") }
    }

    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        timelines.map { _ in .ready(until: .distantFuture) }
    }

    func open(at now: MonotonicInstant) throws(DriverFault) {
        if isGone { throw DriverFault(.absent, device: "witness") }
        try switchOff(at: now)
        isOpen = true
    }

    func close(at now: MonotonicInstant) { try? switchOff(at: now) }
}
