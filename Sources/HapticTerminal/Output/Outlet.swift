// SPDX-License-Identifier: MIT
import Glibc
import HapticClient

/// Writes to a terminal, a file or a pipe until all is written, also where a parent has made it non-blocking.
package enum Outlet {
    /// How long a reader that does not read is waited for once the program is asked to end, in nanoseconds.
    static let drainTimeout: Int64 = 1_000_000_000
    /// A pipe that has room takes so many bytes without blocking.
    private static let atOnce = Int(PIPE_BUF)

    /// Sleeps while there is no room; once a signal has come, for `drainTimeout` at most. A terminal whose room is too small blocks
    /// until the next signal.
    package static func write(
        _ bytes: [UInt8], to descriptor: Int32, drainTimeout: Int64 = drainTimeout, hasToEnd: () -> Bool = { Signals.hasCome }
    ) throws(Failure) {
        var end: Int64?
        var rest = bytes[...]
        while !rest.isEmpty {
            if end == nil, hasToEnd() { end = MonotonicClock.now + drainTimeout }
            guard try hasRoom(descriptor, until: end) else { continue }
            let count = rest.prefix(atOnce).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR, errno != EAGAIN { throw failed() }
        }
    }

    /// False: a signal has come meanwhile.
    private static func hasRoom(_ descriptor: Int32, until end: Int64?) throws(Failure) -> Bool {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            // Readable until the signal is taken, so not polled once the signal is known.
            pollfd(fd: end == nil ? Signals.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, or poll would not sleep in the last millisecond.
        let left = end.map { Int32(clamping: (max(0, $0 - MonotonicClock.now) + 999_999) / 1_000_000) }
        let count = poll(&descriptors, 2, left ?? -1)
        if count < 0, errno != EINTR { throw failed() }
        if count == 0 {
            throw Failure(
                "the rest of the output was left out: nobody reads it; let its reader go on, or write it to a file",
                code: .unwritable)
        }
        return count > 0 && descriptors[0].revents != 0
    }

    private static func failed() -> Failure {
        Failure("cannot write the output: \(String(cString: strerror(errno))); give it another place", code: .unwritable)
    }
}
