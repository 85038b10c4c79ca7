// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
public import HapticWire
public import NIOCore

/// The engine with the world around it: sessions in, timelines out, time from the event loop.
///
/// Everything here is called on its event loop, and nothing blocks. Whatever may reach the engine is an event of one loop (`run`): it takes one
/// after the other, hands out what came of each, and only then uses the clients' channels. What is called back from there, or while actions are
/// handed out, adds an event and returns.
public final class FeedbackService {
    /// What became of an input, or of a playback.
    public enum Record {
        case decision(Decision)
        case ending(PlaybackEnd)
    }

    struct Wait {
        var session: UInt64
        var request: RequestID
        var result: PlayResult
    }

    public let eventLoop: any EventLoop
    public internal(set) var configuration: ServiceConfiguration {
        didSet {
            resolver = CallResolver(configuration.engine)
            writtenPatterns = nil
            hasRates = configuration.clientBounds.hasRates
        }
    }
    var resolver: CallResolver
    /// What `patterns` is answered with, while the configuration is the same.
    var writtenPatterns: [UInt8]?
    /// What `rpc.discover` is answered with.
    lazy var writtenDocument = WireWriter.result(OpenRPC.document(version: version))
    /// What every `status` of one line is answered with: all are asked at one instant.
    var writtenStatus: [UInt8]?
    let version: String
    let startedAt: MonotonicInstant
    let now: () -> MonotonicInstant
    let sink: any ActuationSink
    private(set) var loop: FeedbackLoop
    var sessions: [UInt64: Session] = [:]
    var users = UserTable()
    /// Refused, and not closed yet.
    var lingering = 0
    /// Whether requests are counted at all.
    private(set) var hasRates: Bool
    /// The user that this process runs as, who may do everything.
    let ownUser: UInt32
    var refusals = RefusalLog()
    var refusalTimer: Scheduled<Void>?
    /// Called on the event loop with what is to be logged of what is refused: never more often than a log can bear.
    public var onRefusal: ((RefusalNotice) -> Void)?
    /// The sessions that are told of anything: few, where the sessions are many.
    var subscribers: [UInt64: Session] = [:]
    /// What any of them is told of.
    var wantedTopics: Set<Topic> = []
    /// What is to be told of the event at hand.
    var bulletin = Bulletin()
    /// No more than there are playbacks: each waits for one of its own.
    var waits: [PlaybackID: Wait] = [:]
    var statistics: ServiceStatistics
    var isStopping = false
    var reload: ReloadQueue
    /// So many of the loop's actions are the executor's already.
    private var handedOut = 0
    var lastConnection: UInt64 = 0
    var events = CircularBuffer<ServiceEvent>()
    /// The sessions with lines that wait for their turn, each once.
    var waitingLines = FairQueue<UInt32, Session>()
    /// What waits to be written.
    let backlog = Backlog()
    var isRunning = false
    /// The loop goes on once the event loop has looked at everyone.
    var isRunScheduled = false
    /// What lines and writing have taken since the event loop has last been let go on.
    var worked = Nanoseconds.zero
    private var timer: (deadline: MonotonicInstant, task: Scheduled<Void>)?
    /// Why each of the actuators that are not there is not.
    var unavailable: [ActuatorIndex: String] = [:]
    /// Requests that wait for patterns to be made ready, and how many may.
    var preparations = 0
    static let mostPreparations = 64
    /// Told of every decision and every ending, where somebody keeps a record of them; nil costs nothing. Must not wait.
    public var onRecord: ((Record) -> Void)?
    /// What the executor asked the kernel for, and was given.
    public var realtime = StatusResult.Realtime()
    /// Called after what `state` tells has, or may have, changed: not once an event.
    public var stateChanged: () -> Void = {}
    /// The profile that `stateChanged` has been called for.
    private var toldProfile: Profile?

    /// `now`: CLOCK_MONOTONIC, in the daemon. `ownUser`: whom access rules do not hold for, beside the superuser.
    public init(
        _ configuration: ServiceConfiguration, version: String, eventLoop: any EventLoop, sink: any ActuationSink,
        ownUser: UInt32, now: @escaping () -> MonotonicInstant, reloader: @escaping Reloader
    ) {
        self.configuration = configuration
        self.ownUser = ownUser
        hasRates = configuration.clientBounds.hasRates
        resolver = CallResolver(configuration.engine)
        self.version = version
        self.eventLoop = eventLoop
        self.sink = sink
        self.now = now
        startedAt = now()
        loop = FeedbackLoop(configuration.engine)
        statistics = ServiceStatistics(actuators: configuration.engine.actuators.count)
        reload = ReloadQueue(reloader)
    }

    /// Has `recorder` get all that the engine takes from now on.
    public func record(by recorder: any EngineRecorder) { loop.recorder = recorder }

    // MARK: What happens

    /// Only for the loop: every change of the engine begins here, or in a line that it takes.
    func take(_ event: ServiceEvent) {
        switch event {
        case .timer:
            pass(.time)
        case .actuator(let index, let error): actuator(index, hasFailed: error)
        case .applied(let reports):
            for report in reports { applied(report) }
            tellSubscribers()
        case .appliedLast(let applied, let actuator):
            publish(.actuations) { .actuation(ActuationNotice(applied.actuation, at: applied.at, actuator: actuator)) }
            tellSubscribers()
        case .prepared(let preparation, let answers):
            preparations -= 1
            preparation.session.answerLate(WireWriter.answer(preparation.result(answers), to: preparation.request))
        case .reloaded(let result, let answers):
            let applied = result.map { isStopping ? ReloadResult(changed: [], needsRestart: []) : apply($0) }
            reload.end()
            for answer in answers { answer(applied) }
            runReload()
        case .shutDown: stop()
        }
    }

