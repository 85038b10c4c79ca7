// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// What every input can say beside what happened.
public protocol InputParams: Encodable, Sendable {
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
    fileprivate static var context: [Param<Self>] {
        [.optional("id", .text(), "who this is about; without it, the connection is") { $0.id = $1 }] + circumstances
    }

    /// The same, beside who it is about.
    static var circumstances: [Param<Self>] {
        [
            .app { $0.app = $1 },
            .optional(
                "atNs", .integer(in: 0...Int64.max),
                "when it happened, in ns of CLOCK_MONOTONIC; at most 1 s ahead, which counts as now"
            ) { $0.atNs = $1 },
            .deadline { $0.deadlineMs = $1 },
            .feedback { $0.feedback = $1 },
        ]
    }
}

extension Param {
    static func app(_ take: @escaping @Sendable (inout Params, String) -> Void) -> Param {
        .optional(
            "app", .text(most: WireLimit.app), "the name that the client gives itself, or the program that it speaks for", take)
    }

    static func deadline(_ take: @escaping @Sendable (inout Params, Double) -> Void) -> Param {
        .optional("deadlineMs", .number(in: WireLimit.deadlineMilliseconds), "how old it may be when it is decided", take)
    }

    static func feedback(_ take: @escaping @Sendable (inout Params, FeedbackReference) -> Void) -> Param {
        .optional("feedback", .feedback, "`off`: state changes, nothing is felt; a pattern replaces the rule's", take)
    }

    static func intensity(_ take: @escaping @Sendable (inout Params, Intensity) -> Void) -> Param {
        .optional("intensity", .share(Intensity.self), "scales the pattern", take)
    }

    fileprivate static func feedbackClass(_ take: @escaping @Sendable (inout Params, FeedbackClass) -> Void) -> Param {
        .optional("class", .choice(of: FeedbackClass.self), "priority, deadline and rate limit go by it", take)
    }
}

/// Progress moved.
public struct ProgressParams: InputParams, DescribedParams {
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

    static let blank = Self(value: .zero)

    static let members = context + own

    private static let own: [Param<Self>] = [
        .required("value", .share(Progress.self), "how far it has come") { $0.value = $1 },
        .optional("pattern", .pattern, "replaces the rule's") { $0.pattern = $1 },
        .optional("step", .number(in: 0...1, isOpen: true), "replaces the rule's") { $0.step = $1 },
        .optional("mode", .choice(of: ProgressMode.self), "how steps are counted, or `follow`: the value itself is felt") {
            $0.mode = $1
        },
        .intensity { $0.intensity = $1 },
    ]
}

/// A source goes back to 0, silently.
public struct ReleaseParams: InputParams, DescribedParams {
    public var id: String?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(id: String? = nil) { self.id = id }

    static let blank = Self()
    static let members: [Param<Self>] = context
}

/// Something happened.
public struct EventParams: InputParams, DescribedParams {
    public var name: String
    public var id: String?
    /// Nil: it has none and always fires. JSON's null is a value.
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

    private enum CodingKeys: String, CodingKey {
        case name, id, value, intensity, app, atNs, deadlineMs, feedback
        case feedbackClass = "class"
    }

    static let blank = Self(name: "")

    static let members = context + own

    private static let own: [Param<Self>] = [
        .required("name", .text(), "what happened, such as `payment.succeeded`") { $0.name = $1 },
        .optional("value", .scalar, "the state it is in now; an equal one is not felt again") { $0.value = $1 },
        .intensity { $0.intensity = $1 },
        .feedbackClass { $0.feedbackClass = $1 },
    ]
}

/// A playback goes over to another actuator.
public struct HandOverParams: Encodable, Hashable, Sendable, DescribedParams {
    /// The name of an actuator.
    public var to: String
    /// Above 0 and at most 10 s; nil: 200 ms.
    public var durationMs: Double?

    public init(to: String, durationMs: Double? = nil) {
        self.to = to
        self.durationMs = durationMs
    }

    static let blank = Self(to: "")

    static let members: [Param<Self>] = [
        .required("to", .text(), "the name of that actuator") { $0.to = $1 },
        .optional(
            "durationMs", .number(in: 0...WireLimit.handOverMilliseconds, isOpen: true), "how long that takes; 200 without it"
        ) { $0.durationMs = $1 },
    ]
}

/// Play a pattern.
public struct PlayParams: InputParams, DescribedParams {
    public var pattern: PatternReference
    public var id: String?
    /// Play the pattern this often, at instants given by `durationMs` and `curve`.
    public var steps: Int?
    /// Above 0 and at most an hour; only with `steps`.
    public var durationMs: Double?
    /// Only with `steps`.
    public var curve: StepTrain.Curve?
    public var intensity: Intensity?
    public var sharpness: Sharpness?
    public var feedbackClass: FeedbackClass?
    /// Names; nil: all.
    public var actuators: [String]?
    /// From one actuator to the next; above 0, the last one at most a second after the first.
    public var staggerMs: Double?
    /// Only with `staggerMs`.
    public var from: StaggerOrigin?
    /// Not with `staggerMs`.
    public var handOver: HandOverParams?
    /// How often the whole is played.
    public var `repeat`: Int?
    /// `off`: the curve as it is, also on motors that are known.
    public var fit: Fit?
    /// The answer comes when it has ended.
    public var wait: Bool?
    /// Nil: `client` with `wait`, else `itself`.
    public var ends: PlaybackEnds?
    /// The pattern object is a part: `true` if others follow, `false` for the last one. `parts` divides a play.
    public var more: Bool?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(pattern: PatternReference) { self.pattern = pattern }

