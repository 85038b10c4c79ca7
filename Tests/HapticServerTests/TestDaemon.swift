// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticClient
import HapticCore
import HapticEngine
import HapticJSON
import HapticPatterns
import HapticService
import HapticWire
import NIOCore
import NIOPosix
import Synchronization

@testable import HapticServer

/// Time as the test has it.
final class HeldClock: Sendable {
    private let nanoseconds = Atomic<Int64>(5_000_000_000)
    func now() -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
    func advance(_ time: Nanoseconds) { nanoseconds.add(time.count, ordering: .relaxed) }
}

/// The server on a real socket in a directory of its own, with a sink that only records. Ends with its scope.
final class TestDaemon: Sendable {
    let directory: String
    let path: String
    let sink = RecordingSink()
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let server: NIOLoopBound<FeedbackServer>
    private let channel: any Channel

    /// `reloaded`: what a reload finds. `keeper`: nil keeps nothing.
    init(
        _ configuration: ServiceConfiguration? = nil, reloaded: Result<ServiceConfiguration, WireError>? = nil,
        ownUser: UInt32 = geteuid(), keeper: HeldKeeper? = nil,
        now: @escaping @Sendable () -> MonotonicInstant = { MonotonicInstant(nanoseconds: MonotonicClock.now) }
    ) throws {
        let configuration = try configuration ?? Self.configuration()
        let directory = try temporaryDirectory()
        self.directory = directory
        path = directory + "/hapticd.sock"
        let socket = try ListeningSocket(.path(path, makesDirectory: false), access: .standard)
        let (loop, sink) = (group.next(), sink)
        server = try loop.submit {
            let server = FeedbackServer(
                configuration, version: "test", eventLoop: loop, sink: sink, ownUser: ownUser, now: now,
                reloader: { inForce, answer in
                    if let reloaded { answer(reloaded.map { FeedbackService.Reloaded($0, replacing: inForce) }) }
                }, keeper: keeper.map { keeper in { keeper.store($0, $1) } })
            return NIOLoopBound(server, eventLoop: loop)
        }.wait()
        let server = server
        let descriptor = socket.descriptor
        channel = try loop.flatSubmit { SocketServer.start(server.value, descriptor: descriptor) }.wait()
    }

    deinit {
        // Not waited for: the last one who held it may have been the event loop itself.
        group.shutdownGracefully { _ in }
        removeDirectory(directory)
    }

    /// Runs `body` with the server on its event loop.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable (FeedbackServer) throws -> Value) throws -> Value {
        let server = server
        return try group.next().submit { try body(server.value) }.wait()
    }

    /// Runs `body` while the event loop gets to nothing else.
    func whileBusy<Value>(_ body: () throws -> Value) throws -> Value {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw RawClient.Failure.connect(errno) }
        let readEnd = ends[0]
        group.next().execute {
            var byte: UInt8 = 0
            _ = read(readEnd, &byte, 1)
            close(readEnd)
        }
        defer { close(ends[1]) }
        return try body()
    }

    func connect() throws -> RawClient { try RawClient(self) }

    static func configuration(
        clientLimit: Int = 1024, profile: Profile = .full, actuators: [String] = ["main"], limits: MotorLimits = .none,
        bounds: EngineBounds = .standard
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
            settings: Settings(profile: profile), actuators: actuators.map { EngineActuator(name: $0, limits: limits) },
            progressRules: [rule],
            patterns: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0.name), $0) }), bounds: bounds)
        return ServiceConfiguration(
            engine: engine, backends: actuators.map { _ in "simulated" }, clientBounds: ClientBounds(clients: clientLimit))
    }
}

/// Is to store what people set, and answers when the test says. Only touched on the event loop.
final class HeldKeeper: @unchecked Sendable {
    private(set) var stored: [Settings] = []
    private var answers: [(SettingsFailure?) -> Void] = []

    fileprivate func store(_ settings: Settings, _ answer: @escaping (SettingsFailure?) -> Void) {
        stored.append(settings)
        answers.append(answer)
    }

    var isAsked: Bool { !answers.isEmpty }
    func answer(_ failure: SettingsFailure? = nil) { answers.removeFirst()(failure) }
}

/// Keeps what the service hands to the executor. Only touched on the event loop.
final class RecordingSink: ActuationSink, @unchecked Sendable {
    private(set) var actuations: [Actuation] = []
    private(set) var revoked: [PlaybackID] = []
    private(set) var replacements = 0
    private(set) var preparations: [[ActuatorIndex]] = []
    /// Whether what is prepared on an actuator is ready; nil where it cannot be asked.
    var readiness: (ActuatorIndex) -> Bool? = { _ in true }
    var holdsPreparations = false
    /// What is said where somebody waits for every output to be off.
    var isOff = true
    private(set) var heldAnswers: [() -> Void] = []

    func apply(_ actuation: Actuation) { actuations.append(actuation) }
    func revoke(_ playback: PlaybackID, on actuator: ActuatorIndex, from instant: MonotonicInstant, goesOn: Bool) {
        revoked.append(playback)
        actuations.removeAll { $0.playback == playback && $0.planned >= instant }
    }
    func commit() {}
    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        preparations.append(actuators)
        let readiness = readiness
        let reply = { answer(actuators.map { index in readiness(index).map { isReady in timelines.map { _ in isReady } } }) }
        if holdsPreparations { heldAnswers.append(reply) } else { reply() }
    }
    func awaitRest(answer: @escaping (_ isOff: Bool) -> Void) { answer(isOff) }
    func replaceActuators(_ actuators: [EngineActuator]) {
        actuations = []
        replacements += 1
    }
}

/// A client without any knowledge of the protocol: writes bytes and reads lines.
final class RawClient {
    enum Failure: Error {
        case connect(Int32)
        case noLine
    }

    private let descriptor: Int32
    /// Lives as long as its clients.
    private let daemon: TestDaemon
    private var framer = LineFramer(limit: WireLimit.daemonLine)

    /// `waits`: where the daemon's queue of connections is full.
    init(_ daemon: TestDaemon, waits: Bool = true) throws {
        self.daemon = daemon
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if !waits { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: daemon.path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure.connect(errno) }
        _ = fcntl(descriptor, F_SETFL, 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Returns how many bytes were taken; less than all only where `waits` is false or the daemon has hung up.
    @discardableResult
    func write(_ text: String, waits: Bool = true) -> Int { write(bytes: Array(text.utf8), waits: waits) }

    @discardableResult
    func write(bytes all: [UInt8], waits: Bool = true) -> Int {
        var bytes = all[...]
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count <= 0 { break }
            bytes = bytes.dropFirst(count)
        }
        return all.count - bytes.count
    }

    func closeHalf() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line; nil at the end of the stream.
    func readLine() throws -> JSONValue? {
        while true {
            if case .line(let line) = framer.next() { return try JSONDecoder().decode(JSONValue.self, from: Data(line)) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
            guard count > 0 else { throw Failure.noLine }
            framer.append(buffer.prefix(count))
        }
    }

    /// Sends one request and reads the next line.
    func ask(_ method: String, _ params: String = "{}", id: Int = 1) throws -> JSONValue? {
        write(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n")
        return try readLine()
    }
}

func temporaryDirectory() throws -> String {
    var template = Array("/tmp/hapticd-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RawClient.Failure.connect(errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeDirectory(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

extension FeedbackServer {
    /// As if `line` had come from the client.
    func say(_ line: String, from session: Session) {
        session.received(Array("\(line)\n".utf8), at: now())
        linesArrived(of: session)
    }
}
