// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

/// What a rule says of its actuators together, while it is read.
struct SpreadDraft {
    var stagger: NodeReader?
    var from: NodeReader?
    var handOver: NodeReader?

    static let intervalForm = Form<Nanoseconds>.duration(in: .milliseconds(1)...Stagger.longest)
    static let originForm = Form<StaggerOrigin>.choice(of: StaggerOrigin.self, "origin")
    static let handOverKeys: [Key<HandOverDraft>] = [
        .required("to", Form<Text>.text.unread, "the name of the other actuator") { $0.to = $1 },
        .optional(
            "duration", .duration(in: .milliseconds(1)...HandOver.longest), default: "\(HandOver.standardDuration)",
            "the duration of the move"
        ) { $0.duration = $1 },
    ]

    struct HandOverDraft {
        var to: NodeReader?
        var duration = HandOver.standardDuration
    }

    /// Completes `feedback`, which has its actuators; false where something is wrong, which is then reported.
    func read(into feedback: inout RuleFeedback, _ references: References) -> Bool {
        if let from, stagger == nil {
            from.fail("this is about `stagger`; give `stagger` too, or leave it out")
            return false
        }
        if let handOver, stagger != nil {
            handOver.fail("`handOver` and `stagger` are two ways to use several actuators; keep one of them")
            return false
        }
        if let stagger { return read(stagger, into: &feedback, references) }
        if let handOver { return read(handOver: handOver, into: &feedback, references) }
        return true
    }

    private func read(_ field: NodeReader, into feedback: inout RuleFeedback, _ references: References) -> Bool {
        let origin = from.map(Self.originForm.read) ?? .first
        guard let interval = Self.intervalForm.read(field), let origin else { return false }
        let stagger = Stagger(interval: interval, origin: origin)
        let count = feedback.actuators?.count ?? references.actuatorCount
        guard stagger.length(over: count) <= Stagger.longest else {
            field.fail(
                "with \(count) actuators the last one would begin \(stagger.length(over: count)) after the first; at most \(Stagger.longest) is possible"
            )
            return false
        }
        feedback.spread = .stagger(stagger)
        return true
    }

    private func read(handOver field: NodeReader, into feedback: inout RuleFeedback, _ references: References) -> Bool {
        var draft = HandOverDraft()
        guard field.read(Self.handOverKeys, into: &draft), let name = draft.to, let to = references.actuators([name]).first else {
            return false
        }
        guard feedback.actuators?.contains(to) != true else {
            name.fail("this is one of the rule's own actuators; name another one, or take it out there")
            return false
        }
        feedback.spread = .handOver(HandOver(to: to, duration: draft.duration))
        return true
    }
}
