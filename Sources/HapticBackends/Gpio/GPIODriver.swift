// SPDX-License-Identifier: MIT
public import HapticCore

/// One output line that is requested, inactive when it was just made. Setting it takes microseconds.
protocol OutputLine: AnyObject {
    /// Of the chip; nil where it has no node.
    var chipPath: String? { get }
    func set(_ isActive: Bool) throws(DriverFault)
    /// Gives it back; inactive.
    func release()
}

/// A motor on a GPIO line: on or off, or any intensity by a pulse-width modulation that the executor times.
public final class GPIODriver: ActuatorDriver, @unchecked Sendable {
    // Unchecked, because the state belongs to one thread at a time by the rules of `ActuatorDriver`: to the executor's, or to the helper
    // where the executor has stopped or leaves it alone. They hand it over through the executor's rings.
    public let capabilities: ActuatorCapabilities
    private let name: String
    private let request: () throws(DriverFault) -> any OutputLine
    private var line: (any OutputLine)?
    private var onTime: OnTimeGuard
    private var modulation: SoftwarePWM
    private var isActive = false

    /// `name`: the line in the words of its user. `request` gets the line; blocks. `pwmPeriod`: nil is on or off only.
    init(
        name: String, pwmPeriod: Nanoseconds?, maxOn: Nanoseconds?, request: @escaping () throws(DriverFault) -> any OutputLine
    ) {
        self.name = name
        self.request = request
        capabilities = ActuatorCapabilities(variesIntensity: pwmPeriod != nil, variesSharpness: false)
        onTime = OnTimeGuard(maxOn: maxOn)
        modulation = SoftwarePWM(period: pwmPeriod)
    }

    public var devicePath: String? { line?.chipPath }

    public func apply(
        _ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant
    ) throws(DriverFault) {
        guard line != nil else { throw DriverFault(.closed, device: name) }
        let admitted = onTime.admit(capabilities.fitted(driven), at: now)
        modulation.set(Share(clamping: admitted.drive.value), at: now)
        try follow()
    }

    public var nextDeadline: MonotonicInstant { min(modulation.nextEdge, onTime.deadline) }

    public func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        if onTime.cutsOff(at: now) {
            modulation.set(.zero, at: now)
            try follow()
            return .cutOff
        }
        modulation.advance(to: now)
        try follow()
        return .kept
    }

    public func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        _ = onTime.admit(.off, at: now)
        modulation.set(.zero, at: now)
        // Also where it should be off already: after a fault nobody knows.
        isActive = false
        try line?.set(false)
    }

    /// A level takes no preparation here.
    public func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        guard line != nil else { throw DriverFault(.closed, device: name) }
        return timelines.map { _ in .ready(until: .distantFuture) }
    }

    public func open(at now: MonotonicInstant) throws(DriverFault) {
        close(at: now)
        line = try request()
    }

    public func close(at now: MonotonicInstant) {
        // A line that cannot be set any more is given back all the same.
        try? switchOff(at: now)
        line?.release()
        line = nil
    }

    private func follow() throws(DriverFault) {
        guard modulation.isActive != isActive else { return }
        try line?.set(modulation.isActive)
        isActive = modulation.isActive
    }
}
