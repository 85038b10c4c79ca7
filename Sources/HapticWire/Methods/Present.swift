// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticText

/// The things of a set that exist now.
public struct PresentParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "present"
    public static let summary = "the things of a set that exist now; additions and removals are felt, unchanged things are not"

    /// The name of the set.
    public var name: String
    /// The ids of all things, in any order; a repeated id counts once.
    public var ids: [String]
    /// The set continues in the next line of this connection with its name.
    public var more: Bool?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    /// `nil`: a set has a name, and its things have ids.
    public var id: String? {
        get { nil }
        set {}
    }

    public init(name: String, ids: [String], more: Bool? = nil) {
        self.name = name
        self.ids = ids
        self.more = more
    }

    public static let blank = Self(name: "", ids: [])

    public static let members = own + circumstances

    private static let own: [WireMember<Self>] = [
        .required("name", \.name, .text(), "the set, such as `cart.items`"),
        .required(
            "ids", \.ids, .list(of: .text(), count: 0...WireLimit.things),
            "the ids of all existing things, in any order; as many as the line holds"),
        .optional(
            "more", \.more, .boolean,
            "`true`: the set continues in the next line of this connection; nothing changes before the last one"),
    ]
}

/// The known members of a part of a set.
public struct SetPart: Hashable, Sendable {
    public var name: String?
    /// Whether the set continues.
    public var more: Bool?

    public init(name: String? = nil, more: Bool? = nil) {
        self.name = name
        self.more = more
    }
}

extension PresentParams {
    public var part: SetPart { SetPart(name: name, more: more ?? false) }

    /// Reads the part from invalid params, and ignores the invalid members.
    public static func part(ofUnusable params: Node?) -> SetPart {
        var part = SetPart()
        guard case .object(let members)? = params?.content else { return part }
        // Without `more`, the part is the last one.
        part.more = false
        for member in members {
            switch (member.key, member.value.content) {
            case ("name", .string(let text)) where text.utf8.count <= WireLimit.text: part.name = text.string
            case ("more", .bool(let continues)): part.more = continues
            case ("more", .null): break
            case ("more", _): part.more = nil
            default: break
            }
        }
        return part
    }
}
