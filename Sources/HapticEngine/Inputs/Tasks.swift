// SPDX-License-Identifier: MIT
import HapticCore

/// Actions that take time: answered at once, and felt by their result.
extension TaskTable {
    mutating func take(
        _ state: TaskState, of input: borrowing Input, _ rules: Rules, work: inout WorkBudget, at now: MonotonicInstant,
        _ decision: inout Decision
    ) -> RequestedFeedback {
        let key = OwnedID(input.client, id: input.id ?? "")
        (decision.source, decision.value) = (key.id.string, .string(Text(state.rawValue)))
        guard state == .began else { return end(key, state, of: input, rules, work: &work, at: now, &decision) }
        if self[key] != nil { return .none(.duplicate) }
        guard work.take(rules.costs.tasks.units(key.id.utf8.count)) else { return .none(.quota) }
        guard let rule = rules.taskRule(for: key) else { return .none(.noRule) }
        guard hasRoom(for: input.client.user) else { return .none(.quota) }
        // However late it is said, the task takes its time from now.
        var task = PendingTask(
            key, at: now, client: input.client, app: input.app, isOff: input.feedback == .off, rule: rule,
            timeout: rules.configuration.taskRules[rule].timeout)
        task.scheduleWorking(rules.configuration.taskRules[rule].working, after: now)
        put(task)
        return task.feedback(.began, of: input, rules, &decision)
    }

    private mutating func end(
        _ key: OwnedID, _ state: TaskState, of input: borrowing Input, _ rules: Rules, work: inout WorkBudget,
        at now: MonotonicInstant, _ decision: inout Decision
    ) -> RequestedFeedback {
        guard var task = self[key] else { return .none(.notPending) }
        guard task.findRule(rules, work: &work, at: now) else { return .none(.quota) }
        remove(key)
        return task.feedback(state, of: input, rules, &decision)
    }

    // MARK: By itself

    /// The next step of a task that comes by itself.
    enum Step {
        /// It has taken too long.
        case timedOut(PendingTask)
        /// It says that it is still pending. With the index of its rule, and how.
        case working(PendingTask, rule: Int, TaskRule.Working)
        case nothing
    }

    /// Takes the next step that a task has come to by `now`; `nil` if none has, or if `work` does not suffice.
    mutating func advance(to now: MonotonicInstant, _ rules: Rules, work: inout WorkBudget) -> Step? {
        guard var task = due(by: now) else { return nil }
        if case .outdated = task.rule {
            guard task.findRule(rules, work: &work, at: now) else { return nil }
            put(task)
            return .nothing
        }
        if task.end <= now {
            remove(task.key)
            return .timedOut(task)
        }
        var rule: Int?
        if case .found(let found) = task.rule { rule = found }
        let working = rule.flatMap { rules.configuration.taskRules[$0].working }
        task.scheduleWorking(working, after: now)
        put(task)
        guard let rule, let working else { return .nothing }
        return .working(task, rule: rule, working)
    }
}

extension PendingTask {
    /// The input that a step of the task counts as.
    func input(at now: MonotonicInstant) -> Input {
        Input(client: client, id: key.id.string, app: app, at: now, feedback: isOff ? .off : .normal, kind: .task(.failed))
    }

    /// The feedback of its beginning, or of its end.
    func feedback(
        _ state: TaskState, of input: borrowing Input, _ rules: Rules, _ decision: inout Decision
    ) -> RequestedFeedback {
        guard case .found(let rule?) = rule else { return .none(.noRule) }
        decision.rule = rules.configuration.taskRules[rule].match.text
        guard let feedback = rules.configuration.taskRules[rule].feedback(for: state) else { return .none(.noRule) }
        decision.feedbackClass = feedback.feedbackClass
        var candidate = rules.candidate(feedback, for: input, source: SourceKey(client: input.client, id: input.id))
        // At once or not at all, whatever else is to be waited for.
        if state == .began { candidate.deadline = min(candidate.deadline ?? TaskRule.answer, TaskRule.answer) }
        // The result of what was begun by someone who wants to feel nothing of it.
        if isOff, input.feedback == .normal { candidate.isOff = true }
        return .feedback(candidate)
    }

    /// The feedback of a task that is still pending.
    func feedback(
        _ working: TaskRule.Working, rule: Int, of input: borrowing Input, _ rules: Rules, _ decision: inout Decision
    ) -> Candidate {
        decision.value = .string("working")
        (decision.rule, decision.feedbackClass) = (rules.configuration.taskRules[rule].match.text, working.feedback.feedbackClass)
        return rules.candidate(working.feedback, for: input, source: SourceKey(client: client, id: input.id))
    }

    /// Finds the rule of the task if the configuration has changed since it was found; false: the line may cost no more.
    fileprivate mutating func findRule(_ rules: Rules, work: inout WorkBudget, at now: MonotonicInstant) -> Bool {
        guard case .outdated = rule else { return true }
        let cost = rules.costs.tasks.units(key.id.utf8.count)
        // What no line may cost could not begin either: it would never be found.
        let isAffordable = cost <= WorkBudget.line
        guard !isAffordable || work.take(cost) else { return false }
        let found = isAffordable ? rules.taskRule(for: key) : nil
        rule = .found(found)
        // What is due is said first.
        if nextWorking > now { scheduleWorking(found.flatMap { rules.configuration.taskRules[$0].working }, after: now) }
        return true
    }
}
