// SPDX-License-Identifier: MIT
private import Glibc

/// Where the log goes.
enum LogDestination: Hashable, Sendable {
    /// Lines for people on standard error: a terminal, a file, a pipe.
    case plain
    /// Lines with their levels on standard error, which the journal reads; where libsystemd is not to be had.
    case prefixed
    /// Entries with fields, to the journal itself.
    case journal

    /// `journalStream`: `$JOURNAL_STREAM`, which systemd sets to the device and inode of the standard error that it made for a
    /// service (systemd.exec(5)). Where another was put in its place since, that is where somebody looks. `hasJournal` is asked only there.
    init(journalStream: String?, device: UInt64, inode: UInt64, hasJournal: @autoclosure () -> Bool) {
        guard journalStream == "\(device):\(inode)" else {
            self = .plain
            return
        }
        self = hasJournal() ? .journal : .prefixed
    }

    /// Of this process.
    static func current() -> LogDestination {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return .plain }
        return LogDestination(
            journalStream: getenv("JOURNAL_STREAM").map { String(cString: $0) }, device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino), hasJournal: Journal.isThere)
    }

    /// May wait for who reads.
    func write(_ entry: LogEntry) {
        switch self {
        case .plain: Self.write(LogText.plain(entry))
        case .prefixed: Self.write(LogText.prefixed(entry))
        case .journal:
            // What it does not take is still read from standard error.
            if !Journal.send(LogText.journal(entry)) { Self.write(LogText.prefixed(entry)) }
        }
    }

    private static func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // Someone who shares it has made it non-blocking.
                var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
