// SPDX-License-Identifier: MIT
internal import HapticBackends
private import Synchronization

/// A guard that also writes down all outputs, before the first of them can be on. Not before there is a guard: until then
/// `--switch-off` may still be using the record of an earlier daemon.
final class RecordingGuard: OutputGuard {
    private let outputGuard: any OutputGuard
    private let record: @Sendable () -> Void
    private let isWritten = Mutex(false)

    /// `record` is called once.
    init(_ outputGuard: any OutputGuard, record: @escaping @Sendable () -> Void) {
        self.outputGuard = outputGuard
        self.record = record
    }

    func takeOver(device: String) throws(DriverFault) {
        try outputGuard.takeOver(device: device)
        isWritten.withLock { isWritten in
            guard !isWritten else { return }
            isWritten = true
            record()
        }
    }

    func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet {
        try outputGuard.hold(outputs, device: device)
    }

    func release(_ set: GuardedSet) { outputGuard.release(set) }
}
