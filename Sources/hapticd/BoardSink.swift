// SPDX-License-Identifier: MIT
internal import HapticBoard
internal import HapticCore
internal import HapticEngine
internal import HapticGuard
internal import HapticPlanning
internal import HapticService
internal import HapticThreads
internal import Logging

/// The board as the service sees it. On the event loop.
final class BoardSink: ActuationSink {
    /// More than a device that hangs takes to be noticed, and less than who puts the machine to sleep waits.
    private static let longestOffWait = Nanoseconds.milliseconds(800)

    let board: Board
    private let outputs: DrivenOutputs
    private let logger: Logger

    init(
        _ configuration: BoardConfiguration, outputs: DrivenOutputs, outputGuard: GuardLink, on loop: any BoardLoop,
        logger: Logger
    ) {
        self.outputs = outputs
        self.logger = logger
        board = Board(configuration.plan(outputs, logger), outputGuard: outputGuard, on: loop) { logger.log($0, $1) }
    }

    /// In force with the next `replaceActuators`, and before that for what devices are prepared for.
    func use(_ configuration: BoardConfiguration) { board.plan = configuration.plan(outputs, logger) }

    func apply(_ order: ActuationOrder) { board.apply(order) }

    func commit() { board.commit() }

    func replaceActuators(_ actuators: [EngineActuator]) { board.replace() }

    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        board.prepare(timelines, on: actuators, answer: answer)
    }

    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void) {
        board.awaitOff(by: SystemClock.now + Self.longestOffWait, answer: answer)
    }
}

extension Logger {
    fileprivate func log(_ level: BoardLogLevel, _ sentence: String) {
        switch level {
        case .debug: debug("\(sentence)")
        case .notice: notice("\(sentence)")
        case .warning: warning("\(sentence)")
        case .error: error("\(sentence)")
        case .critical: critical("\(sentence)")
        }
    }
}
