// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// A hand presses, or lets go.
public struct HoldParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "hold"
    public static let summary = "a hand presses, or lets go: a press that lasts is charged, step by step, until it is confirmed"

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

    public static let blank = Self(id: "", state: .up)

    public static let members = own + circumstances

    private static let own: [WireMember<Self>] = [
        .required("id", \.id, WireForm.text(most: WireLimit.holdID).optional, "what is held, such as `pay`"),
        .required("state", \.state, .choice(of: HoldState.self), "whether it is pressed"),
        .optional(
            "leaseMs", \.leaseMs, .number(in: WireLimit.leaseMilliseconds),
            "the press ends after this time unless `down` is repeated"),
    ]
}
