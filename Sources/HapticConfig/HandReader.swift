// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

extension References {
    func taskRules(_ entries: [NodeReader]) -> [TaskRule] {
        var seen = EarlierRules()
        return entries.compactMap { entry in
            entry.object(TaskDraft.keys, into: TaskDraft(references: self)) { draft, entry in
                draft.rule(draft.match.flatMap { seen.glob($0, when: nil) }, entry)
            }
        }
    }
}

// sizes: plain values
/// A task's rule while it is read.
struct TaskDraft {
    let references: References
    var match: NodeReader?
    var began: String?
    var succeeded: String?
    var failed: String?
    var cancelled: String?
    /// One of its patterns is there, and may be wrong.
    private var isFelt = false
    var working: NodeReader?
    var feedbackClass = FeedbackClass.notification
    var intensity = Intensity.one
    var actuators: [ActuatorIndex]?
    var timeout = standardTimeout
    var workingEvery: NodeReader?
    var workingUpTo: NodeReader?

    init(references: References) { self.references = references }

    static let form = Form<[NodeReader]>.list(of: .object(of: keys), count: 0...ConfigurationReader.ruleLimit)

    static let keys: [Key<Self>] =
        [.required("match", EarlierRules.form.unread, "a glob for the id of the task") { $0.match = $1 }] + endKeys + workingKeys
        + mannerKeys

    private static let endKeys: [Key<Self>] = [
        .optional("began", References.patternForm, "the pattern of the begin, of the class `interaction`") {
            $0.began = $0.pattern($1)
        },
        .optional("succeeded", References.patternForm, "the pattern of a success") { $0.succeeded = $0.pattern($1) },
        .optional("failed", References.patternForm, "the pattern of a failure, and of a task that takes too long") {
            $0.failed = $0.pattern($1)
        },
        .optional("cancelled", References.patternForm, "the pattern of a cancelled task") { $0.cancelled = $0.pattern($1) },
    ]

    private static let workingKeys: [Key<Self>] = [
        .optional(
            "working", References.patternForm,
            "the pattern that is felt now and then while the task is pending, of the class `texture`"
        ) { ($0.working, $0.isFelt) = ($1, true) },
        .optional(
            "every", intervalForm.unread, default: "\(standardInterval)",
            "the time from one `working` to the next, the first one included: at most `upTo`, and less than `timeout`"
        ) { $0.workingEvery = $1 },
        .optional(
            "upTo", upToForm.unread, default: "\(standardUpTo)", "the time after which there is no `working` any more"
        ) { $0.workingUpTo = $1 },
        .optional(
            "timeout", .duration(in: .seconds(1) ... .seconds(7 * 86_400)), default: "\(standardTimeout)",
            "the time after which the task has failed"
        ) { $0.timeout = $1 },
    ]

    private static let mannerKeys: [Key<Self>] = [
        .optional(
            "class", .choice(of: FeedbackClass.self, "class"), default: "`\(FeedbackClass.notification.rawValue)`",
            "the class of the end"
        ) { $0.feedbackClass = $1 },
        .optional("intensity", .share(Intensity.self), default: "1", "a factor for the intensity of all patterns") {
            $0.intensity = $1
        },
        .optional("actuators", References.actuatorsForm, default: "all", "the names of the actuators") {
            $0.actuators = $0.references.actuators($1)
        },
    ]

    private static let standardTimeout = Nanoseconds.seconds(600)
    private static let standardInterval = Nanoseconds.seconds(2)
    private static let standardUpTo = Nanoseconds.seconds(30)

    private static let intervalForm = Form<Nanoseconds>.duration(in: TaskRule.Working.shortestInterval ... .seconds(3600))
    private static let upToForm = Form<Nanoseconds>.duration(in: TaskRule.Working.shortestInterval ... .seconds(86_400))

    private mutating func pattern(_ field: NodeReader) -> String? {
        isFelt = true
        return references.pattern(field)
    }

    fileprivate func rule(_ match: Glob?, _ entry: NodeReader) -> TaskRule? {
        let texture = texture(entry)
        if !isFelt { entry.fail("nothing of this task would be felt; give it `began`, `succeeded`, `failed` or `cancelled`") }
        guard let match, isFelt else { return nil }
        // The answer to a tap comes at once or not at all.
        return TaskRule(
            match: match, began: feedback(began, .interaction), succeeded: feedback(succeeded, feedbackClass),
            failed: feedback(failed, feedbackClass), cancelled: feedback(cancelled, feedbackClass), working: texture,
            timeout: timeout)
    }

    /// Nil where there is none, or something is wrong with it, which is then reported.
    private func texture(_ entry: NodeReader) -> TaskRule.Working? {
        let pattern = working.flatMap(references.pattern)
        let interval = read(workingEvery, Self.intervalForm, or: Self.standardInterval)
        let upTo = read(workingUpTo, Self.upToForm, or: Self.standardUpTo)
        guard let working else {
            // A typo may be what is missing.
            for (name, field) in [("every", workingEvery), ("upTo", workingUpTo)] where !entry.hasTypo {
                field?.fail("`\(name)` is about `working`; give `working` too, or leave it out")
            }
            return nil
        }
        guard let interval, let upTo else { return nil }
        if let bound = interval > upTo ? ("upTo", upTo) : interval >= timeout ? ("timeout", timeout) : nil {
            working.fail(
                "this is never felt: the first would come after \(interval.unitText) (`every`), and `\(bound.0)` is \(bound.1.unitText); shorten `every`, or leave `working` out"
            )
        }
        return feedback(pattern, .texture).map { TaskRule.Working(feedback: $0, interval: interval, upTo: upTo) }
    }

    private func read(_ field: NodeReader?, _ form: Form<Nanoseconds>, or standard: Nanoseconds) -> Nanoseconds? {
        field.map { form.read($0) } ?? standard
    }

    private func feedback(_ pattern: String?, _ feedbackClass: FeedbackClass) -> RuleFeedback? {
        pattern.map { RuleFeedback(pattern: $0, feedbackClass: feedbackClass, intensity: intensity, actuators: actuators) }
    }
}