    private enum CodingKeys: String, CodingKey {
        case pattern, id, steps, durationMs, curve, intensity, sharpness, actuators, staggerMs, from, handOver, `repeat`, fit
        case wait, ends, more, app, atNs, deadlineMs, feedback
        case feedbackClass = "class"
    }

    private static let stepRange = Int64(StepTrain.stepRange.lowerBound)...Int64(StepTrain.stepRange.upperBound)
    private static let durationRange = 0...StepTrain.longestDuration.inMilliseconds
    private static let staggerRange = 0...WireLimit.staggerMilliseconds
    private static let repeatRange = Int64(WireLimit.repetitions.lowerBound)...Int64(WireLimit.repetitions.upperBound)

    static let blank = Self(pattern: .named(""))

    static let members = context + own

    private static let own: [Param<Self>] = [
        .required("pattern", .pattern, "what is felt") { $0.pattern = $1 },
        .optional("steps", .integer(in: stepRange), "play the pattern this often over `durationMs`") { $0.steps = Int($1) },
        .optional(
            "durationMs", .number(in: durationRange, isOpen: true),
            "with `steps`: how long all of them take; 1600 without it"
        ) { $0.durationMs = $1 },
        .optional(
            "curve", .choice(of: StepTrain.Curve.self), "with `steps`: when each of them comes; `charge` without it"
        ) { $0.curve = $1 },
        .intensity { $0.intensity = $1 },
        .optional("sharpness", .share(Sharpness.self), "replaces the pattern's") { $0.sharpness = $1 },
        .feedbackClass { $0.feedbackClass = $1 },
        .optional("actuators", .list(of: .text()), "their names; all without it") { $0.actuators = $1 },
        .optional(
            "staggerMs", .number(in: staggerRange, isOpen: true),
            "from one actuator to the next it begins so much later; the last one at most a second after the first"
        ) { $0.staggerMs = $1 },
        .optional(
            "from", .choice(of: StaggerOrigin.self), "with `staggerMs`: where it begins; `first` without it"
        ) { $0.from = $1 },
        .optional("handOver", .object, "it goes over to another actuator, which fades in as the others fade out") {
            $0.handOver = $1
        },
        .optional("repeat", .integer(in: repeatRange), "how often the whole is played") { $0.repeat = Int($1) },
        .optional("fit", .choice(of: Fit.self), "`off`: the curve as it is, also on a motor that is known") { $0.fit = $1 },
        .optional("wait", .boolean, "answer when it has ended; not in a batch") { $0.wait = $1 },
        .optional(
            "ends", .choice(of: PlaybackEnds.self),
            "`client`: it fades out when this connection closes; without it `client` with `wait`, else `itself`"
        ) { $0.ends = $1 },
        .optional(
            "more", .boolean,
            "`true`: the pattern object goes on in the next `play` with `more`; `false`: that was its last part"
        ) { $0.more = $1 },
    ]

    func check() throws(WireError) {
        try checkPart()
        for (name, isGiven) in [("durationMs", durationMs != nil), ("curve", curve != nil)] where steps == nil && isGiven {
            throw .invalid(name, "is about `steps`; give `steps` too, or leave it out")
        }
        if from != nil, staggerMs == nil {
            throw .invalid("from", "is about `staggerMs`; give `staggerMs` too, or leave it out")
        }
        if handOver != nil, staggerMs != nil {
            throw .invalid("handOver", "and `staggerMs` are two ways to use several actuators; give one of them")
        }
        if actuators?.isEmpty == true { throw .invalid("actuators", "must name at least one; leave it out for all") }
    }

    /// Refuses members other than the pattern before the last part, except `app` and `atNs`: clients add these to every input.
    private func checkPart() throws(WireError) {
        guard let more else { return }
        guard case .inline = pattern else {
            throw .invalid("more", "is for a pattern object that comes in several parts; leave it out, or give such an object")
        }
        guard more else { return }
        let others = [
            ("id", id != nil), ("steps", steps != nil), ("durationMs", durationMs != nil), ("curve", curve != nil),
            ("intensity", intensity != nil), ("sharpness", sharpness != nil), ("class", feedbackClass != nil),
            ("actuators", actuators != nil), ("staggerMs", staggerMs != nil), ("from", from != nil),
            ("handOver", handOver != nil), ("repeat", `repeat` != nil), ("fit", fit != nil), ("wait", wait != nil),
            ("ends", ends != nil), ("deadlineMs", deadlineMs != nil), ("feedback", feedback != nil),
        ]
        guard let other = others.first(where: \.1) else { return }
        throw .invalid(other.0, "belongs to the last part, the one with `more: false`; leave it out here")
    }

    /// Whether it is cancelled gracefully when its connection closes. A client that waits for the end wants that, unless it says otherwise.
    public var endsWithClient: Bool { (ends ?? (wait == true ? .client : .itself)) == .client }

    /// The instants of its steps; nil where it is played once.
    public var train: StepTrain? {
        guard let steps else { return nil }
        let duration = durationMs.flatMap { Nanoseconds(seconds: $0 / 1000) } ?? StepTrain.standardDuration
        // A positive duration that rounds to nothing is the shortest there is.
        return StepTrain(steps: steps, duration: max(duration, Nanoseconds(1)), curve: curve ?? .charge)
    }
}
