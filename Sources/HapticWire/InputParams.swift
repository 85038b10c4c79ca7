// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// The params of an input.
public protocol InputParams: WireCall {
    /// The source; `nil`: the connection.
    var id: String? { get set }
    /// The name of the client, or of the program that it acts for; 1 to 128 bytes.
    var app: String? { get set }
    /// The instant of the input, on CLOCK_MONOTONIC; `nil`: the instant of reading.
    var atNs: Int64? { get set }
    /// The greatest age at the decision; 0…60,000.
    var deadlineMs: Double? { get set }
    var feedback: FeedbackReference? { get set }
}

extension InputParams {
    /// The members of every input.
    static var context: [WireMember<Self>] {
        [.optional("id", \.id, .text(), "the source; without an `id`, the connection")] + circumstances
    }

    /// The members of every input, except the source.
    static var circumstances: [WireMember<Self>] {
        [
            .app(\.app),
            .optional(
                "atNs", \.atNs, .integer(in: 0...Int64.max),
                "the instant of the input, in ns of `CLOCK_MONOTONIC`; up to 1 s ahead counts as now, more is an error"),
            .deadline(\.deadlineMs),
            .feedback(\.feedback),
        ]
    }
}

extension WireMember {
    static func app(_ place: WirePlace<Object, String?>) -> WireMember {
        .optional(
            "app", place, .text(most: WireLimit.app),
            "the name of the client, or of the program that the client acts for (`hapticctl` sends `hapticctl`)")
    }

    static func deadline(_ place: WirePlace<Object, Double?>) -> WireMember {
        .optional(
            "deadlineMs", place, .number(in: WireLimit.deadlineMilliseconds),
            "the greatest age at the decision; without it, the deadline of the rule or the class")
    }

    static func feedback(_ place: WirePlace<Object, FeedbackReference?>) -> WireMember {
        .optional(
            "feedback", place, FeedbackReference.form,
            "`off`: the state changes without feedback; a pattern replaces the pattern of the rule")
    }

    static func intensity(_ place: WirePlace<Object, Intensity?>) -> WireMember {
        .optional("intensity", place, .share(), "a factor for the intensity of the pattern")
    }

    static func feedbackClass(_ place: WirePlace<Object, FeedbackClass?>) -> WireMember {
        .optional("class", place, .choice(), "the class, for priority, deadline and rate limit")
    }
}
