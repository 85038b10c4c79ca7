// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// Something happened.
public struct EventParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "event"
    public static let summary = "something has happened; a rule of the configuration gives the feedback"

    public var name: String
    public var id: String?
    /// `nil`: the event has no value and always fires. JSON's null is a value.
    public var value: Scalar?
    public var intensity: Intensity?
    public var feedbackClass: FeedbackClass?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(name: String, id: String? = nil, value: Scalar? = nil) {
        self.name = name
        self.id = id
        self.value = value
    }

    public static let blank = Self(name: "")

    public static let members = own + context

    private static let own: [WireMember<Self>] = [
        .required("name", \.name, .text(), "the event, such as `payment.succeeded`"),
        .optional("value", \.value, .scalar, "the new state; an equal value has no feedback"),
        .intensity(\.intensity),
        .feedbackClass(\.feedbackClass),
    ]
}
