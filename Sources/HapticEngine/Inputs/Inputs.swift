// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The inputs of clients and devices: each kind is a part with its own table, which identifies, gates and shapes an input.
struct Inputs {
    /// Of progress and of events.
    var sources = SourceTable()
    var things = ThingTable()
    var holds = HoldTable()
    var tasks = TaskTable()
    var follows = FollowTable()

    /// The instant of the next thing that a hold or a task does by itself.
    var nextDeadline: MonotonicInstant { min(holds.nextDeadline, tasks.nextDeadline) }

    /// Takes an input and returns the feedback that it requests. Changes nothing but the tables, `work` and `decision`.
    ///
    /// - Parameters:
    ///   - isSuspended: Whether the machine is about to sleep.
    ///   - work: The rest of the budget of the line.
    ///   - decision: The decision on the input, which gets what its part finds out.
    mutating func take(
        _ input: borrowing Input, _ rules: Rules, isSuspended: Bool, work: inout WorkBudget, at now: MonotonicInstant,
        _ decision: inout Decision
    ) -> RequestedFeedback {
        switch input.kind {
        case .progress(let progress): sources.take(progress, of: input, rules, work: &work, at: now, &decision)
        case .release: .none(.released)
        case .event(let event): take(event, of: input, rules, work: &work, at: now, &decision)
        case .play(let play): .feedback(Candidate(play, of: input, rules.configuration.classes, &decision))
        case .present(let present): things.take(present, of: input, rules, work: &work, at: now, &decision)
        case .hold(let holdInput):
            holds.take(holdInput, of: input, rules, isSuspended: isSuspended, work: &work, at: now, &decision)
        case .task(let state): tasks.take(state, of: input, rules, work: &work, at: now, &decision)
        }
    }

    /// Makes everything older by a time that no clock has counted, and forgets the sources that are too old then.
    mutating func age(by time: Nanoseconds, at now: MonotonicInstant, _ bounds: EngineBounds) {
        things.age(by: time)
        tasks.age(by: time)
        sources.age(by: time)
        sources.forgetSources(heardBefore: now - bounds.sourceTimeout)
    }
}

extension Candidate {
    /// The feedback that a `play` requests.
    fileprivate init(
        _ request: borrowing PlayInput, of input: borrowing Input, _ classes: ClassTable, _ decision: inout Decision
    ) {
        let policy = classes[request.feedbackClass]
        decision.feedbackClass = request.feedbackClass
        self.init(
            client: input.client, at: input.at, app: input.app, namesClass: true, isOff: input.feedback == .off,
            pattern: request.pattern,
            feedbackClass: request.feedbackClass, intensity: request.intensity, priority: policy.priority,
            deadline: input.deadline ?? policy.deadline, actuators: request.actuators, spread: request.spread,
            source: input.id.map { SourceKey(client: input.client, id: $0) }, train: request.train,
            repetitions: request.repetitions, sharpness: request.sharpness,
            traits: PlaybackTraits(
                isFitted: request.fit != .off, endsWithClient: request.endsWithClient, isPlayInput: true))
        if case .pattern(let replacement) = input.feedback { pattern = replacement }
    }
}
