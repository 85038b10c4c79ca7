// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import HapticCore
import HapticEngine
import HapticPlanning
import HapticThreads
import HapticWire
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import HapticConfig
@testable import HapticInputs
@testable import HapticServer
@testable import HapticService
@testable import hapticd

@Suite("Keys and buttons in the daemon")
struct InputsLinkTests {
    /// Devices that are there, by the chip or the name.
    private final class Devices: InputSystem {
        let isDown = Mutex<[String: Bool]>([:])
        private let ports = Mutex<[String: Port]>([:])

        func isThere(_ path: String) -> Bool { isDown.withLock { $0[path] != nil } }
        func press(_ path: String) { ports.withLock { $0[path]?.change(isDown: true) } }
        func release(_ path: String) { ports.withLock { $0[path]?.change(isDown: false) } }

        func open(_ addresses: [InputAddress]) -> InputOpening {
            var opening = InputOpening()
            guard case .line(let address, _)? = addresses.first else { return opening }
            guard let isDown = isDown.withLock({ $0[address.chip] }) else {
                let fault = InputFault(DriverFault(.absent, device: "\(address)"), isKey: false)
                opening.faults = [0: fault]
                return opening
            }
            let port = Port(address.chip)
            ports.withLock { $0[address.chip] = port }
            opening.ports = [OpenedPort(port: port, inputs: [0], levels: InputLevels(areDown: [isDown], at: .zero))]
            return opening
        }
    }

    private final class Port: InputPort {
        /// Of a pipe, with a byte for each press or release that has not been read.
        let descriptor: Int32
        private let other: Int32
        let path: String

        init(_ path: String) {
            self.path = path
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (descriptor, other) = (ends[0], ends[1])
        }

        func change(isDown: Bool) {
            var byte: UInt8 = isDown ? 1 : 0
            #expect(write(other, &byte, 1) == 1)
        }

        func read() throws(InputPortError) -> InputReading {
            var byte: UInt8 = 0
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 0) == 1, Glibc.read(descriptor, &byte, 1) == 1 else { return InputReading() }
            return InputReading(edges: [InputEdge(input: 0, isDown: byte == 1, at: .zero)])
        }

