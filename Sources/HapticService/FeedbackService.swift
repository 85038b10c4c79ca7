// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
public import HapticMotors
import HapticPlanning
public import HapticWire

/// Who may ask for what, and who is notified of what: the engine with its clients around it.
///
/// A client's requests go in as `Request`s and come out as `Reply`s; whatever else is to be said or done is in `outputs`, to be
/// taken after each call of a method. Time is a value, and `nextWakeUp` is when `advance` has something to do. Only its sink is
/// called from here, before anything is counted or said: what is felt waits for nothing else. A sink that has something to say
/// does so later: nothing that is called while actions are handed out may come back.
///
/// To be used from one thread. Instants never go back.
public final class FeedbackService {
    /// What became of an input, or of a playback.
    public enum Record: Sendable {
        case decision(Decision)
        case ending(PlaybackEnd)
    }

    /// What it knows of the daemon that it runs in.
    struct Daemon {
        let version: String
        let startedAt: MonotonicInstant
        /// The user that it runs as, who may do everything.
        let user: UInt32
        var realtime = StatusResult.Realtime()
        var inputs: [StatusResult.Input] = []
    }

    public private(set) var configuration: ServiceConfiguration {
        didSet {
            line.resolver = CallResolver(configuration.engine, library: configuration.library)
            listings.forget()
        }
    }
    var daemon: Daemon
    private let sink: any ActuationSink
    private(set) var loop: FeedbackLoop
    var line: LineAtHand
    var clients = ClientTable()
    var refusals = Refusals()
    var pending = PendingReplies()
    var listings = Listings()
    var statistics: ServiceStatistics
    var motions: FeltMotions
    private var shiftedSets = ShiftedSets()
    var noted: NotedSettings
    public internal(set) var outputs = Outputs()
    public private(set) var isStopping = false

    /// `ownUser`: whom access rules do not hold for, beside the superuser.
    public init(
        _ configuration: ServiceConfiguration, version: String, sink: any ActuationSink, ownUser: UInt32,
        at now: MonotonicInstant
    ) {
        self.configuration = configuration
        daemon = Daemon(version: version, startedAt: now, user: ownUser)
        self.sink = sink
        loop = FeedbackLoop(configuration.engine)
        noted = NotedSettings(loop.engine, at: now)
        line = LineAtHand(CallResolver(configuration.engine, library: configuration.library))
        statistics = ServiceStatistics(actuators: configuration.engine.actuators.count)
        motions = FeltMotions(configuration.engine.actuators)
    }

    /// Has `recorder` get all that the engine takes from now on.
    public func record(by recorder: any EngineRecorder) { loop.recorder = recorder }

    /// When `advance` has something to do; `distantFuture` where nothing is due.
    public var nextWakeUp: MonotonicInstant {
        min(min(loop.nextDeadline, refusals.nextDeadline), min(noted.quietTurn, pending.storing.due))
    }

    // MARK: Clients

    /// Throws where as many are connected as may be.
    public func connect(_ peer: Peer, at now: MonotonicInstant) throws(WireError) -> Client {
        if isStopping { throw .shuttingDown }
        if let refusal = refusalOfConnection(user: peer.user) { throw refused(refusal, to: peer.user, at: now) }
        outputs.noteState()
        let client = clients.connect(peer, at: now)
        client.identity = identity(of: client)
        return client
    }

    /// Its connection is closed, and all that it has said has been taken. No effect where that is known.
    public func disconnect(_ client: Client, at now: MonotonicInstant) {
        guard clients.disconnect(client, at: now) else { return }
        outputs.noteState()
        pending.forget(client.connection)
        pass(.connectionClosed(client.connection), at: now)
    }

    // MARK: What happens

    /// It is later.
    public func advance(to now: MonotonicInstant) {
        outputs.append(refusals.advance(to: now))
        pass(.time, at: now)
        if now >= pending.storing.due { storeSettings(at: now) }
    }

    /// The machine was asleep for this long, which its clock has not counted.
    public func slept(_ time: Nanoseconds, at now: MonotonicInstant) {
        pass(.slept(min(time, EngineConfiguration.longestTime)), at: now)
        // The end of `off` has come nearer on our clock, and is the same to people.
        noted.settings = loop.engine.settings
        noteQuietHours(at: now)
    }

    /// The device of an actuator has come or gone. A configured motor model outranks the one that the device reports.
    public func setActuator(_ index: ActuatorIndex, _ presence: DevicePresence, at now: MonotonicInstant) {
        guard index.value < configuration.engine.actuators.count else { return }
        var found = presence.motor
        if !configuration.assumesMotor(of: index) { found?.model = nil }
        let fault = presence.fault
        guard listings.set(index, fault, found) else { return }
        let actuator = configuration.engine.actuators[index.value]
        motions.reset(index, actuator.with(found))
        let name = actuator.name
        publish(.actuators) { .actuator(ActuatorNotice(actuator: name, isAvailable: fault == nil, error: fault?.words)) }
        outputs.noteState()
        pass(.actuator(index, isAvailable: fault == nil, found: found), at: now)
    }

