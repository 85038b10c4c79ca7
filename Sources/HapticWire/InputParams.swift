// SPDX-License-Identifier: MIT
public import HapticCore

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
    fileprivate mutating func readContext(_ reader: ParamsReader) throws(WireError) {
        id = try reader.text("id")
        app = try reader.text("app", .app)
        atNs = try reader.integer("atNs", in: 0...Int64.max)
        deadlineMs = try reader.number("deadlineMs", in: WireLimit.deadlineMilliseconds)
        feedback = try reader.feedback("feedback")
    }
}

/// Progress moved.
public struct ProgressParams: InputParams {
    public var id: String?
    public var value: Progress
    public var pattern: PatternReference?
    /// Above 0 and at most 1.
    public var step: Double?
    public var mode: GateConfiguration.Mode?
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

    static let members =
        Member.context + [
            Member("value", .share, isRequired: true, "how far it has come"),
            Member("pattern", .pattern, "replaces the rule's"),
            Member("step", .number(0...1, isOpen: true), "replaces the rule's"),
            Member("mode", .choice(of: GateConfiguration.Mode.self), "how steps are counted; replaces the rule's"),
            Member.intensity,
        ]

    init(_ reader: ParamsReader) throws(WireError) {
        guard let value = try reader.share("value", as: Progress.self) else { throw ParamsReader.missing("value", .share) }
        self.value = value
        pattern = try reader.pattern("pattern")
        step = try reader.number("step", in: 0...1, isOpen: true)
        mode = try reader.choice("mode")
        intensity = try reader.share("intensity")
        try readContext(reader)
    }
}

/// A source goes back to 0, silently.
public struct ReleaseParams: InputParams {
    public var id: String?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(id: String? = nil) { self.id = id }

    static let members = Member.context

    init(_ reader: ParamsReader) throws(WireError) { try readContext(reader) }
}

/// Something happened.
public struct EventParams: InputParams {
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

    static let members =
        Member.context + [
            Member("name", .text, isRequired: true, "what happened, such as `payment.succeeded`"),
            Member("value", .scalar, "the state it is in now; an equal one is not felt again"),
            Member.intensity, Member.feedbackClass,
        ]

    init(_ reader: ParamsReader) throws(WireError) {
        guard let name = try reader.text("name") else { throw ParamsReader.missing("name", .text) }
        self.name = name
        value = try reader.scalar("value")
        intensity = try reader.share("intensity")
        feedbackClass = try reader.choice("class")
        try readContext(reader)
    }
}

/// Play a pattern.
public struct PlayParams: InputParams {
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
    /// How often the whole is played.
    public var `repeat`: Int?
    /// The answer comes when it has ended.
    public var wait: Bool?
    public var app: String?
    public var atNs: Int64?
    public var deadlineMs: Double?
    public var feedback: FeedbackReference?

    public init(pattern: PatternReference) { self.pattern = pattern }

    private enum CodingKeys: String, CodingKey {
        case pattern, id, steps, durationMs, curve, intensity, sharpness, actuators, `repeat`, wait, app, atNs, deadlineMs
        case feedback
        case feedbackClass = "class"
    }

    private static let stepRange = Int64(StepTrain.stepRange.lowerBound)...Int64(StepTrain.stepRange.upperBound)
    private static let durationRange = 0...StepTrain.longestDuration.inMilliseconds
    private static let repeatRange = Int64(WireLimit.repetitions.lowerBound)...Int64(WireLimit.repetitions.upperBound)

    static let members =
        Member.context + [
            Member("pattern", .pattern, isRequired: true, "what is felt"),
            Member("steps", .integer(stepRange), "play the pattern this often over `durationMs`"),
            Member(
                "durationMs", .number(durationRange, isOpen: true), "with `steps`: how long all of them take; 1600 without it"),
            Member("curve", .choice(of: StepTrain.Curve.self), "with `steps`: when each of them comes; `charge` without it"),
            Member.intensity,
            Member("sharpness", .share, "replaces the pattern's"),
            Member.feedbackClass,
            Member("actuators", .list(of: .text), "their names; all without it"),
            Member("repeat", .integer(repeatRange), "how often the whole is played"),
            Member("wait", .boolean, "answer when it has ended; not in a batch"),
        ]

    init(_ reader: ParamsReader) throws(WireError) {
        guard let pattern = try reader.pattern("pattern") else {
            throw ParamsReader.missing("pattern", .pattern)
        }
        self.pattern = pattern
        steps = try reader.integer("steps", in: Self.stepRange).map { Int($0) }
        durationMs = try reader.number("durationMs", in: Self.durationRange, isOpen: true)
        curve = try reader.choice("curve")
        for name in ["durationMs", "curve"] where steps == nil && reader.has(name) {
            throw .invalid(name, "is about `steps`; give `steps` too, or leave it out")
        }
        intensity = try reader.share("intensity")
        sharpness = try reader.share("sharpness")
        feedbackClass = try reader.choice("class")
        actuators = try reader.texts("actuators")
        if actuators?.isEmpty == true { throw .invalid("actuators", "must name at least one; leave it out for all") }
        `repeat` = try reader.integer("repeat", in: Self.repeatRange).map { Int($0) }
        wait = try reader.boolean("wait")
        try readContext(reader)
    }

    /// The instants of its steps; nil where it is played once.
    public var train: StepTrain? {
        guard let steps else { return nil }
        let duration = durationMs.flatMap { Nanoseconds(seconds: $0 / 1000) } ?? StepTrain.standardDuration
        // A positive duration that rounds to nothing is the shortest there is.
        return StepTrain(steps: steps, duration: max(duration, Nanoseconds(1)), curve: curve ?? .charge)
    }
}
