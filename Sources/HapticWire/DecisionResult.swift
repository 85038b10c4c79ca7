// SPDX-License-Identifier: MIT
public import HapticCore

// sizes: plain values
/// The decision on one input.
public struct DecisionResult: WireResult {
    public var seq: UInt64 = 0
    public var atNs: Int64 = 0
    public var input = Decision.InputKind.event
    public var origin = Decision.Origin.client
    public var source: String?
    public var app: String?
    public var user: UInt32?
    public var process: Int32?
    public var name: String?
    public var value: Scalar?
    public var inserted: Int?
    public var removed: Int?
    public var kept: Int?
    public var feedbackClass: FeedbackClass?
    public var rule: String?
    public var outcome = Outcome.suppressed
    public var reason: Reason?
    public var pattern: String?
    public var intensity: Double?
    public var actuators: [String] = []
    public var playback: UInt64?
    public var felt: Bool?
    public var feltPeak: Double?
    public var ageMs: Double?
    public var mistake: String?
    /// Not on the wire: the pattern is inline, with a name by the client.
    var isPatternInline = false
    /// Not on the wire: a followed value, which `intensity` reveals.
    var isFollowed = false
    /// Not on the wire: the scope of `user`.
    var scope: UInt32?

    public init(_ decision: Decision) {
        seq = decision.sequence
        atNs = decision.at.nanoseconds
        input = decision.input
        origin = decision.origin
        source = decision.source
        app = decision.app
        user = decision.user
        scope = decision.scope
        process = decision.process
        name = decision.name
        value = decision.value
        inserted = decision.things?.inserted
        removed = decision.things?.removed
        kept = decision.things?.kept
        feedbackClass = decision.feedbackClass
        rule = decision.rule
        outcome = decision.outcome
        reason = decision.reason
        pattern = decision.pattern
        isPatternInline = decision.isPatternInline
        isFollowed = decision.isFollowed
        intensity = decision.intensity?.value
        actuators = decision.actuators
        playback = decision.playback?.value
        felt = decision.feel?.isFelt
        // Rounded down below the threshold, so that a peak that is not felt does not read as one that is.
        feltPeak = decision.feel.map { ($0.peak * 1000).rounded($0.isFelt ? .toNearestOrAwayFromZero : .down) / 1000 }
        if case .late(let age) = decision.circumstance { ageMs = age.inMilliseconds }
        if case .mistake(let sentence) = decision.circumstance { mistake = sentence }
    }

    private init() {}

    /// The owner of its ids and values; `nil`: unknown.
    public var owner: Owner? { user.map { Owner(user: $0, scope: scope) } }

    /// Whether a `down` has begun a press, with or without feedback.
    public var isPress: Bool { reason == .pressed || pattern != nil }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("seq", \.seq, .whole, "the number of the decision, from 1 at the start of the daemon"),
        .required("atNs", \.atNs, .whole, "the instant of the decision, in ns of `CLOCK_MONOTONIC`"),
        .required("input", \.input, .choice(), "the method of the input"),
        .required("origin", \.origin, .choice(), "`device`: a key or a button that hapticd reads"),
        .nullable("source", \.source, .anyText, "the `id` of the input"),
        .nullable("app", \.app, .anyText, "the `app` of the input, which the client claims"),
        .nullable("user", \.user, .whole, "the user of the client, from the kernel"),
        .nullable("process", \.process, .whole, "the process of the client at connecting, from the kernel"),
        .nullable("name", \.name, .anyText, "the name of the event or the set"),
        .nullable(
            "value", \.value, .scalar,
            "the value of an event or of progress, the progress of a hold, or the `state` of a hold or task"),
        .nullable("inserted", \.inserted, .whole, "for a set, or an event with a `transition`: new things"),
        .nullable("removed", \.removed, .whole, "for these: removed things"),
        .nullable("kept", \.kept, .whole, "for these: unchanged things"),
        .nullable("class", \.feedbackClass, .choice(), "the class of the feedback"),
        .nullable("rule", \.rule, .anyText, "the `match` of the rule"),
        .required("outcome", \.outcome, .choice(), "the outcome"),
        .nullable("reason", \.reason, .choice(), "the reason, if the input was not simply played"),
        .nullable("pattern", \.pattern, .anyText, "the pattern"),
        .nullable("intensity", \.intensity, .amount, "the peak after scaling"),
        .required("actuators", \.actuators, .items(of: .anyText), "the actuators of the playback"),
        .nullable("playback", \.playback, .whole, "the playback that began or continued"),
        .nullable(
            "felt", \.felt, .boolean,
            "whether a hand on the motor feels it, by the model of the motor; null: nothing is played, or the motor is unknown"),
        .nullable(
            "feltPeak", \.feltPeak, .amount,
            "the predicted peak, as a share of the full acceleration of the motor; 1 is the acceleration at rated drive"),
        .nullable("ageMs", \.ageMs, .amount, "for a `stale` input: the age at the decision"),
        .nullable(
            "mistake", \.mistake, .anyText,
            "for an invalid notification (`invalidParams`): the sentence about it, of at most 256 bytes"),
    ]
}

/// The end of a playback.
public struct EndingResult: WireResult {
    public var playback: UInt64 = 0
    public var ended = PlaybackEnd.Ending.completed
    public var reason: Reason?
    public var atNs: Int64 = 0

    public init(_ end: PlaybackEnd) {
        playback = end.playback.value
        ended = end.ending
        reason = end.reason
        atNs = end.at.nanoseconds
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("playback", \.playback, .whole, "the playback"),
        .required("ended", \.ended, .choice(), "the kind of end"),
        .nullable(
            "reason", \.reason, .choice(),
            """
            the reason for an early end, or the limit of the motor that cut a completed playback (`maxOn`, `dutyLimit`, \
            `thermal`)
            """
        ),
        .required(
            "atNs", \.atNs, .whole, "the planned end, or the instant of the decision that ended it, in ns of `CLOCK_MONOTONIC`"),
    ]
}
