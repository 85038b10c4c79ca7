// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
public import HapticMotors
public import HapticService
public import HapticWire
public import NIOCore

/// The service with its sessions around it, and time from an event loop.
///
/// Everything here is called on that event loop, and nothing blocks. Whatever may reach the service is an event of one loop
/// (`ServerLoop`): it takes one after the other, the server carries out what came of each, and only then the loop uses the clients'
/// channels. What is called back from there, or while something is carried out, adds an event and returns.
public final class FeedbackServer {
    /// Reads the configuration again and compares it with the one in force, somewhere else; the answer comes back on the event
    /// loop.
    public typealias Reloader = (
        _ inForce: ServiceConfiguration, _ answer: @escaping (Result<ReloadedConfiguration, WireError>) -> Void
    ) -> Void
    /// Stores what people have set, somewhere else; the answer comes back on the event loop: nil, or why it could not be stored. The
    /// next comes after that.
    public typealias Keeper = (_ settings: Settings, _ answer: @escaping (SettingsFailure?) -> Void) -> Void
    public typealias ReloadAnswer = (Result<ReloadResult, WireError>) -> Void

    /// The daemon around it.
    struct Surroundings {
        let now: () -> MonotonicInstant
        var sleep: SleepWatch
        let sink: any ActuationSink
        let reloader: Reloader
        let keeper: Keeper?
        var onRecord: ((Output.Record) -> Void)?
        var onRefusal: ((RefusalNotice) -> Void)?
        var onShiftedSet: ((ShiftedSetNotice) -> Void)?
        var stateChanged: () -> Void = {}
        var readDevices: () -> Bool = { true }
    }

    public let eventLoop: any EventLoop
    let service: FeedbackService
    var surroundings: Surroundings
    var sessions: [UInt64: Session] = [:]
    /// Connections that were refused and have not been closed yet.
    var lingering = 0
    let loop = ServerLoop()
    /// What waits to be written.
    let backlog = Backlog()
    /// What is to be said to the subscribers of the event at hand.
    var fanOut = NoticeFanOut()
    /// To the line at hand; its memory is kept for the next one.
    var replies: [Reply?] = []
    /// Those of the daemon itself who wait for a reload.
    var reloads: [Ticket: ReloadAnswer] = [:]
    private var timer: (deadline: MonotonicInstant, task: Scheduled<Void>)?

    /// `now`: CLOCK_MONOTONIC, in the daemon. `suspended`: how long the machine has slept in all, which that does not count.
    /// `ownUser`: whom access rules do not hold for, beside the superuser. `keeper`: nil where what people set is forgotten at the end.
    public init(
        _ configuration: ServiceConfiguration, version: String, eventLoop: any EventLoop, sink: any ActuationSink,
        ownUser: UInt32, now: @escaping () -> MonotonicInstant, suspended: @escaping () -> Nanoseconds = { .zero },
        reloader: @escaping Reloader, keeper: Keeper? = nil
    ) {
        self.eventLoop = eventLoop
        surroundings = Surroundings(
            now: now, sleep: SleepWatch(suspended: suspended), sink: sink, reloader: reloader, keeper: keeper)
        service = FeedbackService(configuration, version: version, sink: sink, ownUser: ownUser, at: now())
        service.keepsSettings = keeper != nil
    }

    func now() -> MonotonicInstant { surroundings.now() }

    /// Has `event` happen: now, or once the loop gets to it. From anywhere.
    func enter(_ event: ServerEvent) { loop.enter(event, of: self) }

    /// There is more of `session` to be looked at: bytes, the end of its input, room for answers. From anywhere.
    func linesArrived(of session: Session) { loop.linesArrived(of: session, of: self) }

    /// The channel of `session` has gone. It is forgotten after its last line. From anywhere.
    func close(_ session: Session) { loop.close(session, of: self) }

    /// The handler of a channel whose other end is `peer`: for who brings channels of their own.
    package func makeHandler(for peer: Peer) -> any ChannelHandler { SessionHandler(self, peer: peer) }

    // MARK: The executor

    /// Says which actuations have happened, in order.
    public func applied(_ reports: [AppliedActuation]) { enter(.applied(reports)) }

    /// Says that of an actuator that a reload has replaced, by the name that it had.
    public func appliedLast(_ applied: AppliedActuation, of name: String) { enter(.appliedLast(applied, actuator: name)) }

    /// Counts an actuation that was left out because the executor was too late for it.
    public func missedActuation(_ actuation: Actuation) { service.missedActuation(actuation) }

