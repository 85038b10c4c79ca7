// SPDX-License-Identifier: MIT
private import Glibc
internal import Logging
private import NIOPosix
private import Synchronization

/// Entries of the log on their way to whoever reads them. Who logs never waits for that: a thread of its own writes, and past the
/// bound entries are left out and counted. That thread sleeps while there is nothing to write.
final class LogQueue: Sendable {
    /// Never ends: its thread may wait for a reader that never comes. First used after `DaemonSignal.hold`, for it starts a thread.
    static let standardError = LogQueue()

    private static let longestFlush = 1.0

    private let backlog = Mutex(LogBacklog())
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let destination = LogDestination.current()

    private init() { thread.start() }

    /// Any thread; never waits.
    func add(_ entry: LogEntry) {
        guard backlog.withLock({ $0.add(entry) }) else { return }
        thread.submit { [self] _ in
            while let entry = backlog.withLock({ $0.next(at: time(nil)) }) { destination.write(entry) }
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
}

/// Hands each entry to the queue.
struct QueueLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        LogQueue.standardError.add(LogEntry(event.level, "\(event.message)", metadata: all, time: time(nil)))
    }
}
