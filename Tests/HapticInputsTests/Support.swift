// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import HapticBackends
import HapticCore
import HapticThreads
import Synchronization
import TestSupport
import Testing

@testable import HapticInputs

/// An open device with the events that a test adds.
final class ModelPort: InputPort {
    private struct State {
        var readings: [Result<InputReading, InputPortError>] = []
        var areDown: [Bool]
        var levelsFail: Int32?
        var looks = 0
        var isClosed = false
    }

    let path: String
    let descriptor = clinux_eventfd()
    private let state: Mutex<State>

    init(_ path: String, _ areDown: [Bool]) {
        self.path = path
        state = Mutex(State(areDown: areDown))
    }

    deinit { Glibc.close(descriptor) }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// The number of times that levels were read.
    var looks: Int { state.withLock { $0.looks } }
    var unread: Int { state.withLock { $0.readings.count } }

    func add(_ reading: InputReading) { add(.success(reading)) }

    func add(_ result: Result<InputReading, InputPortError>) {
        state.withLock { $0.readings.append(result) }
        clinux_eventfd_signal(descriptor)
    }

    func set(_ areDown: [Bool]) { state.withLock { $0.areDown = areDown } }
    func failLevels(_ errno: Int32) { state.withLock { $0.levelsFail = errno } }

    func read() throws(InputPortError) -> InputReading {
        let result = state.withLock { state -> Result<InputReading, InputPortError> in
            if state.readings.count <= 1 { clinux_eventfd_clear(descriptor) }
            return state.readings.isEmpty ? .success(InputReading()) : state.readings.removeFirst()
        }
        return try result.get()
    }

    func levels() throws(InputPortError) -> InputLevels {
        let result = state.withLock { state -> Result<InputLevels, InputPortError> in
            state.looks += 1
            if let errno = state.levelsFail { return .failure(InputPortError(errno: errno)) }
            return .success(InputLevels(areDown: state.areDown, at: SystemClock.now))
        }
        return try result.get()
    }

    func close() { state.withLock { $0.isClosed = true } }
}

/// Devices that a test plugs in and pulls out. A node exists if a device has its name.
final class ModelInputs: InputSystem {
    private struct State {
        /// Whether the inputs of a device are down, by its name.
        var there: [String: Bool] = [:]
        var refused: [String: DriverFault.Cause] = [:]
        /// The devices that open and then cannot be read.
        var broken: Set<String> = []
        var ports: [(name: String, port: ModelPort)] = []
        var tries = 0
    }

    private let state = Mutex(State())

    func plugIn(_ name: String, isDown: Bool = false) { state.withLock { $0.there[name] = isDown } }
    func unplug(_ name: String) { state.withLock { $0.there[name] = nil } }
    func refuse(_ name: String, _ cause: DriverFault.Cause?) { state.withLock { $0.refused[name] = cause } }
    func breakDown(_ name: String) { state.withLock { _ = $0.broken.insert(name) } }

    /// All ports that were opened for `name`.
    func ports(_ name: String) -> [ModelPort] { state.withLock { $0.ports.filter { $0.name == name }.map(\.port) } }
    var tries: Int { state.withLock { $0.tries } }

    func isThere(_ path: String) -> Bool { state.withLock { $0.there[path] != nil } }

    func open(_ addresses: [InputAddress]) -> InputOpening {
        state.withLock { state in
            var opening = InputOpening()
            guard let name = addresses.first?.modelName else { return opening }
            state.tries += 1
            let cause = state.refused[name] ?? (state.there[name] == nil ? .absent : nil)
            if let cause {
                for index in addresses.indices {
                    opening.faults[index] = InputFault(DriverFault(cause, device: name), isKey: addresses[0].isKey)
                }
                return opening
            }
            let port = ModelPort(name, addresses.map { _ in state.there[name] ?? false })
            state.ports.append((name, port))
            if state.broken.contains(name) { port.add(.failure(InputPortError(errno: EIO))) }
            if let levels = try? port.levels() {
                opening.ports.append(OpenedPort(port: port, inputs: Array(addresses.indices), levels: levels))
            }
            return opening
        }
    }
}

extension [InputSource] {
    /// Each for a hold of its own, as it is named by its index.
    var forHolds: [DeviceInput] { enumerated().map { DeviceInput(.hold("\($0)"), $1) } }
}

extension InputAddress {
    fileprivate var modelName: String {
        switch self {
        case .line(let address, _): address.chip
        case .key(let match, _): match.name ?? ""
        }
    }
}

extension InputSource {
    static func button(_ chip: String, debounce: Nanoseconds = .milliseconds(10)) -> Self {
        Self(.line(GPIOAddress(chip: chip, line: .offset(1)), bias: .asIs), debounce: debounce)
    }

    static func key(_ device: String, _ name: String = "KEY_POWER") throws -> Self {
        Self(.key(DeviceMatch(name: device), try #require(InputKey(name: name))), debounce: .zero)
    }
}

/// A supervisor of `ModelInputs`, and its reports.
final class Inputs {
    let loop = TestLoop()
    let system = ModelInputs()
    private(set) var changes: [InputChange] = []
    /// The number of reports.
    private(set) var reports = 0
    private(set) var missing: [String] = []
    private(set) var supervisor: InputSupervisor!
    private var names: [InputSource] = []

    init(isWatching: Bool = true) {
        supervisor = InputSupervisor(
            on: loop, isWatching: isWatching, system: system,
            listener: InputListener(
                changed: { [unowned self] in
                    changes += $0
                    reports += 1
                },
                isMissing: { [unowned self] in missing.append("\($0): \($1.map { "\($0)" } ?? "there")") }))
    }

    /// Takes the changes that were reported since the last call.
    func taken() -> [InputChange] {
        defer { changes = [] }
        return changes
    }

    func takenMissing() -> [String] {
        defer { missing = [] }
        return missing
    }

    /// Runs the work of all threads.
    func turn() { for _ in 0..<8 { loop.turn() } }

    /// Waits until the supervisor has read all readings of `port`.
    func read(_ port: ModelPort) throws {
        try loop.run(until: "the port to be read") { port.unread == 0 }
        turn()
    }

    /// For holds of the names that each was given first.
    func use(_ sources: InputSource...) {
        use(
            sources.map { source in
                let number = names.firstIndex(of: source) ?? names.endIndex
                if number == names.endIndex { names.append(source) }
                return DeviceInput(.hold("\(number)"), source)
            })
    }

    func use(_ inputs: [DeviceInput]) {
        supervisor.use(inputs)
        turn()
    }

    /// Plugs in the device `name` and opens it with `source` alone.
    func open(_ source: InputSource, _ name: String) throws -> ModelPort {
        system.plugIn(name)
        use(source)
        return try #require(system.ports(name).last)
    }
}

func edge(_ isDown: Bool, _ at: MonotonicInstant, input: Int = 0) -> InputEdge {
    InputEdge(input: input, isDown: isDown, at: at)
}
