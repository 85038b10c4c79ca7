// SPDX-License-Identifier: MIT
internal import HapticBackends
public import HapticCore
public import HapticGuard
private import HapticMotors
public import HapticRuntime
public import HapticThreads

/// The devices, the executor that drives them, and the guard: the supervisor that carries out what each `DeviceState` says.
///
/// Everything here is on one loop, and nothing waits. What may hang is done on a thread of its device, so that it delays that device
/// only.
public final class Board {
    /// A device that takes long, or hangs, must not keep what is planned for the others from being felt.
    private static let longestOpening = Nanoseconds.milliseconds(1500)

    let loop: any BoardLoop
    let log: BoardLog
    /// To be set before `start`.
    public weak var listener: (any BoardListener)?
    /// The plan of the next executor, and of what devices are prepared for. To be set before `replace`.
    public var plan: BoardPlan
    /// Called after devices have come, gone or changed hands. On `loop`, from `start` to `shutDown`, where `isWatching`.
    public var whenDevicesChange: (() -> Void)?
    let executor: ExecutorKeeper
    let guardian: GuardKeeper
    var devices = DeviceTable()
    private var tries = FirstTries(untried: [], isStart: true)
    /// `nil` if the kernel gives no inotify, and before the start.
    private var watcher: DeviceWatcher?
    /// For what takes a moment and concerns no device alone.
    let errands = ErrandQueue()
    /// Called once every device has been given back; `nil` before `shutDown` and after that call.
    private var ended: (() -> Void)?

    /// On `loop`, as everything here.
    public init(_ plan: BoardPlan, outputGuard: GuardLink, on loop: any BoardLoop, log: @escaping BoardLog) {
        self.plan = plan
        self.loop = loop
        self.log = log
        executor = ExecutorKeeper(on: loop, log: log)
        guardian = GuardKeeper(outputGuard, on: loop, log: log)
        executor.board = self
        guardian.board = self
    }

    // MARK: The executor

    /// Has the executor carry out `order`. `commit` follows.
    public func apply(_ order: ActuationOrder) { executor.apply(order) }

    /// Hands over the orders of the calls before.
    public func commit() { executor.commit() }

    /// Drives the devices of `plan` from now on. All that was committed before has been revoked or has ended.
    public func replace() { executor.replace() }

    /// Asks the executor to show that it takes orders. No effect while it has not answered the time before.
    public func askForBeat() { executor.askForBeat() }

    /// Whether the present executor has answered each time, and once at least; or is being replaced.
    public var hasBeaten: Bool { executor.hasBeaten }

    /// Calls `answer` once every output is off, or at `end`; it says whether they are off. All that was to be felt has been revoked.
    public func awaitOff(by end: MonotonicInstant, answer: @escaping (_ isOff: Bool) -> Void) {
        executor.awaitOff(by: end, answer: answer)
    }

    /// Gives every device back. Returns those that the executor drove itself.
    func retireDevices() -> Set<String> {
        tries.cancelTimer?()
        tries = FirstTries(untried: [], isStart: false)
        let kept = Set(plan.devices.map(\.device))
        let keepers = devices.uninstall()
        for keeper in keepers { keeper.reload(isKept: kept.contains(keeper.device)) }
        return Set(keepers.filter { $0.plan.isDirect && $0.state.isClosing }.map(\.device))
    }

    /// The next executor has started.
    func executorIsReplaced() {
        let quick = plan.devices.indices.filter { !plan.devices[$0].mayHang }.map { ActuatorIndex($0) }
        beginDevices(awaiting: Set(quick), within: Self.longestOpening, isStart: false) {}
    }

    /// The next executor could not be started.
    func executorFailed(_ error: ExecutorError) {
        listener?.executorFailed(error, as: plan.executor)
        for index in plan.devices.indices {
            listener?.setActuator(ActuatorIndex(index), .missing(ActuatorFault("\(error)")))
        }
    }

    /// There is no guard, and none can be had.
    func guardIsLost(_ fault: DriverFault) { for keeper in devices.keepers { keeper.guardIsLost(fault) } }

    // MARK: Preparations

