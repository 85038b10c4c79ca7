// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

/// Tells hapticd of a task whose command runs whatever comes of that: what goes wrong is a warning.
///
/// A task outlives its connection, so each of the two is reported by one of its own: a daemon that restarts meanwhile is no matter.
struct TaskReport {
    /// How long a daemon that does not answer is waited for, in seconds.
    private static let patience = 1.0

    private enum State {
        /// As far as is known; or there was no daemon to hear it.
        case pending, unreported
        /// Nothing will be felt of its end, it is another's, or the daemon does not answer.
        case unfelt
    }

    private var began: TaskParams
    private let common: CommonOptions
    private let console: Console
    private var state = State.unreported

    init(_ began: TaskParams, _ common: CommonOptions, _ console: Console) {
        (self.began, self.common, self.console) = (began, common, console)
        self.began.atNs = MonotonicClock.now
    }

    mutating func begin() {
        do throws(ClientError) {
            let decision = try send(began)
            if decision.reason == .duplicate {
                state = .unfelt
                warn("a task of this id is pending already, so nothing is felt of this one; give it an id of its own")
            } else if decision.rule == nil {
                state = .unfelt
                warn(Words.notFelt(decision))
            } else {
                state = .pending
            }
        } catch {
            // Its end is not to be waited for, too.
            if error == .timedOut { state = .unfelt }
            warn("\(Failure(error).message); the command runs all the same, and its beginning is not felt")
        }
    }

    func end(as result: TaskState) {
        guard state != .unfelt else { return }
        var end = began
        (end.state, end.atNs) = (result, MonotonicClock.now)
        do throws(ClientError) {
            guard try send(end).reason == .notPending else { return }
            // The daemon has been started since, or counts it as failed by now. Its beginning is past: that is stale, and not felt.
            var past = began
            past.deadlineMs = 0
            _ = try send(past)
            end.atNs = MonotonicClock.now
            _ = try send(end)
        } catch {
            // That nobody is there has been said.
            if state == .pending { warn("\(Failure(error).message); its end is not felt") }
        }
    }

    private func send(_ params: TaskParams) throws(ClientError) -> DecisionResult {
        try common.connect(isPatient: false).call(params, timeout: Self.patience)
    }

    private func warn(_ message: String) { console.warn("task \(Words.given(began.id ?? "")): \(message)") }
}
