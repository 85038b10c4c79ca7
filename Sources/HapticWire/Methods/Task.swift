// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// An action that takes time has begun, or has ended.
public struct TaskParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "task"
    public static let summary = "an action that takes time has begun, or has ended; its result is felt"

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
        .required("id", \.id, WireForm.text().optional, "which action this is, such as `backup-3`"),
        .required("state", \.state, .choice(of: TaskState.self), "whether it has begun, or how it has ended"),
    ]
}