    /// Its channel has gone, and all it has said has been taken. Only for the loop.
    func forget(_ session: Session) {
        let connection = session.client.connection
        guard sessions.removeValue(forKey: connection) != nil else { return }
        if !session.topics.isEmpty { subscribe(session, to: []) }
        stateChanged()
        waits = waits.filter { $0.value.session != connection }
        users.disconnect(session.user, at: now())
        pass(.connectionClosed(connection))
    }

    // MARK: The engine

    /// Passes `event` to the engine, with all that comes of it.
    private func pass(_ event: EngineEvent) {
        let now = now()
        loop.take(event, at: now)
        settle(at: now)
    }

    /// Decides `commands` as one transaction. What came of each is in `loop.actions.outcomes` until `settle`.
    func decide(_ commands: [Command], readAt: MonotonicInstant) {
        guard !commands.isEmpty else { return }
        let now = max(now(), readAt)
        loop.take(.commands(commands, work: resolver.work), at: now)
        resolver.work = loop.engine.work
        // Before anything is counted, written or told: what is felt waits for nothing else.
        handOut()
        for (place, outcome) in loop.actions.outcomes.enumerated() {
            guard case .decided(let decision, _) = outcome else { continue }
            statistics.decided(decision, readAt: readAt)
            guard case .input(let input) = commands[place] else { continue }
            if let bound = decision.bound { refused(by: bound, input.client) }
            if decision.reason == .notAllowed { refused(.cancelAll, to: input.client.user) }
        }
    }

    /// Shows a notification that could not be used as a decision, for it has no answer.
    func refuse(_ message: Message, _ reason: Reason) {
        guard let input = message.method.flatMap({ Decision.InputKind(rawValue: $0.rawValue) }) else { return }
        let (source, name, app) = (try? message.call.get())?.subject ?? (nil, nil, nil)
        pass(.refusal(input, source: source, name: name, app: app, reason))
    }

    /// Hands out what the engine wants done and told, until nothing is left that is due.
    func settle(at now: MonotonicInstant) {
        carryOut(at: now)
        scheduleTimer(at: now)
        if loop.engine.profile != toldProfile {
            toldProfile = loop.engine.profile
            stateChanged()
        }
        tellSubscribers()
    }

    /// Hands the executor what is new in `loop.actions`, and wakes it once.
    private func handOut() {
        let actions = loop.actions.actions
        guard handedOut < actions.count else { return }
        var hasTimeline = false
        for action in actions[handedOut...] {
            switch action {
            case .actuate(let actuation): sink.apply(actuation)
            case .revoke(let playback, let actuator, let instant): sink.revoke(playback, on: actuator, from: instant)
            case .ended: continue
            }
            hasTimeline = true
        }
        handedOut = actions.count
        if hasTimeline { sink.commit() }
    }

    private func carryOut(at now: MonotonicInstant) {
        repeat {
            handOut()
            tellOfActions()
            handedOut = 0
        } while loop.goOn(at: now)
    }

    private func tellOfActions() {
        if !subscribers.isEmpty {
            for case .decided(let decision, _) in loop.actions.outcomes {
                publish(.decisions) { .decision(DecisionResult(decision)) }
            }
        }
        if let onRecord {
            for case .decided(let decision, _) in loop.actions.outcomes { onRecord(.decision(decision)) }
        }
        for case .ended(let end) in loop.actions.actions { playbackEnded(end) }
    }

    /// One timer, moved only to an earlier time: one that fires too early finds nothing to do and costs less than moving it.
    private func scheduleTimer(at now: MonotonicInstant) {
        let deadline = loop.nextDeadline
        guard deadline < .distantFuture, timer.map({ deadline < $0.deadline }) ?? true else { return }
        timer?.task.cancel()
        let task = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, (deadline - now).count))) { [weak self] in
            self?.timer = nil
            self?.enter(.timer)
        }
        timer = (deadline, task)
    }

    private func actuator(_ index: ActuatorIndex, hasFailed error: String?) {
        guard index.value < configuration.engine.actuators.count, unavailable[index] != error else { return }
        unavailable[index] = error
        let name = configuration.engine.actuators[index.value].name
        publish(.actuators) { .actuator(ActuatorNotice(actuator: name, isAvailable: error == nil, error: error)) }
        stateChanged()
        pass(.actuator(index, isAvailable: error == nil))
    }

    // MARK: The life of the daemon

    /// Puts it in force.
    private func apply(_ reloaded: Reloaded) -> ReloadResult {
        let (new, changed) = (reloaded.configuration, reloaded.result.changed)
        // by characters: our own words.
        let replacesExecutor = changed.contains("actuators") || changed.contains("realtime")
        let now = now()
        loop.take(.configuration(new.engine, replacesDevices: replacesExecutor), at: now)
        carryOut(at: now)
        if replacesExecutor {
            sink.replaceActuators(new.engine.actuators)
            statistics.replaceActuators(count: new.engine.actuators.count)
            unavailable = [:]
        }
        configuration = new
        stateChanged()
        settle(at: now)
        return reloaded.result
    }

    /// Ends everything; what waited is answered. New requests are refused from now on.
    private func stop() {
        isStopping = true
        timer?.task.cancel()
        pass(.shutdown)
        timer?.task.cancel()
        timer = nil
        refusalTimer?.cancel()
        refusalTimer = nil
    }
}
