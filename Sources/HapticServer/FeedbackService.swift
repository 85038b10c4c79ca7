// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
public import HapticWire
public import NIOCore

/// The engine with the world around it: sessions in, timelines out, time from the event loop.
///
/// Everything here is called on its event loop, and nothing blocks. A call into the engine is followed by `settle`,
/// which hands out what came of it.
public final class FeedbackService {
    /// Reads the configuration again, somewhere else; the answer comes back on the event loop.
    public typealias Reloader = (_ answer: @escaping (Result<ServiceConfiguration, WireError>) -> Void) -> Void

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
            hasRates = configuration.clientBounds.hasRates
        }
    }
    var resolver: CallResolver
    let version: String
    let startedAt: MonotonicInstant
    let now: () -> MonotonicInstant
    let sink: any ActuationSink
    var engine: FeedbackEngine
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
    private(set) var subscribers: [UInt64: Session] = [:]
    /// No more than there are playbacks: each waits for one of its own.
    var waits: [PlaybackID: Wait] = [:]
    var statistics: ServiceStatistics
    var isStopping = false
    var reload: ReloadQueue
    private(set) var actions: ActionBuffer
    /// So many of the actions are the executor's already.
    private var handedOut = 0
    private var lastConnection: UInt64 = 0
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
        engine = FeedbackEngine(configuration.engine)
        actions = ActionBuffer(capacity: FeedbackEngine.actionCapacity(for: configuration.engine))
        statistics = ServiceStatistics(actuators: configuration.engine.actuators.count)
        reload = ReloadQueue(reloader)
    }

    // MARK: Sessions

    /// Throws where as many clients are connected as may be.
    func open(_ peer: Peer, output: any SessionOutput) throws(WireError) -> Session {
        if isStopping { throw .shuttingDown }
        if let refusal = refusalOfConnection(user: peer.user) { throw refused(refusal, to: peer.user) }
        lastConnection += 1
        let user = users.connect(peer.user, at: now())
        let session = Session(connection: lastConnection, peer: peer, user: user, output: output)
        sessions[lastConnection] = session
        stateChanged()
        return session
    }

    func close(_ session: Session) {
        guard sessions.removeValue(forKey: session.client.connection) != nil else { return }
        let connection = session.client.connection
        subscribers[connection] = nil
        stateChanged()
        waits = waits.filter { $0.value.session != connection }
        let now = now()
        users.disconnect(session.user, at: now)
        engine.connectionClosed(connection, at: now, into: &actions)
        settle(at: now)
    }

    // MARK: The engine

    /// Decides `commands` as one transaction. What came of each is in `actions.outcomes` until `settle`.
    func decide(_ commands: [Command], readAt: MonotonicInstant) {
        guard !commands.isEmpty else { return }
        let now = max(now(), readAt)
        if commands.count == 1, case .input(let input) = commands[0] {
            engine.handle(input, at: now, into: &actions)
        } else {
            engine.handle(commands, at: now, into: &actions)
        }
        // Before anything is counted, written or told: what is felt waits for nothing else.
        handOut()
        for (place, outcome) in actions.outcomes.enumerated() {
            guard case .decided(let decision, _) = outcome else { continue }
            statistics.decided(decision, readAt: readAt)
            if let bound = decision.bound, case .input(let input) = commands[place] { refused(by: bound, input.client) }
        }
    }

    /// Shows a notification that could not be used as a decision, for it has no answer.
    func refuse(_ message: Message, _ reason: Reason) {
        guard let input = message.method.flatMap({ Decision.InputKind(rawValue: $0.rawValue) }) else { return }
        let now = now()
        let (source, name) = (try? message.call.get())?.subject ?? (nil, nil)
        engine.refuse(input, source: source, name: name, reason, at: now, into: &actions)
        settle(at: now)
    }

    /// Hands out what the engine wants done and told, until nothing is left that is due.
    func settle(at now: MonotonicInstant) {
        drain()
        // The buffer is bounded: what did not fit is still due. One round of planning always gets on.
        while engine.nextDeadline <= now {
            engine.advance(to: now, into: &actions)
            if actions.isEmpty { break }
            drain()
        }
        scheduleTimer(at: now)
        if engine.profile != toldProfile {
            toldProfile = engine.profile
            stateChanged()
        }
        for session in subscribers.values { session.flush() }
    }

    /// Hands the executor what is new in `actions`, and wakes it once.
    private func handOut() {
        guard handedOut < actions.actions.count else { return }
        var hasTimeline = false
        for action in actions.actions[handedOut...] {
            switch action {
            case .actuate(let actuation): sink.apply(actuation)
            case .revoke(let playback, let actuator, let instant): sink.revoke(playback, on: actuator, from: instant)
            case .ended: continue
            }
            hasTimeline = true
        }
        handedOut = actions.actions.count
        if hasTimeline { sink.commit() }
    }

    private func drain() {
        handOut()
        if !subscribers.isEmpty {
            for case .decided(let decision, _) in actions.outcomes {
                publish(.decisions) { .decision(DecisionResult(decision)) }
            }
        }
        if let onRecord {
            for case .decided(let decision, _) in actions.outcomes { onRecord(.decision(decision)) }
        }
        for case .ended(let end) in actions.actions { playbackEnded(end) }
        actions.removeAll()
        handedOut = 0
    }

    private func playbackEnded(_ end: PlaybackEnd) {
        statistics.ended(end.playback)
        onRecord?(.ending(end))
        publish(.playbacks) { .playback(EndingResult(end)) }
        guard var wait = waits.removeValue(forKey: end.playback) else { return }
        wait.result.ending = EndingResult(end)
        sessions[wait.session]?.answerLate(WireWriter.answer(wait.result, to: wait.request))
    }

    /// One timer, moved only to an earlier time: one that fires too early finds nothing to do and costs less than moving it.
    private func scheduleTimer(at now: MonotonicInstant) {
        let deadline = engine.nextDeadline
        guard deadline < .distantFuture, timer.map({ deadline < $0.deadline }) ?? true else { return }
        timer?.task.cancel()
        let task = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, (deadline - now).count))) { [weak self] in
            self?.timerFired()
            return ()
        }
        timer = (deadline, task)
    }

    private func timerFired() {
        timer = nil
        let now = now()
        engine.advance(to: now, into: &actions)
        settle(at: now)
    }

    // MARK: Telling

    func subscribe(_ session: Session, to topics: Set<Topic>) {
        session.topics = topics
        subscribers[session.client.connection] = topics.isEmpty ? nil : session
    }

    /// Tells the subscribers of `topic`. `notice` is only made where there is one.
    func publish(_ topic: Topic, _ notice: () -> Notice) {
        var line: [UInt8]?
        for session in subscribers.values where session.topics.contains(topic) {
            let made = line ?? WireWriter.notification(notice())
            line = made
            if !session.tell(made) { statistics.missed += 1 }
        }
    }

    // MARK: The executor

    /// Tells of actuations that have happened, in order.
    public func applied(_ reports: [AppliedActuation]) {
        for report in reports {
            let actuation = report.actuation
            guard actuation.actuator.value < configuration.engine.actuators.count else { continue }
            statistics.actuated(actuation, at: report.at)
            let name = configuration.engine.actuators[actuation.actuator.value].name
            publish(.actuations) { .actuation(ActuationNotice(actuation, at: report.at, actuator: name)) }
        }
        for session in subscribers.values { session.flush() }
    }

    /// Tells of an actuation of an actuator that a reload has replaced, by the name that it had.
    public func appliedLast(_ applied: AppliedActuation, of name: String) {
        publish(.actuations) { .actuation(ActuationNotice(applied.actuation, at: applied.at, actuator: name)) }
        for session in subscribers.values { session.flush() }
    }

    /// Counts an actuation that was left out because the executor was too late for it.
    public func missedActuation(_ actuation: Actuation) {
        guard actuation.actuator.value < configuration.engine.actuators.count else { return }
        statistics.missed(actuation)
    }

    /// Counts the same of an actuator that a reload has replaced.
    public func missedLast() { statistics.missedActuations += 1 }

    /// Tells that the device of an actuator is not there (`error` says why) or, nil, that it is there again.
    public func setActuator(_ index: ActuatorIndex, error: String?) {
        guard index.value < configuration.engine.actuators.count, unavailable[index] != error else { return }
        unavailable[index] = error
        let name = configuration.engine.actuators[index.value].name
        publish(.actuators) { .actuator(ActuatorNotice(actuator: name, isAvailable: error == nil, error: error)) }
        stateChanged()
        let now = now()
        engine.setActuator(index, isAvailable: error == nil, at: now, into: &actions)
        settle(at: now)
    }

    // MARK: The life of the daemon

    /// Puts `new` in force and tells which parts changed.
    func apply(_ new: ServiceConfiguration) -> ReloadResult {
        let changed = configuration.changes(to: new)
        let replacesExecutor = changed.contains("actuators") || changed.contains("realtime")
        let now = now()
        let newCapacity = FeedbackEngine.actionCapacity(for: new.engine)
        if newCapacity > actions.capacity { actions = ActionBuffer(capacity: newCapacity) }
        if replacesExecutor {
            // What differs may be nothing that the engine sees; without actuators, it ends whatever plays in any case.
            var none = new.engine
            none.actuators = []
            engine.configure(none, at: now, into: &actions)
            drain()
        }
        engine.configure(new.engine, at: now, into: &actions)
        drain()
        if replacesExecutor {
            sink.replaceActuators(new.engine.actuators)
            statistics.replaceActuators(count: new.engine.actuators.count)
            unavailable = [:]
        }
        let needsRestart = configuration.needsRestart(for: new)
        configuration = new
        stateChanged()
        settle(at: now)
        return ReloadResult(changed: changed, needsRestart: needsRestart)
    }

    /// Ends everything; what waited is answered. New requests are refused from now on.
    public func shutDown() {
        isStopping = true
        timer?.task.cancel()
        let now = now()
        engine.shutdown(at: now, into: &actions)
        settle(at: now)
        timer?.task.cancel()
        timer = nil
        refusalTimer?.cancel()
        refusalTimer = nil
    }
}
