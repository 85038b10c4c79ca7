// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPatterns
import HapticPlanning
import HapticWire
import Testing

@testable public import HapticService

/// The service in virtual time, without bytes, sockets or an event loop.
final class Bench {
    let service: FeedbackService
    let sink = RecordingSink()
    private(set) var now = MonotonicInstant.zero + .seconds(5)
    /// Whether `pass` answers `Output.readPendingInput`.
    var readsPendingInput = true

    /// The daemon runs as user 900.
    init(bounds: EngineBounds = .standard, _ change: (inout ServiceConfiguration) throws -> Void = { _ in }) throws {
        service = FeedbackService(
            try Self.configuration(bounds: bounds, change), version: "test", sink: sink, ownUser: 900, at: now)
    }

    static func configuration(
        actuators: [String] = ["main"], bounds: EngineBounds = .standard,
        _ change: (inout ServiceConfiguration) throws -> Void = { _ in }
    ) throws -> ServiceConfiguration {
        func pattern(_ name: String, _ kind: HapticEvent.Kind) throws -> Pattern {
            let event = HapticEvent(at: .zero, kind: kind, intensity: .one, sharpness: .one)
            return try Pattern(name: name, tracks: [.events([event])])
        }
        let patterns = [
            try pattern("soft", .transient), try pattern("tick", .transient), try pattern("light", .transient),
            try pattern("minute", .continuous(duration: .seconds(60), sustained: true)),
        ]
        let library = Dictionary(uniqueKeysWithValues: patterns.map { (Text($0.name), $0) })
        let rule = ProgressRule(
            match: Glob("*"), gate: GateConfiguration(step: 0.01),
            feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
        let engine = try EngineConfiguration(
            actuators: actuators.map { EngineActuator(name: $0) }, progressRules: [rule],
            patterns: library.mapValues { PlayablePattern($0) }, bounds: bounds)
        var configuration = ServiceConfiguration(engine: engine, library: library, backends: actuators.map { _ in "simulated" })
        try change(&configuration)
        return configuration
    }

    func connect(user: UInt32 = 1001, groups: [UInt32] = []) throws(WireError) -> Client {
        try service.connect(Peer(user: user, groups: groups), at: now)
    }

    /// Handles `requests` as one line of `client`.
    func say(_ requests: [Request], of client: Client) -> [Reply?] {
        service.read(requests, bytes: 100 * requests.count, of: client, readAt: now, at: now)
        var replies: [Reply?] = []
        service.decide(at: now, into: &replies)
        return replies
    }

    func ask(_ call: Call, of client: Client) -> Reply? { say([Request(call)], of: client).first ?? nil }

    /// Takes the outputs of the service since the last call.
    func outputs() -> [Output] {
        defer { service.removeOutputs() }
        return service.outputs.all
    }

    func notices() -> [Notice] { outputs().compactMap(\.notice) }
    func decisions() -> [DecisionResult] { notices().compactMap(\.decision) }
    func status(of client: Client) -> StatusResult? { ask(.status, of: client)?.status }

    func history(of client: Client, _ params: HistoryParams = HistoryParams()) throws -> HistoryResult {
        try #require(ask(.history(params), of: client)?.result())
    }

    func subscribe(_ client: Client, to topics: Topic...) {
        _ = ask(.subscribe(SubscribeParams(topics: Set(topics))), of: client)
        service.removeOutputs()
    }

    /// Replaces the configuration, as after a reload.
    func reload(_ configuration: ServiceConfiguration) {
        service.reloaded(.success(.init(configuration, replacing: service.configuration)), at: now)
    }

    /// Lets time pass without a call of the service.
    func stall(_ time: Nanoseconds) { now = now + time }

    /// Lets time pass, and calls the service at each of its wake-ups.
    func pass(_ time: Nanoseconds) {
        let end = now + time
        var wakeUps = 0
        while service.nextWakeUp <= end, wakeUps < 100_000 {
            wakeUps += 1
            now = max(now, service.nextWakeUp)
            service.advance(to: now)
            // No input is pending, for only the test sends any.
            if readsPendingInput, service.outputs.all.contains(where: { $0.name == "read pending input" }) {
                service.pendingInputIsRead(at: now)
            }
        }
        #expect(service.nextWakeUp > end, "it wants to be woken all the time")
        now = end
    }
}

extension ServiceConfiguration {
    /// Replaces the settings and the rules of events, sets and holds.
    mutating func change(
        settings: Settings = Settings(), events: [EventRule] = [], collections: [CollectionRule] = [], holds: [HoldRule] = []
    ) throws {
        engine = try EngineConfiguration(
            settings: settings, actuators: engine.actuators, progressRules: engine.progressRules, eventRules: events,
            collectionRules: collections, holdRules: holds, patterns: engine.patterns, bounds: engine.bounds)
    }

