// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// A source returns to 0 without feedback.
public struct ReleaseParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "release"
    public static let summary = "a source returns to 0 without feedback, and a phase with `until: released` ends"

    public var id: String?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(id: String? = nil) { self.id = id }

    public static let blank = Self()
    public static let members: [WireMember<Self>] = context
}
