// SPDX-License-Identifier: MIT
public import HapticCore
import HapticPatterns
import HapticPlanning

/// Decides what should be felt: identify → gate → trigger → shape → decide → plan.
///
/// Pure: reads no clock, opens nothing, logs nothing, locks nothing. Whatever can change a decision comes in by `take`, with an instant
/// that is never earlier than the one before. What is to be done goes out into the caller's `ActionBuffer`. `FeedbackLoop` surrounds it.
/// One thread.
public struct FeedbackEngine: ~Copyable {
    public private(set) var configuration: EngineConfiguration
    /// Those of the policy that are asked, in order.
    let links: [PolicyLink]
    var personal: PersonalSettings
    var conditions = ConditionTable()
    var sources = SourceTable()
    var things = ThingTable()
    var holds = HoldTable()
    var tasks = TaskTable()
    var follows = FollowTable()
    var scheduler: Scheduler
    var limiters: [RateLimiter]
    var flashes = FlashLedger()
    /// The playbacks that began in the batch at hand.
    var begun: [PlaybackID] = []
    /// What the line at hand may still cost.
    public internal(set) var work = WorkBudget()
    /// What finding a rule costs: by a source's id, by an event's name, by a value.
    private(set) var ruleCosts: RuleCosts
    /// Of the rules: a source that has found its rule in an older one looks for it again when it next speaks.
    private(set) var ruleGeneration: UInt64 = 1
    var counters = DecisionCounters()
    private var lastSequence: UInt64 = 0

    /// `links`: fewer than all of them are for measuring what one costs.
    public init(_ configuration: EngineConfiguration, links: [PolicyLink] = PolicyLink.chain) {
        self.configuration = configuration
        self.links = links
        personal = PersonalSettings(configured: configuration.settings)
        scheduler = Scheduler(actuators: configuration.actuators)
        limiters = Self.makeLimiters(configuration.classes)
        ruleCosts = RuleCosts(configuration)
    }

    // MARK: What happens

    /// Takes `event`, which happens at `now`, and does what is due by then; after a configuration `time` does that. `actions` is empty,
    /// and gets what is to be done. Where it has no room for all, `nextDeadline` stays in the past: empty it and go on with `time`.
    public mutating func take(_ event: EngineEvent, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        // A refusal changes nothing but counts. The next look at the time does what is due.
        if case .refusal(let input, let source, let name, let app, let reason, let mistake, let client) = event {
            var decision = Decision(
                sequence: nextSequence(), at: now, input: input, source: source, app: app, user: client?.user,
                scope: client?.scope, process: client?.process, name: name, outcome: .failed, reason: reason)
            decision.circumstance = mistake.map { .mistake($0) }
            return conclude(decision, into: &actions)
        }
        catchUp(to: now, into: &actions)
        switch event {
        case .batch(let items, let work): decide(items, work, at: now, into: &actions)
        case .connectionClosed(let connection): connectionClosed(connection, at: now, into: &actions)
        case .actuator(let index, true, let found):
            scheduler.restore(index, as: configuration.actuators[index.value].with(found), at: now, into: &actions)
        case .actuator(let index, false, _): scheduler.lose(index, at: now, into: &actions)
        case .configuration(let new, let replacesDevices):
            configure(new, replacesDevices: replacesDevices, at: now, into: &actions)
            // What has come by itself may play on devices that whoever owns them has yet to replace: `time` does it.
            return plan(at: now, into: &actions)
        case .settings(let stored): changeSettings(at: now, into: &actions) { $0.restore(stored, at: now) }
        case .localTime(let time): personal.setClock(to: time, at: now)
        case .slept(let time): slept(time, at: now, into: &actions)
        case .holdsWait(let wait): holds.areWaiting = wait
        case .shutdown:
            endHolds(at: now, into: &actions)
            endPlaybacks(.immediate, as: (.cancelled, .shutdown), at: now, into: &actions) { _ in true }
        case .time, .refusal: break
        }
        advanceByItself(to: now, into: &actions)
        plan(at: now, into: &actions)
    }

    /// The most of holds and tasks that one call does; what is left is due in the next one.
    static let mostByItself = 64

    /// What has come by itself, in the order in which it came. It may cost what one line may, and costs the line at hand nothing.
    private mutating func advanceByItself(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        guard min(holds.nextDeadline, tasks.nextDeadline) <= now else { return }
        if holds.rulesDue != nil, holds.nextDeadline <= now { findHoldRules(at: now, into: &actions) }
        let rest = work
        work = WorkBudget()
        defer { work = rest }
        for _ in 0..<Self.mostByItself {
            let isHold = holds.nextDeadline <= tasks.nextDeadline
            guard isHold ? advanceHold(to: now, into: &actions) : advanceTask(to: now, into: &actions) else { break }
        }
        commit()
    }

