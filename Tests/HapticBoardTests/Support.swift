// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticBoard
import HapticCore
import HapticMotors
import HapticRuntime
import HapticThreads
import Synchronization
import TestSupport

/// Who has which device, and what was done that must not be.
final class Kernel: Sendable {
    private struct State {
        var holders: [String: Int] = [:]
        var mistakes: [String] = []
        var openings: [String] = []
        var felt: [String] = []
    }

    private let state = Mutex(State())

    func open(_ device: String) {
        state.withLock { state in
            state.openings.append(device)
            if state.holders[device, default: 0] > 0 { state.mistakes.append("\(device) is opened twice") }
            state.holders[device, default: 0] += 1
        }
    }

    func close(_ device: String) { state.withLock { $0.holders[device, default: 0] -= 1 } }

    func feel(_ device: String) { state.withLock { $0.felt.append(device) } }

    var held: [String] { state.withLock { $0.holders.filter { $0.value > 0 }.keys.sorted() } }
    var mistakes: [String] { state.withLock { $0.mistakes } }
    /// Every device that was opened, in order.
    var openings: [String] { state.withLock { $0.openings } }
    /// Every device that was given a level, in order.
    var felt: [String] { state.withLock { $0.felt } }
}

/// A driver of a device of `kernel`.
final class TestDriver: ActuatorDriver {
    let capabilities = ActuatorCapabilities.full
    let devicePath: String? = nil
    /// Told while it is open.
    var foundMotor: FoundMotor? { isOpen.withLock { $0 } && device == "pad" ? FoundMotor(MotorLibrary.pad) : nil }
    private let device: String
    private let kernel: Kernel
    private let isOpen = Mutex(false)

    init(_ device: String, of kernel: Kernel) {
        self.device = device
        self.kernel = kernel
    }

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) throws(DriverFault) {
        kernel.feel(device)
    }

    /// It is on, or has not followed yet, so that the executor looks again and again.
    let isBusy = Atomic<Bool>(false)
    var nextDeadline: MonotonicInstant {
        isBusy.load(ordering: .relaxed) ? SystemClock.now + .milliseconds(10) : .distantFuture
    }
    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult { .kept }
    func switchOff(at now: MonotonicInstant) throws(DriverFault) {}

    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        timelines.map { _ in .ready(until: .distantFuture) }
    }

    func open(at now: MonotonicInstant) throws(DriverFault) {
        close(at: now)
        kernel.open(device)
        isOpen.withLock { $0 = true }
    }

    func close(at now: MonotonicInstant) {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { kernel.close(device) }
    }
}

/// What the board said, as text.
final class TestListener: BoardListener {
    private(set) var said: [String] = []
    /// Why each actuator is missing.
    private(set) var missing: [Int: String] = [:]
    /// The motor of each that tells.
    private(set) var found: [Int: FoundMotor] = [:]
    private(set) var executors = 0

    func applied(_ actuations: [AppliedActuation]) {}
    func missedActuation(_ actuation: Actuation) {}
    func appliedLast(_ applied: AppliedActuation, of name: String) {}
    func missedLast() {}
    func hasTried() {}
    func executorStarted(_ state: RealtimeState, as configuration: ExecutorConfiguration) { executors += 1 }
    func executorFailed(_ error: ExecutorError, as configuration: ExecutorConfiguration) { said.append("\(error)") }
    func log(_ level: BoardLogLevel, _ sentence: String) { if level != .debug { said.append(sentence) } }

    func setActuator(_ index: ActuatorIndex, _ presence: DevicePresence) {
        if case .there(let motor) = presence { found[index.value] = motor }
        missing[index.value] = presence.fault?.words
        said.append("\(index.value): \(presence.fault?.words ?? "there")")
    }
}
