// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
package import HapticYAML

/// Standard input, read as the bytes come.
package enum StandardInput {
    package enum Arrival {
        case bytes([UInt8])
        case end
        /// Something is to be read from the daemon, or its connection is lost.
        case daemon
        case interrupted
        case timedOut
    }

    /// Waits for bytes until `deadline` (ns of CLOCK_MONOTONIC; nil: for ever), or until `interrupt` or `daemon` is readable
    /// (negative: never). `isOpen`: false where its end has come, so that only the others are waited for.
    package static func wait(interrupt: Int32, daemon: Int32 = -1, deadline: Int64? = nil, isOpen: Bool = true) throws(Failure)
        -> Arrival
    {
        var descriptors = [
            pollfd(fd: isOpen ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
            pollfd(fd: daemon, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // Rounded up, or the last millisecond would be spent turning in circles.
            let left = deadline.map { Int32(clamping: (max(0, $0 - MonotonicClock.now) + 999_999) / 1_000_000) }
            let count = poll(&descriptors, 3, left ?? -1)
            if count < 0, errno != EINTR { throw failure() }
            if count == 0 { return .timedOut }
            guard count > 0 else { continue }
            if descriptors[1].revents != 0 { return .interrupted }
            // First, or a stream that never pauses would leave the daemon's answers lying.
            if descriptors[2].revents != 0 { return .daemon }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let read = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if read < 0, errno == EINTR || errno == EAGAIN { continue }
            guard read >= 0 else { throw failure() }
            return read == 0 ? .end : .bytes(Array(bytes[..<read]))
        }
    }

    /// All of it; fails where it has more than `limit` bytes.
    package static func readAll(_ limit: Int) throws(FileAccess.Failure) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while all.count <= limit {
            let read = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if read < 0, errno == EINTR || errno == EAGAIN {
                // It may not block, and have nothing yet.
                var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                _ = poll(&descriptor, 1, -1)
                continue
            }
            guard read >= 0 else { throw FileAccess.Failure(String(cString: strerror(errno))) }
            if read == 0 { return all }
            all += bytes[..<read]
        }
        throw FileAccess.Failure("it has more than \(limit) bytes")
    }

    /// The next line, as a terminal gives it when Enter is pressed; nil at the end.
    package static func line() throws(Failure) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN {
                var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                _ = poll(&descriptor, 1, -1)
                continue
            }
            guard count >= 0 else { throw failure() }
            return count == 0 ? nil : String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    private static func failure() -> Failure {
        Failure(
            "cannot read standard input: \(String(cString: strerror(errno))); give it a pipe or a file that can be read",
            code: .unreadable)
    }
}
