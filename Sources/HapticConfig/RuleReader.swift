// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticPatterns
internal import HapticText

extension References {
    func progressRules(_ entries: [NodeReader]) -> [ProgressRule] {
        var seen = EarlierRules()
        return entries.compactMap { entry in
            var draft = RuleDraft(references: self, standard: .texture)
            guard entry.read(RuleDraft.progressKeys, into: &draft) else { return nil }
            // All that may be wrong is looked at before anything is missed, so that all of it is reported.
            let match = draft.match.flatMap { seen.glob($0, when: nil) }
            let fits = draft.follow.fits(draft.mode)
            guard let feedback = draft.feedback(with: draft.pattern), let match, fits else { return nil }
            return ProgressRule(
                match: match, gate: draft.gate, follow: draft.mode == .follow ? draft.follow.shape : nil, feedback: feedback,
                complete: draft.complete, completeClass: draft.completeClass)
        }
    }

    /// `composed` gets the patterns that rules combine of two.
    func eventRules(_ entries: [NodeReader], composing composed: inout [Text: Pattern]) -> [EventRule] {
        var seen = EarlierRules()
        return entries.compactMap { entry in
            var draft = RuleDraft(references: self, standard: .notification)
            if entry.has("transition") { return transitionRule(entry, &draft, &seen, composing: &composed) }
            guard entry.read(RuleDraft.eventKeys, into: &draft) else { return nil }
            // A condition that is wrong says nothing about what the rule leaves to later ones.
            let match = draft.isConditionKnown ? draft.match.flatMap { seen.glob($0, when: draft.when) } : nil
            guard let feedback = draft.feedback(with: draft.pattern), let match else { return nil }
            return EventRule(match: match, when: draft.when, feedback: feedback, resumes: draft.resumes)
        }
    }

    /// Of events that are about one thing at a time.
    private func transitionRule(
        _ entry: NodeReader, _ draft: inout RuleDraft, _ seen: inout EarlierRules, composing composed: inout [Text: Pattern]
    ) -> EventRule? {
        guard entry.read(RuleDraft.transitionKeys, into: &draft) else { return nil }
        let match = draft.match.flatMap { seen.glob($0, when: nil) }
        for field in draft.needless {
            field.fail("`transition` goes by the event's id and says what is felt; leave this out, or write a rule of its own")
        }
        let patterns = draft.transition?.object(ThingDraft.keys(at: \RuleDraft.things), into: draft) { draft, field in
            draft.things.patterns(field, beat: draft.every, composing: &composed)
        }
        guard let feedback = draft.feedback(with: patterns?.both), let match, let patterns, draft.needless.isEmpty else {
            return nil
        }
        return EventRule(match: match, transition: patterns, feedback: feedback, resumes: draft.resumes)
    }
}

// sizes: plain values
/// A rule while it is read, for progress, for events or for collections.
struct RuleDraft {
    let references: References
    var match: NodeReader?
    var when: ChangeCondition?
    var isConditionKnown = true
    var resumes = false
    var mode = ProgressMode.relative
    var gate = GateConfiguration(step: standardStep)
    var follow = FollowDraft()
    var pattern: String?
    /// Without its pattern.
    var feedback: RuleFeedback
    private var spread = SpreadDraft()
    var complete: String?
    var completeClass = FeedbackClass.notification
    var things: ThingDraft
    /// From one step of the rhythm of several things to the next.
    var every = CollectionRule.standardInterval
    fileprivate var transition: NodeReader?
    /// What a rule with a `transition` has no use for.
    fileprivate var needless: [NodeReader] = []

    init(references: References, standard: FeedbackClass) {
        self.references = references
        things = ThingDraft(references: references)
        feedback = RuleFeedback(pattern: "", feedbackClass: standard)
    }

    /// Nil where something is wrong, which is then reported. Of things that come and go its own pattern is not used.
    func feedback(with pattern: String?) -> RuleFeedback? {
        var feedback = feedback
        guard spread.read(into: &feedback, references), let pattern else { return nil }
        feedback.pattern = pattern
        return feedback
    }

    static let progressForm = Form<[NodeReader]>.list(
        of: .object(of: progressKeys), count: 0...ConfigurationReader.ruleLimit)
    /// A rule has a pattern, or a transition in place of it.
    static let eventForm = Form<[NodeReader]>.list(
        of: Form(
            .either([described(eventKeys, without: ["transition"]), described(transitionKeys, without: ["when", "pattern"])])
        ) {
            $0
        }, count: 0...ConfigurationReader.ruleLimit)
    static let collectionForm = Form<[NodeReader]>.list(
        of: .object(of: collectionKeys), count: 0...ConfigurationReader.ruleLimit)

