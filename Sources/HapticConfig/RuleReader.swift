// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

extension References {
    func progressRules(_ reader: NodeReader) -> [ProgressRule] {
        var seen = EarlierRules()
        let entries = reader.list(count: 0...ConfigurationReader.ruleLimit) ?? []
        return entries.compactMap { $0.object { progressRule(&$0, &seen) } }
    }

    private func progressRule(_ fields: inout FieldReader, _ seen: inout EarlierRules) -> ProgressRule? {
        let match = fields.required("match").flatMap { seen.glob($0, when: nil) }
        let gate = gate(&fields)
        let feedback = feedback(&fields, standard: .texture)
        let complete = pattern(fields.optional("complete"))
        let completeClass = fields.optional("completeClass")?.choice(FeedbackClass.self, kind: "class")
        guard let match, let feedback else { return nil }
        return ProgressRule(
            match: match, gate: gate, feedback: feedback, complete: complete, completeClass: completeClass ?? .notification)
    }

    private func gate(_ fields: inout FieldReader) -> GateConfiguration {
        var gate = GateConfiguration(step: 0.01)
        if let field = fields.optional("step"), let step = field.unitValue(Progress.self) {
            if step > .zero {
                gate.step = step.value
            } else {
                field.fail("a step of 0 would fire without end; write more, such as `0.01`")
            }
        }
        if let mode = fields.optional("mode")?.choice(GateConfiguration.Mode.self, kind: "mode") { gate.mode = mode }
        if let direction = fields.optional("direction")?.choice(GateConfiguration.Direction.self, kind: "direction") {
            gate.direction = direction
        }
        if let hysteresis = fields.optional("hysteresis")?.unitValue(Progress.self) { gate.hysteresis = hysteresis.value }
        if let interval = fields.optionalDuration("minInterval", in: .zero ... .seconds(60)) { gate.minInterval = interval }
        return gate
    }

    private func feedback(_ fields: inout FieldReader, standard: FeedbackClass) -> RuleFeedback? {
        let pattern = pattern(fields.required("pattern"))
        let feedbackClass = fields.optional("class")?.choice(FeedbackClass.self, kind: "class")
        let intensity = fields.optional("intensity")?.unitValue(Intensity.self)
        let priority = fields.optional("priority")?.integer(in: Self.priorities)
        let deadline = fields.optionalDuration("deadline", in: Self.deadlines)
        let actuators = actuators(fields.optional("actuators"))
        guard let pattern else { return nil }
        return RuleFeedback(
            pattern: pattern, feedbackClass: feedbackClass ?? standard, intensity: intensity ?? .one, priority: priority,
            deadline: deadline, actuators: actuators)
    }

    // MARK: Events

    func eventRules(_ reader: NodeReader) -> [EventRule] {
        var seen = EarlierRules()
        let entries = reader.list(count: 0...ConfigurationReader.ruleLimit) ?? []
        return entries.compactMap { $0.object { eventRule(&$0, &seen) } }
    }

    private func eventRule(_ fields: inout FieldReader, _ seen: inout EarlierRules) -> EventRule? {
        let when = fields.optional("when")
        let condition = when?.object(changeCondition)
        let matchField = fields.required("match")
        let feedback = feedback(&fields, standard: .notification)
        // A condition that is wrong says nothing about what the rule leaves to later ones.
        let isKnown = when == nil || condition != nil
        guard isKnown, let match = matchField.flatMap({ seen.glob($0, when: condition) }), let feedback else { return nil }
        return EventRule(match: match, when: condition, feedback: feedback)
    }

    private func changeCondition(_ fields: inout FieldReader) -> ChangeCondition? {
        let (from, to) = (fields.optional("from"), fields.optional("to"))
        if fields.isEmpty { fields.fail("no condition; give it `from` or `to`, or leave `when` out") }
        let condition = (from.map(matcher) ?? .any, to.map(matcher) ?? .any)
        guard let from = condition.0, let to = condition.1, !fields.isEmpty else { return nil }
        return ChangeCondition(from: from, to: to)
    }

    /// Bytes of an event's text value, on the wire and here.
    private static let longestValue = 256

    private func matcher(_ field: NodeReader) -> ChangeCondition.Matcher? {
        switch field.node.content {
        case .null: return .exactly(.null)
        case .bool(let flag): return .exactly(.bool(flag))
        case .number(let number) where number.isFinite: return .exactly(.number(number))
        case .string("*"): return .any
        case .string(let text) where text.utf8.count > Self.longestValue:
            field.fail("a value has at most \(Self.longestValue) bytes of text, and this is longer")
            return nil
        case .string(let text): return .glob(Glob(text.string))
        case .number, .integer, .list, .object, .invalid:
            field.failExpected("what the value must be: text (`*` for any), a number, `true`, `false` or `null`")
            return nil
        }
    }
}

extension ChangeCondition {
    fileprivate var globs: [Glob] {
        [from, to].compactMap { if case .glob(let glob) = $0 { glob } else { nil } }
    }
}

/// The globs of the rules read so far, to find a rule that can never be used because an earlier one takes all it matches.
private struct EarlierRules {
    /// What all comparisons may cost, about 50 ms: those of a thousand plain names. Past it only equal ones are found.
    private var work = WorkBudget(5_000_000)
    private var (globs, values) = (Glob.Cost(), Glob.Cost())
    private var rules: [(glob: Glob, when: ChangeCondition?, path: String)] = []

    /// The glob of the next rule, whose condition is `when`.
    mutating func glob(_ field: NodeReader, when: ChangeCondition?) -> Glob? {
        guard let glob = (field.name()?.string).map(Glob.init) else { return nil }
        let cost = globs.units(glob.text.utf8.count) + values.units(when?.globs.map(\.text.utf8.count).max() ?? 0)
        let isAffordable = work.take(cost)
        if !isAffordable { work = WorkBudget(0) }
        let taker = rules.first {
            isAffordable ? covers($0.when, when) && covers($0.glob, glob) : $0.glob == glob && $0.when == when
        }
        if let taker {
            field.fail(
                "this rule is never used: \(taker.path) (\(quoted(taker.glob.text))) takes all that it matches; put it before that one"
            )
        }
        globs.add(glob)
        for glob in when?.globs ?? [] { values.add(glob) }
        rules.append((glob, when, String(Substring(field.path.utf8.prefix { $0 != UInt8(ascii: ".") }))))
        return glob
    }

    /// Whether `a` matches everything that `b` does. Matching b's own text shows it: what `*` in it stands for falls to a star
    /// of `a` too, as long as no `?` of `a` may have taken that star for one character.
    private func covers(_ a: Glob, _ b: Glob) -> Bool {
        Text(a.text) == Text(b.text)
            || (a.matches(b.text) && !(a.text.utf8.contains(UInt8(ascii: "?")) && b.text.utf8.contains(UInt8(ascii: "*"))))
    }

    /// Whether `a` holds for every change that `b` holds for; nil holds for all.
    private func covers(_ a: ChangeCondition?, _ b: ChangeCondition?) -> Bool {
        let (a, b) = (a ?? ChangeCondition(), b ?? ChangeCondition())
        return covers(a.from, b.from) && covers(a.to, b.to)
    }

    private func covers(_ a: ChangeCondition.Matcher, _ b: ChangeCondition.Matcher) -> Bool {
        switch (a, b) {
        case (.any, _): true
        case (.glob(let a), .glob(let b)): covers(a, b)
        case (.exactly(let a), .exactly(let b)): a == b
        case (.glob, _), (.exactly, _): false
        }
    }
}
