// SPDX-License-Identifier: MIT
private import Logging

/// Entries of the log that wait to be written. Bounded: past `capacity` they are left out and counted.
struct LogBacklog {
    static let capacity = 1000

    private var entries: [LogEntry] = []
    /// Left out since the last time that there was room.
    private var leftOut = 0
    /// The writer has been woken and is not done.
    private(set) var isWriting = false

    /// True where the writer is to be woken.
    mutating func add(_ entry: LogEntry) -> Bool {
        // Once one was left out all are, until a line says where in the log that was.
        guard leftOut == 0, entries.count < Self.capacity else {
            leftOut += 1
            return false
        }
        entries.append(entry)
        defer { isWriting = true }
        return !isWriting
    }

    /// The next one to write, at `time`; nil: there is none, and the writer may sleep.
    mutating func next(at time: Int) -> LogEntry? {
        if leftOut > 0, entries.count <= Self.capacity / 2 {
            entries.append(LogEntry(.warning, "\(leftOut) entries were left out here: the log is read too slowly", time: time))
            leftOut = 0
        }
        guard !entries.isEmpty else {
            isWriting = false
            return nil
        }
        return entries.removeFirst()
    }
}
