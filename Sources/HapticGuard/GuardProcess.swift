// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import HapticBackends
private import HapticCore
private import HapticThreads

/// The guard: a process in a session of its own that shares the descriptors of the daemon's outputs and switches them off
/// where the daemon dies or hangs. It then keeps them, so that nothing else drives them, until the next daemon's guard asks for them.
///
/// Sleeps while everything is off. One thread, few allocations, no configuration.
public enum GuardProcess {
    /// The first argument of a daemon that is to be a guard; the path of the lock and the number of its bond with the daemon follow.
    public static let argument = "--guard"
    /// Without the daemon's whole name in it: `pkill -9 hapticd`, or `-STOP`, goes by parts of names and would leave on what is on.
    static let name = "haptic-guard"
    /// Where the daemon put the guard's end of the socket, and of one whose closing shows it that the guard has gone.
    static let socket: Int32 = 3
    static let lifeline: Int32 = 4

    /// Runs until its work is done, and ends the process.
    public static func run(lock path: String, bond: String) -> Never {
        _ = clinux_thread_set_name(pthread_self(), name)
        catchRequests()
        raisePriority()
        // Paged out it would be late just when the machine is short of memory. Not allowed everywhere.
        _ = clinux_lock_memory()
        let (lock, error) = GuardLock.make(path, bond: Int32(bond) ?? 0)
        answer(lock >= 0 ? 0 : error, for: .none)
        guard lock >= 0 else { exit(1) }
        var held: [GuardedSet: [GuardedOutput]] = [:]
        var state = GuardState.idle
        var isAlone = false
        while true {
            let action: GuardState.Action
            switch wait(until: state.deadline, isAlone: isAlone) {
            case .end:
                isAlone = true
                action = state.handle(.daemonGone, at: SystemClock.now, isHolding: !held.isEmpty)
            case .message(let message, let descriptors):
                guard let event = execute(message, descriptors, &held) else { continue }
                action = state.handle(event, at: SystemClock.now, isHolding: !held.isEmpty)
            case .event(let event):
                action = state.handle(event, at: SystemClock.now, isHolding: !held.isEmpty)
            }
            if action != .nothing { switchOff(held) }
            if action == .leave { exit(0) }
        }
    }

    // MARK: What comes in

    private enum Incoming {
        case message(GuardMessage, [Int32])
        case event(GuardState.Event)
        /// There is nobody at the other end of the socket any more.
        case end
    }

    /// What the kernel sends when the daemon's thread that started the guard ends: no later than its process, and earlier where
    /// another of its threads cannot end yet, for a device hangs it.
    private static let parentEndSignal = SIGUSR1

    /// `isAlone`: the socket has come to its end.
    private static func wait(until deadline: MonotonicInstant, isAlone: Bool) -> Incoming {
        switch clinux_wait(isAlone ? -1 : socket, deadline.nanoseconds) {
        case -SIGTERM: return .event(.asked)
        case -parentEndSignal: return .event(.daemonGone)
        case ETIMEDOUT: return .event(.timePassed)
        default: break
        }
        var bytes = [UInt8](repeating: 0, count: GuardMessage.longest)
        var descriptors = [Int32](repeating: -1, count: GuardMessage.most)
        var passed: Int32 = 0
        let length = clinux_receive_message(socket, &bytes, bytes.count, &descriptors, &passed)
        guard length > 0, let message = GuardMessage(Array(bytes.prefix(length))) else { return .end }
        return .message(message, Array(descriptors.prefix(Int(passed))))
    }

    /// Does what concerns the outputs; the rest is an event.
    private static func execute(
        _ message: GuardMessage, _ descriptors: [Int32], _ held: inout [GuardedSet: [GuardedOutput]]
    ) -> GuardState.Event? {
        switch message {
        case .hold(let set, let calls):
            guard descriptors.count == calls.count else {
                for descriptor in descriptors { close(descriptor) }
                answer(EMFILE, for: set)
                return nil
            }
            held[set] = zip(descriptors, calls).map { GuardedOutput(descriptor: $0, off: $1) }
            answer(0, for: set)
            return nil
        case .release(let set):
            for output in held.removeValue(forKey: set) ?? [] { close(output.descriptor) }
            answer(0, for: set)
            return nil
        case .beat: return .beat
        case .idle: return .idle
        case .goodbye: return .goodbye
        }
    }

    /// Calls that may block come last: a device that hangs may well be why the daemon has gone.
    private static func switchOff(_ held: [GuardedSet: [GuardedOutput]]) {
        func perform(mayBlock: Bool) {
            for outputs in held.values {
                for output in outputs where output.off.mayBlock == mayBlock { output.off.perform(on: output.descriptor) }
            }
        }
        perform(mayBlock: false)
        perform(mayBlock: true)
    }

    /// `error`: 0 or an errno.
    private static func answer(_ error: Int32, for set: GuardedSet) {
        let bytes = GuardAnswer(set, error: error).bytes
        _ = clinux_send_message(socket, bytes, bytes.count, nil, 0)
    }

    // MARK: The start

    private static func catchRequests() {
        for number in [SIGINT, SIGHUP, SIGQUIT] + StraySignals.all where number != parentEndSignal { signal(number, SIG_IGN) }
        clinux_catch(SIGTERM)
        clinux_signal_at_parents_end(parentEndSignal)
    }

    /// Before others where that is allowed: it has little to do and must not be late.
    private static func raisePriority() {
        var parameters = sched_param()
        parameters.sched_priority = 1
        sched_setscheduler(0, SCHED_FIFO, &parameters)
    }
}