    fileprivate static let progressKeys =
        [match("a glob for the id of the source")] + gateKeys + followKeys + feedbackKeys(.texture) + completeKeys
    fileprivate static let eventKeys =
        conditionKeys + [eventMatch] + feedbackKeys(.notification) + resumeKeys + [transitionKey(isRequired: false)]
    fileprivate static let transitionKeys =
        [eventMatch, transitionKey(isRequired: true)] + needlessKeys + mannerKeys(.notification) + resumeKeys
    static let collectionKeys =
        [match("a glob for the name of the set")] + ThingDraft.keys(at: \Self.things) + everyKeys + mannerKeys(.interaction)

    private static func described(_ keys: [Key<Self>], without others: [String]) -> Member.Kind {
        .object(keys.map(\.member).filter { member in !others.contains { Text($0) == Text(member.name) } })
    }

    private static let eventMatch = match("a glob for the name of the event; `*` also crosses dots")

    private static func transitionKey(isRequired: Bool) -> Key<Self> {
        Key(
            "transition", .object(of: ThingDraft.keys(at: \Self.things)), isRequired: isRequired,
            "the patterns for an event about one thing at a time, that of its `id`: played if another thing takes the place"
        ) { $0.transition = $1 }
    }

    private static let needlessKeys: [Key<Self>] = [
        .optional("when", ChangeDraft.form.unread, "the change of the value") { $0.needless.append($1) },
        .optional("pattern", References.patternForm, "the pattern") { $0.needless.append($1) },
    ]

    private static let everyKeys: [Key<Self>] = [
        .optional(
            "every", .duration(in: .milliseconds(1)...Stagger.longest), default: "\(CollectionRule.standardInterval)",
            "the time from one step to the next if several things come or go; a longer pattern takes longer, the whole 1s at most"
        ) { $0.every = $1 }
    ]

    private static func match(_ summary: String) -> Key<Self> {
        .required("match", EarlierRules.form.unread, summary) { $0.match = $1 }
    }

    private static let conditionKeys: [Key<Self>] = [
        .optional("when", ChangeDraft.form.unread, default: "always", "the change of the value") {
            $0.when = ChangeDraft.form.read($1)
            $0.isConditionKnown = $0.when != nil
        }
    ]

    private static let gateKeys: [Key<Self>] = [
        .optional(
            "mode", .choice(of: ProgressMode.self, "mode"), default: "`relative`",
            "`relative`: a step counts from the last felt value; `grid`: the multiples of `step`; `follow`: the value itself is felt"
        ) {
            $0.mode = $1
            if let mode = $1.gate { $0.gate.mode = mode }
        },
        .optional("step", stepForm.placed, default: plainText(standardStep), "the distance from one felt value to the next") {
            $0.gate.step = $1.value.value
            $0.follow.ofSteps.append(("step", $1.field))
        },
        .optional(
            "direction", Form.choice(of: GateConfiguration.Direction.self, "direction").placed, default: "`up`",
            "`down`: a countdown, whose first value has no feedback and which is complete at 0; `both`: complete at 1"
        ) {
            $0.gate.direction = $1.value
            $0.follow.ofSteps.append(("direction", $1.field))
        },
        .optional(
            "hysteresis", .share(Progress.self), default: "0; 2% with `mode: follow`, a quarter of the way between close detents",
            "the way back that counts as another direction; with `mode: follow`, the way from a detent or an end until it is felt again"
        ) {
            $0.gate.hysteresis = $1.value
            $0.follow.hysteresis = $1.value
        },
        .optional(
            "minInterval", Form.duration(in: .zero ... .seconds(60)).placed, default: "0", "the least time between two steps"
        ) {
            $0.gate.minInterval = $1.value
            $0.follow.ofSteps.append(("minInterval", $1.field))
        },
    ]

