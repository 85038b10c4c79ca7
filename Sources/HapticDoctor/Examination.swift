// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
package import HapticClient
import HapticConfig
import HapticCore
import HapticEngine
import HapticInputs
package import HapticTerminal
import HapticText
package import HapticWire
import HapticYAML

/// Gathers the facts: the one place of the doctor that asks, opens and reads. Each question has a bound in time and size.
package struct Examination {
    /// `--socket`.
    var socket: String?
    /// `--config`.
    var configurationPath: String?

    /// Nil where no daemon was reached. Kept open, for a test pulse.
    package private(set) var client: HapticClient?
    private(set) var configuration: Configuration?
    package private(set) var answers: ActuatorsResult?
    /// The last decisions; nil where no daemon has given them.
    private(set) var history: HistoryResult?

    /// Fails where `configurationPath` is given and is not there.
    package init(socket: String?, configurationPath: String?) throws(Failure) {
        if let path = configurationPath, access(path, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno) {
            throw Failure("there is no \(path); name the daemon's configuration, or leave out --config", code: .unreadable)
        }
        self.socket = socket
        self.configurationPath = configurationPath
    }

    /// In this order: connecting may start the daemon, and what systemd then says is what came of it.
    package mutating func facts() -> Facts {
        var facts = Facts()
        facts.user = SystemFacts.user()
        facts.naming = Self.naming(socket: socket, isRoot: facts.user.isRoot, variable: Self.environment("HAPTICD_SOCKET"))
        facts.sockets = connect(Self.paths(socket, facts.naming, runtime: Self.environment("XDG_RUNTIME_DIR")))
        facts.daemon = ask()
        facts.configuration = readConfiguration(facts.daemon.status?.configuration)
        facts.service = ServiceQuestion.ask()
        facts.daemon.process = process(facts)
        SystemFacts.addLimits(to: &facts.daemon)
        facts.actuators = actuators()
        facts.inputs = inputs(facts.daemon.status)
        facts.rulesPath = SystemFacts.rulesPath()
        facts.machine = SystemFacts.machine()
        return facts
    }

    // MARK: The daemon

    /// Root is led nowhere by a variable that another user may have set.
    static func naming(socket: String?, isRoot: Bool, variable: String?) -> Facts.Naming {
        if socket != nil { return .option }
        guard let variable, !variable.isEmpty else { return .nothing }
        return isRoot ? .ignoredVariable(variable) : .variable(variable)
    }

    static func paths(_ socket: String?, _ naming: Facts.Naming, runtime: String?) -> [String] {
        var environment: [String: String] = [:]
        if case .variable(let path) = naming { environment["HAPTICD_SOCKET"] = path }
        if case .ignoredVariable = naming {} else { environment["XDG_RUNTIME_DIR"] = runtime }
        return SocketPath.candidates(explicit: socket, environment: environment)
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Stops at the first that answers, as every other command does.
    private mutating func connect(_ paths: [String]) -> [SocketFacts] {
        var found: [SocketFacts] = []
        for path in paths {
            var one = SocketFacts(path: path, file: SystemFacts.file(path))
            do throws(ClientError) {
                client = try HapticClient(paths: [path], app: ThisProgram.app)
                one.outcome = .connected
            } catch {
                one.outcome =
                    switch error {
                    case .noDaemon: .nobody
                    case .noPermission: .refused
                    default: .failed(error.description)
                    }
            }
            found.append(one)
            if client != nil { break }
        }
        return found
    }

    private mutating func ask() -> DaemonFacts {
        var facts = DaemonFacts()
        guard let client else { return facts }
        facts.socket = client.path
        do throws(ClientError) {
            facts.status = try client.call(StatusParams())
            answers = try client.call(ActuatorsParams())
            let params = HistoryParams(last: HistoryParams.mostEntries)
            facts.historyFailure = readHistory(client, params)
        } catch {
            facts.failure = DaemonFacts.Failure(error)
            self.client = nil
        }
        return facts
    }

    private mutating func readHistory(_ client: HapticClient, _ params: HistoryParams) -> DaemonFacts.Failure? {
        do throws(ClientError) {
            history = try client.call(params)
            return nil
        } catch {
            return DaemonFacts.Failure(error)
        }
    }

    /// The service's, or the only one there is.
    private func process(_ facts: Facts) -> Int32? {
        guard facts.daemon.status != nil else { return nil }
        if facts.isAboutService, let main = facts.service["hapticd.service", "MainPID"].flatMap(Int32.init), main > 0 {
            return main
        }
        let all = ProcessFiles.processes(named: "hapticd")
        return all.count == 1 ? all[0] : nil
    }

    // MARK: The configuration and the devices

    /// Of the file that was given, or else of the one that the daemon says it read.
    private mutating func readConfiguration(_ running: StatusResult.Configuration?) -> ConfigurationFacts {
        let path = configurationPath ?? running?.file ?? ConfigurationFile.standardPath
        var facts = ConfigurationFacts(path: path)
        facts.isNamedByDaemon = configurationPath == nil && Text(path) != Text(ConfigurationFile.standardPath)
        facts.running = running.map { $0.file.map { Self.isSame($0, path) ? .thisFile : .otherFile($0) } ?? .builtIn } ?? .unknown
        guard access(path, F_OK) == 0 || errno != ENOENT else { return facts }
        let text: [UInt8]
        do throws(FileAccess.Failure) {
            text = try FileAccess.disk.read(path, YAML.Limit.bytes)
        } catch {
            facts.state = .unreadable(error.reason)
            return facts
        }
        do throws(InvalidDocument) {
            let read = try Configuration.read(yaml: text, file: path, accounts: .system)
            configuration = read
            facts.state = .valid(read.actuators.map(\.name))
            facts.inputs = read.inputs.map(\.purpose)
            facts.weak = (try? read.engineConfiguration().weakFeedback) ?? []
        } catch {
            // Nothing is shown of a file that only the daemon has named: it may be one that its user may not read.
            let lines = facts.isNamedByDaemon ? [] : Excerpt.lines(for: error.diagnostics, texts: [path: text])
            facts.state = .invalid(count: error.count, lines: Array(lines.prefix(Self.mostLines)))
        }
        return facts
    }

    /// Whether both lead to one file.
    private static func isSame(_ first: String, _ second: String) -> Bool {
        if Text(first) == Text(second) { return true }
        var (one, other) = (stat(), stat())
        return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// Of a bad configuration that are shown; `check-config` shows all.
    static let mostLines = 30

    /// Those of the daemon, each with what the configuration says of it; without a daemon those of the configuration.
    private func actuators() -> [ActuatorFacts] {
        var all = sighted()
        let busy = all.filter(\.isBusy).compactMap(\.sighting)
        guard !busy.isEmpty else { return all }
        // All programs are looked at once.
        let open = ProcessFiles(of: busy)
        for index in all.indices where all[index].isBusy {
            all[index].holders = all[index].sighting.map { open.holders(of: $0) } ?? []
        }
        return all
    }

    private func sighted() -> [ActuatorFacts] {
        let configured = configuration?.actuators ?? []
        guard let answers else {
            return configured.prefix(Self.mostActuators).map { examine($0.backend, ActuatorFacts(name: $0.name)) }
        }
        return answers.actuators.prefix(Self.mostActuators).map { answer in
            let one = ActuatorFacts(name: answer.name, answer: answer)
            // Only what fails needs a look.
            guard !answer.isAvailable, let own = configured.first(where: { Text($0.name) == Text(answer.name) }) else {
                return one
            }
            return examine(own.backend, one)
        }
    }

    static let mostActuators = 256

    /// Those of the daemon; without it those of the configuration, as this process sees them.
    private func inputs(_ status: StatusResult?) -> [InputFacts] {
        let configured = configuration?.inputs ?? []
        if let status {
            return status.inputs.prefix(Self.mostActuators).map { InputFacts($0) }
        }
        guard !configured.isEmpty else { return [] }
        let group = SystemFacts.serviceGroup()
        return configured.prefix(Self.mostActuators).map { input in
            let address = input.source.address
            let sighting = address.sighting()
            let fault = sighting.fault.map { InputFault($0, isKey: address.isKey) }
            return InputFacts(
                purpose: input.purpose, input: "\(address)", kind: address.isKey ? .key : .line, error: fault?.description,
                fault: fault?.fault.kind, isDaemonsWord: false,
                isGroupAllowed: group.flatMap {
                    SystemFacts.mayUse(sighting.files, $0, address.isKey ? .read : [.read, .write])
                })
        }
    }

    private func examine(_ backend: any Backend, _ one: ActuatorFacts) -> ActuatorFacts {
        var one = one
        let sighting = backend.sighting()
        one.sighting = sighting
        one.files = sighting.files.compactMap(SystemFacts.file)
        return one
    }
}
