// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticJSON

/// The things of a set that exist now.
public struct PresentParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "present"
    public static let summary = "which things exist now; what is new and what is missing is felt, what stayed is not"

    /// Of the set.
    public var name: String
    /// All of them, in any order; one that is said twice counts once.
    public var ids: [String]
    /// The set goes on with the next line of this connection that names it.
    public var more: Bool?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    /// A set has a name, and its things have ids; it has none itself.
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
        .required("name", \.name, .text(), "which set this is, such as `cart.items`"),
        .required(
            "ids", \.ids, .list(of: .text(), count: 0...WireLimit.things), "the ids of the things that exist now, in any order"),
        .optional(
            "more", \.more, .boolean, "the set goes on in the next line of this connection; nothing changes before its last one"),
    ]
}

/// As much as is known of a part of a set.
public struct SetPart: Hashable, Sendable {
    public var name: String?
    /// Whether the set goes on.
    public var more: Bool?

    public init(name: String? = nil, more: Bool? = nil) {
        self.name = name
        self.more = more
    }
}

extension PresentParams {
    public var part: SetPart { SetPart(name: name, more: more ?? false) }

    /// The part that params tell that cannot be used: what is wrong in them is passed over.
    public static func part(ofUnusable params: Node?) -> SetPart {
        var part = SetPart()
        guard case .object(let members)? = params?.content else { return part }
        // One that says nothing of it is the last one.
        part.more = false
        for member in members {
            switch (member.key, member.value.content) {
            case ("name", .string(let text)) where text.utf8.count <= WireLimit.text: part.name = text.string
            case ("more", .bool(let goesOn)): part.more = goesOn
            case ("more", .null): break
            case ("more", _): part.more = nil
            default: break
            }
        }
        return part
    }
}
