// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// The things of a set that exist now.
public struct PresentParams: InputParams, DescribedParams {
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

    private enum CodingKeys: CodingKey { case name, ids, more, app, atNs, deadlineMs, feedback }

    static let blank = Self(name: "", ids: [])

    static let members = circumstances + own

    private static let own: [Param<Self>] = [
        .required("name", .text(), "which set this is, such as `cart.items`") { $0.name = $1 },
        .required("ids", .list(of: .text(), count: 0...WireLimit.things), "the ids of the things that exist now, in any order") {
            $0.ids = $1
        },
        .optional("more", .boolean, "the set goes on in the next line of this connection; nothing changes before its last one") {
            $0.more = $1
        },
    ]
}

/// A hand presses, or lets go.
public struct HoldParams: InputParams, DescribedParams {
    /// Always given.
    public var id: String?
    public var state: HoldState
    /// The lease of a press, which ends after this time unless it is repeated; `WireLimit.leaseMilliseconds`.
    public var leaseMs: Double?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(id: String, state: HoldState) {
        self.id = id
        self.state = state
    }

    static let blank = Self(id: "", state: .up)

    static let members = circumstances + own

    private static let own: [Param<Self>] = [
        .required("id", .text(most: WireLimit.holdID), "what is held, such as `pay`") { $0.id = $1 },
        .required("state", .choice(of: HoldState.self), "whether it is pressed") { $0.state = $1 },
        .optional(
            "leaseMs", .number(in: WireLimit.leaseMilliseconds), "the press ends after this time unless `down` is repeated"
        ) { $0.leaseMs = $1 },
    ]
}

/// An action that takes time has begun, or has ended.
public struct TaskParams: InputParams, DescribedParams {
    /// Always given.
    public var id: String?
    public var state: TaskState
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(id: String, state: TaskState) {
        self.id = id
        self.state = state
    }

    static let blank = Self(id: "", state: .began)

    static let members = circumstances + own

    private static let own: [Param<Self>] = [
        .required("id", .text(), "which action this is, such as `backup-3`") { $0.id = $1 },
        .required("state", .choice(of: TaskState.self), "whether it has begun, or how it has ended") { $0.state = $1 },
    ]
}
