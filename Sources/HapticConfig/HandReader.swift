// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

extension References {
    func taskRules(_ entries: [NodeReader]) -> [TaskRule] {
        var seen = EarlierRules()
        return entries.compactMap { entry in
            entry.object(TaskDraft.keys, into: TaskDraft(references: self)) { draft, entry in
                draft.match.flatMap { seen.glob($0, when: nil) }.flatMap { draft.rule($0, entry) }
            }
        }
    }
}

/// A task's rule while it is read.
struct TaskDraft {
    let references: References
    var match: NodeReader?
    var began: String?
    var succeeded: String?
    var failed: String?
    var cancelled: String?
    var working: String?
    var feedbackClass = FeedbackClass.notification
    var intensity = Intensity.one
    var actuators: [ActuatorIndex]?
    var timeout = Nanoseconds.seconds(600)
    var workingEvery: NodeReader?
    var workingUpTo: NodeReader?

    init(references: References) { self.references = references }

    static let form = Form<[NodeReader]>.list(of: .object(of: keys), count: 0...ConfigurationReader.ruleLimit)

    static let keys: [Key<Self>] = [
        .required("match", EarlierRules.form.unread, "a glob of the task's id") { $0.match = $1 },
        .optional("began", References.patternForm, "felt at once when it begins") { $0.began = $0.references.pattern($1) },
        .optional("succeeded", References.patternForm, "felt when it has succeeded") { $0.succeeded = $0.references.pattern($1) },
        .optional("failed", References.patternForm, "felt when it has failed, or has taken too long") {
            $0.failed = $0.references.pattern($1)
        },
        .optional("cancelled", References.patternForm, "felt when it was cancelled") { $0.cancelled = $0.references.pattern($1) },
        .optional("working", References.patternForm, "felt now and then while it is pending, as a texture") {
            $0.working = $0.references.pattern($1)
        },
        .optional("every", intervalForm.unread, "with `working`: from one to the next; 2s") { $0.workingEvery = $1 },
        .optional("upTo", upToForm.unread, "with `working`: it stops by then; 30s") { $0.workingUpTo = $1 },
        .optional("timeout", .duration(in: .seconds(1) ... .seconds(7 * 86_400)), "after this it has failed") { $0.timeout = $1 },
        .optional("class", .choice(of: FeedbackClass.self, "class"), "what `classes` says of its end") { $0.feedbackClass = $1 },
        .optional("intensity", .share(Intensity.self), "scales the patterns") { $0.intensity = $1 },
        .optional("actuators", References.actuatorsForm, "where; or all") { $0.actuators = $0.references.actuators($1) },
    ]

    private static let intervalForm = Form<Nanoseconds>.duration(in: TaskRule.Working.shortestInterval ... .seconds(3600))
    private static let upToForm = Form<Nanoseconds>.duration(in: TaskRule.Working.shortestInterval ... .seconds(86_400))

    fileprivate func rule(_ match: Glob, _ entry: NodeReader) -> TaskRule? {
        for (name, field) in [("every", workingEvery), ("upTo", workingUpTo)] where working == nil {
            field?.fail("`\(name)` is about `working`; give `working` too, or leave it out")
        }
        guard began != nil || succeeded != nil || failed != nil || cancelled != nil || working != nil else {
            entry.fail("nothing of this task would be felt; give it `began`, `succeeded`, `failed` or `cancelled`")
            return nil
        }
        // The answer to a tap comes at once or not at all.
        let rule = TaskRule(
            match: match, began: feedback(began, .interaction), succeeded: feedback(succeeded, feedbackClass),
            failed: feedback(failed, feedbackClass), cancelled: feedback(cancelled, feedbackClass), timeout: timeout)
        guard let texture = feedback(working, .texture) else { return rule }
        guard let interval = read(workingEvery, Self.intervalForm, or: .seconds(2)),
            let upTo = read(workingUpTo, Self.upToForm, or: .seconds(30))
        else { return nil }
        var whole = rule
        whole.working = TaskRule.Working(feedback: texture, interval: interval, upTo: upTo)
        return whole
    }

    private func read(_ field: NodeReader?, _ form: Form<Nanoseconds>, or standard: Nanoseconds) -> Nanoseconds? {
        field.map { form.read($0) } ?? standard
    }

    private func feedback(_ pattern: String?, _ feedbackClass: FeedbackClass) -> RuleFeedback? {
        pattern.map { RuleFeedback(pattern: $0, feedbackClass: feedbackClass, intensity: intensity, actuators: actuators) }
    }
}
