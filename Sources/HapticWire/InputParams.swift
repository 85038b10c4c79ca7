// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// What every input can say beside what happened.
public protocol InputParams: WireCall {
    /// Who it is about; nil: the connection.
    var id: String? { get set }
    /// The name that the client gives itself, or the program that it speaks for; 1 to 128 bytes.
    var app: String? { get set }
    /// When it happened, on CLOCK_MONOTONIC; nil: when it is read.
    var atNs: Int64? { get set }
    /// How old it may be when it is decided; 0…60,000.
    var deadlineMs: Double? { get set }
    var feedback: FeedbackReference? { get set }
}

extension InputParams {
    /// What every input takes.
    static var context: [WireMember<Self>] {
        [.optional("id", \.id, .text(), "who this is about; without it, the connection is")] + circumstances
    }

    /// The same, beside who it is about.
    static var circumstances: [WireMember<Self>] {
        [
            .app(\.app),
            .optional(
                "atNs", \.atNs, .integer(in: 0...Int64.max),
                "when it happened, in ns of CLOCK_MONOTONIC; at most 1 s ahead, which counts as now"),
            .deadline(\.deadlineMs),
            .feedback(\.feedback),
        ]
    }
}

extension WireMember {
    static func app(_ place: WirePlace<Object, String?>) -> WireMember {
        .optional(
            "app", place, .text(most: WireLimit.app), "the name that the client gives itself, or the program that it speaks for")
    }

    static func deadline(_ place: WirePlace<Object, Double?>) -> WireMember {
        .optional("deadlineMs", place, .number(in: WireLimit.deadlineMilliseconds), "how old it may be when it is decided")
    }

    static func feedback(_ place: WirePlace<Object, FeedbackReference?>) -> WireMember {
        .optional("feedback", place, .feedback, "`off`: state changes, nothing is felt; a pattern replaces the rule's")
    }

    static func intensity(_ place: WirePlace<Object, Intensity?>) -> WireMember {
        .optional("intensity", place, .share(), "scales the pattern")
    }

    static func feedbackClass(_ place: WirePlace<Object, FeedbackClass?>) -> WireMember {
        .optional("class", place, .choice(), "priority, deadline and rate limit go by it")
    }
}
