// SPDX-License-Identifier: MIT
internal import HapticRuntime
internal import HapticWire

extension StatusResult.Realtime {
    /// What was asked for, as the service gives it, with what the kernel answered.
    init(_ asked: ExecutorConfiguration, _ state: RealtimeState) {
        self.init(
            priority: asked.priority, lockMemory: asked.locksMemory, cpu: asked.cpu,
            granted: Granted(
                priority: state.scheduling.isGranted, lockMemory: state.memory.isGranted, cpu: state.pinning.isGranted),
            remedies: state.remedies)
    }

    /// What was asked for, where there is no executor to be given it.
    init(_ asked: ExecutorConfiguration, notStarted error: any Error) {
        self.init(
            priority: asked.priority, lockMemory: asked.locksMemory, cpu: asked.cpu,
            granted: Granted(
                priority: asked.priority == nil ? nil : false, lockMemory: asked.locksMemory ? false : nil,
                cpu: asked.cpu == nil ? nil : false),
            remedies: ["the executor could not be started: \(error); restart hapticd"])
    }
}

extension RealtimeState.Answer {
    /// Nil where it was not asked for.
    fileprivate var isGranted: Bool? {
        switch self {
        case .notAskedFor: nil
        case .granted: true
        case .refused: false
        }
    }
}
