// SPDX-License-Identifier: MIT
private import Glibc
private import HapticBackends
internal import HapticConfig
private import HapticCore
internal import HapticEngine
private import HapticInputs
internal import HapticPatterns
internal import HapticPlanning
internal import HapticServer
internal import HapticService
internal import HapticText
private import HapticYAML

/// Where the configuration comes from, at the start and at every reload. Blocks on files; not for the event loop.
struct ConfigurationSource: Sendable {
    static let standardPath = "/etc/hapticd/hapticd.yaml"

    /// `--config`.
    let explicit: String?
    /// `--simulate`.
    let isSimulated: Bool

    /// The file that counts now; nil: the built-in configuration.
    private var path: String? {
        explicit ?? (access(Self.standardPath, F_OK) == 0 ? Self.standardPath : nil)
    }

    /// A configuration, and the file that it was read from.
    struct Loaded: Sendable {
        var configuration: Configuration
        /// As an absolute path; nil: it is built in.
        let file: String?
        /// What the patterns do not hold of their files.
        let notes: [Diagnostic]

        /// The service's configuration. Renders all patterns. `descriptors`: how many files the process may have open.
        func service(descriptors: Int) throws(ConfigurationMistake) -> ServiceConfiguration {
            var service = try configuration.service(descriptors: descriptors)
            service.file = file
            return service
        }
    }

    /// A configuration that this daemon can run. The error has all that is wrong, a line each.
    func load(accounts: Accounts = .system) throws(StartError) -> Loaded {
        let path = path
        var notes: [Diagnostic] = []
        var configuration = try parse(path, accounts) { notes = $0 }
        if isSimulated { configuration.simulate() }
        return Loaded(configuration: configuration, file: path.map(Self.absolute), notes: notes)
    }

    private static func absolute(_ path: String) -> String {
        guard !path.utf8.starts(with: "/".utf8), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// For `--check`: says that there is no error, or throws all of them. Whether the devices are there is another question.
    func check() throws(StartError) -> String {
        let path = path
        _ = try parse(path, .system)
        return "\(path ?? "the built-in configuration"): no errors"
    }

    private func parse(
        _ path: String?, _ accounts: Accounts, note: ([Diagnostic]) -> Void = { _ in }
    ) throws(StartError) -> Configuration {
        guard let path else { return .builtIn }
        do {
            return try Configuration.load(path: path, files: .service, accounts: accounts, note: note)
        } catch {
            throw StartError(error.diagnostics.map(\.description), count: error.count)
        }
    }
}

extension DeviceInput {
    fileprivate var isOfCondition: Bool { if case .condition = purpose { true } else { false } }
}

extension Configuration {
    /// Replaces every actuator by a simulated one with the same limits and abilities.
    fileprivate mutating func simulate() {
        for index in actuators.indices where !(actuators[index].backend is SimulatedBackend) {
            let actuator = actuators[index]
            actuators[index] = ActuatorConfiguration(
                actuator.engine, backend: SimulatedBackend(capabilities: actuator.capabilities),
                isMotorAssumed: actuator.isMotorAssumed)
        }
        // There is no motor to be in time for.
        realtime = Realtime(priority: nil, lockMemory: false, cpu: nil)
    }

    /// The service's configuration. Renders all patterns. `descriptors`: how many files the process may have open.
    func service(descriptors: Int) throws(ConfigurationMistake) -> ServiceConfiguration {
        let engine = try engineConfiguration()
        var clientBounds = clientBounds
        clientBounds.clients = min(clientBounds.clients, max(1, descriptors - DescriptorLimit.reserved))
        // Drivers that play runs by themselves are made for these patterns.
        let playsRuns = actuators.contains { type(of: $0.backend).playsRuns }
        var service = ServiceConfiguration(
            engine: engine, patternDescriptions: patterns.mapValues(\.summary), library: patterns,
            backends: actuators.map { type(of: $0.backend).name },
            assumedMotors: Set(actuators.indices.filter { actuators[$0].isMotorAssumed }.map { ActuatorIndex($0) }),
            clientBounds: clientBounds, access: access,
            parts: [
                "actuators": .init(DrivenParts(actuators: actuators, runs: playsRuns ? engine.runs : [])),
                "realtime": .init(realtime), "socket": .init(socket), "patterns": .init(patterns),
                "holds": .init(inputs.filter { !$0.isOfCondition }), "conditions": .init(inputs.filter(\.isOfCondition)),
            ])
        service.entries = [
            "actuators": actuators.map { ServiceConfiguration.Entry($0.name, .init($0)) },
            "patterns": patterns.values.map { ServiceConfiguration.Entry($0.name, .init($0)) },
        ]
        return service
    }

    /// What drivers are made from.
    private struct DrivenParts: Equatable {
        let actuators: [ActuatorConfiguration]
        let runs: [Run]
    }

    var socketAccess: SocketAccess {
        SocketAccess(
            mode: socket.mode, group: socket.group ?? SocketAccess.standard.group, isGroupRequired: socket.group != nil)
    }
}
