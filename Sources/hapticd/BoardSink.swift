// SPDX-License-Identifier: MIT
internal import HapticBoard
internal import HapticConfig
internal import HapticCore
internal import HapticEngine
internal import HapticGuard
internal import HapticMotors
internal import HapticPlanning
internal import HapticRuntime
internal import HapticServer
internal import HapticService
internal import HapticThreads
internal import HapticWire
internal import Logging

/// The board as the service sees it. On the event loop.
final class BoardSink: ActuationSink {
    /// More than a device that hangs takes to be noticed, and less than who puts the machine to sleep waits.
    private static let longestRest = Nanoseconds.milliseconds(800)

    let board: Board
    private let reporter: BoardReporter
    private let outputs: DrivenOutputs
    private let logger: Logger

    init(
        _ configuration: BoardConfiguration, outputs: DrivenOutputs, outputGuard: GuardLink, on loop: any BoardLoop,
        logger: Logger
    ) {
        self.outputs = outputs
        self.logger = logger
        reporter = BoardReporter(configuration.realtime, logger)
        board = Board(
            configuration.plan(outputs, logger), outputGuard: outputGuard, on: loop, listener: reporter)
    }

    /// Who is notified of what happens on the board.
    var service: FeedbackServer? {
        get { reporter.service }
        set { reporter.service = newValue }
    }

    /// In force with the next `replaceActuators`, and before that for what devices are prepared for.
    func use(_ configuration: BoardConfiguration) {
        board.plan = configuration.plan(outputs, logger)
        reporter.realtime = configuration.realtime
    }

    func apply(_ order: ActuationOrder) { board.apply(order) }

    func commit() { board.commit() }

    func replaceActuators(_ actuators: [EngineActuator]) { board.replace() }

    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        board.prepare(timelines, on: actuators, answer: answer)
    }

    func awaitRest(answer: @escaping (_ isOff: Bool) -> Void) {
        board.awaitRest(by: SystemClock.now + Self.longestRest, answer: answer)
    }
}

/// Passes on to service and log what happens on the board.
private final class BoardReporter: BoardListener {
    weak var service: FeedbackServer?
    /// What is asked of the kernel for the next executor.
    var realtime: Configuration.Realtime
    private let logger: Logger

    init(_ realtime: Configuration.Realtime, _ logger: Logger) {
        self.realtime = realtime
        self.logger = logger
    }

    func actuated(_ actuations: [AppliedActuation]) { service?.applied(actuations) }
    func missed(_ actuation: Actuation) { service?.missedActuation(actuation) }
    func actuatedLast(_ applied: AppliedActuation, of name: String) { service?.appliedLast(applied, of: name) }
    func missedLast() { service?.missedLast() }
    func setActuator(_ index: ActuatorIndex, _ presence: DevicePresence) { service?.setActuator(index, presence) }
    func hasTried() { service?.stateChanged() }
    func executorStarted(_ state: RealtimeState) { service?.realtime = StatusResult.Realtime(realtime, state) }
    func executorFailed(_ error: ExecutorError) { service?.realtime = StatusResult.Realtime(realtime, notStarted: error) }

    func log(_ level: BoardLogLevel, _ sentence: String) {
        switch level {
        case .debug: logger.debug("\(sentence)")
        case .notice: logger.notice("\(sentence)")
        case .warning: logger.warning("\(sentence)")
        case .error: logger.error("\(sentence)")
        case .critical: logger.critical("\(sentence)")
        }
    }
}
