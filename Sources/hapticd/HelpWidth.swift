// SPDX-License-Identifier: MIT
private import Glibc

/// How wide the help text is, in characters: that of the terminal, but at least 40 and at most 100. So is hapticctl's.
enum HelpWidth {
    static var columns: Int { min(max(asked ?? reported ?? 80, 40), 100) }

    private static var asked: Int? {
        getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private static var reported: Int? {
        // As the kernel lays `winsize` out, which Swift finds in the module of another room only: rows, columns, and both in pixels.
        var size: (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.1 > 0 ? Int(size.1) : nil
    }
}
