// SPDX-License-Identifier: MIT
public import HapticBoard
public import HapticRuntime
public import HapticServer
internal import HapticWire

/// The server receives the reports of the board.
extension FeedbackServer: BoardListener {
    public func hasTried() { stateChanged() }

    public func executorStarted(_ state: RealtimeState, as configuration: ExecutorConfiguration) {
        realtime = StatusResult.Realtime(configuration, state)
    }

    public func executorFailed(_ error: ExecutorError, as configuration: ExecutorConfiguration) {
        realtime = StatusResult.Realtime(configuration, notStarted: error)
    }
}
