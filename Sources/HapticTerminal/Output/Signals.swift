// SPDX-License-Identifier: MIT
import Glibc

/// Ctrl-C and SIGTERM, for commands that wait: they end the waiting, so that what was started can be cancelled.
package enum Signals {
    /// Set once by `catchInterrupts` before any handler is installed; a C handler can reach nothing but globals.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    nonisolated(unsafe) private static var readEnd: Int32 = -1
    /// Set by the handler and never reset.
    package nonisolated(unsafe) private(set) static var hasCome = false

    /// Readable while there is a signal to take; negative where none is caught.
    static var descriptor: Int32 { readEnd }

    /// Readable once a signal has come. The signals end the program no more from the first call on. `andStop`: Ctrl-Z is such a signal, and
    /// does not stop it.
    package static func catchInterrupts(andStop: Bool = false) throws(Failure) -> Int32 {
        if readEnd >= 0 { return readEnd }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(
                "cannot open a pipe to wait for Ctrl-C: \(String(cString: strerror(errno))); close other programs, then try again"
            )
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        (readEnd, writeEnd) = (ends[0], ends[1])
        var action = sigaction()
        // No SA_RESTART: a sleep or a read must end too.
        action.__sigaction_handler.sa_handler = { number in
            let error = errno
            Signals.hasCome = true
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Signals.writeEnd, &byte, 1)
            errno = error
        }
        // A parent's thread may have had them blocked, and children inherit that.
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        for number in [SIGINT, SIGTERM] + (andStop ? [SIGTSTP] : []) {
            sigaction(number, &action, nil)
            sigaddset(&unblocked, number)
        }
        sigprocmask(SIG_UNBLOCK, &unblocked, nil)
        return readEnd
    }

    /// The signal that has come; nil where none has. Takes it.
    package static func take() -> Int32? {
        var poll = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard readEnd >= 0, Glibc.poll(&poll, 1, 0) == 1 else { return nil }
        var byte: UInt8 = 0
        return read(readEnd, &byte, 1) == 1 ? Int32(byte) : nil
    }

    /// Ctrl-C is how one stops watching; SIGTERM ends this as it ends every other command.
    package static func endWatching() throws(Failure) {
        guard let signal = take(), signal != SIGINT else { return }
        throw Failure("ended by SIGTERM", status: ExitStatus.interrupted(by: signal))
    }

    /// Stops this program, as `signal` does by default, until the program is continued. The kernel stops nothing, except by SIGSTOP, if there
    /// is no shell that could continue it.
    package static func stop(by signal: Int32) {
        var (standard, former) = (sigaction(), sigaction())
        sigaction(signal, &standard, &former)
        var (set, mask) = (sigset_t(), sigset_t())
        sigemptyset(&set)
        sigaddset(&set, signal)
        raise(signal)
        // A blocked signal stops the program here.
        sigprocmask(SIG_UNBLOCK, &set, &mask)
        sigprocmask(SIG_SETMASK, &mask, nil)
        sigaction(signal, &former, nil)
    }

    /// Waits until `instant` (ns of CLOCK_MONOTONIC) or, earlier, for a signal.
    package static func sleep(until instant: Int64) {
        var time = timespec(tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
        _ = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    }

    /// Whether a parent had closed pipes ignored.
    package static private(set) nonisolated(unsafe) var isPipeIgnored = false

    /// A reader that has gone ends the program quietly, as it does any other, even where a parent had this ignored.
    package static func endQuietlyOnClosedPipe() {
        isPipeIgnored = isIgnored(SIGPIPE)
        signal(SIGPIPE, SIG_DFL)
    }

    /// From now on a reader that has gone is no reason to end.
    package static func ignoreClosedPipe() { signal(SIGPIPE, SIG_IGN) }

    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