    private mutating func decide(
        _ items: [BatchItem], _ work: WorkBudget, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        // trap: a larger batch is refused when its line is read.
        precondition(items.count <= WorkBudget.mostItems, "a batch has at most \(WorkBudget.mostItems) items")
        self.work = work
        // By index: in a debug build an array's iterator is an allocation a turn.
        for index in items.indices {
            switch items[index] {
            case .input(let input): decide(input, at: now, into: &actions)
            case .cancel(let request):
                let count = cancel(request, at: now, into: &actions)
                actions.results.append(.cancelled(count))
            case .change(let change): actions.results.append(take(change, at: now, into: &actions))
            case .condition(let request): actions.results.append(.condition(take(request, at: now, into: &actions)))
            }
        }
        commit()
    }

    /// What began has begun for good.
    private mutating func commit() {
        guard !begun.isEmpty else { return }
        scheduler.commitBatch(begun)
        begun.removeAll(keepingCapacity: true)
    }

    private mutating func connectionClosed(_ connection: UInt64, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        sources.forgetSources(ofConnection: connection)
        things.forgetParts(ofConnection: connection)
        conditions.release(ofConnection: connection, configuration)
        letGoHolds(ofConnection: connection, at: now, into: &actions)
        letGoFollows(ofConnection: connection, at: now, into: &actions)
        endPlaybacks(.graceful, as: (.cancelled, .clientGone), at: now, into: &actions) {
            $0.endsWithClient && $0.client.connection == connection
        }
    }

    private mutating func configure(
        _ new: EngineConfiguration, replacesDevices: Bool, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) {
        if replacesDevices || new.actuators != configuration.actuators {
            endPlaybacks(.immediate, as: (.cancelled, .reload), at: now, into: &actions) { _ in true }
            scheduler.flushEnds(into: &actions)
            scheduler = scheduler.renewed(actuators: new.actuators)
        }
        if new.classes != configuration.classes { limiters = Self.makeLimiters(new.classes) }
        holds.outdateRules(configuration.holdRules, at: now)
        configuration = new
        ruleCosts = RuleCosts(new)
        changeConditions(at: now, into: &actions) { $0.configure(new) }
        if holds.rulesDue != nil { findHoldRules(at: now, into: &actions) }
        tasks.outdateRules(at: now)
        changeSettings(at: now, into: &actions) { $0.configure(new.settings) }
        ruleGeneration += 1
    }

    /// What was playing ends: it is of another day, and so may its source be.
    private mutating func slept(_ time: Nanoseconds, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        conditions.suspension.end()
        personal.pass(time, before: now)
        endPlaybacks(.immediate, as: (.cancelled, .suspended), at: now, into: &actions) { _ in true }
        scheduler.cool(for: time)
        endHolds(at: now, into: &actions)
        things.age(by: time)
        tasks.age(by: time)
        sources.age(by: time)
        sources.forgetSources(heardBefore: now - configuration.bounds.sourceTimeout)
    }

    // MARK: What there is

    /// When `time` has something to do; `distantFuture` where nothing is due.
    public var nextDeadline: MonotonicInstant {
        // Whoever shows that feedback is off learns when it is on again.
        let byItself = min(min(holds.nextDeadline, tasks.nextDeadline), follows.nextDeadline)
        let due = min(scheduler.nextDeadline, personal.offEnd, byItself)
        guard let oldest = sources.oldestInput else { return due }
        return min(due, oldest + configuration.bounds.sourceTimeout)
    }

