// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine

/// Where a journal is written to. Must not wait.
public protocol JournalOutput: AnyObject {
    /// It has so much to write still that it should get no more.
    var isBehind: Bool { get }
    /// Whole lines.
    func write(_ bytes: [UInt8])
}

/// Writes a journal: what the engine began with, every event, and why it ends. From the engine's own thread.
public final class JournalWriter: EngineRecorder {
    /// What a journal may have in bytes. An event takes some hundred.
    public static let standardLimit = 64 << 20
    /// What the last line takes at most.
    private static let roomForEnd = 64

    private let output: any JournalOutput
    private let limit: Int
    private var written = 0
    private var hasEnded = false

    /// The engine is as it is after its start with `configuration`.
    public init(
        _ configuration: EngineConfiguration, version: String, at now: MonotonicInstant, to output: any JournalOutput,
        limit: Int = JournalWriter.standardLimit
    ) {
        self.output = output
        self.limit = limit
        write(.begin(JournalRecord.Begin(configuration, version: version, at: now)))
    }

    public func record(_ event: EngineEvent, at now: MonotonicInstant, _ actions: ActionBuffer) {
        guard !hasEnded else { return }
        guard !output.isBehind else { return end(.behind) }
        // trap: numbers are finite wherever they come in, so there is nothing that JSON cannot say.
        write(.event(JournalRecord.Entry(event, at: now, result: try! JournalDigest.of(actions))))
    }

    /// Nothing more is written after that.
    public func end(_ why: JournalEnd) {
        guard !hasEnded else { return }
        hasEnded = true
        // trap: a word of our own.
        output.write(try! JournalRecord.end(why).line)
    }

    private func write(_ record: JournalRecord) {
        // trap: see above.
        let line = try! record.line
        guard written + line.count + Self.roomForEnd <= limit else { return end(.full) }
        written += line.count
        output.write(line)
    }
}
