// SPDX-License-Identifier: MIT
import HapticCore

/// Actions that take time: answered at once, and felt by their result.
extension FeedbackEngine {
    mutating func decideTask(
        _ input: borrowing Input, _ state: TaskState, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let key = OwnedID(input.client, id: input.id ?? "")
        let decision = taskDecision(key, state.rawValue, client: input.client, app: input.app, at: now)
        guard state == .began else { return end(key, state, input, decision, at: now, into: &actions) }
        if tasks[key] != nil { return suppress(decision, .duplicate, into: &actions) }
        guard work.take(ruleCosts.tasks.units(key.id.utf8.count)) else { return suppress(decision, .quota, into: &actions) }
        guard let rule = taskRule(for: key) else { return suppress(decision, .noRule, into: &actions) }
        guard tasks.hasRoom(for: input.client.user) else { return suppress(decision, .quota, into: &actions) }
        // However late it is said, the task takes its time from now.
        var task = PendingTask(
            key, at: now, client: input.client, app: input.app, isOff: input.feedback == .off, rule: rule,
            timeout: configuration.taskRules[rule].timeout)
        task.scheduleWorking(configuration.taskRules[rule].working, after: now)
        tasks.put(task)
        feel(task, .began, input, decision, at: now, into: &actions)
    }

    private mutating func end(
        _ key: OwnedID, _ state: TaskState, _ input: borrowing Input, _ decision: Decision, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        guard var task = tasks[key] else { return suppress(decision, .notPending, into: &actions) }
        guard findRule(of: &task, at: now) else { return suppress(decision, .quota, into: &actions) }
        tasks.remove(key)
        feel(task, state, input, decision, at: now, into: &actions)
    }

    private mutating func feel(
        _ task: PendingTask, _ state: TaskState, _ input: borrowing Input, _ decided: Decision, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var decision = decided
        guard case .found(let rule?) = task.rule else { return suppress(decision, .noRule, into: &actions) }
        decision.rule = configuration.taskRules[rule].match.text
        guard let feedback = configuration.taskRules[rule].feedback(for: state) else {
            return suppress(decision, .noRule, into: &actions)
        }
        decision.feedbackClass = feedback.feedbackClass
        var candidate = candidate(feedback, input, source: SourceKey(client: input.client, id: input.id), intensity: nil)
        // At once or not at all, whatever else is to be waited for.
        if state == .began { candidate.deadline = min(candidate.deadline ?? TaskRule.answer, TaskRule.answer) }
        // The result of what was begun by someone who wants to feel nothing of it.
        if task.isOff, input.feedback == .normal { candidate.isOff = true }
        play(candidate, decision, at: now, into: &actions)
    }

    private mutating func taskDecision(
        _ key: OwnedID, _ value: String, client: ClientIdentity, app: String?, at now: MonotonicInstant
    ) -> Decision {
        Decision(
            sequence: nextSequence(), at: now, input: .task, source: key.id.string, app: app, user: client.user,
            scope: client.scope, process: client.process, value: .string(Text(value)), outcome: .suppressed)
    }

    // MARK: Its rule

    private func taskRule(for key: OwnedID) -> Int? {
        configuration.taskRules.firstIndex { $0.match.matches(key.id.string) }
    }

    /// Looks for the rule of `task` where the configuration is another one since it was found. False: the line may cost no more.
    private mutating func findRule(of task: inout PendingTask, at now: MonotonicInstant) -> Bool {
        guard case .outdated = task.rule else { return true }
        let cost = ruleCosts.tasks.units(task.key.id.utf8.count)
        // What no line may cost could not begin either: it would never be found.
        let isAffordable = cost <= WorkBudget.line
        guard !isAffordable || work.take(cost) else { return false }
        let rule = isAffordable ? taskRule(for: task.key) : nil
        task.rule = .found(rule)
        // What is due is said first.
        if task.nextWorking > now { task.scheduleWorking(rule.flatMap { configuration.taskRules[$0].working }, after: now) }
        return true
    }

    // MARK: By itself

    /// Does the next thing that a task has to do by `now`; false: none has.
    mutating func advanceTask(to now: MonotonicInstant, into actions: inout ActionBuffer) -> Bool {
        guard var task = tasks.due(by: now) else { return false }
        if case .outdated = task.rule {
            guard findRule(of: &task, at: now) else { return false }
            tasks.put(task)
            return true
        }
        let id = task.key.id.string
        let input = Input(
            client: task.client, id: id, app: task.app, at: now, feedback: task.isOff ? .off : .normal, kind: .task(.failed))
        if task.end <= now {
            tasks.remove(task.key)
            var decision = taskDecision(task.key, TaskState.failed.rawValue, client: task.client, app: task.app, at: now)
            decision.circumstance = .timedOut(after: task.timeout)
            feel(task, .failed, input, decision, at: now, into: &actions)
            return true
        }
        var rule: Int?
        if case .found(let found) = task.rule { rule = found }
        let working = rule.flatMap { configuration.taskRules[$0].working }
        task.scheduleWorking(working, after: now)
        tasks.put(task)
        guard let rule, let working else { return true }
        var decision = taskDecision(task.key, "working", client: task.client, app: task.app, at: now)
        (decision.rule, decision.feedbackClass) = (configuration.taskRules[rule].match.text, working.feedback.feedbackClass)
        let candidate = candidate(working.feedback, input, source: SourceKey(client: task.client, id: id), intensity: nil)
        play(candidate, decision, at: now, into: &actions)
        return true
    }
}
