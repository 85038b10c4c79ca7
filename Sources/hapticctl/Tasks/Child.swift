// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticJSON
import HapticTerminal

/// A command that runs in this program's place: in its group, and with its standard input, output and error. Signals are passed on to it.
struct Child: ~Copyable {
    struct Ending: Hashable {
        /// As a shell has it: of one that a signal ended 128 and its number.
        var status: Int32
        /// A signal that asks a program to end has come, or has ended it.
        var isInterrupted: Bool

        var state: TaskState { status == 0 ? .succeeded : isInterrupted ? .cancelled : .failed }

        /// `waited`: as `waitpid` tells it. `wasAsked`: to end, by a signal.
        init(waited: Int32, wasAsked: Bool) {
            let signal = waited & 0x7f
            status = signal != 0 ? ExitStatus.interrupted(by: signal) : waited >> 8 & 0xff
            isInterrupted = wasAsked || Child.asking.contains(signal)
        }
    }

    /// Ask a program to end.
    fileprivate static let asking = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let passedOn = asking + [SIGUSR1, SIGUSR2]

    private let process: pid_t
    private let signals: sigset_t
    private var wasAsked = false

    /// Readable while `takeEnding` has a signal to take; negative if the kernel gives none. Stays open as long as the process.
    let descriptor: Int32

    /// Throws with the status that a shell has for it.
    init(_ command: [String]) throws(Failure) {
        var signals = sigset_t()
        sigemptyset(&signals)
        // What a parent had ignored stays so: blocked, it would come all the same.
        for number in Self.passedOn where !Signals.isIgnored(number) { sigaddset(&signals, number) }
        sigaddset(&signals, SIGCHLD)
        // From here on they wait until they are asked for. A parent may have had the ends of children ignored.
        var former = sigset_t()
        sigprocmask(SIG_BLOCK, &signals, &former)
        signal(SIGCHLD, SIG_DFL)
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        process = spawnBeside(arguments, mask: &former, ignoresPipe: Signals.isPipeIgnored)
        descriptor = process < 0 ? -1 : signalDescriptor(mask: &signals)
        self.signals = signals
        guard process < 0 else { return }
        let code = -process
        sigprocmask(SIG_SETMASK, &former, nil)
        // trap: who calls this names a command.
        let name = quoted(command[0])
        guard code == ENOENT else {
            let isRefused = [EACCES, EPERM, ENOEXEC, ENOTDIR, EISDIR].contains(code)
            let advice = isRefused ? "name a program that this user may run" : "give it fewer arguments, or try again later"
            throw Failure("cannot run \(name): \(String(cString: strerror(code))); \(advice)", status: 126, code: .failed)
        }
        throw Failure("there is no command \(name); correct its name, or give its path", status: 127, code: .failed)
    }

    /// Waits for it, however long, and passes signals on. They stay blocked afterwards, so that its end is reported whatever comes.
    mutating func waitForEnd() -> Ending {
        var signals = signals
        while true {
            var information = siginfo_t()
            // Negative: a stop, for example, that is over.
            let number = sigwaitinfo(&signals, &information)
            if number > 0, let ending = take(number, information) { return ending }
        }
    }

    /// Passes on the signals that have come, without waiting. `nil` while the command runs.
    mutating func takeEnding() -> Ending? {
        var signals = signals
        var now = timespec()
        while true {
            var information = siginfo_t()
            let number = sigtimedwait(&signals, &information, &now)
            guard number > 0 else { return nil }
            if let ending = take(number, information) { return ending }
        }
    }

    private mutating func take(_ number: Int32, _ information: siginfo_t) -> Ending? {
        guard number == SIGCHLD else {
            if Self.asking.contains(number) { wasAsked = true }
            // One of the terminal's own has gone to the command, too. Above 0 are the kernel's.
            if information.si_code <= 0 { kill(process, number) }
            return nil
        }
        var status: Int32 = 0
        return waitpid(process, &status, WNOHANG) == process ? Ending(waited: status, wasAsked: wasAsked) : nil
    }
}
