// SPDX-License-Identifier: MIT
private import Glibc
private import HapticBackends
private import HapticConfig
private import HapticCore
private import HapticGuard
private import HapticThreads
private import Synchronization

/// Switches off what a daemon that was killed may have left on: the net below the guard, for where both are killed at once.
enum SwitchOff {
    /// For all outputs together: each has a thread of its own.
    private static let longest = Nanoseconds.seconds(2)

    /// Throws a line for each output that could not be switched off. A daemon that lives keeps its outputs.
    static func run(_ source: ConfigurationSource, socket: String?) throws(StartError) {
        let end = SystemClock.now + longest
        let configuration: Configuration
        do throws(StartError) {
            // Who may do what is nothing to it: a group that has gone since must leave nothing on, and a directory that hangs neither.
            configuration = try source.load(accounts: .notLookedUp)
        } catch {
            throw StartError([
                "nothing is switched off: the configuration, which names the outputs, cannot be used; `hapticd --check` says what is wrong with it (\(error.lines.count) lines)"
            ])
        }
        let outputs = BoardConfiguration.leftovers(configuration)
        // Run by hand, by the service's user for one, the environment may lead elsewhere than to the service's lock.
        let locks = [Daemon.guardLock(configuration, path: socket)] + (socket == nil ? [Daemon.systemGuardLock] : [])
        for lock in outputs.isEmpty ? [] : locks {
            switch GuardLock.takeOver(lock) {
            case .nobodyElse: continue
            case .guardian(let process):
                throw StartError([
                    "nothing is switched off: a hapticd is running that drives these outputs, or its guard (process \(process)) hangs; stop that hapticd first"
                ])
            case .unknown(let errno):
                throw StartError([
                    "nothing is switched off: whether a hapticd is running cannot be seen from \(lock) (\(String(cString: strerror(errno)))); run this as the user of hapticd, or as root"
                ])
            }
        }
        let attempts = outputs.map { name, output in (name, Attempt(output)) }
        let errors = attempts.compactMap { name, attempt in
            attempt.error(by: end).map { "the actuator `\(name)` could not be switched off: \($0)" }
        }
        guard errors.isEmpty else { throw StartError(errors) }
    }
}

/// One output that is being switched off.
private final class Attempt: Sendable {
    private let output: any Leftover
    private let fault: Outcome
    private let errand: Errand

    private final class Outcome: Sendable {
        let fault = Mutex<DriverFault?>(nil)
    }

    init(_ output: any Leftover) {
        let outcome = Outcome()
        self.output = output
        fault = outcome
        errand = Errand {
            do throws(DriverFault) { try output.switchOffLeftover() } catch { outcome.fault.withLock { $0 = error } }
        }
    }

    /// Waits for it, to `end` at most.
    func error(by end: MonotonicInstant) -> DriverFault? {
        errand.isDone(by: end) ? fault.fault.withLock { $0 } : DriverFault(.hanging, device: output.name)
    }
}
