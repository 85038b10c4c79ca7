// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

/// The move of a playback to another actuator.
public struct HandOverParams: WireObject, Hashable {
    /// The name of an actuator.
    public var to: String
    /// Above 0 and at most 10 s; `nil`: 200 ms.
    public var durationMs: Double?

    public init(to: String, durationMs: Double? = nil) {
        self.to = to
        self.durationMs = durationMs
    }

    public static let blank = Self(to: "")

    public static let members: [WireMember<Self>] = [
        .required("to", \.to, .text(), "the other actuator"),
        .optional(
            "durationMs", \.durationMs, .number(in: 0...WireLimit.handOverMilliseconds, isOpen: true),
            "the duration of the move; 200 without it"),
    ]
}

// sizes: plain values
/// Play a pattern.
public struct PlayParams: InputParams {
    public typealias Result = PlayResult

    public static let method = "play"
    public static let answer = Member.Kind.either([.object(PlayResult.description), .object(PlayPartResult.description)])
    public static let summary = "play a pattern, once or as a train of steps"

    public var pattern: PatternReference
    public var id: String?
    /// The repetitions of the pattern, at instants given by `durationMs` and `curve`.
    public var steps: Int?
    /// Above 0 and at most an hour; only with `steps`.
    public var durationMs: Double?
    /// Only with `steps`.
    public var curve: StepTrain.Ramp?
    public var intensity: Intensity?
    public var sharpness: Sharpness?
    public var feedbackClass: FeedbackClass?
    /// The names of the actuators; `nil`: all.
    public var actuators: [String]?
    /// The delay from one actuator to the next: above 0, and the last one starts at most a second after the first.
    public var staggerMs: Double?
    /// Only with `staggerMs`.
    public var from: StaggerOrigin?
    /// Not with `staggerMs`.
    public var handOver: HandOverParams?
    /// The repetitions of the whole.
    public var `repeat`: Int?
    /// `off`: the curve is played unchanged, also on known motors.
    public var fit: Fit?
    /// The answer comes at the end of the playback.
    public var wait: Bool?
    /// `nil`: `client` with `wait`, else `itself`.
    public var ends: PlaybackEnds?
    /// The pattern object is a part: `true` if others follow, `false` for the last one. `parts` divides a play.
    public var more: Bool?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(pattern: PatternReference) { self.pattern = pattern }

    private static let durationRange = 0...StepTrain.longestDuration.inMilliseconds
    private static let staggerRange = 0...WireLimit.staggerMilliseconds

    public static let blank = Self(pattern: .named(""))

    public static let members = own + context

    private static let own: [WireMember<Self>] = [
        .required("pattern", \.pattern, PatternReference.form, "the name of a pattern, or the pattern itself"),
        .optional(
            "steps", \.steps, .integer(in: StepTrain.stepRange),
            "repetitions over `durationMs`, at instants given by `curve`; not with open phases"),
        .optional(
            "durationMs", \.durationMs, .number(in: durationRange, isOpen: true),
            "with `steps`: the duration of all steps; 1600 without it"),
        .optional(
            "curve", \.curve, .choice(of: StepTrain.Ramp.self),
            "with `steps`: `charge` (without it) accelerates, `linear` is even"),
        .intensity(\.intensity),
        .optional("sharpness", \.sharpness, .share(Sharpness.self), "replaces the sharpness of the pattern"),
        .feedbackClass(\.feedbackClass),
        .optional("actuators", \.actuators, .list(of: .text()), "names of actuators; all without it"),
        .optional(
            "staggerMs", \.staggerMs, .number(in: staggerRange, isOpen: true),
            "the delay from one actuator to the next; the last one starts at most 1000 ms after the first"),
        .optional(
            "from", \.from, .choice(of: StaggerOrigin.self),
            "with `staggerMs`: the actuators that start first; `first` without it"),
        .optional(
            "handOver", \.handOver, .object, "moves the playback to another actuator with constant power; not with `staggerMs`"),
        .optional(
            "repeat", \.repeat, .integer(in: WireLimit.repetitions), "repetitions of the whole; more than 1 not with open phases"),
        .optional(
            "fit", \.fit, .choice(of: Fit.self),
            "`off`: plays the curve unchanged, also on a known motor; `auto`: the `fit` of the actuator applies, as without it"),
        .optional("wait", \.wait, .boolean, "`true`: the answer comes at the end of the playback; not in a batch"),
        .optional(
            "ends", \.ends, .choice(of: PlaybackEnds.self),
            "`client`: the playback fades out when this connection closes; without it `client` with `wait`, else `itself`"),
        .optional(
            "more", \.more, .boolean,
            "the pattern object comes in parts; `true`: another part follows, `false`: this is the last part"),
    ]

