// SPDX-License-Identifier: MIT
internal import HapticCore
private import HapticGuard
internal import HapticRuntime
internal import HapticThreads

/// One executor has ended, and the next is awaited.
struct Replacement {
    /// How long the executor counts as alive meanwhile. Giving back what was driven, and switching off what has left the plan, take
    /// half a second each.
    private static let longest = Nanoseconds.seconds(10)

    /// Nil where there was none.
    let former: Driving?
    let end: MonotonicInstant
    /// The plan has changed since what has left it was switched off.
    var isOutdated = false

    init(_ former: Driving?, at now: MonotonicInstant) {
        self.former = former
        end = now + Self.longest
    }
}

/// One executor after the other.
extension Board {
    /// A device that takes long, or hangs, must not keep what is planned for the others from being felt.
    private static let longestOpening = Nanoseconds.milliseconds(1500)

    /// The devices of `plan` are driven from now on. What was committed before has been revoked or has ended.
    public func replace() {
        commit()
        mishaps.end()
        backlog.forget()
        switch phase {
        case .running(let driving):
            driving.stop()
            reportLast(of: driving)
            phase = .replacing(Replacement(driving, at: loop.now))
            let lines = retireDevices()
            if let returned = driving.end(givingBack: lines) { proceed(with: returned) }
        case .withoutExecutor:
            phase = .replacing(Replacement(nil, at: loop.now))
            _ = retireDevices()
            if let returned = right.take() { proceed(with: returned) }
        case .replacing(var replacement):
            // The replacement that is under way ends with this plan.
            replacement.isOutdated = true
            phase = .replacing(replacement)
            _ = retireDevices()
        case .ended: break
        }
    }

    /// Gives every device back. Returns those that the executor drove itself.
    private func retireDevices() -> Set<String> {
        tries.cancelTimer?()
        tries = FirstTries(untried: [], isStart: false)
        let kept = Set(plan.devices.map(\.device))
        let keepers = devices.uninstall()
        for keeper in keepers { keeper.reload(isKept: kept.contains(keeper.device)) }
        return Set(keepers.filter { $0.plan.isDirect && $0.state.isClosing }.map(\.device))
    }

    /// A device has been given back.
    func gaveBack(_ keeper: DeviceKeeper) {
        guard case .replacing(let replacement) = phase, let former = replacement.former else { return }
        if let returned = former.gaveBack(keeper.device) { proceed(with: returned) }
    }

    private func proceed(with returned: consuming DrivingRight) {
        right = consume returned
        seeOff()
    }

    /// Makes sure that what has left the plan is off, for nobody drives it from now on. Then starts the next executor.
    private func seeOff() {
        // Without a guard nothing was driven, and another daemon may drive it now.
        let (seeOff, isGuarded) = (plan.seeOff, guardian.link.isStarted)
        loop.perform({ isGuarded ? seeOff() : [] }, in: errands, then: { [weak self] in self?.seenOff($0) })
    }

    private func seenOff(_ failures: [String]) {
        for failure in failures { listener?.log(.error, failure) }
        guard case .replacing(var replacement) = phase else { return }
        guard !replacement.isOutdated else {
            replacement.isOutdated = false
            phase = .replacing(replacement)
            return seeOff()
        }
        if let error = startExecutor() {
            listener?.log(.critical, "the executor could not be started, so nothing is felt: \(error); restart hapticd")
            listener?.executorFailed(error)
            for index in plan.devices.indices { listener?.setActuator(ActuatorIndex(index), .missing(ActuatorFault("\(error)"))) }
            return
        }
        let quick = plan.devices.indices.filter { !plan.devices[$0].mayHang }.map { ActuatorIndex($0) }
        beginDevices(awaiting: Set(quick), within: Self.longestOpening, isStart: false) {}
    }

    /// Starts an executor whose devices are all missing. Returns why that failed; nil where it did not.
    func startExecutor() -> ExecutorError? {
        guard let right = self.right.take() else { return nil }
        let recording = RecordingGuard(guardian.link, record: plan.record)
        let drivers = plan.devices.map { $0.makeDriver(recording) }
        let (link, configuration) = (guardian.link, plan.executor)
        var tellGuard: (@Sendable (Heartbeat.Signal) -> Void)?
        if plan.isGuarded {
            tellGuard = { signal in
                switch signal {
                case .beat: link.beat()
                case .rest: link.rest()
                }
            }
        }
        let start = Driving.start(right, names: plan.devices.map(\.name)) { () throws(ExecutorError) in
            try Executor(
                drivers: drivers, faulty: drivers.indices.map { ActuatorIndex($0) }, configuration: configuration,
                tellGuard: tellGuard)
        }
        switch consume start {
        case .driving(let driving):
            phase = .running(driving)
            devices.install(plan, drivers, on: self)
            let state = driving.executor.realtimeState
            for remedy in state.remedies { listener?.log(.warning, remedy) }
            listener?.executorStarted(state)
            watchReports(of: driving)
            guardian.watch()
            return nil
        case .failed(let error, let returned):
            self.right = consume returned
            phase = .withoutExecutor
            return error
        }
    }
}
