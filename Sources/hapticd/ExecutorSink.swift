// SPDX-License-Identifier: MIT
internal import HapticBackends
private import HapticConfig
internal import HapticCore
internal import HapticEngine
internal import HapticGuard
internal import HapticRuntime
internal import HapticServer
internal import HapticThreads
internal import HapticWire
internal import Logging
internal import NIOCore
internal import NIOPosix

/// The executor as the service sees it, and its keeper: faulty devices are reopened, and a reload gets a new executor.
///
/// On the event loop. What can block (stopping an executor, opening and closing devices) runs on the helper thread.
final class ExecutorSink: ActuationSink {
    struct Running {
        let executor: Executor
        let drivers: [any ActuatorDriver]
        /// Of the actuators.
        let names: [String]
        /// Of those that are open and have a node of their own.
        var devicePaths: [String?]
        /// Tells of reports; nil until it is set up.
        var reports: (any Channel)?
        /// Reports that are known to be lost.
        var missedReports = 0
        /// Beats that were asked for.
        var beats = 0
    }

    /// Of the next executor; set before the service is given a configuration.
    var configuration: BoardConfiguration
    weak var service: FeedbackService?
    let eventLoop: any EventLoop
    let helper: NIOThreadPool
    let logger: Logger
    /// Nil while one executor is replaced by the next.
    var running: Running?
    /// Until when one that is being replaced counts as alive: each device that hangs takes its time to be closed and to be tried.
    private var replacementEnd = MonotonicInstant.zero
    private static let longestReplacement = Nanoseconds.seconds(10)
    /// What the executor had no room for, or what waits for the next one; in order.
    private var backlog: [ExecutorCommand] = []
    private var isRetrying = false
    /// More than the engine plans ahead on as many actuators as there can be.
    private static let longestBacklog = 65_536
    var troubles: [ActuatorIndex: Trouble] = [:]
    var mishaps = RepeatedWarning<Mishap>()
    /// For what has not been told of them.
    var mishapTimer: Scheduled<Void>?
    /// Actuators that are being opened for the first time.
    private(set) var untried: Set<ActuatorIndex> = []
    /// Called once `untried` is empty.
    private var tried: (() -> Void)?
    private let outputs: DrivenOutputs
    let outputGuard: GuardLink
    /// Nil where the kernel gives no inotify.
    private var watcher: DeviceWatcher?
    private var watchesGuard = false
    /// Nil until it is set up.
    private var guardWatch: (any Channel)?
    /// Counts executors, so that what was begun for one is not finished on the next.
    private(set) var generation = 0

    init(
        _ configuration: BoardConfiguration, outputs: DrivenOutputs, outputGuard: GuardLink, eventLoop: any EventLoop,
        helper: NIOThreadPool, logger: Logger
    ) {
        self.configuration = configuration
        self.outputs = outputs
        self.outputGuard = outputGuard
        self.eventLoop = eventLoop
        self.helper = helper
        self.logger = logger
    }

    // MARK: From the service

    func apply(_ actuation: Actuation) { queue(.actuate(actuation)) }

    func revoke(_ playback: PlaybackID, on actuator: ActuatorIndex, from instant: MonotonicInstant) {
        queue(.revoke(playback, actuator, from: instant))
    }

    private func queue(_ command: ExecutorCommand) {
        if backlog.count >= Self.longestBacklog {
            logger.error("the executor takes no commands: what waited for it is dropped, and every actuator switched off")
            backlog = [.allOff]
        }
        backlog.append(command)
    }

    func commit() {
        guard let running else { return }
        backlog.removeFirst(running.executor.submit(backlog))
        guard !backlog.isEmpty, !isRetrying else { return }
        isRetrying = true
        // The ring is full; the executor empties it in microseconds.
        _ = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { [weak self] in
            self?.isRetrying = false
            self?.commit()
        }
    }

    func replaceActuators(_ actuators: [EngineActuator]) {
        commit()
        endMishaps()
        backlog = []
        troubles = [:]
        untried = []
        let old = running
        running = nil
        replacementEnd = SystemClock.now + Self.longestReplacement
        old?.reports?.close(promise: nil)
        generation += 1
        let (configuration, outputs, outputGuard, logger) = (configuration, outputs, outputGuard, logger)
        helper.runIfActive(eventLoop: eventLoop) {
            if let old { Self.stop(old.executor, old.drivers) }
            // What is not in the new configuration is nobody's from now on, so it has to be seen off. Without a guard nothing was driven, and another daemon may be at it.
            let end = SystemClock.now + DrivenOutputs.shortestSwitchOff
            for failure in outputGuard.isStarted ? outputs.switchOff(besides: configuration.actuators, by: end) : [] {
                logger.error("\(failure)")
            }
            return try Self.start(configuration, outputs, outputGuard, logger, openingFor: Self.longestOpening)
        }
        .assumeIsolated().whenComplete { result in
            if let old { self.tellLast(of: old) }
            self.started(result)
        }
    }

