// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticEngine
import HapticJSON
import HapticPatterns
import HapticService
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

/// The server without sockets, in time as the test has it. Its clients are visitors, or channels that the test has made.
final class Rig {
    let loop = EmbeddedEventLoop()
    let server: FeedbackServer
    let sink = RecordingSink()
    let keeper = HeldKeeper()
    private(set) var decisions: [Decision.InputKind] = []
    private(set) var endings: [PlaybackEnd.Ending] = []

    /// How long the machine has slept in all.
    var suspended: Nanoseconds {
        get { suspendedTime.value }
        set { suspendedTime.value = newValue }
    }
    private let suspendedTime = SuspendedTime()

    private final class SuspendedTime {
        var value = Nanoseconds.seconds(1000)
    }

    /// The daemon runs as user 900. `keeps`: whether settings are stored, by `keeper`. `now`: nil if time is that of the event loop.
    init(
        _ configuration: ServiceConfiguration? = nil, reloaded: ServiceConfiguration? = nil, keeps: Bool = false,
        now: (() -> MonotonicInstant)? = nil
    ) throws {
        let (loop, suspendedTime, keeper) = (loop, suspendedTime, keeper)
        server = FeedbackServer(
            try configuration ?? Self.configuration(), version: "test", eventLoop: loop, sink: sink, ownUser: 900,
            now: now ?? { .zero + .seconds(5) + Nanoseconds(Int64(loop.now.uptimeNanoseconds)) },
            suspended: { suspendedTime.value },
            reloader: { inForce, answer in
                if let reloaded { answer(.success(FeedbackService.Reloaded(reloaded, replacing: inForce))) }
            }, keeper: keeps ? { keeper.store($0, $1) } : nil)
        server.onRecord = { [weak self] record in
            switch record {
            case .decision(let decision): self?.decisions.append(decision.input)
            case .ending(let end): self?.endings.append(end.ending)
            }
        }
    }

    func advance(_ time: Nanoseconds) { loop.advanceTime(by: .nanoseconds(time.count)) }
    /// The event loop has looked at everyone.
    func turn() { loop.advanceTime(by: .microseconds(50)) }

    func visit(user: UInt32 = 1001) throws -> Visitor { try Visitor(server, user: user) }

    /// A connection as NIO has it; `handler` stands between it and the session.
    func connect(_ handler: (any ChannelHandler)? = nil, user: UInt32 = 1001) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        if let handler { try channel.pipeline.syncOperations.addHandler(handler) }
        try channel.pipeline.syncOperations.addHandler(SessionHandler(server, peer: Peer(user: user, groups: [])))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/there")).wait()
        return channel
    }

    func say(_ line: String, to channel: EmbeddedChannel) throws { try channel.writeInbound(ByteBuffer(string: line + "\n")) }

    func heard(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        return text
    }

    static func configuration(
        actuators: [String] = ["main"], bounds: EngineBounds = .standard,
        _ change: (inout ServiceConfiguration) throws -> Void = { _ in }
    ) throws -> ServiceConfiguration {
        func pattern(_ name: String, _ kind: HapticEvent.Kind) throws -> PlayablePattern {
            let event = HapticEvent(at: .zero, kind: kind, intensity: .one, sharpness: .one)
            return PlayablePattern(try Pattern(name: name, tracks: [.events([event])]))
        }
        let patterns = [
            try pattern("soft", .transient), try pattern("minute", .continuous(duration: .seconds(60), sustained: true)),
            try pattern("tick", .transient), try pattern("light", .transient),
        ]
        let rule = ProgressRule(
            match: Glob("*"), gate: GateConfiguration(step: 0.01),
            feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
        let engine = try EngineConfiguration(
            actuators: actuators.map { EngineActuator(name: $0) }, progressRules: [rule],
            patterns: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0.name), $0) }), bounds: bounds)
        var configuration = ServiceConfiguration(engine: engine, backends: actuators.map { _ in "simulated" })
        try change(&configuration)
        return configuration
    }
}

/// A clock each look at which takes a millisecond, so that a turn is one line.
final class SlowClock {
    private var now = MonotonicInstant.zero + .seconds(5)
    private(set) var looks = 0
    func look() -> MonotonicInstant {
        looks += 1
        now = now + .milliseconds(1)
        return now
    }
}