    /// Adds a rule by which every hold of a client is felt.
    mutating func addHolds() throws {
        let feedback = RuleFeedback(pattern: "soft", feedbackClass: .texture)
        try change(holds: [HoldRule(match: .clients(Glob("*")), feedback: feedback, complete: "tick")])
    }
}

/// Records the orders of the service to the executor.
final class RecordingSink: ActuationSink {
    private(set) var actuations: [Actuation] = []
    private(set) var commits = 0
    private(set) var replacements: [[String]] = []
    /// The number of actuations before the last replacement of the actuators.
    private(set) var actuationsBefore = 0
    var onCommit: () -> Void = {}

    func apply(_ order: ActuationOrder) {
        switch order {
        case .actuate(let actuation): actuations.append(actuation)
        case .revoke(let playback, _, let instant, _):
            actuations.removeAll { $0.playback == playback && $0.planned >= instant }
        }
    }
    func commit() {
        commits += 1
        onCommit()
    }
    func replaceActuators(_ actuators: [EngineActuator]) {
        replacements.append(actuators.map(\.name))
        actuationsBefore = actuations.count
    }
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        Issue.record("the service asks by an output")
    }
    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void) { Issue.record("the service asks by an output") }
}

/// A call, as short as tests write it.
struct Call {
    let params: any WireCall

    init(_ params: some WireCall) { self.params = params }

    static func progress(_ params: ProgressParams) -> Call { Call(params) }
    static func release(_ params: ReleaseParams) -> Call { Call(params) }
    static func event(_ params: EventParams) -> Call { Call(params) }
    static func play(_ params: PlayParams) -> Call { Call(params) }
    static func present(_ params: PresentParams) -> Call { Call(params) }
    static func hold(_ params: HoldParams) -> Call { Call(params) }
    static func task(_ params: TaskParams) -> Call { Call(params) }
    static func cancel(_ params: CancelParams) -> Call { Call(params) }
    static func transaction(_ params: TransactionParams) -> Call { Call(params) }
    static func prepare(_ params: PrepareParams) -> Call { Call(params) }
    static func settings(_ params: SettingsParams) -> Call { Call(params) }
    static func patterns(_ params: PatternsParams) -> Call { Call(params) }
    static func subscribe(_ params: SubscribeParams) -> Call { Call(params) }
    static func history(_ params: HistoryParams) -> Call { Call(params) }
    static var actuators: Call { Call(ActuatorsParams()) }
    static var status: Call { Call(StatusParams()) }
    static var reload: Call { Call(ReloadParams()) }
    static var discover: Call { Call(DiscoverParams()) }

    static func play(_ name: String, id: String? = nil, wait: Bool? = nil) -> Call {
        var params = PlayParams(pattern: .named(name))
        params.id = id
        params.wait = wait
        return Call(params)
    }

    static func hold(_ id: String, _ state: HoldState, leaseMs: Double? = nil, atNs: Int64? = nil) -> Call {
        var params = HoldParams(id: id, state: state)
        (params.leaseMs, params.atNs) = (leaseMs, atNs)
        return Call(params)
    }

    /// A play of the pattern `soft` in another class than the default one.
    static func play(as feedbackClass: FeedbackClass, app: String? = nil) -> Call {
        var params = PlayParams(pattern: .named("soft"))
        (params.feedbackClass, params.app) = (feedbackClass, app)
        return Call(params)
    }