    private static let followKeys: [Key<Self>] = [
        .optional(
            "response", Form.duration(in: FollowShape.responses).placed, default: "\(FollowShape.standardSpring.response)",
            "with `mode: follow`: the response of the spring that moves the feedback to the value"
        ) {
            $0.follow.response = $1.value
            $0.follow.ofFollowing.append(("response", $1.field))
        },
        .optional(
            "dampingFraction", Form.number(in: FollowShape.dampingFractions).placed,
            default: plainText(FollowShape.standardSpring.dampingFraction),
            "with `mode: follow`: below 1 the spring bounces, above 1 it creeps"
        ) {
            $0.follow.dampingFraction = $1.value
            $0.follow.ofFollowing.append(("dampingFraction", $1.field))
        },
        .optional(
            "detents", FollowDraft.detentsForm.placed,
            "with `mode: follow`: the number of even detents, or their ascending places; each is felt as `pattern`, on top of the value"
        ) {
            $0.follow.detents = $1.value
            $0.follow.ofFollowing.append(("detents", $1.field))
        },
        .optional(
            "endStop", Form.orNone(References.patternForm).placed, default: FollowDraft().endStop.map { "`\($0)`" },
            "with `mode: follow`: the pattern at 0 and at 1"
        ) {
            $0.follow.endStop = $1.value.flatMap($0.references.pattern)
            $0.follow.ofFollowing.append(("endStop", $1.field))
        },
    ]

    private static let standardStep = 0.01
    static let stepForm = Form<Progress>.share(
        Progress.self, zero: "a step of 0 would fire without end; write more, such as `0.01`")

    private static func feedbackKeys(_ standard: FeedbackClass) -> [Key<Self>] {
        [.required("pattern", References.patternForm, "the pattern") { $0.pattern = $0.references.pattern($1) }]
            + mannerKeys(standard)
    }

    private static func mannerKeys(_ standard: FeedbackClass) -> [Key<Self>] {
        [
            .optional(
                "class", .choice(of: FeedbackClass.self, "class"), default: "`\(standard.rawValue)`",
                "the class, for priority, deadline and rate limit"
            ) { $0.feedback.feedbackClass = $1 },
            .optional("intensity", .share(Intensity.self), default: "1", "a factor for the intensity of the pattern") {
                $0.feedback.intensity = $1
            },
            .optional(
                "priority", .integer(in: References.priorities), default: "of the class", "the priority; a higher one pre-empts"
            ) {
                $0.feedback.priority = $1
            },
            .optional(
                "deadline", .duration(in: References.deadlines), default: "of the class", "the greatest age at the decision"
            ) { $0.feedback.deadline = $1 },
            .optional("actuators", References.actuatorsForm, default: "all", "the names of the actuators") {
                $0.feedback.actuators = $0.references.actuators($1)
            },
        ] + spreadKeys
    }

    private static let spreadKeys: [Key<Self>] = [
        .optional(
            "stagger", SpreadDraft.intervalForm.unread,
            "the delay from one actuator to the next; the last one starts at most \(Stagger.longest) after the first"
        ) {
            $0.spread.stagger = $1
            $0.follow.ofSteps.append(("stagger", $1))
        },
        .optional(
            "from", SpreadDraft.originForm.unread, default: "`\(StaggerOrigin.first.rawValue)`",
            "with `stagger`: the actuators that start first, in the order of their names here"
        ) { $0.spread.from = $1 },
        .optional(
            "handOver", .object(of: SpreadDraft.handOverKeys),
            "moves the playback to another actuator, which fades in as the others fade out; not with `stagger`"
        ) {
            $0.spread.handOver = $1
            $0.follow.ofSteps.append(("handOver", $1))
        },
    ]

    private static let resumeKeys: [Key<Self>] = [
        .optional(
            "resume", .boolean, default: "false",
            "whether an interrupted playback goes on, once its actuators are free, at the place where it would be by then"
        ) { $0.resumes = $1 }
    ]

    private static let completeKeys: [Key<Self>] = [
        .optional(
            "complete", References.patternForm,
            "the pattern at the end: at 1, of a countdown at 0; without it, the end is felt as a step"
        ) {
            $0.complete = $0.references.pattern($1)
            $0.follow.ofSteps.append(("complete", $1))
        },
        .optional(
            "completeClass", Form.choice(of: FeedbackClass.self, "class").placed,
            default: "`\(FeedbackClass.notification.rawValue)`", "the class of `complete`"
        ) {
            $0.completeClass = $1.value
            $0.follow.ofSteps.append(("completeClass", $1.field))
        },
    ]
}

extension NodeReader {
    fileprivate func has(_ key: Text) -> Bool {
        if case .object(let members) = node.content { members.contains { $0.key == key } } else { false }
    }
}
