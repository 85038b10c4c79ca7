// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticServer
import HapticService
import HapticWire

/// The service of a walk with its sessions and clients: the daemon without sockets, and without the way to the executor.
final class Served {
    static let ownUser: UInt32 = 900
    /// The group with the rights that others lack.
    static let admins: UInt32 = 77
    static let mostClients = 14
    static let mostOfUser = 8

    let options: Options
    let log: ServiceLog
    var judge = ServiceJudge()
    private(set) var clients: [WalkClient] = []
    /// The instant at which a reload is answered.
    var reloadAt = MonotonicInstant.distantFuture
    private let loop = WatchedLoop()
    private let server: FeedbackServer
    private var connections: UInt64 = 0
    private var asksForReload = false

    init(_ options: Options, _ engine: EngineConfiguration) {
        self.options = options
        let log = ServiceLog(tick: options.tick, engine)
        self.log = log
        server = FeedbackServer(
            Self.configuration(options, engine), version: "walk", eventLoop: loop, sink: log, ownUser: Self.ownUser,
            now: { log.now() }, suspended: { log.suspended },
            reloader: { log.reload = ServiceLog.Reload(inForce: $0, answer: $1) }, keeper: { log.store($0, $1) })
        server.record(by: log)
    }

    static func configuration(_ options: Options, _ engine: EngineConfiguration) -> ServiceConfiguration {
        var access = AccessRules()
        if options.isRestricted {
            for privilege in Privilege.allCases {
                access[privilege] = AccessList(groups: [Account(name: "admins", id: admins)])
            }
        } else {
            access[.conditions] = AccessList(users: ([1000, 1001, 1002] as [UInt32]).map { Account(name: "u", id: $0) })
        }
        return ServiceConfiguration(
            engine: engine, backends: engine.actuators.map { _ in "simulated" },
            clientBounds: ClientBounds(
                clients: mostClients, clientsPerUser: mostOfUser, requestsPerClient: options.rate,
                requestsPerUser: options.rate.map { 3 * $0 }),
            access: access)
    }

    /// The next instant with work.
    var nextWakeUp: MonotonicInstant {
        if asksForReload || log.reload != nil && reloadAt == .distantFuture { return .zero }
        return clients.reduce(min(loop.nextDeadline, log.nextPrepared, log.nextStored, reloadAt)) { min($0, $1.readableAt) }
    }

    /// Carries out all work that is due at `now`, and reads each client once.
    func run(at now: MonotonicInstant) {
        begin(at: now)
        for client in clients where client.readableAt <= now { client.beRead(at: now) }
        log.answerPreparations(at: now)
        log.answerStore(at: now)
        judge.require(!log.hasStoredTwice, "two states are stored at once")
        if let difference = log.difference { judge.fail(difference) }
        if asksForReload {
            asksForReload = false
            server.requestReload { _ in }
        }
        loop.advance(to: now)
    }

    /// Sets the time of the loop and the log to `now`.
    private func begin(at now: MonotonicInstant) {
        log.catchUp(to: now)
        loop.advance(to: now)
    }

    // MARK: Clients

    /// Connects a client; nil if the service accepts no more.
    func connect(user: UInt32, groups: [UInt32], at now: MonotonicInstant) -> WalkClient? {
        begin(at: now)
        let isPrivileged = !options.isRestricted || user == 0 || user == Self.ownUser || groups.contains(Self.admins)
        guard
            let client = try? WalkClient(
                connections + 1, user: user, groups: groups, isPrivileged: isPrivileged, to: server, on: loop)
        else { return nil }
        if let refusal = ReceivedLine.lines(of: client.received())?.first {
            judge.require(refusal.number(.code) == ErrorNumber.quota && refusal.lastID == nil, "not taken: \(refusal.text)")
            judge.seen.note("connection refused")
            client.close()
            return nil
        }
        connections += 1
        let seesAll = user == 0 || user == Self.ownUser || options.isRestricted && groups.contains(Self.admins)
        client.receiver.user = seesAll ? nil : user
        judge.connected(client.connection, .init(user: user, mayEndOthers: isPrivileged))
        clients.append(client)
        judge.require(count <= Self.mostClients, "\(count) clients are connected")
        return client
    }

    /// The number of clients that are connected.
    private var count: Int { clients.count { !$0.isOver } }

    func say(_ text: String, _ sent: [Sent], by client: WalkClient) {
        client.say(text, noted(sent, client))
    }

    func sayHalf(_ text: String, _ sent: [Sent], count: Int, by client: WalkClient) {
        client.sayHalf(text, noted(sent, client), count: count)
    }

    private func noted(_ sent: [Sent], _ client: WalkClient) -> [Sent] {
        judge.said(sent, by: client.connection)
        return sent.map { one in
            var one = one
            one.counts = judge.counts
            return one
        }
    }

    /// Judges the lines that clients have received, after all events before them. Forgets clients that have gone.
    func receive() {
        for client in clients {
            if let lines = ReceivedLine.lines(of: client.received()) {
                for line in lines { client.receiver.receive(line, &judge) }
            } else {
                judge.fail("half a line was written")
            }
        }
        for client in clients where client.isOver {
            for _ in 0..<client.lateAnswers { judge.seen.note("gone answered") }
            for _ in 0..<client.lateLines { judge.seen.note("gone unread") }
        }
        clients.removeAll { $0.isOver }
    }

    // MARK: What happens

    func askForReload() { asksForReload = true }

    func applied(_ actuations: [AppliedActuation], at now: MonotonicInstant) {
        guard !actuations.isEmpty else { return }
        begin(at: now)
        judge.applied(actuations.count)
        server.applied(actuations)
    }

    func appliedLast(_ actuation: AppliedActuation, of name: String, at now: MonotonicInstant) {
        begin(at: now)
        judge.applied(1)
        server.appliedLast(actuation, of: name)
    }

    func missed(_ actuation: Actuation) { server.missedActuation(actuation) }

    func setMissing(_ actuator: ActuatorIndex, _ isMissing: Bool, at now: MonotonicInstant) {
        begin(at: now)
        judge.setMissing(actuator.value, isMissing)
        server.setActuator(actuator, isMissing ? .missing(ActuatorFault("unplugged")) : .there())
    }

    func shutDown(at now: MonotonicInstant) {
        begin(at: now)
        judge.isStopping = true
        server.shutDown()
    }

    /// Ends the event loop.
    func close() {
        for client in clients { client.close() }
        clients = []
        begin(at: log.clock + .seconds(5))
        loop.close()
    }
}