    static func settings(_ change: (inout NewSettings) -> Void) -> Call {
        var new = NewSettings()
        change(&new)
        return Call(SettingsParams(set: new))
    }

    static var askSettings: Call { Call(SettingsParams()) }
    static func cancelAll(_ mode: CancelMode = .immediate) -> Call { Call(CancelParams(.all, mode: mode)) }
    static func set(_ profile: Profile) -> Call { .settings { $0.profile = .set(profile) } }
    static func subscribe(_ topics: Topic...) -> Call { Call(SubscribeParams(topics: Set(topics))) }
}

extension Request {
    init(_ call: Call, wantsReply: Bool = true) { self.init(call.params, wantsReply: wantsReply) }

    /// A request of `method` with params that cannot be used.
    static func unusable(_ method: String, _ params: String = "[]", wantsReply: Bool = true) throws -> Request {
        let id = wantsReply ? #""id":1,"# : ""
        let line = #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#
        guard case .single(let message) = ClientLine(Array(line.utf8)) else { throw WireError(.internalError, "no message") }
        return Request(message)
    }
}

extension Reply: Equatable {
    /// By what is sent of them.
    public static func == (a: Reply, b: Reply) -> Bool {
        switch (a, b) {
        case (.error(let a), .error(let b)): a == b
        case (.later(let a), .later(let b)): a == b
        case (.onceStored(let a, let ticket), .onceStored(let b, let other)): a == b && ticket == other
        default: a.text != nil && a.text == b.text
        }
    }

    private var text: [UInt8]? {
        switch self {
        case .result(let result): WireWriter.result(result)
        case .written(let written): written.text
        case .error, .later, .onceStored: nil
        }
    }

    static func cancel(_ result: CancelResult) -> Reply { .result(result) }
    static func reload(_ result: ReloadResult) -> Reply { .result(result) }
    static func prepare(_ result: PrepareResult) -> Reply { .result(result) }
    static func playPart(_ result: PlayPartResult) -> Reply { .result(result) }
    static func transaction(_ result: TransactionResult) -> Reply { .result(result) }

    var decision: DecisionResult? { result() ?? result(as: PlayResult.self)?.decision }
    var error: WireError? { if case .error(let error) = self { error } else { nil } }
    var ticket: Ticket? { if case .later(let ticket) = self { ticket } else { nil } }
    var settings: SettingsResult? { if case .result(let result) = self { result as? SettingsResult } else { nil } }
    var patterns: PatternsResult? { result() }
    var actuators: [ActuatorResult]? { result(as: ActuatorsResult.self)?.actuators }
    var status: StatusResult? { result() }
}

extension Notice {
    var decision: DecisionResult? { if case .decision(let decision) = self { decision } else { nil } }
    var settings: SettingsNotice? { if case .settings(let notice) = self { notice } else { nil } }
    var playback: EndingResult? { if case .playback(let ending) = self { ending } else { nil } }
    var actuation: ActuationNotice? { if case .actuation(let notice) = self { notice } else { nil } }
    var hold: HoldNotice? { if case .hold(let hold) = self { hold } else { nil } }
}

extension Output {
    /// The kind of the output, to compare orders of outputs.
    var name: String {
        switch self {
        case .notice(let notice): notice.name
        case .reply: "reply"
        case .record(.decision): "decision record"
        case .record(.ending): "ending record"
        case .refusal: "refusal"
        case .shifted: "shifted set"
        case .prepare: "prepare"
        case .awaitOff: "rest"
        case .readPendingInput: "read pending input"
        case .reload: "reload"
        case .store: "store"
        case .settled: "settled"
        }
    }

    var notice: Notice? { if case .notice(let notice) = self { notice } else { nil } }
    var late: Reply? { if case .reply(let reply, _) = self { reply } else { nil } }
    var lateTicket: Ticket? { if case .reply(_, let ticket) = self { ticket } else { nil } }
}