    /// Counts the same of an actuator that a reload has replaced.
    public func missedLast() { service.missedLast() }

    /// Takes the news that the device of an actuator has come or gone.
    public func setActuator(_ index: ActuatorIndex, _ presence: DevicePresence) { enter(.actuator(index, presence)) }

    /// What the executor asked the kernel for, and was given.
    public var realtime: StatusResult.Realtime {
        get { service.daemon.realtime }
        set { service.daemon.realtime = newValue }
    }

    // MARK: Keys, buttons and switches

    /// Takes the changes that one read of keys, buttons and switches has found.
    public func inputsChanged(_ changes: [DeviceChange]) { enter(.inputs(changes)) }

    /// Reads what is waiting in them, and passes it to `inputsChanged`; returns whether nothing is left to read. Does not block.
    public var readDevices: () -> Bool {
        get { surroundings.readDevices }
        set { surroundings.readDevices = newValue }
    }

    /// Those that are read, and which of them cannot be.
    public var inputs: [StatusResult.Input] {
        get { service.daemon.inputs }
        set { service.daemon.inputs = newValue }
    }

    // MARK: The daemon

    /// Called with every decision and every ending, where somebody keeps a record of them; nil costs nothing. Must not wait.
    public var onRecord: ((Output.Record) -> Void)? {
        get { surroundings.onRecord }
        set {
            surroundings.onRecord = newValue
            service.keepsRecords = newValue != nil
        }
    }

    /// Has `recorder` get all that the engine takes from now on.
    public func record(by recorder: any EngineRecorder) { service.record(by: recorder) }

    /// Called with what is to be logged of what is refused: never more often than a log can bear.
    public var onRefusal: ((RefusalNotice) -> Void)? {
        get { surroundings.onRefusal }
        set { surroundings.onRefusal = newValue }
    }

    /// Called with what is to be logged of sets whose ids are probably positions: once a set.
    public var onShiftedSet: ((ShiftedSetNotice) -> Void)? {
        get { surroundings.onShiftedSet }
        set { surroundings.onShiftedSet = newValue }
    }

    /// Called after what `state` says has, or may have, changed: not once an event.
    public var stateChanged: () -> Void {
        get { surroundings.stateChanged }
        set { surroundings.stateChanged = newValue }
    }

    /// How it is now. `opening`: the actuators that are being opened for the first time; they do not count as missing.
    public func state(opening: Set<ActuatorIndex> = []) -> ServiceState { ServiceState(of: service, opening: opening) }

    /// Whether the engine is asked for what it plans when it wants to be: that the timer works. `tolerance`: by how much it may
    /// be late.
    public func isInTime(at now: MonotonicInstant, tolerance: Nanoseconds) -> Bool {
        service.isInTime(at: now, tolerance: tolerance)
    }

    /// Reads the configuration again and puts it in force where it is good; says which parts changed.
    public func requestReload(_ answer: @escaping ReloadAnswer) { enter(.reload(answer)) }

    /// Says what people had set when the daemon last ran: before anyone is served.
    public func restore(_ settings: Settings) { enter(.restore(settings)) }

    /// Says, before anyone is served, what people had set and could not be read (`damage`), and why what they set will not be stored
    /// (`obstacle`). Nil: all is well.
    public func startSettings(damage: String?, obstacle: String?) {
        service.startSettings(damage: damage, obstacle: obstacle)
    }

    /// What people have set, and what is configured below that.
    public var settingsInForce: SettingsInForce { service.settingsInForce }

    /// Says what the clocks on the wall show now: at the start, and where somebody has set them or their zone has changed its offset.
    public func setClock(_ time: LocalTime) { enter(.clock(time)) }

    /// Says that somebody may have set these clocks: what is stored has the end of `off` by them.
    public func clockWasSet() { enter(.clockWasSet) }

    /// Ends everything; what waited is answered. New requests are refused from now on.
    public func shutDown() { enter(.shutDown) }

    // MARK: Time

    /// One timer, moved only to an earlier time: one that fires too early finds nothing to do and costs less than moving it.
    func scheduleWakeUp() {
        // At the end of the daemon there is no later.
        guard !service.daemon.isStopping else {
            timer?.task.cancel()
            timer = nil
            return
        }
        let deadline = service.nextWakeUp
        guard deadline < .distantFuture, timer.map({ deadline < $0.deadline }) ?? true else { return }
        timer?.task.cancel()
        let delay = max(0, (deadline - now()).count)
        let task = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(delay)) { [weak self] in
            self?.timer = nil
            self?.enter(.timer)
        }
        timer = (deadline, task)
    }
}
