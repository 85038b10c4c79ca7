// SPDX-License-Identifier: MIT
internal import HapticCore
private import HapticGuard
internal import HapticRuntime
internal import HapticThreads

/// Runs one executor after the other: starts it, hands it its orders and passes on its reports. On the board's loop.
final class ExecutorKeeper {
    private enum Phase {
        /// None has been started yet, or none could be.
        case withoutExecutor
        case running(Driving)
        case replacing(Replacement)
        case ended
    }

    weak var board: Board?
    private let loop: any BoardLoop
    private let log: BoardLog
    private let anomalies: AnomalyLog
    private var phase = Phase.withoutExecutor
    /// `nil` while an executor has it.
    private var right: DrivingRight?
    private var backlog = OrderBacklog()

    init(on loop: any BoardLoop, log: @escaping BoardLog) {
        self.loop = loop
        self.log = log
        anomalies = AnomalyLog(on: loop) { log(.warning, $0) }
        right = DrivingRight.ofNewBoard()
    }

    // MARK: Orders

    /// `commit` follows.
    func apply(_ order: ActuationOrder) {
        if !backlog.plan(.planned(order)) {
            log(.error, "the executor takes no orders: what waited for it is dropped, and every actuator switched off")
        }
    }

    /// Hands over the orders of the calls before.
    func commit() {
        guard case .running(let driving) = phase, !backlog.flush(to: driving.executor), !backlog.isRetrying else { return }
        backlog.isRetrying = true
        // The ring is full; the executor empties it in microseconds.
        _ = loop.schedule(at: loop.now + .milliseconds(1)) { [weak self] in
            self?.backlog.isRetrying = false
            self?.commit()
        }
    }

    func control(_ order: ExecutorOrder) {
        backlog.control(order)
        commit()
    }

    /// Keeps back the orders for `actuators`, until `release`.
    func hold(_ actuators: Set<ActuatorIndex>) { backlog.hold(actuators) }

    func release(_ actuator: ActuatorIndex) {
        backlog.release(actuator)
        commit()
    }

    func releaseAll() {
        backlog.releaseAll()
        commit()
    }

    // MARK: Signs of life

    /// Asks the executor to show that it takes orders. No effect while it has not answered the time before.
    func askForBeat() {
        guard case .running(let driving) = phase, !driving.owesBeat else { return }
        driving.beats += 1
        control(.beat)
    }

    /// Whether the present executor has answered each time, and once at least; or is being replaced.
    var hasBeaten: Bool {
        switch phase {
        case .running(let driving): driving.beats > 0 && !driving.owesBeat
        case .replacing(let replacement): loop.now < replacement.end
        case .withoutExecutor, .ended: false
        }
    }

    /// Calls `answer` once every output is off, or at `end`; it says whether they are off. All that was to be felt has been revoked.
    func awaitOff(by end: MonotonicInstant, answer: @escaping (_ isOff: Bool) -> Void) {
        // A beat that is owed already may be for an instant before.
        poll(
            until: end, { !$0.owesBeat },
            then: { [weak self] _ in
                self?.askForBeat()
                self?.poll(until: end, { !$0.owesBeat && $0.isAtRest }, then: answer)
            })
    }

    private func poll(
        until end: MonotonicInstant, _ isSo: @escaping (ExecutorKeeper) -> Bool, then: @escaping (Bool) -> Void
    ) {
        let isSoNow = isSo(self)
        guard !isSoNow, loop.now < end else { return then(isSoNow) }
        _ = loop.schedule(at: loop.now + .milliseconds(1)) { [weak self] in self?.poll(until: end, isSo, then: then) }
    }

    private var owesBeat: Bool { if case .running(let driving) = phase { driving.owesBeat } else { false } }

    private var isAtRest: Bool {
        switch phase {
        case .running(let driving): driving.executor.isAtRest
        // The one before is switching everything off.
        case .replacing: false
        case .withoutExecutor, .ended: true
        }
    }

    // MARK: Start, replacement, end

    /// Starts an executor whose devices are all missing. Returns why that failed; `nil` if it did not.
    func start() -> ExecutorError? {
        guard let board else { return nil }
        guard let right = self.right.take() else { return nil }
        let (plan, link) = (board.plan, board.guardian.link)
        let recording = RecordingGuard(link, record: plan.record)
        let drivers = plan.devices.map { $0.makeDriver(recording) }
        var notifyGuard: (@Sendable (Heartbeat.Signal) -> Void)?
        if plan.isGuarded {
            notifyGuard = { signal in
                switch signal {
                case .beat: link.beat()
                case .idle: link.idle()
                }
            }
        }
        let start = Driving.start(right, names: plan.devices.map(\.name)) { () throws(ExecutorError) in
            try Executor(
                drivers: drivers, faulty: drivers.indices.map { ActuatorIndex($0) }, configuration: plan.executor,
                notifyGuard: notifyGuard)
        }
        switch consume start {
        case .driving(let driving):
            phase = .running(driving)
            board.devices.install(plan, drivers, on: board)
            let state = driving.executor.realtimeState
            for remedy in state.remedies { log(.warning, remedy) }
            board.listener?.executorStarted(state, as: plan.executor)
            watchReports(of: driving)
            board.guardian.watch()
            return nil
        case .failed(let error, let returned):
            self.right = consume returned
            phase = .withoutExecutor
            return error
        }
    }

