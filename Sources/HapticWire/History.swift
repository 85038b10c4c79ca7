// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// Ask what became of inputs, and why: one by its number, or the newest ones.
public struct HistoryParams: Encodable, Sendable, DescribedParams {
    /// The number of one decision.
    public var seq: Int64?
    /// How many of the newest; 1…`mostEntries`.
    public var last: Int64?
    /// Only older ones than this number.
    public var before: Int64?

    /// In one answer. Of decisions on very many actuators with long names fewer fit into a line of the daemon, and that is said.
    public static let mostEntries: Int64 = 100
    /// Where neither `seq` nor `last` is given.
    public static let standardEntries: Int64 = 20

    public init(seq: Int64? = nil, last: Int64? = nil, before: Int64? = nil) {
        self.seq = seq
        self.last = last
        self.before = before
    }

    static let blank = Self()

    static let members: [Param<Self>] = [
        .optional("seq", .integer(in: 1...Int64.max), "only the decision of this number") { $0.seq = $1 },
        .optional("last", .integer(in: 1...mostEntries), "so many of the newest; \(standardEntries) without it") { $0.last = $1 },
        .optional("before", .integer(in: 1...Int64.max), "only decisions before the one of this number") { $0.before = $1 },
    ]
}

/// The answer to `history`.
public struct HistoryResult: Codable, Hashable, Sendable {
    /// The newest first.
    public var entries: [HistoryEntry]
    /// How many are kept.
    public var kept: Int
    /// How many are kept at most.
    public var most: Int
    /// The number of the last decision, kept or only counted; 0: there was none.
    public var newest: UInt64
    /// Those that are only counted.
    public var counted: Counted

    /// Since the start.
    public struct Counted: Codable, Hashable, Sendable {
        /// Progress that had not come a step further.
        public var belowStep: UInt64
        /// Felt as part of the pulse before.
        public var merged: UInt64
        /// Sources that went back to 0.
        public var released: UInt64
        /// Inputs that were not to be felt: `feedback: off`.
        public var feedbackOff: UInt64
        /// Values that are followed, and went on with the playback of the one before; what they have passed is kept.
        public var followed: UInt64
        /// Repeats that renewed the lease of a press.
        public var renewed: UInt64

        public init(
            belowStep: UInt64 = 0, merged: UInt64 = 0, released: UInt64 = 0, feedbackOff: UInt64 = 0, followed: UInt64 = 0,
            renewed: UInt64 = 0
        ) {
            self.belowStep = belowStep
            self.merged = merged
            self.released = released
            self.feedbackOff = feedbackOff
            self.followed = followed
            self.renewed = renewed
        }
    }

    public init(entries: [HistoryEntry], kept: Int, most: Int, newest: UInt64, counted: Counted) {
        self.entries = entries
        self.kept = kept
        self.most = most
        self.newest = newest
        self.counted = counted
    }
}
