// SPDX-License-Identifier: MIT
import HapticCore

/// How long to wait from one measured play to the next: longer for a while after one that was refused.
struct LatencyPace {
    static let longest = Nanoseconds.milliseconds(500)
    /// So many in a row that are refused end it: more would not change that.
    static let mostRefusedInARow = 10

    /// Where none is refused.
    private let usual: Nanoseconds
    private(set) var wait: Nanoseconds
    private var refusedInARow = 0

    init(_ usual: Nanoseconds) {
        self.usual = usual
        wait = usual
    }

    /// Perhaps by a limit that the daemon alone knows, or since someone else uses it up.
    mutating func refused() {
        refusedInARow += 1
        wait = min(wait * 2, max(usual, Self.longest))
    }

    mutating func played() {
        refusedInARow = 0
        wait = max(usual, wait / 2)
    }

    var isHopeless: Bool { refusedInARow >= Self.mostRefusedInARow }
}
