// SPDX-License-Identifier: MIT
import HapticCore

/// Actions that take time: answered at once, and felt by their result.
extension FeedbackEngine {
    mutating func decideTask(
        _ input: borrowing Input, _ state: TaskState, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let key = PendingTask.Key(input.client, id: input.id ?? "")
        let decision = taskDecision(key, state.rawValue, client: input.client, app: input.app, at: now)
        let isOff = input.feedback == .off
        guard state == .began else {
            guard let task = tasks.remove(key) else { return suppress(decision, .notPending, into: &actions) }
            return feel(task, state, input, decision, at: now, into: &actions)
        }
        if tasks[key] != nil { return suppress(decision, .duplicate, into: &actions) }
        guard work.take(ruleCosts.tasks.units(key.id.utf8.count)) else { return suppress(decision, .quota, into: &actions) }
        guard let rule = configuration.taskRules.first(where: { $0.match.matches(key.id.string) }) else {
            return suppress(decision, .noRule, into: &actions)
        }
        guard tasks.hasRoom(for: key.user) else { return suppress(decision, .quota, into: &actions) }
        // However late it is said, the task takes its time from now.
        let task = PendingTask(key, at: now, client: input.client, app: input.app, isOff: isOff, rule: rule)
        tasks.put(task)
        feel(task, .began, input, decision, at: now, into: &actions)
    }

    private mutating func feel(
        _ task: PendingTask, _ state: TaskState, _ input: borrowing Input, _ decided: Decision, at now: MonotonicInstant,
        into actions: inout ActionBuffer
    ) {
        var decision = decided
        decision.rule = task.rule?.match.text
        guard let feedback = task.rule?.feedback(for: state) else { return suppress(decision, .noRule, into: &actions) }
        decision.feedbackClass = feedback.feedbackClass
        var candidate = candidate(feedback, input, source: SourceKey(client: input.client, id: input.id), intensity: nil)
        // The result of what was begun by someone who wants to feel nothing of it.
        if task.isOff, input.feedback == .normal { candidate.isOff = true }
        play(candidate, decision, at: now, into: &actions)
    }

    private mutating func taskDecision(
        _ key: PendingTask.Key, _ value: String, client: ClientIdentity, app: String?, at now: MonotonicInstant
    ) -> Decision {
        Decision(
            sequence: nextSequence(), at: now, input: .task, source: key.id.string, app: app, user: client.user,
            process: client.process, value: .string(Text(value)), outcome: .suppressed)
    }

    // MARK: By itself

    /// Says the next thing that a task has to say by `now`; false: none has.
    mutating func advanceTask(to now: MonotonicInstant, into actions: inout ActionBuffer) -> Bool {
        guard var task = tasks.due(by: now) else { return false }
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
        task.scheduleWorking(after: now)
        tasks.put(task)
        guard let rule = task.rule, let working = rule.working else { return true }
        var decision = taskDecision(task.key, "working", client: task.client, app: task.app, at: now)
        (decision.rule, decision.feedbackClass) = (rule.match.text, working.feedback.feedbackClass)
        let candidate = candidate(working.feedback, input, source: SourceKey(client: task.client, id: id), intensity: nil)
        play(candidate, decision, at: now, into: &actions)
        return true
    }
}
