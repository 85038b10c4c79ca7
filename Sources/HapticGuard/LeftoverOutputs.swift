// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore
private import HapticThreads
private import Synchronization

/// Switches off what a killed daemon may have left on: the net below the guard, for the case that both were killed at the same time.
public enum LeftoverOutputs {
    /// Switches all `outputs` off at the same time, each on a thread of its own because a device may hang. Blocks until `end` at most.
    ///
    /// No daemon and no guard may have them, see `GuardLock.takeOver`.
    /// - Returns: for each output, in this order, why it could not be switched off, or `nil`.
    public static func switchOff(_ outputs: [any Leftover], by end: MonotonicInstant) -> [DriverFault?] {
        outputs.map { Attempt($0) }.map { $0.fault(by: end) }
    }

    private final class Attempt {
        private let output: any Leftover
        private let outcome = Outcome()
        private let errand: Errand

        private final class Outcome: Sendable {
            let fault = Mutex<DriverFault?>(nil)
        }

        init(_ output: any Leftover) {
            self.output = output
            errand = Errand { [outcome] in
                do throws(DriverFault) { try output.switchOffLeftover() } catch { outcome.fault.withLock { $0 = error } }
            }
        }

        func fault(by end: MonotonicInstant) -> DriverFault? {
            errand.isDone(by: end) ? outcome.fault.withLock { $0 } : DriverFault(.hanging, device: output.name)
        }
    }
}