    public func check(at place: LinePlace) throws(WireError) {
        guard wait == true, place != .alone else { return }
        throw .invalid("wait", "is not possible in a batch; send the request by itself")
    }

    public func check() throws(WireError) {
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

    /// Whether the playback is cancelled gracefully when its connection closes: the default of a client that waits for the end.
    public var endsWithClient: Bool { (ends ?? (wait == true ? .client : .itself)) == .client }

    /// The instants of the steps; `nil`: the pattern is played once.
    public var train: StepTrain? {
        guard let steps else { return nil }
        let duration = durationMs.flatMap { Nanoseconds(seconds: $0 / 1000) } ?? StepTrain.standardDuration
        // A positive duration that rounds to nothing is the shortest there is.
        return StepTrain(steps: steps, duration: max(duration, Nanoseconds(1)), curve: curve ?? .charge)
    }
}

/// The answer to `play`.
public struct PlayResult: WireResult {
    public var playback: UInt64?
    public var decision = DecisionResult.blank
    public var steps = 0
    public var pulses = 0
    public var mergedByMinGap = 0
    public var mergedByMinInterval = 0
    public var ending: EndingResult?

    public init(_ decision: Decision, summary: PlaySummary?) {
        playback = decision.playback?.value
        self.decision = DecisionResult(decision)
        steps = summary?.steps ?? 0
        pulses = summary?.pulses ?? 0
        mergedByMinGap = summary?.mergedByMinGap ?? 0
        mergedByMinInterval = summary?.mergedByMinInterval ?? 0
    }

    private init() {}

    public var summary: PlaySummary {
        PlaySummary(steps: steps, pulses: pulses, mergedByMinGap: mergedByMinGap, mergedByMinInterval: mergedByMinInterval)
    }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .nullable("playback", \.playback, .whole, "the number of the playback; null if none began"),
        .required("decision", \.decision, .object, "the decision"),
        .required("steps", \.steps, .whole, "the repetitions"),
        .required(
            "pulses", \.pulses, .whole,
            "the pulses on the actuator that plays the most; with open phases, those of about one round of each phase"),
        .required("mergedByMinGap", \.mergedByMinGap, .whole, "the pulses that the `minGap` of the motor merged with others"),
        .required(
            "mergedByMinInterval", \.mergedByMinInterval, .whole,
            "the levels, whole pulses included, that came faster than the `minInterval` of the actuator"),
        .nullable("ending", \.ending, .object, "with `wait`: the end of the playback, else null"),
    ]
}

/// The answer to a `play` with `more: true`, which is no input yet.
public struct PlayPartResult: WireResult {
    public var bytes: Int

    /// Creates the answer to a part, after which the lines of the pattern have `bytes` bytes.
    public init(bytes: Int) { self.bytes = bytes }

    public static let blank = Self(bytes: 0)

    public static let members: [WireMember<Self>] = [
        .required("bytes", \.bytes, .whole, "bytes in all lines of this pattern so far")
    ]
}

extension PlayParams {
    /// The `more` of params that cannot be used, also if `error` is that it is misspelt; `nil` if there is none. A value that is no boolean
    /// counts as true. `isPlay`: the method is `play`; without that, params with a pattern count as those of a `play`.
    public static func more(ofUnusable params: Node?, _ error: WireError, isPlay: Bool) -> Bool? {
        guard case .object(let members)? = params?.content, isPlay || members.contains(where: { $0.key == "pattern" }) else {
            return nil
        }
        let key = error.data?.didYouMean == "more" ? error.data?.path ?? "more" : "more"
        guard let more = members.first(where: { $0.key == Text(key) })?.value.content, more != .null else { return nil }
        return more != .bool(false)
    }
}
