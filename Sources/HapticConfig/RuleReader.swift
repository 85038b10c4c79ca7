// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON
internal import HapticPatterns

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

/// A rule while it is read, for progress, for events or for collections.
struct RuleDraft {
    let references: References
    var match: NodeReader?
    var when: ChangeCondition?
    var isConditionKnown = true
    var resumes = false
    var mode = ProgressMode.relative
    var gate = GateConfiguration(step: 0.01)
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
        [match("a glob of the source's id")] + gateKeys + followKeys + feedbackKeys + completeKeys
    fileprivate static let eventKeys =
        conditionKeys + [eventMatch] + feedbackKeys + resumeKeys + [transitionKey(isRequired: false)]
    fileprivate static let transitionKeys =
        [eventMatch, transitionKey(isRequired: true)] + needlessKeys + mannerKeys + resumeKeys
    static let collectionKeys = [match("a glob of the set's name")] + ThingDraft.keys(at: \Self.things) + everyKeys + mannerKeys

    private static func described(_ keys: [Key<Self>], without others: [String]) -> Member.Kind {
        .object(keys.map(\.member).filter { member in !others.contains { Text($0) == Text(member.name) } })
    }

    private static let eventMatch = match("a glob of the event's name")

    private static func transitionKey(isRequired: Bool) -> Key<Self> {
        Key(
            "transition", .object(of: ThingDraft.keys(at: \Self.things)), isRequired: isRequired,
            "felt where the event's id changes: it is about another thing"
        ) { $0.transition = $1 }
    }

    private static let needlessKeys: [Key<Self>] = [
        .optional("when", ChangeDraft.form.unread, "which change of the value it needs") { $0.needless.append($1) },
        .optional("pattern", References.patternForm, "what is felt") { $0.needless.append($1) },
    ]

    private static let everyKeys: [Key<Self>] = [
        .optional("every", .duration(in: .milliseconds(1)...Stagger.longest), "from one to the next where several come or go") {
            $0.every = $1
        }
    ]

    private static func match(_ summary: String) -> Key<Self> {
        .required("match", EarlierRules.form.unread, summary) { $0.match = $1 }
    }

    private static let conditionKeys: [Key<Self>] = [
        .optional("when", ChangeDraft.form.unread, "which change of the value it needs") {
            $0.when = ChangeDraft.form.read($1)
            $0.isConditionKnown = $0.when != nil
        }
    ]

    private static let gateKeys: [Key<Self>] = [
        .optional("mode", .choice(of: ProgressMode.self, "mode"), "how steps are counted, or `follow`: the value itself is felt")
        {
            $0.mode = $1
            if let mode = $1.gate { $0.gate.mode = mode }
        },
        .optional("step", stepForm.placed, "how far it is from one that is felt to the next") {
            $0.gate.step = $1.value.value
            $0.follow.ofSteps.append(("step", $1.field))
        },
        .optional("direction", Form.choice(of: GateConfiguration.Direction.self, "direction").placed, "which way") {
            $0.gate.direction = $1.value
            $0.follow.ofSteps.append(("direction", $1.field))
        },
        .optional("hysteresis", .share(Progress.self), "how far back is another direction, or away from a detent") {
            $0.gate.hysteresis = $1.value
            $0.follow.hysteresis = $1.value
        },
        .optional("minInterval", Form.duration(in: .zero ... .seconds(60)).placed, "least time between two") {
            $0.gate.minInterval = $1.value
            $0.follow.ofSteps.append(("minInterval", $1.field))
        },
    ]

    private static let followKeys: [Key<Self>] = [
        .optional(
            "response", Form.duration(in: FollowShape.responses).placed,
            "with `mode: follow`: how fast its spring is; 100ms"
        ) {
            $0.follow.response = $1.value
            $0.follow.ofFollowing.append(("response", $1.field))
        },
        .optional(
            "dampingFraction", Form.number(in: FollowShape.dampingFractions).placed,
            "with `mode: follow`: below 1 the spring bounces; 1"
        ) {
            $0.follow.dampingFraction = $1.value
            $0.follow.ofFollowing.append(("dampingFraction", $1.field))
        },
        .optional(
            "detents", FollowDraft.detentsForm.placed,
            "with `mode: follow`: so many evenly between the ends, or where they are; each is felt as `pattern`"
        ) {
            $0.follow.detents = $1.value
            $0.follow.ofFollowing.append(("detents", $1.field))
        },
        .optional("endStop", Form.orNone(References.patternForm).placed, "with `mode: follow`: what is felt at 0 and at 1; rigid")
        {
            $0.follow.endStop = $1.value.flatMap($0.references.pattern)
            $0.follow.ofFollowing.append(("endStop", $1.field))
        },
    ]