    /// Processes the changes of keys, buttons and switches, in this order. No hold proceeds before the last change is processed, so a
    /// release in time counts as a tap, however late it is read.
    public func take(_ changes: [DeviceChange], at now: MonotonicInstant) {
        var rest = changes[...]
        while !isStopping, !rest.isEmpty {
            let items = rest.prefix(WorkBudget.mostItems).map(item)
            rest = rest.dropFirst(items.count)
            pass(.batch(items), at: now)
        }
    }

    private func item(_ change: DeviceChange) -> BatchItem {
        let device = ClientIdentity.device(user: daemon.user)
        switch change.purpose {
        case .hold(let name):
            let hand = HandInput(change.isDown ? .down : .up, isDated: change.isDated)
            return .input(Input(client: device, id: name.string, at: change.at, kind: .hold(hand)))
        case .condition(let name):
            return .condition(ConditionRequest(client: device, name: name.string, isOn: change.isDown))
        }
    }

    /// The connections of the clients with a hold that is confirmed, or whose lease ends, by `now` if it is not released.
    public func connectionsOfHoldEnds(by now: MonotonicInstant) -> Set<UInt64> { loop.engine.connectionsOfHoldEnds(by: now) }

    /// Answers `Output.readPendingInput`: all lines and edges that were pending have been read.
    public func pendingInputIsRead(at now: MonotonicInstant) { pass(.holdsWait(false), at: now) }

    /// Asks for a reload on behalf of the daemon itself. The reply comes with the ticket.
    public func requestReload() -> Ticket {
        let ticket = pending.ticket(for: nil)
        requestReload(for: ticket)
        return ticket
    }

    /// `ticket`: nil where nobody wants a reply.
    func requestReload(for ticket: Ticket?) {
        pending.reload.add(ticket)
        beginReload()
    }

    private func beginReload() { if pending.reload.begin() { outputs.append(.reload) } }

    /// What came of `Output.reload`.
    public func reloaded(_ result: Result<Reloaded, WireError>, at now: MonotonicInstant) {
        let reply: Reply
        switch result {
        case .success(let reloaded):
            reply = .result(isStopping ? ReloadResult(changed: [], needsRestart: []) : apply(reloaded, at: now))
        case .failure(let error): reply = .error(error)
        }
        for case .some(let ticket) in pending.reload.end() {
            let seesAll = ticket.connection.flatMap(clients.client).map(seesConfiguration) ?? (ticket.connection == nil)
            outputs.append(.reply(seesAll ? reply : reply.withoutDiagnostics, ticket))
        }
        beginReload()
    }

    /// Puts it in force.
    private func apply(_ reloaded: Reloaded, at now: MonotonicInstant) -> ReloadResult {
        let (new, changed) = (reloaded.configuration, reloaded.result.changed)
        // by characters: our own words.
        waitForHands(at: now)
        let replacesExecutor = changed.contains("actuators") || changed.contains("realtime")
        loop.take(.configuration(new.engine, replacesDevices: replacesExecutor), at: now)
        carryOut(from: 0)
        if replacesExecutor {
            sink.replaceActuators(new.engine.actuators)
            statistics.replaceActuators(count: new.engine.actuators.count)
            motions = FeltMotions(new.engine.actuators)
            listings.forgetActuators()
        }
        configuration = new
        for client in clients.all { client.identity = identity(of: client) }
        outputs.noteState()
        goOn(at: now)
        noteSettings(at: now, by: nil)
        return reloaded.result
    }

    /// Ends everything; what waited is answered. New requests are refused from now on.
    public func shutDown(at now: MonotonicInstant) {
        isStopping = true
        pass(.shutdown, at: now)
        storeSettings(at: now)
    }

    // MARK: The engine

    /// Passes `event` to the engine, with all that comes of it.
    func pass(_ event: EngineEvent, at now: MonotonicInstant) {
        waitForHands(at: now)
        take(event, at: now)
    }

    /// Lets holds wait if one would be confirmed, or lose its lease, by `now`: that it was released, or repeated, in time may not have been
    /// read yet.
    private func waitForHands(at now: MonotonicInstant) {
        guard loop.engine.hasHoldEnd(by: now) else { return }
        outputs.append(.readPendingInput)
        take(.holdsWait(true), at: now)
    }

    private func take(_ event: EngineEvent, at now: MonotonicInstant) {
        loop.take(event, at: now)
        countByItself(from: 0)
        settle(at: now)
    }