    /// Ends the executor and starts the next one, for the board's plan. All that was committed before has been revoked or has ended.
    func replace() {
        commit()
        anomalies.end()
        backlog.forget()
        guard let board else { return }
        switch phase {
        case .running(let driving):
            driving.stop()
            reportLast(of: driving)
            phase = .replacing(Replacement(driving, at: loop.now))
            let lines = board.retireDevices()
            if let returned = driving.end(givingBack: lines) { proceed(with: returned) }
        case .withoutExecutor:
            phase = .replacing(Replacement(nil, at: loop.now))
            _ = board.retireDevices()
            if let returned = right.take() { proceed(with: returned) }
        case .replacing(var replacement):
            // The replacement that is under way ends with this plan.
            replacement.isOutdated = true
            phase = .replacing(replacement)
            _ = board.retireDevices()
        case .ended: break
        }
    }

    /// `device` has been given back.
    func gaveBack(_ device: String) {
        guard case .replacing(let replacement) = phase, let former = replacement.former else { return }
        if let returned = former.gaveBack(device) { proceed(with: returned) }
    }

    private func proceed(with returned: consuming DrivingRight) {
        right = consume returned
        switchOffRemoved()
    }

    /// Makes sure that what has left the plan is off, for nobody drives it from now on. Then starts the next executor.
    private func switchOffRemoved() {
        guard let board else { return }
        // Without a guard nothing was driven, and another daemon may drive it now.
        let (switchOffRemoved, isGuarded) = (board.plan.switchOffRemoved, board.guardian.link.isStarted)
        loop.perform(
            { isGuarded ? switchOffRemoved() : [] }, in: board.errands, then: { [weak self] in self?.switchedOffRemoved($0) })
    }

    private func switchedOffRemoved(_ failures: [String]) {
        for failure in failures { log(.error, failure) }
        guard case .replacing(var replacement) = phase else { return }
        guard !replacement.isOutdated else {
            replacement.isOutdated = false
            phase = .replacing(replacement)
            return switchOffRemoved()
        }
        if let error = start() {
            log(.critical, "the executor could not be started, so nothing is felt: \(error); restart hapticd")
            board?.executorFailed(error)
        } else {
            board?.executorIsReplaced()
        }
    }

    /// Switches everything off. No other executor follows.
    func end() {
        if case .running(let driving) = phase {
            driving.stop()
            readReports(of: driving)
        }
        anomalies.end()
        phase = .ended
    }
}

/// One executor has ended, and the next is awaited.
private struct Replacement {
    /// How long the executor counts as alive meanwhile. The devices are given back within half a second, and outputs that have left the
    /// plan are switched off within another.
    private static let longest = Nanoseconds.seconds(10)

    /// `nil` if there was none.
    let former: Driving?
    let end: MonotonicInstant
    /// The plan has changed since what has left it was switched off.
    var isOutdated = false

    init(_ former: Driving?, at now: MonotonicInstant) {
        self.former = former
        end = now + Self.longest
    }
}

/// The reports of the executor.
extension ExecutorKeeper {
    private func watchReports(of driving: Driving) {
        driving.unwatch = loop.watch(
            driving.executor.reportDescriptor,
            DescriptorEvents(
                readable: { [weak self, weak driving] in
                    if let driving { self?.readReports(of: driving) }
                },
                failed: { [weak self] error in
                    self?.log(.error, "subscribers get no actuations any more: \(error); restart hapticd")
                }))
    }

    private func readReports(of driving: Driving) {
        guard let board else { return }
        var actuated: [AppliedActuation] = []
        func pass() {
            if !actuated.isEmpty { board.listener?.applied(actuated) }
            actuated = []
        }
        var leftOut: [ActuatorIndex: UInt64] = [:]
        while let report = driving.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant): actuated.append(AppliedActuation(actuation, at: instant))
            case .cutOff(let actuation, let instant):
                actuated.append(AppliedActuation(actuation, at: instant))
                anomalies.warn(.onTooLong(driving.logName(of: actuation.actuator)), at: instant)
            case .missed(let actuation, _): board.listener?.missedActuation(actuation)
            case .abandoned(let actuation, let instant):
                actuated.append(AppliedActuation(actuation, at: instant))
                anomalies.warn(.unplanned(driving.logName(of: actuation.actuator)), at: instant)
            case .faulted(let actuator, let fault, _):
                // Listeners get what was felt before the fault first.
                pass()
                board.devices.keeper(of: actuator)?.faulted(fault)
            case .restored(let actuator, _):
                pass()
                board.devices.keeper(of: actuator)?.restored()
            case .refused(let actuation): leftOut[actuation.actuator, default: 0] += 1
            }
        }
        for (actuator, count) in leftOut.sorted(by: { $0.key < $1.key }) {
            anomalies.warn(.noRoom(driving.logName(of: actuator)), times: count, at: loop.now)
        }
        pass()
        let missed = driving.executor.missedReportCount
        guard missed > driving.missedReports else { return }
        anomalies.warn(.unread, times: UInt64(missed - driving.missedReports), at: loop.now)
        driving.missedReports = missed
    }

    /// Reports how stopping the executor has switched everything off.
    private func reportLast(of driving: Driving) {
        while let report = driving.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant), .cutOff(let actuation, let instant),
                .abandoned(let actuation, let instant):
                board?.listener?.appliedLast(
                    AppliedActuation(actuation, at: instant), of: driving.names[actuation.actuator.value])
            case .missed: board?.listener?.missedLast()
            case .faulted, .restored, .refused: break
            }
        }
    }
}
