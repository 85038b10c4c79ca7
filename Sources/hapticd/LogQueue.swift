// SPDX-License-Identifier: MIT
private import Glibc
internal import Logging
private import NIOPosix
private import Synchronization

/// Log lines on their way to standard error. Who logs never waits for who reads: a thread of its own writes, and past the bound lines
/// are left out and counted. That thread sleeps while there is nothing to write.
final class LogQueue: Sendable {
    /// Never ends: its thread may wait for a reader that never comes. First used after `DaemonSignal.hold`, for it starts a thread.
    static let standardError = LogQueue()

    private static let capacity = 1000
    private static let longestFlush = 1.0

    private struct Backlog {
        var lines: [String] = []
        /// Left out since the last time that there was room.
        var leftOut = 0
        /// The thread has been woken and is not done.
        var isWriting = false

        /// True where the thread is to be woken.
        mutating func add(_ line: String) -> Bool {
            // Once one was left out all are, until it has been told where in the log that was.
            guard leftOut == 0, lines.count < capacity else {
                leftOut += 1
                return false
            }
            lines.append(line)
            defer { isWriting = true }
            return !isWriting
        }

        /// The next line to write; nil: there is none, and the thread may sleep.
        mutating func next() -> String? {
            if leftOut > 0, lines.count <= capacity / 2 {
                lines.append(LogLine.text(.warning, "\(leftOut) lines were left out here: standard error is read too slowly"))
                leftOut = 0
            }
            guard !lines.isEmpty else {
                isWriting = false
                return nil
            }
            return lines.removeFirst()
        }
    }

    private let backlog = Mutex(Backlog())
    private let thread = NIOThreadPool(numberOfThreads: 1)

    private init() { thread.start() }

    /// Any thread; never waits.
    func add(_ line: String) {
        guard backlog.withLock({ $0.add(line) }) else { return }
        thread.submit { [self] _ in
            while let line = backlog.withLock({ $0.next() }) { Self.write(line) }
        }
    }

    /// Waits until all is written, at most 1 s. At the end of the program.
    func flush() {
        let step = 0.005
        var waited = 0.0
        while waited < Self.longestFlush, backlog.withLock({ $0.isWriting }) {
            usleep(useconds_t(step * 1_000_000))
            waited += step
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

/// Hands each line to the queue.
struct QueueLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { LogQueue.standardError.add(LogLine.text(event.level, "\(event.message)")) }
}

private enum LogLine {
    /// `2026-11-21T06:30:36Z notice hapticd: text`
    static func text(_ level: Logger.Level, _ message: String) -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        let instant = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(instant) \(level) hapticd: \(message)"
    }
}
