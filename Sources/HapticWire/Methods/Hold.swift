// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// A press or a release.
public struct HoldParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "hold"
    public static let summary = "a press or a release; a long press is charged, step by step, until it is confirmed"

    /// Always given.
    public var id: String?
    public var state: HoldState
    /// The lease of a press, which ends after this time unless `down` is repeated; `WireLimit.leaseMilliseconds`.
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
        .required("id", \.id, WireForm.text(most: WireLimit.holdID).optional, "the hold, such as `pay`"),
        .required("state", \.state, .choice(of: HoldState.self), "`down`: pressed; `up`: released"),
        .optional(
            "leaseMs", \.leaseMs, .number(in: WireLimit.leaseMilliseconds),
            "with `down`: the press ends after this time unless `down` is repeated"),
    ]
}
