// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticEngine
import HapticPatterns
import HapticPlanning
import HapticService
import HapticText
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

/// The server without sockets, in virtual time. Its clients are visitors, or channels that the test makes.
final class Rig {
    let loop = EmbeddedEventLoop()
    let server: FeedbackServer
    let sink = RecordingSink()
    let keeper = HeldKeeper()
    private(set) var decisions: [Decision.InputKind] = []
    private(set) var endings: [PlaybackEnd.Ending] = []

    /// The time that the machine has slept in all.
    var suspended: Nanoseconds {
        get { suspendedTime.value }
        set { suspendedTime.value = newValue }
    }
    private let suspendedTime = SuspendedTime()

    private final class SuspendedTime {
        var value = Nanoseconds.seconds(1000)
    }

    /// The daemon runs as user 900. With `keeps`, `keeper` stores the settings. Without `now`, the event loop's time counts.
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
                if let reloaded { answer(.success(ReloadedConfiguration(reloaded, replacing: inForce))) }
            }, keeper: keeps ? { keeper.store($0, $1) } : nil)
        server.onRecord = { [weak self] record in
            switch record {
            case .decision(let decision): self?.decisions.append(decision.input)
            case .ending(let end): self?.endings.append(end.ending)
            }
        }
    }

    func advance(_ time: Nanoseconds) { loop.advanceTime(by: .nanoseconds(time.count)) }
    /// Runs one turn of the event loop.
    func turn() { loop.advanceTime(by: .microseconds(50)) }

    func visit(user: UInt32 = 1001) throws -> Visitor { try Visitor(server, user: user) }

    /// A channel of NIO with its session; `handler` stands between the two.
    func connect(_ handler: (any ChannelHandler)? = nil, user: UInt32 = 1001) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        if let handler { try channel.pipeline.syncOperations.addHandler(handler) }
        try channel.pipeline.syncOperations.addHandler(SessionHandler(server, peer: Peer(user: user, groups: [])))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/there")).wait()
        return channel
    }

    func say(_ line: String, to channel: EmbeddedChannel) throws { try channel.writeInbound(ByteBuffer(string: line + "\n")) }

    func received(_ channel: EmbeddedChannel) throws -> String {
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

/// A clock that advances by a millisecond with each reading, so that one turn of the server handles one line.
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
    /// The items of a list; empty for any other value.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}

/// A client without a channel, so that it may have any user.
final class Visitor {
    let session: Session
    private let output = RecordingOutput()
    private let server: FeedbackServer

    /// Records the output of a session.
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

    /// Sends lines, each in a turn of its own, as a client does that waits for each answer.
    func say(_ lines: String...) {
        for line in lines {
            (server.loop.worked, server.loop.isRunScheduled) = (.zero, false)
            server.say(line, from: session)
        }
    }

    /// Takes the next line of the output.
    func receive() -> JSONValue? {
        guard !output.lines.isEmpty else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(output.lines.removeFirst()))
    }

    /// Sends a request and returns the last line of the output; earlier lines are dropped.
    @discardableResult
    func ask(_ method: String, _ params: String = "{}", id: Int = 1) -> JSONValue? {
        say(request(method, params, id: id))
        output.lines = output.lines.suffix(1)
        return receive()
    }

    func closeHalf() {
        session.inputClosed()
        server.linesArrived(of: session)
    }

    func close() {
        (server.loop.worked, server.loop.isRunScheduled) = (.zero, false)
        server.close(session)
    }
}

extension FeedbackServer {
    /// Handles `line` as a line from the client.
    func say(_ line: String, from session: Session) {
        session.received(Array("\(line)\n".utf8), at: now())
        linesArrived(of: session)
    }
}

/// A client that reads nothing: its output is never sent, and only `atOnce` closes it.
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

/// A store of settings that answers when the test calls `answer`.
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

/// Records the orders of the service to the executor.
final class RecordingSink: ActuationSink, @unchecked Sendable {
    private(set) var actuations: [Actuation] = []
    private(set) var replacements = 0
    var holdsPreparations = false

    func apply(_ order: ActuationOrder) {
        switch order {
        case .actuate(let actuation): actuations.append(actuation)
        case .revoke(let playback, _, let instant, _):
            actuations.removeAll { $0.playback == playback && $0.planned >= instant }
        }
    }
    func commit() {}
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        if !holdsPreparations { answer(actuators.map { _ in timelines.map { _ in true } }) }
    }
    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void) { answer(true) }
    func replaceActuators(_ actuators: [EngineActuator]) {
        actuations = []
        replacements += 1
    }
}
