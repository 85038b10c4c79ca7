// SPDX-License-Identifier: MIT
import Glibc
import HapticTerminal

/// The signals of a command that runs in this program's place: blocked from `init` on, so none is lost before the command runs.
struct CommandSignals {
    /// Signals that ask a program to end.
    static let requests = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// The stops of job control, such as Ctrl-Z.
    static let stops = [SIGTSTP, SIGTTIN, SIGTTOU]

    /// The signals that are passed on to the command: each one that a person or a program sends to tell a program something.
    ///
    /// The others are not:
    /// - SIGKILL and SIGSTOP, because no program can take them,
    /// - SIGCHLD, because it reports the end or the stop of the command,
    /// - SIGPIPE, because the reader of hapticctl's own warnings has gone,
    /// - SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGSTKFLT, SIGXCPU and SIGXFSZ, because they report a fault or a
    ///   limit of hapticctl itself.
    static let passedOn =
        requests + stops
        + [SIGCONT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGURG, SIGWINCH, SIGPWR]
        + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())

    /// Signals of the terminal: the kernel sends them to the whole group, so the command has them already. Not SIGHUP, which only the leader
    /// of a session gets when its terminal is closed.
    private static let ofTerminal = stops + [SIGINT, SIGQUIT, SIGWINCH]

    /// - Parameters:
    ///   - number: A signal that has come.
    ///   - code: Its `si_code`; the kernel's are above 0.
    /// - Returns: Whether the command gets the signal from hapticctl.
    static func isPassedOn(_ number: Int32, code: Int32) -> Bool {
        passedOn.contains(number) && !(code > 0 && ofTerminal.contains(number))
    }

    /// Whether hapticctl stops with its command, as the shell that waits for both expects. `isInForeground`: the terminal is theirs. Without a
    /// shell that waits, SIGSTOP is a matter between the command and its sender, who continues only the command.
    static func stopsBoth(_ number: Int32, isInForeground: Bool) -> Bool {
        stops.contains(number) || number == SIGSTOP && isInForeground
    }

    static var isInForeground: Bool {
        [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { tcgetpgrp($0) == getpgrp() }
    }

    /// The signals that the parent of hapticctl had blocked, which the command inherits.
    let former: sigset_t
    private let passedOn: sigset_t
    private let taken: sigset_t

    /// Readable while a signal waits; negative if the kernel gives none. Stays open as long as the process.
    let descriptor: Int32

    init() {
        var (set, former) = (sigset_t(), sigset_t())
        sigemptyset(&set)
        // A signal that the parent ignores stays ignored: blocked, it would still come.
        for number in Self.passedOn where !Signals.isIgnored(number) { sigaddset(&set, number) }
        passedOn = set
        sigaddset(&set, SIGCHLD)
        taken = set
        sigprocmask(SIG_BLOCK, &set, &former)
        // A parent may ignore the ends of its children.
        signal(SIGCHLD, SIG_DFL)
        self.former = former
        descriptor = signalDescriptor(mask: &set)
    }

    /// A signal that asks to end and has not been taken, if any.
    var request: Int32? {
        var (pending, former) = (sigset_t(), former)
        sigpending(&pending)
        return Self.requests.first { sigismember(&pending, $0) == 1 && sigismember(&former, $0) == 0 }
    }

    /// Takes the next signal. `nil`, unless it `waits`: there is none.
    func next(waits: Bool) -> (number: Int32, code: Int32)? {
        repeat {
            if let signal = Self.take(taken, waits: waits) { return signal }
            // A stop that is over ends the wait, too.
        } while waits
        return nil
    }

    /// Takes the next signal that has come, SIGCHLD excepted.
    func nextPassedOn() -> Int32? { Self.take(passedOn, waits: false)?.number }

    private static func take(_ set: sigset_t, waits: Bool) -> (number: Int32, code: Int32)? {
        var (set, information, now) = (set, siginfo_t(), timespec())
        let number = waits ? sigwaitinfo(&set, &information) : sigtimedwait(&set, &information, &now)
        return number > 0 ? (number, information.si_code) : nil
    }

    /// Restores the mask that hapticctl was started with.
    func unblock() {
        var former = former
        sigprocmask(SIG_SETMASK, &former, nil)
    }
}