        func levels() throws(InputPortError) -> InputLevels { InputLevels(areDown: [false], at: .zero) }
        func close() { for end in [descriptor, other] { Glibc.close(end) } }
    }

    private final class Bench {
        let loop = TestLoop(isLate: true)
        let devices = Devices()
        let server: FeedbackServer
        let link: InputsLink
        private let log: Lines
        private(set) var decided: [String] = []

        final class Lines: Sendable {
            let all = Mutex<[String]>([])
        }

        /// `more`: rules without an input.
        init(
            _ holds: [String], more: [String] = [], there: [String: Bool] = [:], isSimulated: Bool = false
        ) throws {
            let (loop, devices, log) = (loop, devices, Lines())
            self.log = log
            devices.isDown.withLock { $0 = there }
            server = FeedbackServer(
                ServiceConfiguration(engine: try Self.engine(holds + more), backends: []), version: "test",
                eventLoop: EmbeddedEventLoop(), sink: NoSink(), ownUser: 900, now: { loop.now }, reloader: { _, _ in })
            link = InputsLink(on: loop, isSimulated: isSimulated, logger: Logger(label: "test") { _ in Recorder(lines: log) })
            server.onRecord = { [unowned self] record in
                guard case .decision(let decision) = record else { return }
                switch decision.value {
                case .string(let state): decided.append("\(decision.source ?? "") \(state)")
                case .number(1): decided.append("\(decision.source ?? "") confirmed")
                default: return
                }
                #expect(decision.origin == .device)
            }
            link.serve(server, holds.map(Self.input), isWatching: true) { loop, isWatching, listener in
                InputSupervisor(on: loop, isWatching: isWatching, system: devices, listener: listener)
            }
            loop.turn()
        }

        /// Presses the buttons of these chips, one after the other.
        func press(_ chips: String...) throws {
            for chip in chips {
                let count = decided.count
                devices.press(chip)
                try wait(for: "the press of \(chip)") {
                    loop.read()
                    return decided.count > count
                }
            }
        }

        /// The conditions in force.
        var conditions: [String] { server.service.loop.engine.conditionNames }
        var lines: [String] { log.all.withLock { $0 } }

        /// What has been decided since the last call, until nothing more comes.
        func takenDecisions() -> [String] {
            loop.turn()
            defer { decided = [] }
            return decided
        }

        /// A hold `NAME` is of the chip `NAME`, `NAME=CHIP` of another; `?NAME` is a condition.
        static func input(_ name: String) -> DeviceInput {
            let parts = name.split(separator: "=").map(String.init)
            let address = GPIOAddress(chip: parts.last!, line: .offset(1))
            let source = InputSource(.line(address, bias: .asIs), debounce: .zero)
            return DeviceInput(parts[0].hasPrefix("?") ? .condition(Text(parts[0])) : .hold(Text(parts[0])), source)
        }

        static func engine(_ holds: [String]) throws -> EngineConfiguration {
            var classes = ClassTable.standard
            (classes.notification.reduced, classes.interaction.reduced) = (.nothing, .nothing)
            return try EngineConfiguration(
                classes: classes, actuators: [],
                holdRules: holds.filter { !$0.hasPrefix("?") }.map {
                    HoldRule(
                        match: .device(input($0).purpose.name), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
                },
                conditionRules: holds.filter { $0.hasPrefix("?") }.map {
                    ConditionRule(name: input($0).purpose.name, profile: .quiet)
                }, patterns: Configuration.builtIn.patterns.filter { $0.key == "soft" }.mapValues { PlayablePattern($0) })
        }
    }

    private struct Recorder: LogHandler {
        let lines: Bench.Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.all.withLock { $0.append("\(event.level): \(event.message)") } }
    }

    @Test("A pressed button is a hold of the device; a lost one is released, and the log has a remedy")
    func pressed() throws {
        let bench = try Bench(["unlock"], there: ["unlock": false])
        try bench.press("unlock")
        #expect(bench.takenDecisions() == ["unlock down"])
        #expect(bench.server.inputs.map(\.kind) == [.line])
        bench.loop.advance(.milliseconds(700))
        bench.devices.isDown.withLock { $0 = [:] }
        bench.link.devicesHaveChanged()
        #expect(bench.takenDecisions() == ["unlock up"])
        #expect(bench.server.inputs.map(\.fault) == [.deviceLost])
        bench.devices.isDown.withLock { $0 = ["unlock": false] }
        bench.link.devicesHaveChanged()
        bench.loop.turn()
        #expect(bench.server.inputs.map(\.error) == [nil])
        try #require(bench.lines.count == 2)
        #expect(bench.lines[0].hasPrefix("warning: the hold `unlock` is not read: GPIO line 1 of unlock is gone"))
        #expect(bench.lines[1] == "notice: the hold `unlock` is read again: GPIO line 1 of unlock is there")
    }

    @Test("A release that nobody has read yet is read before its hold is confirmed", arguments: [true, false])
    func releasedInTime(isReleased: Bool) throws {
        let bench = try Bench(["unlock"], there: ["unlock": false])
        try bench.press("unlock")
        #expect(bench.takenDecisions() == ["unlock down"])
        let eventLoop = try #require(bench.server.eventLoop as? EmbeddedEventLoop)
        // Nobody looked, and the thread that waits for the button has not run.
        bench.loop.advance(.seconds(5))
        if isReleased { bench.devices.release("unlock") }
        eventLoop.advanceTime(by: .seconds(10))
        #expect(bench.takenDecisions() == [isReleased ? "unlock up" : "unlock confirmed"])
    }

    @Test("A reload releases holds that it removes or renames, and keeps the others; after the end nothing is reported")
    func reloaded() throws {
        let bench = try Bench(["a", "b", "c"], there: ["a": false, "b": false, "c": false])
        try bench.press("a", "b", "c")
        #expect(bench.takenDecisions() == ["a down", "b down", "c down"])
        bench.link.use(["b", "d=c"].map(Bench.input))
        #expect(Set(bench.takenDecisions()) == ["a up", "c up"])
        #expect(bench.server.inputs.map(\.hold) == ["b", "d"])
        bench.devices.isDown.withLock { $0["c"] = nil }
        bench.link.devicesHaveChanged()
        // Nobody has pressed the button since it is that of another hold.
        #expect(bench.takenDecisions() == [])
        bench.link.shutDown()
        bench.devices.isDown.withLock { $0 = [:] }
        bench.link.devicesHaveChanged()
        #expect(bench.takenDecisions() == [])
    }

    @Test("A missing device stays missing in the status through a reload, and is logged once")
    func stillMissing() throws {
        let bench = try Bench(["a", "b"], there: ["a": false])
        bench.link.use(["b", "a"].map(Bench.input))
        bench.loop.turn()
        #expect(bench.server.inputs.map(\.fault) == [.absent, nil])
        #expect(bench.lines.count == 1)
    }

    @Test("Simulated, nothing is opened, and that is logged once")
    func simulated() throws {
        let bench = try Bench(["a", "b"], there: ["a": true, "b": true], isSimulated: true)
        bench.link.use(["b"].map(Bench.input))
        #expect(bench.takenDecisions() == [])
        #expect(
            bench.lines == [
                "notice: --simulate: no keys, buttons and switches are read, so nobody can use the hold `a`, the hold `b`"
            ])
        #expect(bench.server.inputs.map(\.kind) == [.simulated])
        #expect(bench.server.inputs[0].error?.contains("--simulate") == true)
    }

    @Test(
        "A condition is in force while its switch is on, from the start on, until its device is lost, and again when it is back")
    func condition() throws {
        let bench = try Bench(["?silent", "unlock"], there: ["?silent": true, "unlock": true])
        #expect(bench.conditions == ["?silent"])
        #expect(bench.server.inputs.map(\.condition) == ["?silent", nil])
        #expect(bench.server.inputs.map(\.hold) == [nil, "unlock"])
        bench.devices.isDown.withLock { $0["?silent"] = nil }
        bench.link.devicesHaveChanged()
        bench.loop.turn()
        #expect(bench.conditions == [])
        #expect(
            bench.lines.first?.hasPrefix("warning: the condition `?silent` is not read: GPIO line 1 of ?silent is gone") == true)
        bench.devices.isDown.withLock { $0["?silent"] = true }
        bench.link.devicesHaveChanged()
        bench.loop.turn()
        #expect(bench.conditions == ["?silent"])
        bench.devices.release("?silent")
        try wait(for: "the release") {
            bench.loop.read()
            return bench.conditions == []
        }
        #expect(bench.takenDecisions() == [])
    }

    @Test("A reload that names another condition for a switch that is on releases the first and asserts the second")
    func renamedCondition() throws {
        let bench = try Bench(["?a=slider"], more: ["?b"], there: ["slider": true])
        #expect(bench.conditions == ["?a"])
        bench.link.use([Bench.input("?b=slider")])
        bench.loop.turn()
        #expect(bench.conditions == ["?b"])
        bench.link.use([])
        #expect(bench.conditions == [])
    }

    @Test("A button that is down when the daemon starts, or when it is read again after a reload, has not been pressed")
    func stuck() throws {
        let bench = try Bench(["power"], there: ["power": true])
        #expect(bench.takenDecisions() == [])
        bench.link.use(["power=other"].map(Bench.input))
        bench.loop.turn()
        bench.link.use(["power"].map(Bench.input))
        #expect(bench.takenDecisions() == [])
        #expect(bench.server.inputs.map(\.error) == [nil])
    }
}