    static let stepForm = Form<Progress>.share(
        Progress.self, zero: "a step of 0 would fire without end; write more, such as `0.01`")

    private static let feedbackKeys: [Key<Self>] =
        [.required("pattern", References.patternForm, "what is felt") { $0.pattern = $0.references.pattern($1) }] + mannerKeys

    private static let mannerKeys: [Key<Self>] = [
        .optional("class", .choice(of: FeedbackClass.self, "class"), "what `classes` says of it") {
            $0.feedback.feedbackClass = $1
        },
        .optional("intensity", .share(Intensity.self), "scales the pattern") { $0.feedback.intensity = $1 },
        .optional("priority", .integer(in: References.priorities), "replaces that of the class") { $0.feedback.priority = $1 },
        .optional("deadline", .duration(in: References.deadlines), "replaces that of the class") { $0.feedback.deadline = $1 },
        .optional("actuators", References.actuatorsForm, "where; or all") { $0.feedback.actuators = $0.references.actuators($1) },
        .optional("stagger", SpreadDraft.intervalForm.unread, "from one actuator to the next it begins so much later") {
            $0.spread.stagger = $1
            $0.follow.ofSteps.append(("stagger", $1))
        },
        .optional("from", SpreadDraft.originForm.unread, "with `stagger`: where it begins") { $0.spread.from = $1 },
        .optional("handOver", .object(of: SpreadDraft.handOverKeys), "it goes over to another actuator") {
            $0.spread.handOver = $1
            $0.follow.ofSteps.append(("handOver", $1))
        },
    ]

    private static let resumeKeys: [Key<Self>] = [
        .optional("resume", .boolean, "once what took its actuators is over, it goes on where it would be by then") {
            $0.resumes = $1
        }
    ]

    private static let completeKeys: [Key<Self>] = [
        .optional("complete", References.patternForm, "the pattern of reaching 1") {
            $0.complete = $0.references.pattern($1)
            $0.follow.ofSteps.append(("complete", $1))
        },
        .optional("completeClass", Form.choice(of: FeedbackClass.self, "class").placed, "the class of that") {
            $0.completeClass = $1.value
            $0.follow.ofSteps.append(("completeClass", $1.field))
        },
    ]
}

private struct ChangeDraft {
    var from: ChangeCondition.Matcher? = .any
    var to: ChangeCondition.Matcher? = .any

    private static let keys: [Key<Self>] = [
        .optional("from", valueForm.unread, "what the value was; `*` for any") { $0.from = valueForm.read($1) },
        .optional("to", valueForm.unread, "what it is now; `*` for any") { $0.to = valueForm.read($1) },
    ]

    static let form = Form<ChangeCondition>.object(keys, into: Self()) { draft, reader in
        if reader.node.content == .object([]) {
            reader.fail("no condition; give it `from` or `to`, or leave `when` out")
            return nil
        }
        guard let from = draft.from, let to = draft.to else { return nil }
        return ChangeCondition(from: from, to: to)
    }.described(as: .objectOfAny(keys.map(\.member)))

    /// Bytes of an event's text value, on the wire and here.
    private static let longestValue = 256

    private static let valueForm = Form<ChangeCondition.Matcher>(.scalar) { field in
        switch field.node.content {
        case .null: return .exactly(.null)
        case .bool(let flag): return .exactly(.bool(flag))
        case .number(let number) where number.isFinite: return .exactly(.number(number))
        case .string("*"): return .any
        case .string(let text) where text.utf8.count > longestValue:
            field.fail("a value has at most \(longestValue) bytes of text, and this is longer")
            return nil
        case .string(let text): return .glob(Glob(text.string))
        case .number, .integer, .list, .object, .invalid:
            field.failExpected("what the value must be: text (`*` for any), a number, `true`, `false` or `null`")
            return nil
        }
    }
}

extension NodeReader {
    fileprivate func has(_ key: Text) -> Bool {
        if case .object(let members) = node.content { members.contains { $0.key == key } } else { false }
    }
}
