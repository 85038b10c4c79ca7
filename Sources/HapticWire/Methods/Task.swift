// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// The begin or the end of an action that takes time.
public struct TaskParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "task"
    public static let summary = "a long action has begun or ended; the begin is felt immediately, the end by its result"

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

    public static let blank = Self(id: "", state: .began)

    public static let members = own + circumstances

    private static let own: [WireMember<Self>] = [
        .required("id", \.id, WireForm.text().optional, "the action, such as `backup-3`"),
        .required("state", \.state, .choice(of: TaskState.self), "the begin, or the result"),
    ]
}
