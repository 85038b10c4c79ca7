// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticGuard
public import HapticRuntime
public import HapticThreads

/// The devices, the executor that drives them, and the guard: the supervisor that carries out what each `DeviceState` says.
///
/// Everything here is on one loop, and nothing waits. What may hang is done on a thread of its device, so that it delays that device
/// only.
public final class Board {
    enum Phase {
        /// None has been started yet, or none could be.
        case withoutExecutor
        case running(Driving)
        case replacing(Replacement)
        /// `done` once every device has been given back.
        case ended(done: (() -> Void)?)
    }

    let loop: any BoardLoop
    public weak var listener: (any BoardListener)?
    /// The plan of the next executor, and of what devices are prepared for. To be set before `replace`.
    public var plan: BoardPlan
    /// Called after devices have come, gone or changed hands. On `loop`, from `start` to `shutDown`, where `isWatching`.
    public var whenDevicesChange: (() -> Void)?
    let guardian: GuardKeeper
    var phase = Phase.withoutExecutor
    /// Nil while an executor has it.
    var right: DrivingRight?
    var backlog = OrderBacklog()
    let mishaps: MishapLog
    var devices = DeviceTable()
    var tries = FirstTries(untried: [], isStart: true)
    /// Nil where the kernel gives no inotify, and before the start.
    private var watcher: DeviceWatcher?
    /// For what takes a moment and concerns no device alone.
    let errands = ErrandQueue()

    /// On `loop`, as everything here.
    public init(_ plan: BoardPlan, outputGuard: GuardLink, on loop: any BoardLoop, listener: any BoardListener) {
        self.plan = plan
        self.loop = loop
        self.listener = listener
        right = DrivingRight.ofNewBoard()
        let hears = WeakBoard()
        mishaps = MishapLog(on: loop) { hears.board?.listener?.log(.warning, $0) }
        guardian = GuardKeeper(
            outputGuard, on: loop, log: { hears.board?.listener?.log($0, $1) },
            lost: { fault in
                for keeper in hears.board?.devices.keepers ?? [] { keeper.guardIsLost(fault) }
            })
        hears.board = self
    }

    // MARK: Orders

    /// `commit` follows.
    public func apply(_ order: ActuationOrder) {
        if !backlog.plan(.planned(order)) {
            listener?.log(
                .error, "the executor takes no orders: what waited for it is dropped, and every actuator switched off")
        }
    }

    /// Hands over what the calls before have collected.
    public func commit() {
        guard case .running(let driving) = phase, !backlog.hand(to: driving.executor), !backlog.isRetrying else { return }
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

    // MARK: Signs of life

    /// Asks the executor to show that it takes orders. No effect while it has not answered the time before.
    public func askForBeat() {
        guard case .running(let driving) = phase, driving.executor.beatCount == driving.beats else { return }
        driving.beats += 1
        control(.beat)
    }

    /// Whether the present executor has answered each time, and once at least; or is being replaced.
    public var hasBeaten: Bool {
        switch phase {
        case .running(let driving): driving.beats > 0 && driving.executor.beatCount == driving.beats
        case .replacing(let replacement): loop.now < replacement.end
        case .withoutExecutor, .ended: false
        }
    }

    /// Calls `answer` once every output is off, or at `end`; it says whether they are off. All that was to be felt has been revoked.
    public func awaitRest(by end: MonotonicInstant, answer: @escaping (_ isOff: Bool) -> Void) {
        // A beat that is owed already may be for an instant before.
        look(
            until: end, { $0.owesNoBeat },
            then: { [weak self] _ in
                self?.askForBeat()
                self?.look(until: end, { $0.owesNoBeat && $0.isAtRest }, then: answer)
            })
    }

    private func look(until end: MonotonicInstant, _ isSo: @escaping (Board) -> Bool, then: @escaping (Bool) -> Void) {
        let isSoNow = isSo(self)
        guard !isSoNow, loop.now < end else { return then(isSoNow) }
        _ = loop.schedule(at: loop.now + .milliseconds(1)) { [weak self] in self?.look(until: end, isSo, then: then) }
    }

    private var owesNoBeat: Bool {
        guard case .running(let driving) = phase else { return true }
        return driving.executor.beatCount == driving.beats
    }

    private var isAtRest: Bool {
        switch phase {
        case .running(let driving): driving.executor.isAtRest
        // The one before is switching everything off.
        case .replacing: false
        case .withoutExecutor, .ended: true
        }
    }

    // MARK: First tries

    /// Actuators that are being opened for the first time since the start.
    public var untried: Set<ActuatorIndex> { tries.isStart ? tries.untried : [] }

    /// Opens all devices. What is planned for those of `untried` waits until they have been tried, `longest` at most.
    func beginDevices(
        awaiting untried: Set<ActuatorIndex>, within longest: Nanoseconds, isStart: Bool, _ done: @escaping () -> Void
    ) {
        tries = FirstTries(untried: untried, isStart: isStart, finish: done)
        backlog.hold(untried)
        for keeper in devices.keepers { keeper.begin() }
        guard !tries.untried.isEmpty else { return finishTries() }
        tries.cancelTimer = loop.schedule(at: loop.now + longest) { [weak self] in self?.finishTries() }
    }

    /// The actuator has been opened for the first time, or could not be.
    func hasTried(_ actuator: ActuatorIndex) {
        guard tries.untried.remove(actuator) != nil else { return }
        backlog.release(actuator)
        commit()
        listener?.hasTried()
        if tries.untried.isEmpty { finishTries() }
    }

    private func finishTries() {
        guard let finish = tries.finish else { return }
        tries.finish = nil
        tries.cancelTimer?()
        if tries.isStart, !tries.untried.isEmpty {
            let names = tries.untried.sorted().map { plan.devices[$0.value].name }.joined(separator: ", ")
            listener?.log(.warning, "still being opened: \(names); clients are served without for now")
        }
        for keeper in devices.keepers { keeper.isLate() }
        backlog.releaseAll()
        commit()
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
            listener?.log(
                .warning, "no inotify, so a device that comes back is found late; raise fs.inotify.max_user_instances")
        }
        if let error = startExecutor() { throw error }
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
        if case .running(let driving) = phase {
            driving.stop()
            readReports(of: driving)
        }
        mishaps.end()
        phase = .ended(done: done)
        for keeper in devices.uninstall() { keeper.shutDown() }
        endIfEmpty()
    }

    /// The device has been given back for good.
    func hasEnded(_ keeper: DeviceKeeper) {
        devices.forget(keeper)
        endIfEmpty()
    }

    private func endIfEmpty() {
        guard case .ended(let done?) = phase, devices.isEmpty else { return }
        phase = .ended(done: nil)
        // After the errands that are still being done.
        loop.perform({}, in: errands, then: { [self] _ in guardian.end(done) })
    }
}

private final class WeakBoard {
    weak var board: Board?
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