    /// What people have set, over what is configured.
    public var settings: SettingsInForce { personal.settings }
    /// Another number where people have set something since, or `off` has ended: then it is to be shown and stored.
    public var settingsGeneration: UInt64 { personal.generation }
    /// When `off` ends by itself; `distantFuture` where it does not.
    public var offEnd: MonotonicInstant { personal.offEnd }
    /// What the clocks on the wall show; nil: nobody has said.
    public func localTime(at now: MonotonicInstant) -> LocalTime? { personal.localTime(at: now) }
    /// When quiet hours may begin or end next. Decisions go by the time alone, so this is for whoever shows it.
    public func quietTurn(after now: MonotonicInstant) -> MonotonicInstant { personal.quietTurn(after: now) }
    public var profile: Profile { personal.settings.profile }
    /// The names of the conditions in force, in the order of their rules.
    public var conditionNames: [String] { conditions.names }
    public var sourceCount: Int { sources.count }
    /// How many sources have a value that is felt; some of them may have ended.
    package var followCount: Int { follows.count }
    public var playbackCount: Int { scheduler.playbacks.count }
    public func isAvailable(_ index: ActuatorIndex) -> Bool { scheduler.channels[index.value].isAvailable }
    /// Whether a hold is confirmed, or the lease of one ends, by `now` if hands have done nothing that is not known yet. False while holds
    /// wait.
    public func hasHoldEnd(by now: MonotonicInstant) -> Bool { holds.hasEnd(by: now, configuration.holdRules) }
    /// What plays on the actuator.
    public func playback(on index: ActuatorIndex) -> PlaybackID? { scheduler.channels[index.value].playback }
    /// The owner who had `playback` begun; nil where it does not play.
    public func owner(of playback: PlaybackID) -> Owner? { scheduler.playbacks[playback]?.client.owner }
    /// How hot the motor of an actuator is at `now`; nil: nobody knows.
    public func heat(of index: ActuatorIndex, at now: MonotonicInstant) -> ActuatorHeat? {
        scheduler.channels[index.value].heat(at: now)
    }
    /// How many decisions ended this way.
    public func count(of outcome: Outcome, reason: Reason?) -> UInt64 { counters.count(of: outcome, reason) }

    /// Room for the most that one call can make, and for a good stretch of planning.
    public static func actionCapacity(for configuration: EngineConfiguration) -> Int {
        // One of them ends what began in the same call, and one takes back what a followed value is to go over from.
        let actionsOfAnActuator = 7 + Channel.mostAhead
        // All holds may end at once.
        let actionsOfHolds = mostByItself + HoldTable.most
        return configuration.bounds.playbacks + actionsOfAnActuator * configuration.actuators.count + actionsOfHolds
    }

    // MARK: Inside

    private static func makeLimiters(_ classes: ClassTable) -> [RateLimiter] {
        FeedbackClass.allCases.map { RateLimiter(limit: classes[$0].limitPerSecond) }
    }

    private mutating func catchUp(to now: MonotonicInstant, into actions: inout ActionBuffer) {
        if now >= scheduler.nextDeadline { scheduler.finishEnded(by: now, into: &actions) }
        if now >= follows.nextDeadline { advanceFollows(to: now, into: &actions) }
        personal.endOff(by: now)
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
        actions.results.append(.decided(decision, summary))
    }

    /// What comes of an item that changes what people have set.
    private mutating func take(
        _ change: SettingsChange, at now: MonotonicInstant, into actions: inout ActionBuffer
    ) -> ItemResult {
        do throws(Settings.TooManyApps) {
            try changeSettings(at: now, into: &actions) { personal throws(Settings.TooManyApps) in
                try personal.take(change, at: now)
            }
            return .changed(settings)
        } catch {
            return .notChanged(error)
        }
    }

    /// Ends what is to be felt no more. What plays when quiet hours begin, or when a strength is set, goes on as it is.
    private mutating func changeSettings<Failure>(
        at now: MonotonicInstant, into actions: inout ActionBuffer, _ change: (inout PersonalSettings) throws(Failure) -> Void
    ) throws(Failure) {
        let oldProfile = profile
        try change(&personal)
        if settings.off != nil { endPlaybacks(.immediate, as: (.cancelled, .off), at: now, into: &actions) { _ in true } }
        if profile != oldProfile { endSilenced(at: now, into: &actions) }
    }

    /// Ends what the profile in force wants nothing of. What means something never becomes nothing under `reduced`.
    private mutating func endSilenced(at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let (classes, profile) = (configuration.classes, profile)
        let keepsMeanings = profile == .reduced && configuration.meanings != nil
        endPlaybacks(.graceful, as: (.cancelled, .profile), at: now, into: &actions) {
            classes[$0.feedbackClass].effect(of: profile) == .nothing && !(keepsMeanings && $0.pattern.meaning != nil)
        }
        if profile == .reduced { darken(for: .profile, at: now, into: &actions) }
    }

    /// Lights go out where nobody has counted how often they flash.
    mutating func darken(for reason: Reason, at now: MonotonicInstant, into actions: inout ActionBuffer) {
        let withdrawn = scheduler.darken(as: (.cancelled, reason), at: now, into: &actions) {
            !$0.countsFlashes && $0.feedbackClass != .alarm
        }
        for playback in withdrawn { withdraw(playback, .cancelled, reason, in: &actions) }
    }
}
