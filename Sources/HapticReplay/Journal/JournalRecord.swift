// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticEngine
package import HapticPlanning
private import HapticText

/// A line of a journal. The first one says with what the engine began, the last one why nothing follows. Those between are what went in,
/// in order.
package enum JournalRecord: Sendable {
    case begin(Begin)
    case event(Entry)
    case end(JournalEnd)

    /// What the engine began with: the configuration in force, with all its patterns.
    package struct Begin: Codable, Sendable {
        /// A reader refuses any format but its own.
        package static let format = 1

        package let journal: Int
        /// Of the program that recorded it.
        package let version: String
        package let at: MonotonicInstant
        package let configuration: EngineConfiguration

        package init(_ configuration: EngineConfiguration, version: String, at: MonotonicInstant) {
            journal = Self.format
            self.version = version
            self.at = at
            self.configuration = configuration
        }
    }

    package struct Entry: Codable, Sendable {
        package let at: MonotonicInstant
        package let event: EngineEvent
        /// The `JournalDigest` of what came of it.
        package let result: String

        package init(_ event: EngineEvent, at: MonotonicInstant, result: String) {
            self.at = at
            self.event = event
            self.result = result
        }
    }

    private struct End: Codable {
        let end: JournalEnd
    }

    private struct Format: Decodable {
        let journal: Int?
        let end: JournalEnd?
    }

    /// One line without its LF. `patterns`: those of the configuration in force.
    package init(line: [UInt8], patterns: [Text: PlayablePattern]) throws {
        let format = try JSONLine.value(Format.self, from: line)
        if let end = format.end {
            self = .end(end)
        } else if let number = format.journal {
            guard number == Begin.format else { throw UnknownFormat(number: number) }
            self = .begin(try JSONLine.value(Begin.self, from: line))
        } else {
            self = .event(try JSONLine.value(Entry.self, from: line, userInfo: [.patterns: patterns]))
        }
    }

    /// With its LF.
    package var line: [UInt8] {
        get throws {
            let bytes =
                switch self {
                case .begin(let begin): try JSONLine.bytes(begin)
                case .event(let entry): try JSONLine.bytes(entry)
                case .end(let end): try JSONLine.bytes(End(end: end))
                }
            return bytes + [UInt8(ascii: "\n")]
        }
    }

    package struct UnknownFormat: Error, CustomStringConvertible {
        let number: Int
        package var description: String {
            "it has format \(number), and this program reads format \(Begin.format); use the program that recorded it"
        }
    }
}

/// Why a journal ends.
public enum JournalEnd: String, Codable, Sendable {
    /// The daemon stopped.
    case stopped
    /// It is as long as it may be.
    case full
    /// More happened than could be written.
    case behind
}

/// A digest of what came of an event: FNV-1a with 64 bits over results and actions as JSON, where numbers have all their digits.
package enum JournalDigest {
    /// The names of its members go into the digest.
    private struct Result: Encodable {
        let outcomes: [ItemResult]
        let actions: [EngineAction]
    }

    package static func of(_ actions: ActionBuffer) throws -> String {
        let bytes = try JSONLine.bytes(Result(outcomes: actions.results, actions: actions.actions))
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