    /// Stopping it has switched everything off, and who listens is told.
    private func tellLast(of old: Running) {
        while let report = old.executor.nextReport() {
            switch report {
            case .actuated(let actuation, let instant), .cutOff(let actuation, let instant),
                .abandoned(let actuation, let instant):
                service?.appliedLast(AppliedActuation(actuation, at: instant), of: old.names[actuation.actuator.value])
            case .missed: service?.missedLast()
            case .faulted, .restored, .refused: break
            }
        }
    }

    // MARK: The life of an executor

    /// Starts the first one, without its devices: `open` follows.
    func start() throws(ExecutorError) {
        watcher = DeviceWatcher(on: eventLoop) { [weak self] in self?.devicesChanged() }
        if watcher == nil {
            logger.warning("no inotify, so a device that comes back is found late; raise fs.inotify.max_user_instances")
        }
        install(try Self.start(configuration, outputs, outputGuard, logger, openingFor: .zero))
    }

    /// Tries all devices of the first executor, those that may take long last. The future is kept once each has been tried, or after `longest`.
    func open(within longest: Nanoseconds) -> EventLoopFuture<Void> {
        let backends = configuration.actuators.map(\.backend)
        for actuator in untried.sorted(by: { (backends[$0.value].delay, $0.value) < (backends[$1.value].delay, $1.value) }) {
            openFirst(actuator)
        }
        guard !untried.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        let end = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(longest.count)) { [weak self] in self?.endFirstTries()
        }
        tried = {
            end.cancel()
            promise.succeed()
        }
        return promise.futureResult
    }

    private func endFirstTries() {
        if tried != nil, !untried.isEmpty {
            let names = untried.sorted().map { configuration.actuators[$0.value].name }.joined(separator: ", ")
            logger.warning("still being opened: \(names); clients are served without for now")
        }
        tried?()
        tried = nil
    }

    /// It was opened for the first time, or could not be.
    func noteTried(_ actuator: ActuatorIndex) {
        guard untried.remove(actuator) != nil else { return }
        service?.stateChanged()
        if untried.isEmpty { endFirstTries() }
    }

    /// Asks the executor to show that it takes commands; no effect where it owes that already.
    func askForBeat() {
        guard let running, running.executor.beatCount == running.beats else { return }
        self.running?.beats += 1
        submit(.beat)
    }

    /// Whether the executor of now has shown itself as often as it was asked to, which is once at least; or is being replaced.
    var hasBeaten: Bool {
        guard let running else { return SystemClock.now < replacementEnd }
        return running.beats > 0 && running.executor.beatCount == running.beats
    }

    /// All off and the thread ended, at once. At the end of the daemon; `stop` follows.
    func switchOff() {
        // Nothing is driven from here on. A guard that the helper thread started ends with that thread, before `stop`.
        watchesGuard = false
        running?.executor.stop()
        readReports()
    }

    /// Gives the devices back. Blocks; only when the helper thread has ended, which may have been opening one of them.
    func stop() {
        watcher?.stop()
        watcher = nil
        watchesGuard = false
        guardWatch?.close(promise: nil)
        guardWatch = nil
        if let running {
            Self.stop(running.executor, running.drivers)
            readReports()
            endMishaps()
            running.reports?.close(promise: nil)
        }
        running = nil
        outputGuard.end()
    }

    func submit(_ command: ExecutorCommand) {
        queue(command)
        commit()
    }

    private struct Started: Sendable {
        let executor: Executor
        let drivers: [any ActuatorDriver]
        let names: [String]
        let devicePaths: [String?]
        /// Of those that could not be opened.
        let faults: [ActuatorIndex: DriverFault]
        /// Those that are opened once all else goes on.
        let untried: [ActuatorIndex]
    }

    /// Devices that take their time, such as one that hangs, must not keep the others from being used.
    private static let longestOpening = Nanoseconds.milliseconds(1500)

    /// A device that is not there is no reason not to start: it is used once it comes. Those that are not opened here are opened by `openFirst`.
    private static func start(
        _ configuration: BoardConfiguration, _ outputs: DrivenOutputs, _ outputGuard: GuardLink, _ logger: Logger,
        openingFor longest: Nanoseconds
    ) throws(ExecutorError) -> Started {
        let drivers = configuration.drivers(
            outputGuard: RecordingGuard(outputGuard, outputs, configuration.actuators, logger))
        var faults: [ActuatorIndex: DriverFault] = [:]
        var untried: [ActuatorIndex] = []
        let end = SystemClock.now + longest
        for (place, driver) in drivers.enumerated() {
            guard SystemClock.now < end, !configuration.actuators[place].backend.mayHang else {
                untried.append(ActuatorIndex(place))
                continue
            }
            do throws(DriverFault) {
                try open(driver, preparing: configuration.preparations)
            } catch {
                faults[ActuatorIndex(place)] = error
            }
        }
        var tellGuard: (@Sendable (Heartbeat.Signal) -> Void)?
        if !configuration.guarded.isEmpty {
            tellGuard = { signal in
                switch signal {
                case .beat: outputGuard.beat()
                case .rest: outputGuard.rest()
                }
            }
        }
        let executor: Executor
        do throws(ExecutorError) {
            executor = try Executor(
                drivers: drivers, faulty: faults.keys + untried, configuration: configuration.executor, tellGuard: tellGuard)
        } catch {
            // Else a later reload would find them busy, with this daemon as the holder.
            for driver in drivers { driver.close(at: SystemClock.now) }
            throw error
        }
        return Started(
            executor: executor, drivers: drivers, names: configuration.actuators.map(\.name),
            devicePaths: drivers.map(\.devicePath), faults: faults, untried: untried)
    }

    /// Opens a device and gets it ready. On the helper thread.
    static func open(_ driver: any ActuatorDriver, preparing timelines: [Timeline]) throws(DriverFault) {
        try driver.open(at: SystemClock.now)
        _ = try driver.prepare(timelines, at: SystemClock.now)
    }

    private static func stop(_ executor: Executor, _ drivers: [any ActuatorDriver]) {
        executor.stop()
        for driver in drivers { driver.close(at: SystemClock.now) }
    }

    private func started(_ result: Result<Started, any Error>) {
        do {
            install(try result.get())
        } catch {
            logger.critical("the executor could not be started, so nothing is felt: \(error); restart hapticd")
            service?.realtime = StatusResult.Realtime(configuration.realtime, notStarted: error)
            for index in configuration.actuators.indices {
                service?.setActuator(ActuatorIndex(index), error: "\(error)")
            }
        }
    }

    private func install(_ started: Started) {
        let state = started.executor.realtimeState
        for remedy in state.remedies { logger.warning("\(remedy)") }
        service?.realtime = StatusResult.Realtime(configuration.realtime, state)
        running = Running(
            executor: started.executor, drivers: started.drivers, names: started.names, devicePaths: started.devicePaths)
        let generation = generation
        ReportHandler.watch(started.executor.reportDescriptor, on: eventLoop) { [weak self] in self?.readReports() }
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let channel) where self.generation == generation: self.running?.reports = channel
                case .success(let channel): channel.close(promise: nil)
                case .failure(let error): self.logger.error("nothing will be told of actuations: \(error); restart hapticd")
                }
            }
        for (actuator, fault) in started.faults { failed(actuator, fault, at: SystemClock.now) }
        if generation > 0 { started.untried.forEach(openFirst) } else { untried = Set(started.untried) }
        watchGuard()
        commit()
    }

    // MARK: The guard

    /// A guard that dies while the daemon lives is replaced: without one a crash would leave a motor on.
    func watchGuard() {
        guard !watchesGuard, outputGuard.isStarted else { return }
        watchesGuard = true
        ReportHandler.watch(outputGuard.lifeline, on: eventLoop, ended: { [weak self] in self?.replaceGuard() }) {}
            .assumeIsolated().whenComplete { [weak self] result in
                switch result {
                case .success(let channel): self?.guardWatch = channel
                case .failure(let error):
                    self?.watchesGuard = false
                    self?.logger.error("the guard is not watched: \(error); should it die it is not replaced, so restart hapticd")
                }
            }
    }

    private func replaceGuard() {
        guard watchesGuard else { return }
        watchesGuard = false
        guardWatch = nil
        logger.error("the guard, which switches outputs off should hapticd die, has ended; starting another")
        let outputGuard = outputGuard
        let replaced = helper.runIfActive(eventLoop: eventLoop) { try outputGuard.replace() }
        replaced.assumeIsolated().whenComplete { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: watchGuard()
            case .failure(let error):
                guard let fault = error as? DriverFault else { return }
                logger.critical("no other guard could be started, so what needs one is switched off")
                // Lost, not just off: the next actuation would drive it with nobody to switch it off.
                guard running != nil else { return }
                for actuator in configuration.guarded {
                    submit(.lose(actuator, fault))
                }
            }
        }
    }
}
