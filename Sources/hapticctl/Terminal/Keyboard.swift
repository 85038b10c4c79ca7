// SPDX-License-Identifier: MIT
import Glibc

/// The terminal's keys while something else is drawn on it: none is shown, and none is left for the shell. Ctrl-C works as ever.
struct Keyboard {
    private let former: termios

    /// Nil where standard input is no terminal, or this runs behind another program, which a change would stop.
    init?() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        former = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// What has been typed is dropped.
    func restore() {
        var settings = former
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }
}
