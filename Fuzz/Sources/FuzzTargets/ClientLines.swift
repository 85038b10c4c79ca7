// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticMotors
internal import HapticPatterns
internal import HapticPlanning
internal import HapticService
internal import HapticWire
internal import NIOCore
internal import NIOEmbedded

@testable internal import HapticServer

/// Clients' lines through sessions, service and engine, without sockets and in virtual time.
///
/// The input is what the clients send. A line that begins with `~` is for the bench: `~2` goes on with client 2, `~.` hands
/// over what has been written so far, `~-` does so without the end of the last line, `~x` closes, `~h` closes half, `~b` stops and resumes
/// reading, `~r` reloads, `~d` takes the device away and brings it back, `~s` stores what was set, `~s-` cannot, `~c…` says what time it is,
/// `~+250` lets 250 ms pass.
public enum ClientLines: FuzzTarget {
    public static let name = "lines"

    public static func run(_ bytes: [UInt8]) {
        let bench = ServiceBench()
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.first == UInt8(ascii: "~") {
                bench.control(line.dropFirst())
            } else {
                bench.write(line + [UInt8(ascii: "\n")])
            }
        }
        bench.finish()
    }
}

/// Where what people set is kept. Whoever puts something there waits.
private final class Shelf {
    private var answers: [(SettingsFailure?) -> Void] = []

    func put(_ settings: Settings, _ answer: @escaping (SettingsFailure?) -> Void) {
        require(answers.isEmpty, "one state is stored at a time")
        answers.append(answer)
    }

    /// False where nobody waits.
    @discardableResult
    func answer(_ failure: SettingsFailure? = nil) -> Bool {
        guard let answer = answers.popLast() else { return false }
        answer(failure)
        return true
    }
}

/// The server, its clients and its motors, all in one thread.
private final class ServiceBench {
    private static let clients = 4
    private static let configuration = makeConfiguration()

    private let loop = EmbeddedEventLoop()
    private let motors = PlainMotors()
    private let shelf = Shelf()
    private let server: FeedbackServer
    private var clients: [BenchClient?] = Array(repeating: nil, count: clients)
    private var current = 0
    private var pending: [UInt8] = []
    private var isDeviceLost = false
    /// How much time the input may still let pass: virtual time takes real time, too.
    private var patience = Nanoseconds.seconds(20)

    init() {
        let (loop, shelf, configuration) = (loop, shelf, Self.configuration)
        server = FeedbackServer(
            configuration, version: "fuzz", eventLoop: loop, sink: motors, ownUser: 0, now: { Self.now(loop) },
            reloader: { $1(.success(ReloadedConfiguration(configuration, replacing: $0))) }, keeper: { shelf.put($0, $1) })
    }

