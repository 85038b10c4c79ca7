// SPDX-License-Identifier: MIT
private import Glibc
private import HapticGuard

/// The signals that the daemon gets, taken one by one instead of in a handler.
enum DaemonSignal {
    /// SIGTERM or SIGINT.
    case stop
    /// SIGHUP.
    case reload

    /// Keeps the signals for `next`. Before the first thread is started, for threads inherit it.
    static func hold() {
        var set = signals
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // SIGPIPE among them: writing to a client that has gone is an error like any other.
        for number in StraySignals.all { signal(number, SIG_IGN) }
    }

    /// Lets a crash end the process at once, so that its guard switches off what was on.
    ///
    /// The Swift runtime's own handler would keep it alive for the seconds that a backtrace takes, with the executor at work.
    /// A core dump says the same.
    static func endAtCrash() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] { signal(number, SIG_DFL) }
    }

    /// Waits for the next one. On the main thread, which has nothing else to do.
    static func next() -> DaemonSignal {
        var set = signals
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number == SIGHUP ? .reload : .stop
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        return set
    }
}
