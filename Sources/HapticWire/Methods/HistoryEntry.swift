// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

// sizes: plain values
/// A decision with the links that made it.
public struct HistoryEntry: WireResult {
    public var decision = DecisionResult.blank
    public var profile: Profile?
    public var profileBy: SettingsLayer?
    public var settings: [AppliedSettingResult] = []
    public var condition: String?
    public var chain: [Link] = []
    public var ending: EndingResult?
    public var blocker: Blocker?
    public var nearRule: String?
    public var didYouMean: String?
    public var timeoutMs: Double?
    public var areIdsShifted: Bool?
    public var runsTogether: Bool?

    /// The playback that suppressed an input.
    public struct Blocker: WireResult {
        public var playback: UInt64
        public var pattern: String?
        public var feedbackClass: FeedbackClass

        public init(playback: UInt64, pattern: String?, feedbackClass: FeedbackClass) {
            self.playback = playback
            self.pattern = pattern
            self.feedbackClass = feedbackClass
        }

        public static let blank = Self(playback: 0, pattern: nil, feedbackClass: .interaction)

        public static let members: [WireMember<Self>] = [
            .required("playback", \.playback, .whole, "the playback"),
            .nullable("pattern", \.pattern, .anyText, "the pattern; null: an inline pattern, or a followed value"),
            .required("class", \.feedbackClass, .choice(), "the class"),
        ]
    }

    /// A link of the chain.
    public struct Link: WireResult {
        public var link: String
        public var reason: Reason?
        public var changes: [Change]

        public init(_ link: String, reason: Reason? = nil, changes: [Change] = []) {
            self.link = link
            self.reason = reason
            self.changes = changes
        }

        public static let blank = Self("")

        public static let members: [WireMember<Self>] = [
            .required(
                "link", \.link, .anyText,
                """
                `request` (the request was invalid), `rule`, a link of the policy, `actuators`, or `batch` (a later item took \
                the place)
                """
            ),
            .nullable("reason", \.reason, .choice(), "the reason why the link suppressed the input; null: the input passed"),
            .required("changes", \.changes, .items(of: .object), "the changes by the link"),
        ]
    }

    /// A change by a link.
    public struct Change: WireResult {
        public var of: String
        public var from: JSONValue
        public var to: JSONValue

        public init(of: String, from: JSONValue, to: JSONValue) {
            self.of = of
            self.from = from
            self.to = to
        }

        public static let blank = Self(of: "", from: .null, to: .null)

        public static let members: [WireMember<Self>] = [
            .required(
                "of", \.of, .anyText,
                """
                `pattern`, `intensity`, `actuators` (substitutes for missing ones), `delayMs` (the wait until lights may flash), or \
                `strength` (the remaining share of a hot motor)
                """),
            .required("from", \.from, .changed, "the value before"),
            .required("to", \.to, .changed, "the value after"),
        ]
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("decision", \.decision, .object, "the decision"),
        .nullable(
            "profile", \.profile, .choice(), "the profile at that time; null: the decision came before the profile mattered"),
        .nullable("profileBy", \.profileBy, .choice(), "the layer that gave the profile"),
        .required(
            "settings", \.settings, .items(of: .object),
            "the other settings that affected the decision"),
        .nullable(
            "condition", \.condition, .anyText,
            "the condition that suppressed the input, or changed the strength of its feedback; null: none"),
        .required(
            "chain", \.chain, .items(of: .object),
            "the links that examined the input, in order; the last one has a `reason` if nothing is felt"),
        .nullable("ending", \.ending, .object, "the end of the playback; null while it plays, or without a playback"),
        .nullable(
            "blocker", \.blocker, .object,
            "the playback that plays in its place, if the reason is `lowerPriority` or `notAllowed`"),
        .nullable(
            "nearRule", \.nearRule, .anyText,
            """
            if no rule fits: the `match` of the first rule that fits the name of the event but not its change, or of the rule that \
            fits `didYouMean`
            """),
        .nullable(
            "didYouMean", \.didYouMean, .anyText,
            "if no rule fits the name, and the entry is requested by its `seq`: the probably intended name"),
        .nullable(
            "timeoutMs", \.timeoutMs, .amount, "the time after which the task failed without an end"),
        .nullable(
            "areIdsShifted", \.areIdsShifted, .boolean,
            "for a set: whether all ids are one more, or one less, than before, so they are probably positions"),
        .nullable(
            "runsTogether", \.runsTogether, .boolean,
            "whether the motor does not stop enough between the pulses, or after the playback before, so fewer are felt"),
    ]
}

extension WireForm where Value == JSONValue {
    /// A value that a link changes: a text, a number or a list of texts.
    fileprivate static var changed: Self {
        let (number, list) = (WireForm<Double>.number, WireForm<[String]>.items(of: .anyText))
        return Self(.either([.anyText, number.kind, list.kind]), "a text, a number or a list of texts") {
            node, path throws(WireError) in
            switch node.content {
            case .string(let text): .string(try text.string.withFewMarks(path))
            case .list: .array(try list.read(node, path).map { .string($0) })
            default: .number(try number.read(node, path))
            }
        } write: { value, text in
            try text.write(value)
        }
    }
}