/// One request as a line, or as an item of a batch.
func request(_ method: String, _ params: String = "{}", id: Int? = 1) -> String {
    let id = id.map { "\"id\":\($0)," } ?? ""
    return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#
}

func batch(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

extension JSONValue {
    /// The items of a list; none if it is none.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}

/// A client without a channel, so that it may be anyone.
final class Visitor {
    let session: Session
    private let output = RecordingOutput()
    private let server: FeedbackServer

    /// Keeps what a session gets.
    private final class RecordingOutput: SessionOutput {
        var lines: [[UInt8]] = []
        var isClosed = false
        func send(_ lines: [[UInt8]], sent: @escaping () -> Void) {
            // Several notices may come in one piece.
            self.lines += lines.flatMap { $0.split(separator: UInt8(ascii: "\n")).map { Array($0) } }
            sent()
        }
        func resumeReading() {}
        func close(_ way: SessionClosing) { isClosed = true }
    }

    init(_ server: FeedbackServer, user: UInt32) throws {
        self.server = server
        session = try server.open(Peer(user: user, groups: []), output: output)
    }

    var isClosed: Bool { output.isClosed }

    /// Sends lines. Whoever waits for each answer has the event loop go around between two of them.
    func say(_ lines: String...) {
        for line in lines {
            (server.turns.worked, server.turns.isRunScheduled) = (.zero, false)
            server.say(line, from: session)
        }
    }

    /// The next line that has not been taken yet.
    func hear() -> JSONValue? {
        guard !output.lines.isEmpty else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(output.lines.removeFirst()))
    }

    /// Returns the last line that has been sent by then; those before it are passed over.
    @discardableResult
    func ask(_ method: String, _ params: String = "{}", id: Int = 1) -> JSONValue? {
        say(request(method, params, id: id))
        output.lines = output.lines.suffix(1)
        return hear()
    }

    func closeHalf() {
        session.inputClosed()
        server.linesArrived(of: session)
    }

    func close() {
        (server.turns.worked, server.turns.isRunScheduled) = (.zero, false)
        server.close(session)
    }
}

extension FeedbackServer {
    /// As if `line` had come from the client.
    func say(_ line: String, from session: Session) {
        session.received(Array("\(line)\n".utf8), at: now())
        linesArrived(of: session)
    }
}

/// A client that reads nothing: what is left for it is never sent, and only `atOnce` closes it.
final class Deaf: SessionOutput {
    private var waiting: [() -> Void] = []
    private(set) var isClosed = false
    func send(_ lines: [[UInt8]], sent: @escaping () -> Void) { waiting.append(sent) }
    func resumeReading() {}
    func close(_ way: SessionClosing) {
        guard case .atOnce = way else { return }
        isClosed = true
        for sent in waiting { sent() }
        waiting = []
    }
}

/// Is to store what people set, and answers when the test says.
final class HeldKeeper {
    private(set) var stored: [Settings] = []
    private var answers: [(SettingsFailure?) -> Void] = []

    fileprivate func store(_ settings: Settings, _ answer: @escaping (SettingsFailure?) -> Void) {
        stored.append(settings)
        answers.append(answer)
    }

    var isAsked: Bool { !answers.isEmpty }
    func answer(_ failure: SettingsFailure? = nil) { answers.removeFirst()(failure) }
}

/// Keeps what the service hands to the executor.
final class RecordingSink: ActuationSink, @unchecked Sendable {
    private(set) var actuations: [Actuation] = []
    private(set) var replacements = 0
    var holdsPreparations = false

    func apply(_ actuation: Actuation) { actuations.append(actuation) }
    func revoke(_ playback: PlaybackID, on actuator: ActuatorIndex, from instant: MonotonicInstant, goesOn: Bool) {
        actuations.removeAll { $0.playback == playback && $0.planned >= instant }
    }
    func commit() {}
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        if !holdsPreparations { answer(actuators.map { _ in timelines.map { _ in true } }) }
    }
    func awaitRest(answer: @escaping (_ isOff: Bool) -> Void) { answer(true) }
    func replaceActuators(_ actuators: [EngineActuator]) {
        actuations = []
        replacements += 1
    }
}
