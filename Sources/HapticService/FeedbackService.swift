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
    public private(set) var configuration: ServiceConfiguration {
        didSet {
            line.resolver = CallResolver(configuration.engine, library: configuration.library)
            listings.forget()
        }
    }
    public var daemon: DaemonFacts
    private let sink: any ActuationSink
    private(set) var loop: FeedbackLoop
    let line: CurrentLine
    var clients: ClientTable
    var pending = PendingReplies()
    var settings: SettingsTracker
    var listings = Listings()
    var statistics: ServiceStatistics
    private var motions: FeltMotions
    public internal(set) var outputs = Outputs()

    /// `ownUser`: whom access rules do not hold for, beside the superuser.
    public init(
        _ configuration: ServiceConfiguration, version: String, sink: any ActuationSink, ownUser: UInt32,
        at now: MonotonicInstant
    ) {
        self.configuration = configuration
        daemon = DaemonFacts(version: version, startedAt: now)
        self.sink = sink
        loop = FeedbackLoop(configuration.engine)
        clients = ClientTable(Rights(configuration.access, ownUser: ownUser))
        settings = SettingsTracker(loop, at: now)
        line = CurrentLine(CallResolver(configuration.engine, library: configuration.library))
        statistics = ServiceStatistics(actuators: configuration.engine.actuators.count)
        motions = FeltMotions(configuration.engine.actuators)
    }

    /// Has `recorder` get all that the engine takes from now on.
    public func record(by recorder: any EngineRecorder) { loop.recorder = recorder }

    /// When `advance` has something to do; `distantFuture` where nothing is due.
    public var nextWakeUp: MonotonicInstant {
        min(min(loop.nextDeadline, outputs.refusals.nextDeadline), settings.nextDeadline)
    }

    // MARK: Clients

    /// Throws where as many are connected as may be.
    public func connect(_ peer: Peer, at now: MonotonicInstant) throws(WireError) -> Client {
        if daemon.isStopping { throw .shuttingDown }
        if let refusal = clients.refusal(ofUser: peer.user, configuration.clientBounds) {
            throw outputs.refused(refusal, to: peer.user, at: now)
        }
        outputs.noteState()
        return clients.connect(peer, at: now)
    }

    /// Its connection is closed, and all that it has said has been taken. No effect where that is known.
    public func disconnect(_ client: Client, at now: MonotonicInstant) {
        guard clients.disconnect(client, at: now) else { return }
        outputs.subscriptions.end(client)
        outputs.noteState()
        pending.forget(client.connection)
        pass(.connectionClosed(client.connection), at: now)
    }

    /// Whether `client` may see ids and values of other owners.
    public func seesOthers(_ client: Client) -> Bool { clients.rights.has(.history, client) }

    // MARK: Lines

    /// Takes what `client` has said in one line of `bytes` bytes, read at `readAt`, see `CurrentLine`. `decide` follows.
    public func read(
        _ requests: [Request], bytes: Int, of client: Client, readAt: MonotonicInstant, at now: MonotonicInstant
    ) { line.read(requests, bytes: bytes, of: client, readAt: readAt, in: self, at: now) }

    /// Decides the line that was read last. `replies` gets one for each of its requests, in their order, in place of what was in
    /// it; nil where there is none to give.
    public func decide(at now: MonotonicInstant, into replies: inout [Reply?]) { line.decide(in: self, at: now, into: &replies) }

    /// Counts a request of `client`, or what stands for one; the error where it is one too many.
    public func charge(_ client: Client, at now: MonotonicInstant) -> WireError? {
        guard let refusal = configuration.clientBounds.charge(client, at: now) else { return nil }
        return outputs.refused(refusal, to: client.peer.user, at: now)
    }

    /// The same for a line that cannot be read. It may have been a part of a set, which is not to be taken without it.
    ///
    /// - Parameters:
    ///   - line: The bytes of the line.
    ///   - client: The client whose line it is.
    ///   - fault: The reason why it cannot be read.
    ///   - now: The time.
    public func chargeUnusable(_ line: [UInt8], of client: Client, _ fault: WireError, at now: MonotonicInstant) -> WireError? {
        self.line.refuseUnusable(line, of: client, fault, in: self, at: now)
    }

    /// `client` is closed: with it, more than `most` bytes wait for clients that do not read.
    public func refusedBacklog(of client: Client, most: Int, at now: MonotonicInstant) {
        outputs.refused(Refusal(cause: .backlog, most: most), to: client.peer.user, at: now)
    }

    /// Whether the engine is asked for what it plans when it wants to be: that somebody wakes up in time. `tolerance`: by how
    /// much that may be late.
    public func isInTime(at now: MonotonicInstant, tolerance: Nanoseconds) -> Bool { loop.engine.nextDeadline > now - tolerance }

    // MARK: Late replies

    /// What came of `Output.prepare`: for each actuator, whether each pattern is ready; nil where it could not be asked.
    public func prepared(_ ticket: Ticket, _ answers: [[Bool]?]) {
        if let reply = pending.prepared(ticket, answers) { outputs.append(reply) }
    }

    /// What came of `Output.awaitOff`: whether every output is off.
    public func offAwaited(_ ticket: Ticket, isOff: Bool) {
        if let reply = pending.offAwaited(ticket, isOff: isOff) { outputs.append(reply) }
    }

    // MARK: What happens

    /// It is later.
    public func advance(to now: MonotonicInstant) {
        outputs.advance(to: now)
        pass(.time, at: now)
        if now >= settings.storing.due { settings.store(loop, at: now, &outputs) }
    }

    /// The machine was asleep for this long, which its clock has not counted.
    public func slept(_ time: Nanoseconds, at now: MonotonicInstant) {
        pass(.slept(min(time, EngineConfiguration.longestTime)), at: now)
        settings.slept(loop, at: now, &outputs)
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
        outputs.publish(.actuators) { .actuator(ActuatorNotice(actuator: name, isAvailable: fault == nil, error: fault?.words)) }
        outputs.noteState()
        pass(.actuator(index, isAvailable: fault == nil, found: found), at: now)
    }

    /// Processes the changes of keys, buttons and switches, in this order. No hold proceeds before the last change is processed, so a
    /// release in time counts as a tap, however late it is read.
    public func take(_ changes: [DeviceChange], at now: MonotonicInstant) {
        var rest = changes[...]
        while !daemon.isStopping, !rest.isEmpty {
            let items = rest.prefix(WorkBudget.mostItems).map { $0.item(user: clients.rights.ownUser) }
            rest = rest.dropFirst(items.count)
            pass(.batch(items), at: now)
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
    public func reloaded(_ result: Result<ReloadedConfiguration, WireError>, at now: MonotonicInstant) {
        let reply: Reply
        switch result {
        case .success(let reloaded):
            reply = .result(daemon.isStopping ? ReloadResult(changed: [], needsRestart: []) : apply(reloaded, at: now))
        case .failure(let error): reply = .error(error)
        }
        for case .some(let ticket) in pending.reload.end() {
            let client = ticket.connection.flatMap(clients.client)
            let seesAll = client.map(clients.rights.seesConfiguration) ?? (ticket.connection == nil)
            outputs.append(.reply(seesAll ? reply : reply.withoutDiagnostics, ticket))
        }
        beginReload()
    }

    /// Puts it in force.
    private func apply(_ reloaded: ReloadedConfiguration, at now: MonotonicInstant) -> ReloadResult {
        let (new, changed) = (reloaded.configuration, reloaded.result.changed)
        // by characters: our own words.
        deferHolds(at: now)
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
        clients.change(Rights(new.access, ownUser: clients.rights.ownUser))
        outputs.noteState()
        proceed(at: now)
        settings.note(loop, at: now, by: nil, &outputs)
        return reloaded.result
    }

    /// Ends everything; what waited is answered. New requests are refused from now on.
    public func shutDown(at now: MonotonicInstant) {
        daemon.isStopping = true
        settings.storing.isEnding = true
        pass(.shutdown, at: now)
        settings.store(loop, at: now, &outputs)
    }

    // MARK: Settings

    /// Whether what people set is kept: each change comes out as `Output.store`. To be set before anyone connects.
    public var keepsSettings: Bool {
        get { settings.storing.isKept }
        set { settings.storing.isKept = newValue }
    }

    /// To be set before anyone connects. `damage`: what people had set and could not be read, which is said until the daemon ends.
    /// `obstacle`: why what they set will not be stored. Nil: all is well.
    public func startSettings(damage: String?, obstacle: String?) {
        (settings.storing.damage, settings.storing.failure) = (damage, obstacle)
    }

    /// What people have set, and what is configured below that.
    public var settingsInForce: SettingsInForce { loop.engine.settings }

    /// This is what people had set when the daemon last ran. It takes the place of whatever is set.
    public func restore(_ stored: Settings, at now: MonotonicInstant) {
        settings.storing.restore(stored)
        pass(.settings(stored), at: now)
        settings.note(loop, at: now, by: nil, &outputs)
    }

    /// This is what the clocks on the wall show now.
    public func setClock(_ time: LocalTime, at now: MonotonicInstant) {
        pass(.localTime(time), at: now)
        settings.noteQuietHours(loop, at: now, &outputs)
    }

    /// Somebody may have set the clocks on the wall.
    public func clockWasSet(at now: MonotonicInstant) { settings.clockWasSet(loop, at: now, &outputs) }

    /// What came of `Output.store`: nil, or why they could not be stored.
    public func stored(_ failure: SettingsFailure?, at now: MonotonicInstant) {
        settings.stored(failure, loop, at: now, &outputs)
    }

    // MARK: Outputs

    /// Those who have subscribed to anything, in the order in which they did.
    public var subscribers: [Client] { outputs.subscriptions.clients }

    /// The outputs have been carried out.
    public func removeOutputs() { outputs.removeAll() }

    /// Whether every decision and every ending is to come out as an `Output.Record`, too.
    public var keepsRecords: Bool {
        get { outputs.keepsRecords }
        set { outputs.keepsRecords = newValue }
    }

    // MARK: What others have counted

    /// So many notices were not given to a subscriber, who reads too slowly.
    public func missed(notices count: Int) { statistics.missed += UInt64(count) }

    /// These have happened, in this order.
    public func applied(_ reports: [AppliedActuation]) {
        for report in reports {
            let actuation = report.actuation
            guard actuation.actuator.value < configuration.engine.actuators.count else { continue }
            statistics.actuated(actuation, at: report.at)
            let felt = motions.follow(report)
            note(report, of: configuration.engine.actuators[actuation.actuator.value].name, felt: felt)
        }
    }

    /// This one has, of an actuator that a reload has replaced, by the name that it had.
    public func appliedLast(_ applied: AppliedActuation, of name: String) { note(applied, of: name, felt: nil) }

    private func note(_ applied: AppliedActuation, of name: String, felt: Double?) {
        // Whoever subscribes or not: it depends on the actuations before.
        let owner = statistics.followedOwner(of: applied.actuation)
        outputs.publish(.actuations) {
            .actuation(ActuationNotice(applied.actuation, at: applied.at, actuator: name, felt: felt, followedOwner: owner))
        }
    }

    /// It was left out because the executor was too late for it.
    public func missedActuation(_ actuation: Actuation) { statistics.missed(actuation) }

    /// One of an actuator that a reload has replaced was.
    public func missedLast() { statistics.missedActuations += 1 }

    // MARK: The engine

    /// Passes `event` to the engine, with all that comes of it.
    func pass(_ event: EngineEvent, at now: MonotonicInstant) {
        deferHolds(at: now)
        take(event, at: now)
    }

    /// Lets holds wait if one would be confirmed, or lose its lease, by `now`: that it was released, or repeated, in time may not have been
    /// read yet.
    private func deferHolds(at now: MonotonicInstant) {
        guard loop.engine.hasHoldEnd(by: now) else { return }
        outputs.append(.readPendingInput)
        take(.holdsWait(true), at: now)
    }

    private func take(_ event: EngineEvent, at now: MonotonicInstant) {
        loop.take(event, at: now)
        countByItself(from: 0)
        settle(at: now)
    }

    /// Decides `items` as one transaction, and hands out what is to be felt. What came of each is in `loop.actions.results` until
    /// `settle`, which is to be given what this returns.
    func decide(_ items: [BatchItem], work: WorkBudget, at now: MonotonicInstant) -> Int {
        deferHolds(at: now)
        loop.take(.batch(items, work: work), at: now)
        return handOut(from: 0)
    }

    /// What a hand or a task leads to by itself is read by nobody: its latency counts from the decision.
    func countByItself(from index: Int) {
        for case .decided(let decision, _) in loop.actions.results.dropFirst(index) {
            statistics.decided(decision, readAt: decision.at)
        }
    }

    /// Hands out what the engine wants done and said, until nothing is left that is due. So many of its actions are the sink's
    /// already. `peer`: whose line it is, who set what is set now and was not before.
    func settle(at now: MonotonicInstant, handedOut: Int = 0, by peer: Peer? = nil) {
        carryOut(from: handedOut)
        proceed(at: now)
        settings.follow(loop, at: now, by: peer, &outputs)
    }

    private func carryOut(from start: Int) {
        _ = handOut(from: start)
        noteActions()
    }

    /// Does what is due, in as many rounds as it takes.
    private func proceed(at now: MonotonicInstant) {
        while loop.proceed(at: now) {
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
            outputs.decided(decision)
        }
        for action in loop.actions.actions {
            switch action {
            case .ended(let end):
                statistics.ended(end)
                outputs.ended(end)
                if let reply = pending.ended(end) { outputs.append(reply) }
            case .interruption(let interruption):
                outputs.publish(.playbacks) { .interruption(InterruptionNotice(interruption)) }
            case .held(let change): outputs.publish(.holds) { .hold(HoldNotice(change)) }
            case .order: break
            }
        }
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
