// SPDX-License-Identifier: MIT
import Glibc

/// Standard input, read as the bytes come.
enum StandardInput {
    enum Arrival {
        case bytes([UInt8])
        case end
        case interrupted
        case timedOut
    }

    /// Waits for bytes, up to `timeout` milliseconds (nil: for ever), or until `interrupt` is readable (negative: never).
    static func wait(interrupt: Int32, timeout: Int32?) throws(Failure) -> Arrival {
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0), pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&descriptors, 2, timeout ?? -1)
            if count < 0, errno != EINTR { throw failure() }
            if count == 0 { return .timedOut }
            guard count > 0 else { continue }
            if descriptors[1].revents != 0 { return .interrupted }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let read = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if read < 0, errno == EINTR || errno == EAGAIN { continue }
            guard read >= 0 else { throw failure() }
            return read == 0 ? .end : .bytes(Array(bytes[..<read]))
        }
    }

    private static func failure() -> Failure { Failure("cannot read standard input: \(String(cString: strerror(errno)))") }
}
