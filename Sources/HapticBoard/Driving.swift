// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticRuntime
internal import HapticThreads

/// The right to drive the outputs of the board. There is only one. An executor is made from it, and has it until it has ended and each
/// line that it drove itself has been given back. The next executor cannot be made before.
struct DrivingRight: ~Copyable, Sendable {
    /// The right of a board that has never driven anything.
    static func ofNewBoard() -> DrivingRight { DrivingRight() }

    private init() {}
}

/// An executor that drives, and what is known of it. On the board's loop.
final class Driving {
    enum Start: ~Copyable {
        case driving(Driving)
        case failed(ExecutorError, DrivingRight)
    }

    let executor: Executor
    /// The names of the actuators.
    let names: [String]
    /// Reports that are known to be lost.
    var missedReports = 0
    /// Beats that were asked for.
    var beats = 0
    /// Whether it has not answered the last of them yet.
    var owesBeat: Bool { executor.beatCount != beats }
    /// Ends the watching of its reports.
    var unwatch: Cancellation?
    /// Nil once it has been passed on.
    private var right: DrivingRight?
    /// The devices that it drove itself, and that have not been given back since it ended.
    private var lines: Set<String> = []

    /// `make` starts the executor.
    static func start(
        _ right: consuming DrivingRight, names: [String], _ make: () throws(ExecutorError) -> Executor
    ) -> Start {
        let executor: Executor
        do throws(ExecutorError) {
            executor = try make()
        } catch {
            return .failed(error, right)
        }
        return .driving(Driving(right, executor, names))
    }

    private init(_ right: consuming DrivingRight, _ executor: Executor, _ names: [String]) {
        self.right = consume right
        self.executor = executor
        self.names = names
    }

    /// An actuator, in the log.
    func logName(of actuator: ActuatorIndex) -> String {
        names.indices.contains(actuator.value) ? "the actuator `\(names[actuator.value])`" : "an actuator"
    }

    /// Switches everything off and ends the thread; its reports can still be read.
    func stop() {
        unwatch?()
        unwatch = nil
        executor.stop()
    }

    /// It has been stopped. `lines` are the devices that it drove itself, and that are being given back. Returns the right where there
    /// are none.
    func end(givingBack lines: Set<String>) -> DrivingRight? {
        self.lines = lines
        guard lines.isEmpty else { return nil }
        return right.take()
    }

    /// A device has been given back. Returns the right with the last line.
    func gaveBack(_ device: String) -> DrivingRight? {
        guard lines.remove(device) != nil, lines.isEmpty else { return nil }
        return right.take()
    }
}