    /// Decides the items of the line at hand as one transaction. What came of each is in `loop.actions.results` until
    /// `settle`, which is to be given what this returns.
    func decideLine(at now: MonotonicInstant) -> Int {
        guard !line.items.isEmpty else { return 0 }
        waitForHands(at: now)
        loop.take(.batch(line.items, work: line.resolver.work), at: now)
        line.resolver.work = loop.engine.work
        let handedOut = handOut(from: 0)
        for (index, result) in loop.actions.results.prefix(line.items.count).enumerated() {
            guard case .decided(let decision, _) = result else { continue }
            statistics.decided(decision, readAt: line.readAt)
            guard case .input(let input) = line.items[index] else { continue }
            if let bound = decision.bound { refused(by: bound, input.client, at: now) }
            // Who lets go of what another connection holds asks for no right: no policy was asked.
            if decision.reason == .notAllowed, let policy = decision.policy {
                let privilege: Privilege = policy.objection == .access ? .classes : .cancelAll
                refused(privilege, to: input.client.user, isScoped: input.client.scope != nil, at: now)
            }
        }
        countByItself(from: line.items.count)
        return handedOut
    }

    /// What a hand or a task leads to by itself is read by nobody: its latency counts from the decision.
    private func countByItself(from index: Int) {
        for case .decided(let decision, _) in loop.actions.results.dropFirst(index) {
            statistics.decided(decision, readAt: decision.at)
        }
    }

    /// Hands out what the engine wants done and said, until nothing is left that is due. So many of its actions are the sink's
    /// already. `peer`: whose line it is, who set what is set now and was not before.
    func settle(at now: MonotonicInstant, handedOut: Int = 0, by peer: Peer? = nil) {
        carryOut(from: handedOut)
        goOn(at: now)
        if loop.engine.settingsGeneration != noted.generation || loop.engine.conditionNames != noted.conditions {
            noteSettings(at: now, by: peer)
        } else if now >= noted.quietTurn {
            noteQuietHours(at: now)
        }
    }

    private func carryOut(from start: Int) {
        _ = handOut(from: start)
        noteActions()
    }

    /// Does what is due, in as many rounds as it takes.
    private func goOn(at now: MonotonicInstant) {
        while loop.goOn(at: now) {
            countByItself(from: 0)
            carryOut(from: 0)
        }
    }

    /// Hands the sink the actions from index `start` on, and wakes it once. How many there are.
    private func handOut(from start: Int) -> Int {
        let actions = loop.actions.actions
        var hasOrders = false
        for case .order(let order) in actions[start...] {
            sink.apply(order)
            hasOrders = true
        }
        if hasOrders { sink.commit() }
        return actions.count
    }

    private func noteActions() {
        for case .decided(let decision, _) in loop.actions.results {
            statistics.history.add(decision)
            publish(.decisions) { .decision(DecisionResult(decision)) }
            if outputs.keepsRecords { outputs.append(.record(.decision(decision))) }
            if let notice = shiftedSets.notice(of: decision) { outputs.append(.shifted(notice)) }
        }
        for action in loop.actions.actions {
            switch action {
            case .ended(let end): playbackEnded(end)
            case .interruption(let interruption): publish(.playbacks) { .interruption(InterruptionNotice(interruption)) }
            case .held(let change): publish(.holds) { .hold(HoldNotice(change)) }
            case .order: break
            }
        }
    }

    private func playbackEnded(_ end: PlaybackEnd) {
        statistics.ended(end)
        if outputs.keepsRecords { outputs.append(.record(.ending(end))) }
        publish(.playbacks) { .playback(EndingResult(end)) }
        guard var wait = pending.ended(end.playback) else { return }
        wait.result.ending = EndingResult(end)
        outputs.append(.reply(.result(wait.result), wait.ticket))
    }

    /// Notifies the subscribers of `topic`. `notice` is only made where there is one.
    func publish(_ topic: Topic, _ notice: () -> Notice) {
        if clients.wantedTopics.contains(topic) { outputs.append(.notice(notice())) }
    }
}

extension Reply {
    /// For who may not read the configuration: of its mistakes only how many there are, and where they are listed.
    fileprivate var withoutDiagnostics: Reply {
        guard case .error(var error) = self, let lines = error.data?.diagnostics else { return self }
        let count = error.data?.errors ?? lines.count
        let mistakes = count == 1 ? "1 mistake, which hapticd's log shows" : "\(count) mistakes, which hapticd's log lists"
        error.message += "; it has \(mistakes) (here they are shown to root and to those whom `access: reload` names)"
        error.data = nil
        return .error(error)
    }
}

extension FeedbackService {
    /// A configuration that was read again, and what is different in it.
    public struct Reloaded: Sendable {
        let configuration: ServiceConfiguration
        public let result: ReloadResult

        /// Compares all patterns, which takes its time: not for the event loop.
        public init(_ configuration: ServiceConfiguration, replacing inForce: ServiceConfiguration) {
            result = ReloadResult(
                changed: inForce.changes(to: configuration), needsRestart: inForce.needsRestart(for: configuration),
                differences: inForce.differences(to: configuration), isBuiltIn: configuration.file == nil)
            var configuration = configuration
            // It stays as it was at the start, so that each reload names it for as long as the file's is another.
            configuration.parts["socket"] = inForce.parts["socket"]
            self.configuration = configuration
        }
    }
}
