// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// Ask what became of inputs, and why: one by its number, or the newest ones.
public struct HistoryParams: WireCall {
    public typealias Result = HistoryResult

    public static let method = "history"
    public static let summary = "the newest decisions that were felt, refused or failed, each with the links that made it"

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

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("seq", \.seq, .integer(in: 1...Int64.max), "only the decision of this number"),
        .optional("last", \.last, .integer(in: 1...mostEntries), "so many of the newest; \(standardEntries) without it"),
        .optional("before", \.before, .integer(in: 1...Int64.max), "only decisions before the one of this number"),
    ]
}

/// The answer to `history`.
public struct HistoryResult: WireResult {
    public var entries: [HistoryEntry]
    public var kept: Int
    public var most: Int
    public var newest: UInt64
    public var counted: Counted

    /// Decisions since the start that are counted and not kept.
    public struct Counted: WireResult {
        public var belowStep: UInt64
        public var merged: UInt64
        public var released: UInt64
        public var feedbackOff: UInt64
        public var followed: UInt64
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

        public static let blank = Self()

        public static let members: [WireMember<Self>] = [
            .required("belowStep", \.belowStep, .whole, "progress that had not come a step further"),
            .required("merged", \.merged, .whole, "felt as part of the pulse before"),
            .required("released", \.released, .whole, "sources that went back to 0"),
            .required("feedbackOff", \.feedbackOff, .whole, "inputs that were not to be felt: `feedback: off`"),
            .required(
                "followed", \.followed, .whole,
                "values that are followed, and went on with the playback of the one before; what they have passed is kept"),
            .required("renewed", \.renewed, .whole, "repeats that renewed the lease of a press"),
        ]
    }

    public init(entries: [HistoryEntry], kept: Int, most: Int, newest: UInt64, counted: Counted) {
        self.entries = entries
        self.kept = kept
        self.most = most
        self.newest = newest
        self.counted = counted
    }

    public static let blank = Self(entries: [], kept: 0, most: 0, newest: 0, counted: Counted())

    public static let members: [WireMember<Self>] = [
        .required("entries", \.entries, .items(of: .object), "the newest first"),
        .required("kept", \.kept, .whole, "how many are kept"),
        .required("most", \.most, .whole, "how many are kept at most"),
        .required("newest", \.newest, .whole, "the number of the last decision, kept or only counted; 0: there was none"),
        .required("counted", \.counted, .object, "decisions since the start that are only counted"),
    ]
}
