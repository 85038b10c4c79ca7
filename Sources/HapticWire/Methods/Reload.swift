// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// A request to read the configuration again.
public struct ReloadParams: WireCall {
    public typealias Result = ReloadResult

    public static let method = "reload"
    public static let summary = "read the configuration again; an invalid one changes nothing. Not in a batch"

    public init() {}

    public func check(at place: LinePlace) throws(WireError) { try refuseInBatch(place) }

    public static let blank = Self()
    public static let members: [WireMember<Self>] = []
}

public struct ReloadResult: WireResult {
    public var changed: [String]
    public var needsRestart: [String]
    public var differences: [Difference]
    public var isBuiltIn: Bool

    public struct Difference: WireResult {
        public var part: String
        public var added: Int
        public var removed: Int
        public var changed: Int

        public init(part: String, added: Int, removed: Int, changed: Int) {
            self.part = part
            self.added = added
            self.removed = removed
            self.changed = changed
        }

        public static let blank = Self(part: "", added: 0, removed: 0, changed: 0)

        public static let members: [WireMember<Self>] = [
            .required("part", \.part, .anyText, "`progress`, `events`, `actuators` or `patterns`"),
            .required("added", \.added, .whole, "the number of new entries"),
            .required("removed", \.removed, .whole, "the number of removed entries"),
            .required("changed", \.changed, .whole, "the number of changed entries"),
        ]
    }

    public init(changed: [String], needsRestart: [String], differences: [Difference] = [], isBuiltIn: Bool = false) {
        self.changed = changed
        self.needsRestart = needsRestart
        self.differences = differences
        self.isBuiltIn = isBuiltIn
    }

    public static let blank = Self(changed: [], needsRestart: [])

    public static let members: [WireMember<Self>] = [
        .required("changed", \.changed, .items(of: .anyText), "the parts of the configuration that changed"),
        .required(
            "needsRestart", \.needsRestart, .items(of: .anyText),
            "the changed parts that apply from the next start of the daemon"),
        .required(
            "differences", \.differences, .items(of: .object),
            "the numbers of different entries in the changed parts"),
        .required("builtIn", \.isBuiltIn, .boolean, "whether the built-in configuration is in force, because there is no file"),
    ]

    /// The changed parts in words: `profile, events (2 added, 1 removed)`; empty if there are none.
    public var words: String {
        changed.map { part in
            guard let its = differences.first(where: { Text($0.part) == Text(part) }) else { return part }
            let counts = [(its.added, "added"), (its.removed, "removed"), (its.changed, "changed")].filter { $0.0 > 0 }
            return counts.isEmpty ? part : "\(part) (\(counts.map { "\($0) \($1)" }.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }
}