    /// Gets patterns ready on these actuators. `answer` is called on the loop and gets for each actuator whether each of `timelines` is
    /// ready; nil where the actuator cannot be asked.
    public func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        guard !actuators.isEmpty else { return answer([]) }
        let answers = Answers(count: actuators.count, answer)
        for (index, actuator) in actuators.enumerated() {
            guard let keeper = devices.keeper(of: actuator) else {
                answers.give(nil, at: index)
                continue
            }
            keeper.prepare(timelines) { answers.give($0, at: index) }
        }
    }

    // MARK: First tries

    /// Actuators that are being opened for the first time since the start.
    public var untried: Set<ActuatorIndex> { tries.isStart ? tries.untried : [] }

    /// Opens all devices. What is planned for those of `untried` waits until they have been tried, `longest` at most.
    private func beginDevices(
        awaiting untried: Set<ActuatorIndex>, within longest: Nanoseconds, isStart: Bool, _ done: @escaping () -> Void
    ) {
        tries = FirstTries(untried: untried, isStart: isStart, finish: done)
        executor.hold(untried)
        for keeper in devices.keepers { keeper.begin() }
        guard !tries.untried.isEmpty else { return finishTries() }
        tries.cancelTimer = loop.schedule(at: loop.now + longest) { [weak self] in self?.finishTries() }
    }

    /// The actuator has been opened for the first time, or could not be.
    func hasTried(_ actuator: ActuatorIndex) {
        guard tries.untried.remove(actuator) != nil else { return }
        executor.release(actuator)
        listener?.hasTried()
        if tries.untried.isEmpty { finishTries() }
    }

    private func finishTries() {
        guard let finish = tries.finish else { return }
        tries.finish = nil
        tries.cancelTimer?()
        if tries.isStart, !tries.untried.isEmpty {
            let names = tries.untried.sorted().map { plan.devices[$0.value].name }.joined(separator: ", ")
            log(.warning, "still being opened: \(names); clients are served without for now")
        }
        for keeper in devices.keepers { keeper.isLate() }
        executor.releaseAll()
        finish()
    }

    // MARK: Start and end

    /// Starts the first executor, without its devices: `open` follows.
    public func start() throws(ExecutorError) {
        watcher = DeviceWatcher(on: loop) { [weak self] in
            for keeper in self?.devices.keepers ?? [] { keeper.seen() }
            self?.whenDevicesChange?()
        }
        if watcher == nil {
            log(.warning, "no inotify, so a device that comes back is found late; raise fs.inotify.max_user_instances")
        }
        if let error = executor.start() { throw error }
    }

    /// Whether the folders of devices are watched.
    public var isWatching: Bool { watcher != nil }

    /// Tries all devices of the first executor. `done` is called once each has been tried, or after `longest`.
    public func open(within longest: Nanoseconds, done: @escaping () -> Void) {
        beginDevices(awaiting: Set(plan.devices.indices.map { ActuatorIndex($0) }), within: longest, isStart: true, done)
        for keeper in devices.keepers { keeper.isLate() }
    }

    /// Switches everything off at once, and gives every device back. `done` is called when the guard has gone after that: never,
    /// where a device hangs for good.
    public func shutDown(_ done: @escaping () -> Void) {
        watcher?.stop()
        watcher = nil
        tries.cancelTimer?()
        tries = FirstTries(untried: [], isStart: false)
        executor.end()
        ended = done
        for keeper in devices.uninstall() { keeper.shutDown() }
        endIfEmpty()
    }

    /// The device has been given back for good.
    func hasEnded(_ keeper: DeviceKeeper) {
        devices.forget(keeper)
        endIfEmpty()
    }

    private func endIfEmpty() {
        guard let done = ended, devices.isEmpty else { return }
        ended = nil
        // After the errands that are still being done.
        loop.perform({}, in: errands, then: { [self] _ in guardian.end(done) })
    }
}

/// The answers of several devices on their way.
private final class Answers {
    private var answers: [[Bool]?]
    private var missing: Int
    private let done: ([[Bool]?]) -> Void

    init(count: Int, _ done: @escaping ([[Bool]?]) -> Void) {
        answers = Array(repeating: nil, count: count)
        missing = count
        self.done = done
    }

    func give(_ answer: [Bool]?, at index: Int) {
        answers[index] = answer
        missing -= 1
        if missing == 0 { done(answers) }
    }
}