extension HistoryEntry {
    /// `isMasked`: for other users than the sender.
    public init(_ decision: Decision, ending: PlaybackEnd?, isMasked: Bool = false) {
        let result = DecisionResult(decision)
        self.init()
        self.decision = isMasked ? result.masked : result
        (profile, profileBy) = (decision.policy?.profile, decision.policy?.profileLayer)
        condition = decision.policy?.condition
        settings = decision.policy?.settings.map { AppliedSettingResult($0) } ?? []
        chain = Self.chain(of: decision)
        self.ending = ending.map(EndingResult.init)
        runsTogether = isMasked ? nil : decision.feel?.runsTogether
        if decision.things != nil { areIdsShifted = decision.circumstance == .idsShifted }
        switch decision.circumstance {
        case .blocked(let other):
            blocker = Blocker(
                playback: other.playback.value, pattern: other.pattern, feedbackClass: other.feedbackClass)
        case .otherChange(let rule):
            // Where the name of the event is hidden, so is what fits it.
            nearRule = self.decision.name == nil ? nil : rule
        case .timedOut(let time): timeoutMs = time.inMilliseconds
        // A change of the last link.
        case .standIn, .hot, .late, .mistake, .idsShifted, nil: break
        }
    }

    /// The rule, the links of the policy up to the objecting one, and the actuators.
    private static func chain(of decision: Decision) -> [Link] {
        let reason = decision.reason
        guard let policy = decision.policy else {
            if decision.outcome == .failed { return [Link("request", reason: reason)] }
            // What a hand or a task may do is up to what it has done before, a bound or a reserved name, and to no rule.
            let isHoldOrTask = decision.input == .hold || decision.input == .task
            guard isHoldOrTask, decision.reason != .noRule else { return [Link("rule", reason: reason)] }
            if decision.reason == .suspended { return [Link(PolicyLink.condition.rawValue, reason: reason)] }
            return decision.rule == nil ? [] : [Link("rule")]
        }
        var chain = decision.input == .play ? [] : [Link("rule")]
        for link in PolicyLink.chain {
            let changes = policy.changes.filter { $0.link == link }.map { Change($0.change) }
            let isObjecting = link == policy.objection
            chain.append(Link(link.rawValue, reason: isObjecting ? reason : nil, changes: changes))
            if isObjecting { return chain }
        }
        var changes: [Change] = []
        if case .standIn(let wanted, let there) = decision.circumstance {
            changes = [Change(.actuators(from: wanted, to: there))]
        }
        if case .hot(let strength) = decision.circumstance {
            changes = [Change(of: "strength", from: .number(1), to: .number(strength))]
        }
        switch decision.outcome {
        case .preempted, .cancelled: return chain + [Link("actuators", changes: changes), Link("batch", reason: reason)]
        case .played, .merged, .suppressed, .failed: return chain + [Link("actuators", reason: reason, changes: changes)]
        }
    }
}

extension HistoryEntry.Change {
    fileprivate init(_ change: PolicyChange.Change) {
        switch change {
        case .pattern(let from, let to): self.init(of: "pattern", from: .string(from), to: .string(to))
        case .intensity(let from, let to): self.init(of: "intensity", from: .number(from.value), to: .number(to.value))
        case .actuators(let from, let to):
            self.init(of: "actuators", from: .array(from.map { .string($0) }), to: .array(to.map { .string($0) }))
        case .delay(let from, let to):
            self.init(of: "delayMs", from: .number(from.inMilliseconds), to: .number(to.inMilliseconds))
        }
    }
}

extension DecisionResult {
    /// The decision for other users: without source, value and counts, and without names that reveal these. A rule for progress is named
    /// like the ids that it matches, as is the event of a hold, and a client names its inline patterns. Decisions on devices are public.
    public var masked: DecisionResult {
        if origin == .device { return self }
        var masked = self
        // A mistake quotes values.
        (masked.source, masked.value, masked.mistake) = (nil, nil, nil)
        // They follow the value of what is followed.
        (masked.felt, masked.feltPeak) = (nil, nil)
        if isFollowed { masked.intensity = nil }
        (masked.inserted, masked.removed, masked.kept) = (nil, nil, nil)
        if isHoldEvent, !Canary.is("hold-event-names-its-id") { masked.name = nil }
        let isNamed = input == .event || input == .present
        if !isNamed || isHoldEvent { masked.rule = nil }
        if isPatternInline { masked.pattern = nil }
        return masked
    }

    /// Whether the input is the event of a hold, or named like one.
    var isHoldEvent: Bool {
        guard input == .event, let name, let source else { return false }
        return [HoldChange.State.confirmed, .released].contains { Text(name) == Text("\(source).\($0.rawValue)") }
    }
}
