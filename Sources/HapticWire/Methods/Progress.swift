// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// Progress moved.
public struct ProgressParams: InputParams {
    public typealias Result = DecisionResult

    public static let method = "progress"
    public static let summary = "progress has moved; a gate plays a pulse for each step"

    public var id: String?
    public var value: Progress
    public var pattern: PatternReference?
    /// Above 0 and at most 1.
    public var step: Double?
    public var mode: ProgressMode?
    public var intensity: Intensity?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(id: String? = nil, value: Progress, pattern: PatternReference? = nil) {
        self.id = id
        self.value = value
        self.pattern = pattern
    }

    public static let blank = Self(value: .zero)

    public static let members = own + context

    private static let own: [WireMember<Self>] = [
        .required("value", \.value, .share(Progress.self), "the progress"),
        .optional("pattern", \.pattern, PatternReference.form, "replaces the pattern of the rule"),
        .optional("step", \.step, .number(in: 0...1, isOpen: true), "replaces the step of the rule; not with `mode: follow`"),
        .optional(
            "mode", \.mode, .choice(of: ProgressMode.self), "the counting of steps, or `follow`: the value is the intensity"),
        .intensity(\.intensity),
    ]
}
