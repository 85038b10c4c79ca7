// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticThreads

/// What could be logged with every actuation. Actuators are named as they are in the log.
enum Anomaly: Hashable {
    case onTooLong(String)
    case unplanned(String)
    case noRoom(String)
    case unread

    var sentence: String {
        switch self {
        case .onTooLong(let name): "\(name) was on for longer than its maxOn, and has been switched off"
        case .unplanned(let name): "\(name) was on with nothing more planned, and has been switched off"
        case .noRoom(let name): "\(name): the executor's queue is full, so actuations were left out"
        case .unread: "reports of the executor were not read in time and are in no figure of the status"
        }
    }
}

/// Logs anomalies, each kind once a minute. None stays uncounted. On the board's loop.
final class AnomalyLog {
    private let loop: any BoardLoop
    private let write: (String) -> Void
    private var warnings = RepeatedWarning<Anomaly>()
    /// Of the timer for what has not been logged yet.
    private var cancelTimer: Cancellation?

    init(on loop: any BoardLoop, write: @escaping (String) -> Void) {
        self.loop = loop
        self.write = write
    }

    func warn(_ anomaly: Anomaly, times: UInt64 = 1, at now: MonotonicInstant) {
        if let count = warnings.happened(anomaly, times: times, at: now) { log([(anomaly, count)]) }
        logLater()
    }

    private func logLater() {
        guard cancelTimer == nil, let deadline = warnings.deadline else { return }
        cancelTimer = loop.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            cancelTimer = nil
            log(warnings.due(at: loop.now))
            logLater()
        }
    }

    /// Other actuators follow, or none. Logs what has not been logged of these.
    func end() {
        cancelTimer?()
        cancelTimer = nil
        log(warnings.end())
    }

    private func log(_ anomalies: [(kind: Anomaly, count: UInt64)]) {
        for (anomaly, count) in anomalies { write("\(anomaly.sentence)\(count > 1 ? " (\(count) times)" : "")") }
    }
}
