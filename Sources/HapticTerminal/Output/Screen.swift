// SPDX-License-Identifier: MIT
import Glibc
import HapticClient

/// The other screen of a terminal and its keys, for a command that draws in place. It has them while it is in the foreground, and gives
/// them back before it ends or stops, whichever key or signal does that.
///
/// One for the program, because a signal's handler reaches nothing but globals. Those are read and changed in the handler, or with its
/// signals blocked.
package enum Screen {
    nonisolated(unsafe) private static var isTaken = false
    /// The program was stopped meanwhile: what it had taken may be the shell's again.
    nonisolated(unsafe) private static var isStale = false
    /// The settings of the keys before they were taken; nil: they are left alone.
    nonisolated(unsafe) private static var former: termios?

    /// After these nothing is drawn any more, or not for now.
    private static let leaving = [SIGTSTP, SIGQUIT, SIGHUP]

    package enum Arrival: Hashable {
        /// It is time to draw; earlier than planned after a stop.
        case due
        /// The key `q`, or the terminal has gone.
        case quit
        case interrupted
    }

    /// Before anything is drawn.
    package static func open() {
        // What a shell has in the foreground now is not to be changed, but a change at the last moment is no reason to stop.
        signal(SIGTTOU, SIG_IGN)
        for number in leaving + [SIGCONT] where !Signals.isIgnored(number) { handle(number) }
    }

    /// Draws, unless the program is in the background.
    static func draw(_ bytes: [UInt8]) throws(Failure) {
        let former = block()
        defer { restore(former) }
        guard isInForeground else { return }
        take()
        try Outlet.write(bytes, to: STDOUT_FILENO)
    }

    package static func close() {
        let former = block()
        giveBack()
        restore(former)
    }

    /// Whether the terminal is this program's at present. One that controls no jobs always is.
    package static var isInForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group < 0 || group == getpgrp()
    }

    /// Waits until `deadline` (ns of CLOCK_MONOTONIC), or until something comes.
    package static func wait(until deadline: Int64, interrupt: Int32) throws(Failure) -> Arrival {
        while true {
            var descriptors = [
                pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            ]
            // Rounded up, or the last millisecond would be spent turning in circles.
            let left = (max(0, deadline - MonotonicClock.now) + 999_999) / 1_000_000
            let count = poll(&descriptors, 2, Int32(clamping: left))
            if count < 0, errno != EINTR {
                throw Failure("cannot wait for keys: \(String(cString: strerror(errno))); start it again")
            }
            guard count > 0 else { return .due }
            if descriptors[0].revents != 0 { return .interrupted }
            var keys = [UInt8](repeating: 0, count: 64)
            let read = Glibc.read(STDIN_FILENO, &keys, keys.count)
            if read < 0, errno == EINTR || errno == EAGAIN { continue }
            if read <= 0 || keys[..<read].contains(UInt8(ascii: "q")) { return .quit }
        }
    }

    // MARK: Taking and giving back

    private static let (begin, end): (StaticString, StaticString) = ("\u{1b}[?1049h\u{1b}[?25l", "\u{1b}[?25h\u{1b}[?1049l")

    private static func take() {
        guard !isTaken || isStale else { return }
        if !isTaken { former = keys() }
        if var settings = former {
            settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        put(begin)
        (isTaken, isStale) = (true, false)
    }

    private static func giveBack() {
        guard isTaken, isInForeground else { return }
        isTaken = false
        put(end)
        guard var settings = former else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        // What has been typed is not meant for the shell.
        tcflush(STDIN_FILENO, TCIFLUSH)
    }

    /// Nil where standard input is no terminal, or another one than that of this session.
    private static func keys() -> termios? {
        var settings = termios()
        return tcgetattr(STDIN_FILENO, &settings) == 0 && tcgetpgrp(STDIN_FILENO) == getpgrp() ? settings : nil
    }

    private static var hasKeys: Bool {
        let signals = block()
        defer { restore(signals) }
        return isTaken && former != nil && isInForeground
    }

    /// Where it fails, drawing does, too.
    private static func put(_ text: StaticString) { _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount) }

    // MARK: Signals

    /// While one is handled the others wait. No SA_RESTART: after a stop it is time to draw.
    private static func handle(_ number: Int32) {
        var action = sigaction()
        action.sa_mask = handled
        if number == SIGCONT {
            action.__sigaction_handler.sa_handler = { _ in Screen.isStale = true }
        } else {
            action.__sigaction_handler.sa_handler = { Screen.leave($0) }
        }
        sigaction(number, &action, nil)
    }

    /// Gives back, then lets the signal do what it does to every program. Only system calls that a handler may make.
    private static func leave(_ number: Int32) {
        let error = errno
        giveBack()
        signal(number, SIG_DFL)
        raise(number)
        var this = sigset_t()
        sigemptyset(&this)
        sigaddset(&this, number)
        // It comes now; and only a stop has an end.
        sigprocmask(SIG_UNBLOCK, &this, nil)
        handle(number)
        errno = error
    }

    /// Made before the first handler is there.
    private static let handled: sigset_t = {
        var set = sigset_t()
        sigemptyset(&set)
        for number in leaving + [SIGCONT] { sigaddset(&set, number) }
        return set
    }()

    /// Returns what was blocked before.
    private static func block() -> sigset_t {
        var (set, former) = (handled, sigset_t())
        sigprocmask(SIG_BLOCK, &set, &former)
        return former
    }

    private static func restore(_ former: sigset_t) {
        var set = former
        sigprocmask(SIG_SETMASK, &set, nil)
    }
}
