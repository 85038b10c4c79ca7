// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticConfig
internal import HapticCore
internal import HapticEngine
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
        /// Tells of reports; nil until it is set up.
        var reports: (any Channel)?
    }

    /// The actuators of the next executor; set before the service is given a configuration.
    var configuration: Configuration
    weak var service: FeedbackService?
    let eventLoop: any EventLoop
    let helper: NIOThreadPool
    let logger: Logger
    /// Nil while one executor is replaced by the next.
    private(set) var running: Running?
    /// What the executor had no room for, or what waits for the next one; in order.
    private var backlog: [ExecutorCommand] = []
    private var isRetrying = false
    /// More than the engine plans ahead on as many actuators as there can be.
    private static let longestBacklog = 65_536
    var troubles: [ActuatorIndex: Trouble] = [:]
    /// Counts executors, so that what was begun for one is not finished on the next.
    private(set) var generation = 0

    init(_ configuration: Configuration, eventLoop: any EventLoop, helper: NIOThreadPool, logger: Logger) {
        self.configuration = configuration
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
        var done = 0
        while done < backlog.count, running.executor.submit(backlog[done]) { done += 1 }
        backlog.removeFirst(done)
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
        backlog = []
        troubles = [:]
        let old = running
        running = nil
        old?.reports?.close(promise: nil)
        generation += 1
        let configuration = configuration
        helper.runIfActive(eventLoop: eventLoop) {
            if let old { Self.stop(old.executor, old.drivers) }
            return try Self.start(configuration)
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
            case .missed, .faulted, .restored, .refused: break
            }
        }
    }

    // MARK: The life of an executor

    /// Starts the first one. Blocks; before the event loop has anything else to do.
    func start() throws(ExecutorError) { install(try Self.start(configuration)) }

    /// All off, the thread ended, the devices given back. Blocks; at the end of the daemon.
    func stop() {
        guard let running else { return }
        Self.stop(running.executor, running.drivers)
        readReports()
        running.reports?.close(promise: nil)
        self.running = nil
    }

    func submit(_ command: ExecutorCommand) {
        queue(command)
        commit()
    }

    private typealias Started = (executor: Executor, drivers: [any ActuatorDriver], names: [String])

    private static func start(_ configuration: Configuration) throws(ExecutorError) -> Started {
        let drivers = ActuatorDrivers.make(configuration.actuators)
        let executor = try Executor(drivers: drivers, configuration: ExecutorConfiguration(configuration))
        return (executor, drivers, configuration.actuators.map(\.name))
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
            for index in configuration.actuators.indices {
                service?.setActuator(ActuatorIndex(index), isAvailable: false, error: "\(error)")
            }
        }
    }

    private func install(_ started: Started) {
        for remedy in started.executor.realtimeState.remedies { logger.warning("\(remedy)") }
        running = Running(executor: started.executor, drivers: started.drivers, names: started.names)
        let generation = generation
        ReportHandler.watch(started.executor.reportDescriptor, on: eventLoop) { [weak self] in self?.readReports() }
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let channel) where self.generation == generation: self.running?.reports = channel
                case .success(let channel): channel.close(promise: nil)
                case .failure(let error): self.logger.error("nothing will be told of actuations: \(error); restart hapticd")
                }
            }
        commit()
    }
}
