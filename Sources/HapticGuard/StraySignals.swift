// SPDX-License-Identifier: MIT
private import Glibc

/// The signals that end a process unless it says otherwise, and that mean nothing to daemon and guard: whoever sends one has
/// mistaken them for another program.
///
/// Not among them are those by which a crash ends (SIGABRT, SIGSEGV and their like, SIGQUIT, SIGSYS, SIGXCPU).
public enum StraySignals {
    public static let all: [Int32] =
        [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXFSZ]
        + (__libc_current_sigrtmin()...__libc_current_sigrtmax())
}