    private static func now(_ loop: EmbeddedEventLoop) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(loop.now.uptimeNanoseconds) + 5_000_000_000)
    }

    func write(_ bytes: some Sequence<UInt8>) { pending += bytes }

    func control(_ order: ArraySlice<UInt8>) {
        let isHalf = order.first == UInt8(ascii: "-")
        handOver(isHalf ? pending.dropLast() : pending[...])
        guard let letter = order.first else { return }
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): current = Int(letter - 48) % Self.clients
        case UInt8(ascii: "x"):
            clients[current]?.close()
            clients[current] = nil
        case UInt8(ascii: "h"): clients[current]?.closeHalf()
        case UInt8(ascii: "b"): clients[current]?.toggleReading()
        case UInt8(ascii: "r"): server.requestReload { _ in }
        case UInt8(ascii: "s"): shelf.answer(order.count > 1 ? SettingsFailure("the disk is full") : nil)
        case UInt8(ascii: "c"): server.setClock(LocalTime(.mon, second: 3600 * order.count))
        case UInt8(ascii: "d"):
            isDeviceLost.toggle()
            server.setActuator(ActuatorIndex(0), isDeviceLost ? .missing(ActuatorFault("unplugged")) : .there())
        case UInt8(ascii: "+"):
            let milliseconds = Int64(String(decoding: order.dropFirst().prefix(5), as: UTF8.self)) ?? 1
            pass(min(.milliseconds(max(0, milliseconds)), patience))
        default: break
        }
        loop.run()
    }

    private func handOver(_ bytes: some Collection<UInt8>) {
        defer { pending.removeAll(keepingCapacity: true) }
        guard !bytes.isEmpty else { return }
        let client = clients[current] ?? BenchClient(server, loop)
        clients[current] = client
        client.send(bytes)
        loop.run()
    }

    /// In steps, with a report of what was played after each.
    private func pass(_ time: Nanoseconds) {
        patience = patience - time
        let end = Self.now(loop) + time
        while Self.now(loop) < end {
            loop.advanceTime(by: .nanoseconds(min(Nanoseconds.milliseconds(20), end - Self.now(loop)).count))
            server.applied(motors.play(until: Self.now(loop)))
        }
    }

    /// Whatever was sent, a `play` is felt afterwards, everything ends, and every request has its one answer.
    func finish() {
        control([])
        if isDeviceLost { server.setActuator(ActuatorIndex(0), .there()) }
        for client in clients.compactMap(\.self) where client.isBlocked { client.toggleReading() }
        let last = BenchClient(server, loop)
        last.send(
            Array(
                (#"{"jsonrpc":"2.0","id":"full","method":"settings","params":{"set":{"profile":null,"strength":null,"classes":null,"#
                    + #""apps":null,"quietHours":null,"off":null}}}"# + "\n"
                    + #"{"jsonrpc":"2.0","id":"all","method":"cancel","params":{"all":true,"mode":"immediate"}}"# + "\n").utf8))
        while shelf.answer() { loop.run() }
        // Longer than any limit on how often something is felt.
        pass(.milliseconds(1500))
        // What was set while something was being stored.
        while shelf.answer() { loop.run() }
        let before = motors.felt
        last.send(
            Array((#"{"jsonrpc":"2.0","id":"last","method":"play","params":{"pattern":"tick","class":"alarm"}}"# + "\n").utf8))
        pass(.milliseconds(500))
        require(motors.felt > before, "a `play` is felt afterwards")
        require(motors.areOff, "everything ends")
        for client in clients.compactMap(\.self) + [last] { client.check() }
        server.shutDown()
        loop.run()
        for client in clients.compactMap(\.self) + [last] { client.close() }
    }

    private static func makeConfiguration() -> ServiceConfiguration {
        func pattern(_ name: String, _ kind: HapticEvent.Kind) -> Pattern {
            let event = HapticEvent(at: .zero, kind: kind, intensity: .one, sharpness: .one)
            return try! Pattern(name: name, tracks: [.events([event])])
        }
        let patterns = [
            pattern("soft", .transient), pattern("tick", .transient), pattern("light", .transient),
            pattern("success", .transient),
            pattern("ring", .continuous(duration: .seconds(1), sustained: true)),
        ]
        let rule = ProgressRule(
            match: Glob("*"), gate: GateConfiguration(step: 0.01),
            feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
        let event = EventRule(
            match: Glob("*.succeeded"), feedback: RuleFeedback(pattern: "success", feedbackClass: .notification))
        let engine = try! EngineConfiguration(
            actuators: [
                EngineActuator(name: "main"),
                EngineActuator(
                    name: "line", capabilities: ActuatorCapabilities(variesIntensity: false, variesSharpness: false),
                    limits: MotorLimits(minGap: .milliseconds(20))),
                fitted,
            ], progressRules: [rule], eventRules: [event], conditionRules: [ConditionRule(name: "camera", profile: .silent)],
            patterns: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0.name), PlayablePattern($0)) }),
            bounds: EngineBounds(sources: 64, sourcesPerUser: 64, playbacks: 64, sourceTimeout: .seconds(60)))
        var configuration = ServiceConfiguration(
            engine: engine, library: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0.name), $0) }),
            backends: engine.actuators.map { _ in "simulated" })
        // Each client may begin with `hello`, and assert conditions without it.
        let everyone = AccessList(users: [Account(name: "door", id: BenchClient.user)])
        (configuration.access[.speakFor], configuration.access[.conditions]) = (everyone, everyone)
        return configuration
    }

    /// One that patterns are fitted to, with all that a fitted drive can have: overdrive, braking, limits; and that gets hot soon.
    private static var fitted: EngineActuator {
        // trap: the library has it, with an overdrive.
        let motor = MotorLibrary.motor(named: "precision-305-000")!.model
        return EngineActuator(
            name: "fitted",
            capabilities: ActuatorCapabilities(
                variesIntensity: true, variesSharpness: true, mostDrive: motor.overdrive!.level, reverses: true),
            limits: MotorLimits(minGap: .milliseconds(10), maxOn: .milliseconds(400)), motor: motor,
            thermal: ThermalModel(
                winding: .milliseconds(300), housing: .seconds(3), continuous: Share(clamping: 0.5), soft: Share(clamping: 0.75),
                floor: Share(clamping: 0.4)))
    }
}

/// Motors that do what is planned, at the planned instant.
private final class PlainMotors: ActuationSink {
    private var planned: [Actuation] = []
    /// What switched each of those on that are on.
    private var on: [ActuatorIndex: Actuation] = [:]
    /// How often something was switched on.
    private(set) var felt = 0

    var areOff: Bool { on.isEmpty }

    func apply(_ order: ActuationOrder) {
        switch order {
        case .actuate(let actuation): planned.append(actuation)
        case .revoke(let playback, let actuator, let instant, _):
            planned.removeAll { $0.playback == playback && $0.actuator == actuator && $0.planned >= instant }
            // As the executor does: what of it was applied already is switched off.
            if let last = on[actuator], last.playback == playback, last.planned >= instant { on[actuator] = nil }
        }
    }

    func commit() {}

    func replaceActuators(_ actuators: [EngineActuator]) {
        planned = []
        on = [:]
    }

    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        answer(actuators.map { _ in timelines.map { _ in true } })
    }

    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void) { answer(true) }

    func play(until now: MonotonicInstant) -> [AppliedActuation] {
        let due = planned.filter { $0.planned <= now }
        planned.removeAll { $0.planned <= now }
        for actuation in due {
            // What is sent, not what is meant: a fitted motor may be braked where nothing is meant, and end before its level does.
            if actuation.isOn {
                felt += on.updateValue(actuation, forKey: actuation.actuator) == nil ? 1 : 0
            } else {
                on[actuation.actuator] = nil
            }
        }
        return due.map { AppliedActuation($0, at: now) }
    }
}
