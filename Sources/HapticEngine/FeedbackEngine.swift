// SPDX-License-Identifier: MIT
public import HapticCore

/// Decides what should be felt: identify → gate → trigger → shape → decide → plan.
///
/// Pure: reads no clock, opens nothing, logs nothing, locks nothing. Every instant comes in, never earlier than the one
/// before; everything that is to be done or told goes out into the caller's `ActionBuffer`. To be used from one thread.
public struct FeedbackEngine: ~Copyable {
    /// The most items of a batch.
    public static let largestBatch = 256

    public private(set) var configuration: EngineConfiguration
    public private(set) var profile: Profile
    var sources = SourceTable()
    var scheduler: Scheduler
    var limiters: [RateLimiter]
    /// The playbacks that began in the batch at hand.
    var begun: [PlaybackID] = []
    /// What the line at hand may still cost.
    public internal(set) var work = WorkBudget()
    /// What finding a rule costs: by a source's id, by an event's name, by a value.
    private(set) var ruleCosts: RuleCosts
    /// Of the rules: a source that has found its rule in an older one looks for it again when it next speaks.
    private(set) var ruleGeneration: UInt64 = 1
    private var counters = DecisionCounters()
    private var lastSequence: UInt64 = 0

    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        profile = configuration.profile
        scheduler = Scheduler(actuators: configuration.actuators)
        limiters = Self.makeLimiters(configuration.classes)
        ruleCosts = RuleCosts(configuration)
    }

    // MARK: Commands

    /// Decides `batch` (at most `largestBatch` items) in order at one instant, as a transaction: a later item takes source or
    /// actuators from an earlier one as if that had never been played. One outcome for each item, in order, and the actions
    /// that follow from them. `work`: what they may cost; who finds too little left is refused (`quota`), but that to cancel is
    /// always done.
    public mutating func handle(
        _ batch: [Command], at now: MonotonicInstant, work: WorkBudget = WorkBudget(), into actions: inout ActionBuffer
    ) {
        // trap: a larger batch is refused when its line is read.
        precondition(batch.count <= Self.largestBatch, "a batch has at most \(Self.largestBatch) items")
        openBatch(at: now, work, actions)
        for command in batch {
            switch command {
            case .input(let input): decide(input, at: now, into: &actions)
            case .cancel(let request):
                let count = cancel(request, at: now, into: &actions)
                actions.outcomes.append(.cancelled(count))
            case .setProfile(let profile):
                setProfile(profile, at: now, into: &actions)
                actions.outcomes.append(.profileSet(profile))
            }
        }
        closeBatch(at: now, into: &actions)
    }

    /// Decides one input as a batch of its own; spares what a batch and its commands cost.
    public mutating func handle(
        _ input: borrowing Input, at now: MonotonicInstant, work: WorkBudget = WorkBudget(), into actions: inout ActionBuffer
    ) {
        openBatch(at: now, work, actions)
        decide(input, at: now, into: &actions)
        closeBatch(at: now, into: &actions)
    }

    private mutating func openBatch(at now: MonotonicInstant, _ work: WorkBudget, _ actions: borrowing ActionBuffer) {
        // trap: the service's one loop takes what came of each call before the next; nothing else calls.
        precondition(actions.outcomes.isEmpty, "the buffer is emptied between two calls")
        catchUp(to: now)
        self.work = work
    }

    private mutating func closeBatch(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        if !begun.isEmpty {
            scheduler.commitBatch(begun)
            begun.removeAll(keepingCapacity: true)
        }
        plan(at: now, into: &actions)
    }

    /// Makes the decision `failed` on a notification that was not valid (`invalidParams`) or one too many (`quota`). `source` and
    /// `name` as far as it was understood.
    public mutating func refuse(
        _ input: Decision.InputKind, source: String? = nil, name: String? = nil, _ reason: Reason = .invalidParams,
        at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        let decision = Decision(
            sequence: nextSequence(), at: now, input: input, source: source, name: name, outcome: .failed, reason: reason)
        conclude(decision, into: &actions)
    }

    // MARK: Time

    /// When `advance` has something to do; `distantFuture` where nothing is due.
    public var nextDeadline: MonotonicInstant {
        guard let oldest = sources.oldestInput else { return scheduler.nextDeadline }
        return min(scheduler.nextDeadline, oldest + configuration.bounds.sourceTimeout)
    }

    /// Does what is due. Where `actions` has no room for all of it, `nextDeadline` stays in the past: empty it and call again.
    public mutating func advance(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        catchUp(to: now)
        plan(at: now, into: &actions)
    }

    // MARK: The world around

    /// The connection has gone: with it go the sources that it is itself, and what it waited for.
    public mutating func connectionClosed(_ connection: UInt64, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        catchUp(to: now)
        sources.forgetSources(ofConnection: connection)
        endPlaybacks(.graceful, as: (.cancelled, .clientGone), at: now, into: &actions) {
            $0.isAwaited && $0.client.connection == connection
        }
        plan(at: now, into: &actions)
    }

    /// Takes a new configuration. Sources stay. Playbacks go on where the actuators are the same, else they end (`reload`)
    /// and every actuator counts as available again. `replacesDevices`: other devices are behind the actuators, so these count as others.
    public mutating func configure(
        _ new: EngineConfiguration, replacesDevices: Bool = false, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        catchUp(to: now)
        let hasOtherProfile = new.profile != configuration.profile
        if replacesDevices || new.actuators != configuration.actuators {
            endPlaybacks(.immediate, as: (.cancelled, .reload), at: now, into: &actions) { _ in true }
            scheduler.flushEnds(into: &actions)
            scheduler = scheduler.renewed(actuators: new.actuators)
        }
        if new.classes != configuration.classes { limiters = Self.makeLimiters(new.classes) }
        configuration = new
        if hasOtherProfile { setProfile(new.profile, at: now, into: &actions) }
        ruleCosts = RuleCosts(new)
        ruleGeneration += 1
        plan(at: now, into: &actions)
    }

    /// Tells that the device of an actuator is there or has gone. What it was playing ends as `failed`, `deviceLost`.
    public mutating func setActuator(
        _ index: ActuatorIndex, isAvailable: Bool, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        catchUp(to: now)
        if isAvailable { scheduler.setAvailable(index, true) } else { scheduler.lose(index, at: now, into: &actions) }
        plan(at: now, into: &actions)
    }

    /// Ends everything at once.
    public mutating func shutdown(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        catchUp(to: now)
        endPlaybacks(.immediate, as: (.cancelled, .shutdown), at: now, into: &actions) { _ in true }
        plan(at: now, into: &actions)
    }

    // MARK: What there is

    public var sourceCount: Int { sources.count }
    public var playbackCount: Int { scheduler.playbacks.count }
    public func isAvailable(_ index: ActuatorIndex) -> Bool { scheduler.channels[index.value].isAvailable }
    /// What plays on the actuator.
    public func playback(on index: ActuatorIndex) -> PlaybackID? { scheduler.channels[index.value].playback }
    /// The user who had `playback` begun; nil where it does not play.
    public func user(of playback: PlaybackID) -> UInt32? { scheduler.playbacks[playback]?.client.user }
    /// How many decisions ended this way.
    public func count(of outcome: Outcome, reason: Reason?) -> UInt64 { counters.count(of: outcome, reason) }

    /// Room for the most that one call can make, and for a good stretch of planning.
    public static func actionCapacity(for configuration: EngineConfiguration) -> Int {
        let actionsOfAnActuator = 4 + Channel.mostAhead
        return configuration.bounds.playbacks + actionsOfAnActuator * configuration.actuators.count
    }

    // MARK: Inside

    private static func makeLimiters(_ classes: ClassTable) -> [RateLimiter] {
        FeedbackClass.allCases.map { RateLimiter(limit: classes[$0].limitPerSecond) }
    }

    private mutating func catchUp(to now: MonotonicInstant) {
        if now >= scheduler.nextDeadline { scheduler.finishEnded(by: now) }
        sources.forgetSources(heardBefore: now - configuration.bounds.sourceTimeout)
    }

    private mutating func plan(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        if now >= scheduler.nextDeadline { scheduler.advance(to: now, into: &actions) }
    }

    /// Each decision has its own, in the order in which they are made.
    mutating func nextSequence() -> UInt64 {
        lastSequence += 1
        return lastSequence
    }

    /// Counts the decision on the next item and hands it out.
    mutating func conclude(
        _ decision: consuming Decision, _ summary: PlaySummary? = nil, into actions: inout ActionBuffer
    ) {
        counters.add(decision.outcome, decision.reason)
        actions.outcomes.append(.decided(decision, summary))
    }

    private mutating func setProfile(_ new: Profile, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        profile = new
        let classes = configuration.classes
        endPlaybacks(.graceful, as: (.cancelled, .profile), at: now, into: &actions) {
            classes[$0.feedbackClass].effect(of: new) == .nothing
        }
    }

    private mutating func cancel(_ request: CancelRequest, at now: MonotonicInstant, into actions: inout ActionBuffer) -> Int {
        endPlaybacks(request.mode, as: (.cancelled, .requested), at: now, into: &actions) { playback in
            switch request.target {
            case .all: true
            case .playback(let id): playback.id == id
            case .source(let id): playback.source.map { $0.owner == .user(request.client.user) && $0.id == Text(id) } ?? false
            }
        }
    }

    /// Ends those that `isMeant`, and returns how many that were.
    @discardableResult
    mutating func endPlaybacks(
        _ mode: CancelRequest.Mode, as ending: (PlaybackEnd.Ending, Reason), at now: MonotonicInstant,
        into actions: inout ActionBuffer, where isMeant: (Playback) -> Bool
    ) -> Int {
        let meant = scheduler.playbacks.values.filter { ($0.ending == nil || mode == .immediate) && isMeant($0) }
        for playback in meant.sorted(by: { $0.id < $1.id }) {
            let withdrawn = scheduler.end(playback.id, mode, as: ending, at: now, into: &actions)
            if let withdrawn { withdraw(withdrawn, ending.1 == .superseded ? .preempted : .cancelled, ending.1, in: &actions) }
        }
        return meant.count
    }

    /// Rewrites the decision on an earlier item of the batch, whose playback has never begun.
    mutating func withdraw(_ playback: Playback, _ outcome: Outcome, _ reason: Reason, in actions: inout ActionBuffer) {
        guard let item = playback.item, case .decided(var decision, let summary) = actions.outcomes[item] else { return }
        counters.remove(decision.outcome, decision.reason)
        (decision.outcome, decision.reason) = (outcome, reason)
        (decision.actuators, decision.playback) = ([], nil)
        counters.add(outcome, reason)
        actions.outcomes[item] = .decided(
            decision, summary.map { PlaySummary(steps: $0.steps, pulses: 0, mergedByMinGap: 0) })
        if playback.isLimited { limiters[playback.feedbackClass.place].refund() }
    }
}

/// How many decisions ended how. As many entries as there are different ends, few of which ever occur, so a search is short.
struct DecisionCounters {
    private struct Entry {
        let outcome: Outcome
        let reason: Reason?
        var count: UInt64 = 0
    }

    private var entries: [Entry] = []

    func count(of outcome: Outcome, _ reason: Reason?) -> UInt64 {
        entries.first { $0.outcome == outcome && $0.reason == reason }?.count ?? 0
    }

    mutating func add(_ outcome: Outcome, _ reason: Reason?) { entries[place(of: outcome, reason)].count += 1 }

    /// Takes back one that was added.
    mutating func remove(_ outcome: Outcome, _ reason: Reason?) { entries[place(of: outcome, reason)].count -= 1 }

    private mutating func place(of outcome: Outcome, _ reason: Reason?) -> Int {
        for place in entries.indices where entries[place].outcome == outcome && entries[place].reason == reason { return place }
        entries.append(Entry(outcome: outcome, reason: reason))
        return entries.count - 1
    }
}
