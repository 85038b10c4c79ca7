// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// A request for decisions with their reasons: one by its number, or the newest.
public struct HistoryParams: WireCall {
    public typealias Result = HistoryResult

    public static let method = "history"
    public static let summary = "the newest decisions, each with the links that made it"

    /// The number of one decision.
    public var seq: Int64?
    /// The number of the newest decisions; 1…`mostEntries`.
    public var last: Int64?
    /// Only the decisions before this number.
    public var before: Int64?

    /// The most entries in one answer. Fewer fit into a line of the daemon if decisions have very many actuators with long names.
    public static let mostEntries: Int64 = 100
    /// The number of entries without `seq` and `last`.
    public static let standardEntries: Int64 = 20

    public init(seq: Int64? = nil, last: Int64? = nil, before: Int64? = nil) {
        self.seq = seq
        self.last = last
        self.before = before
    }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("seq", \.seq, .integer(in: 1...Int64.max), "only the decision with this number"),
        .optional(
            "last", \.last, .integer(in: 1...mostEntries), "the number of the newest decisions; \(standardEntries) without it"),
        .optional("before", \.before, .integer(in: 1...Int64.max), "only the decisions before this number"),
    ]
}

/// The answer to `history`.
public struct HistoryResult: WireResult {
    public var entries: [HistoryEntry]
    public var kept: Int
    public var most: Int
    public var newest: UInt64
    public var counted: Counted

    /// Decisions since the start that are only counted.
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
            .required("belowStep", \.belowStep, .whole, "progress below a step"),
            .required("merged", \.merged, .whole, "inputs that merged with the pulse before"),
            .required("released", \.released, .whole, "sources that returned to 0"),
            .required("feedbackOff", \.feedbackOff, .whole, "inputs with `feedback: off`"),
            .required(
                "followed", \.followed, .whole,
                "followed values that continued a playback; the passed detents and end stops are kept"),
            .required("renewed", \.renewed, .whole, "repeats that renewed a lease"),
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
        .required("entries", \.entries, .items(of: .object), "the decisions, the newest first"),
        .required("kept", \.kept, .whole, "the number of kept decisions"),
        .required("most", \.most, .whole, "the greatest number of kept decisions"),
        .required("newest", \.newest, .whole, "the number of the last decision, kept or counted; 0: none"),
        .required("counted", \.counted, .object, "decisions since the start that are only counted"),
    ]
}
