// SPDX-License-Identifier: MIT
import HapticCore
public import HapticEngine
import HapticPlanning

/// Why a journal cannot be replayed, or where it came out differently.
public struct ReplayError: Error, CustomStringConvertible {
    /// From 1.
    public let line: Int
    public let message: String

    public var description: String { "line \(line): \(message)" }
}

/// Has the events of a journal decided again, by the same engine as in the daemon.
///
/// The same build on the same processor comes to the same decisions, endings and planned actuations, bit for bit. The first event that
/// does not is an error.
public struct Replay: ~Copyable {
    private var loop: FeedbackLoop
    private var now: MonotonicInstant
    private var line = 1
    /// Why the journal ends; nil where it has not come to its end, because its daemon was killed or still runs.
    public private(set) var end: JournalEnd?

    /// `line`: the first of the journal.
    public init(_ line: [UInt8]) throws(ReplayError) {
        guard case .begin(let begin) = try Self.record(line, 1, [:]) else {
            throw ReplayError(line: 1, message: "a journal begins with its format and a configuration")
        }
        loop = FeedbackLoop(begin.configuration)
        now = begin.at
    }

    /// The engine as it is after the last line.
    public var configuration: EngineConfiguration { loop.engine.configuration }

    /// Replays the next line; what came of it. Empty for the last one.
    public mutating func take(_ line: [UInt8]) throws(ReplayError) -> ActionBuffer {
        self.line += 1
        loop.forgetActions()
        let record = try Self.record(line, self.line, loop.engine.configuration.patterns)
        if end != nil { throw mistake("something follows the end") }
        loop.forgetActions()
        switch record {
        case .begin: throw mistake("a journal has one beginning")
        case .end(let end): self.end = end
        case .event(let entry):
            if let why = entry.mistake(after: now, in: loop.engine.configuration) { throw mistake(why) }
            now = entry.at
            loop.take(entry.event, at: now)
            try compare(with: entry.result)
        }
        return loop.actions
    }

    private func compare(with recorded: String) throws(ReplayError) {
        // by characters: our own digits.
        guard let result = try? JournalDigest.of(loop.actions), result == recorded else {
            throw mistake(
                "this came out differently from when it was recorded; was that another build, or another processor?")
        }
    }

    private func mistake(_ message: String) -> ReplayError { ReplayError(line: line, message: message) }

    private static func record(
        _ line: [UInt8], _ number: Int, _ patterns: [Text: PlayablePattern]
    ) throws(ReplayError) -> JournalRecord {
        do {
            return try JournalRecord(line: line, patterns: patterns)
        } catch {
            throw ReplayError(line: number, message: words(for: error))
        }
    }

    private static func words(for error: any Error) -> String {
        func name(_ path: [any CodingKey]) -> String { path.map { $0.stringValue }.joined(separator: ".") }
        switch error {
        case DecodingError.keyNotFound(let key, let context): return "`\(name(context.codingPath + [key]))` is missing"
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            return "`\(name(context.codingPath))`: \(context.debugDescription)"
        default: return "\(error)"
        }
    }
}
