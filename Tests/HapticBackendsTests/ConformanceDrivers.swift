// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends

/// A simulated driver with one flaw, which the conformance suite has to find.
final class BrokenDriver: ActuatorDriver {
    enum Flaw: CaseIterable {
        case startsOn, ignoresIntensity, ignoresSharpness, ignoresOff, takesSharpnessForOn, goesForwardsOnly,
            switchOffDoesNothing,
            callsBackWhileOff
        case deadlineStays, cutsOffTooSoon, neverCutsOff, frameRestartsOnTime, goesOnAfterCutOff, staysOffAfterCutOff
        case answersTooFew, readinessIsOver, prepareIsFelt, prepareSwitchesOff, closeLeavesOn, closedStillWorks
        case reopenIsUseless, reopenTurnsOn, hidesFaults, throwsForNothing
    }

    static let maxOn = Nanoseconds.seconds(2)
    let flaw: Flaw
    let capabilities = ActuatorCapabilities.full
    let devicePath: String? = nil
    private let inner: SimulatedDriver
    private let state = Mutex(State())

    private struct State {
        var forced: Level?
        var hasCutOff = false
        var spins = false
        var isClosed = false
    }

    init(_ flaw: Flaw) {
        self.flaw = flaw
        let maxOn: Nanoseconds? =
            switch flaw {
            case .neverCutsOff: nil
            case .cutsOffTooSoon: Self.maxOn / 4
            default: Self.maxOn
            }
        inner = SimulatedDriver(name: "broken", limits: MotorLimits(maxOn: maxOn))
        if flaw == .startsOn { force(Level(intensity: .one, sharpness: .one)) }
    }

    var output: DrivenLevel { state.withLock { $0.forced }.map { DrivenLevel($0) } ?? inner.output }
    func fail() { inner.follow(.from(apply: 1, .io(errno: 5), until: .onOpen)) }
    private func force(_ level: Level?) { state.withLock { $0.forced = level } }

    func apply(
        _ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant
    ) throws(DriverFault) {
        let (isClosed, hasCutOff) = state.withLock { ($0.isClosed, $0.hasCutOff) }
        var level = driven.level
        if !driven.isOn { level.intensity = .zero }
        var shown = level
        switch flaw {
        case .throwsForNothing where level.isOn: throw DriverFault(.io(errno: 5), device: "broken")
        case .ignoresIntensity where level.isOn: shown.intensity = .one
        case .ignoresSharpness: shown.sharpness = .zero
        case .ignoresOff where !level.isOn: return
        case .takesSharpnessForOn where level.sharpness > .zero && !level.isOn: shown.intensity = .one
        case .frameRestartsOnTime where inner.output.isOn: try inner.apply(.off, planned: planned, at: now)
        case .goesOnAfterCutOff where hasCutOff && level.isOn: try inner.apply(.off, planned: planned, at: now)
        case .staysOffAfterCutOff where hasCutOff: return
        case .closedStillWorks where isClosed: return force(level)
        case .prepareSwitchesOff, .prepareIsFelt: force(nil)
        default: break
        }
        do throws(DriverFault) {
            let drive = flaw == .goesForwardsOnly ? Drive(clamping: abs(driven.drive.value)) : driven.drive
            try inner.apply(DrivenLevel(shown, drive: shown == level ? drive : nil), run: run, planned: planned, at: now)
        } catch {
            if flaw != .hidesFaults { throw error }
        }
    }

    var nextDeadline: MonotonicInstant {
        switch flaw {
        case .callsBackWhileOff where !inner.output.isOn: .zero
        case .deadlineStays where inner.output.isOn: .zero
        default: inner.nextDeadline
        }
    }

    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        let result = try inner.advance(to: now)
        if result == .cutOff { state.withLock { $0.hasCutOff = true } }
        return result
    }

    func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        if flaw != .switchOffDoesNothing { try inner.switchOff(at: now) }
    }

    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        switch flaw {
        case .answersTooFew: return Array(try inner.prepare(timelines, at: now).dropLast())
        case .readinessIsOver: return timelines.map { _ in .ready(until: now) }
        case .prepareIsFelt: force(Level(intensity: .one, sharpness: .one))
        case .prepareSwitchesOff: force(.off)
        default: break
        }
        return try inner.prepare(timelines, at: now)
    }

    func open(at now: MonotonicInstant) throws(DriverFault) {
        if flaw == .reopenIsUseless { return }
        try inner.open(at: now)
        if flaw == .reopenTurnsOn { force(Level(intensity: .one, sharpness: .one)) }
    }

    func close(at now: MonotonicInstant) {
        if flaw == .closeLeavesOn { force(inner.output.level) }
        state.withLock { $0.isClosed = true }
        inner.close(at: now)
    }
}

/// A driver for conformance checks. Time continues only once its device has followed, because virtual time is much faster than a
/// thread.
final class SettlingDriver<Inner: ActuatorDriver>: ActuatorDriver {
    let inner: Inner
    private let hasFollowed: @Sendable () -> Bool
    private let hasGivenUp = Atomic(false)

    private init(_ inner: Inner, hasFollowed: @escaping @Sendable () -> Bool) {
        self.inner = inner
        self.hasFollowed = hasFollowed
    }

    var capabilities: ActuatorCapabilities { inner.capabilities }
    var devicePath: String? { inner.devicePath }
    var nextDeadline: MonotonicInstant { inner.nextDeadline }

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) throws(DriverFault) {
        try inner.apply(driven, run: run, planned: planned, at: now)
        settle()
        // The next call throws the fault that the device's thread has found.
        _ = try inner.advance(to: now)
    }

    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        let result = try inner.advance(to: now)
        settle()
        return result
    }

    func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        try inner.switchOff(at: now)
        settle()
    }

    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        try inner.prepare(timelines, at: now)
    }

    func open(at now: MonotonicInstant) throws(DriverFault) { try inner.open(at: now) }
    func close(at now: MonotonicInstant) { inner.close(at: now) }

    /// A device that does not follow fails the test. It is waited for only once, because there are thousands of calls.
    private func settle() {
        guard !hasGivenUp.load(ordering: .relaxed) else { return }
        do {
            try wait(for: "the device's thread") { hasFollowed() }
        } catch {
            hasGivenUp.store(true, ordering: .relaxed)
            Issue.record(error)
        }
    }

    convenience init(_ inner: EvdevDriver) where Inner == EvdevDriver { self.init(inner) { inner.hasFollowed } }
    convenience init(_ inner: LevelDriver) where Inner == LevelDriver { self.init(inner) { inner.hasFollowed } }
}
