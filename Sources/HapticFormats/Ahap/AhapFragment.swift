// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// A part of an AHAP file without the `Pattern` around it, such as an event that was copied out of an article.
struct AhapFragment {
    private let noun: String
    /// The lines that make a file of it.
    private let before, after: String

    /// The keys by which an object that is no file is recognised.
    private static let parts: [(key: Text, fragment: Self)] = [
        ("Event", entry("an event")), ("Parameter", entry("a parameter")), ("ParameterCurve", entry("a curve")),
        ("EventType", content(of: "Event", "an event")),
        ("ParameterCurveControlPoints", content(of: "ParameterCurve", "a curve")),
    ]
    private static let fileKeys: [Text] = ["Version", "Metadata", "Pattern"]

    private static func entry(_ noun: String) -> Self {
        Self(noun: noun, before: #"{ "Version": 1.0, "Pattern": ["#, after: "] }")
    }

    private static func content(of key: String, _ noun: String) -> Self {
        Self(noun: noun, before: #"{ "Version": 1.0, "Pattern": [ { "\#(key)":"#, after: "} ] }")
    }

    private init(noun: String, before: String, after: String) { (self.noun, self.before, self.after) = (noun, before, after) }

    /// Nil for anything that may be meant as a whole file. O(members).
    init?(_ node: Node) {
        switch node.content {
        case .list: self.init(noun: "a list of entries", before: #"{ "Version": 1.0, "Pattern":"#, after: "}")
        case .object(let members):
            guard !members.contains(where: { Self.fileKeys.contains($0.key) }),
                let part = Self.parts.first(where: { part in members.contains { $0.key == part.key } })
            else { return nil }
            self = part.fragment
        case .null, .bool, .number, .integer, .string, .invalid: return nil
        }
    }

    /// The mistake, and the two lines to add.
    var message: String {
        "this is \(noun) without the `Pattern` around it; add the line `\(before)` before it and the line `\(after)` after it"
    }
}
