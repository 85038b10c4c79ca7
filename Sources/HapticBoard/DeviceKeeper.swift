// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticBackends
internal import HapticCore
private import HapticMotors
private import HapticRuntime
internal import HapticThreads

/// One device: carries out what its `DeviceState` says. On the board's loop; what may hang is done on a thread of the device.
final class DeviceKeeper {
    /// What identifies the device, before a reload and after it.
    let device: String
    private(set) var state: DeviceState
    /// What drives it; of the plan that it was opened for.
    private(set) var plan: DevicePlan
    private var actuator: ActuatorIndex
    private var driver: any ActuatorDriver
    /// Replaces `driver` once that has given the device back.
    private var nextDriver: (any ActuatorDriver)?
    /// The device's node in /dev, while it is open.
    private var node: String?
    /// The motor that it turned out to have when it was last opened.
    private var found: FoundMotor?
    /// How often it was opened.
    private var openings = 0
    private var cancelRetry: Cancellation?
    private let errands = ErrandQueue()
    private weak var board: Board?

    init(_ plan: DevicePlan, _ actuator: ActuatorIndex, _ driver: any ActuatorDriver, on board: Board) {
        device = plan.device
        self.plan = plan
        self.actuator = actuator
        self.driver = driver
        self.board = board
        state = DeviceState(isWatched: plan.appearsInDev && board.isWatching, at: board.loop.now)
    }

    // MARK: From the board

    /// The next plan has the same device. Followed by `begin`.
    func install(_ plan: DevicePlan, _ actuator: ActuatorIndex, _ driver: any ActuatorDriver) {
        self.plan = plan
        self.actuator = actuator
        nextDriver = driver
    }

    func begin() { carryOut(state.begin()) }
    func isLate() { carryOut(state.isLate()) }
    func seen() { carryOut(state.seen()) }
    func restored() { carryOut(state.restored()) }

    func faulted(_ fault: DriverFault) {
        guard let board else { return }
        carryOut(state.faulted(fault, at: board.loop.now))
    }

    func guardIsLost(_ fault: DriverFault) {
        if plan.isGuarded { carryOut(state.withdraw(fault)) }
    }

    func reload(isKept: Bool) {
        guard let board else { return }
        carryOut(state.reload(isKept: isKept, at: board.loop.now))
    }

    func shutDown() {
        guard let board else { return }
        carryOut(state.shutDown(at: board.loop.now))
    }

    /// `answer`: whether each of `timelines` is ready; nil where the device cannot be asked.
    func prepare(_ timelines: [Timeline], answer: @escaping ([Bool]?) -> Void) {
        guard let board, state.takesPreparations else { return answer(nil) }
        let driver = driver
        board.loop.perform(
            {
                Result { () throws(DriverFault) -> [Bool] in
                    try driver.prepare(timelines, at: SystemClock.now).map { $0 != .noRoom }
                }
            }, in: errands,
            then: { [openings, weak self] result in
                // Else nobody would notice until something is played, which may take long.
                if case .failure(let fault) = result, fault.cause == .hanging, let self, openings == self.openings,
                    self.state.isDriven
                {
                    carryOut(self.state.withdraw(fault))
                }
                answer(try? result.get())
            })
    }

    // MARK: What the state says

    private func carryOut(_ actions: [DeviceState.Action]) {
        for action in actions { carryOut(action) }
        if state.hasEnded { board?.hasEnded(self) }
    }

    private func carryOut(_ action: DeviceState.Action) {
        switch action {
        case .open: open()
        case .close: close()
        case .handOver: board?.executor.control(.restore(actuator))
        case .withdraw(let fault): board?.executor.control(.lose(actuator, fault))
        case .retry(let instant):
            cancelRetry = board?.loop.schedule(at: instant) { [weak self] in
                guard let self, let board else { return }
                carryOut(state.retryIsDue(at: board.loop.now))
            }
        case .cancelRetry: cancelRetry?()
        case .probe: probe()
        case .announceOpening:
            board?.listener?.setActuator(actuator, .missing(ActuatorFault("it is being opened; wait a moment")))
        case .announceLost(let fault, let isNews):
            node = nil
            board?.log(isNews ? .warning : .debug, "\(plan.logName): \(fault)")
            board?.listener?.setActuator(actuator, .missing(fault.ofActuator))
            board?.hasTried(actuator)
        case .announceThere(let announced):
            // At the start every device that is there comes this way: that is no news.
            let isNews = announced == .lost || announced == .opening && board?.untried.contains(actuator) == false
            board?.log(isNews ? .notice : .debug, "\(plan.logName) is there")
            board?.listener?.setActuator(actuator, .there(found))
            board?.hasTried(actuator)
        }
    }

    private func open() {
        guard let board else { return }
        if let nextDriver { driver = nextDriver }
        nextDriver = nil
        openings += 1
        let (driver, preparations) = (driver, board.plan.preparations)
        board.loop.perform(
            {
                Result { () throws(DriverFault) -> (path: String?, motor: FoundMotor?) in
                    try driver.open(at: SystemClock.now)
                    _ = try driver.prepare(preparations, at: SystemClock.now)
                    return (driver.devicePath, driver.foundMotor)
                }
            }, in: errands,
            then: { [weak self] result in
                guard let self, let board = self.board else { return }
                // Opening it may have started a guard.
                board.guardian.watch()
                switch result {
                case .success(let opened):
                    (node, found) = (opened.path, opened.motor)
                    carryOut(state.opened(at: board.loop.now))
                case .failure(let fault): carryOut(state.failedToOpen(fault, at: board.loop.now))
                }
            })
    }

    private func close() {
        guard let board else { return }
        node = nil
        let driver = driver
        board.loop.perform(
            { driver.close(at: SystemClock.now) }, in: errands,
            then: { [weak self] _ in
                guard let self else { return }
                carryOut(state.closed())
                self.board?.executor.gaveBack(device)
            })
    }

    private func probe() {
        guard let board, let node else { return }
        board.loop.perform(
            { access(node, F_OK) == 0 }, in: board.errands,
            then: { [weak self] isThere in
                guard let self, !isThere, self.node == node else { return }
                self.node = nil
                carryOut(state.withdraw(DriverFault(.deviceLost, device: node)))
            })
    }
}
