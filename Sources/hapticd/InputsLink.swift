// SPDX-License-Identifier: MIT
private import HapticBackends
internal import HapticCore
internal import HapticInputs
internal import HapticServer
private import HapticService
internal import HapticThreads
private import HapticWire
internal import Logging

/// The keys, buttons and switches that the daemon reads: the service gets their changes, and the faults of those that cannot be read. On
/// the event loop.
final class InputsLink {
    private let loop: any BoardLoop
    private let logger: Logger
    /// Nothing is read.
    private let isSimulated: Bool
    private weak var server: FeedbackServer?
    private var supervisor: InputSupervisor?
    /// As the supervisor has them, by the same indices.
    private var inputs: [DeviceInput] = []
    private var hasLoggedSimulated = false

    init(on loop: any BoardLoop, isSimulated: Bool, logger: Logger) {
        self.loop = loop
        self.logger = logger
        self.isSimulated = isSimulated
    }

    /// Once. `isWatching`: whether `devicesHaveChanged` is called. `supervised`: what reads them; a test has its own.
    func serve(
        _ server: FeedbackServer, _ inputs: [DeviceInput], isWatching: Bool,
        supervised: (any BoardLoop, _ isWatching: Bool, InputListener) -> InputSupervisor = {
            InputSupervisor(on: $0, isWatching: $1, listener: $2)
        }
    ) {
        self.server = server
        if !isSimulated {
            let listener = InputListener(
                changed: { [weak self] in self?.changed($0) }, isMissing: { [weak self] in self?.isMissing($0, $1) })
            supervisor = supervised(loop, isWatching, listener)
            server.readDevices = { [weak self] in self?.supervisor?.readAll() ?? true }
        }
        use(inputs)
    }

    /// Calls `done` once the service has the first levels, or after `longest`: no client's line may be decided without a switch that is on.
    func awaitFirstLevels(within longest: Nanoseconds, _ done: @escaping () -> Void) {
        guard let supervisor else { return done() }
        supervisor.awaitFirstLevels(within: longest, done)
    }

    /// Reads these from here on. To be called before the configuration that they are of is in force: who is not read any more, or not for
    /// this purpose, lets go.
    func use(_ new: [DeviceInput]) {
        supervisor?.use(new)
        inputs = new
        logSimulated()
        noteState()
    }

    func devicesHaveChanged() { supervisor?.devicesHaveChanged() }

    /// Gives every device back. Nothing is reported any more.
    func shutDown() { supervisor?.shutDown() }

    private func logSimulated() {
        guard isSimulated, !inputs.isEmpty, !hasLoggedSimulated else { return }
        hasLoggedSimulated = true
        let purposes = inputs.map { "\($0.purpose)" }.joined(separator: ", ")
        logger.notice("--simulate: no keys, buttons and switches are read, so nobody can use \(purposes)")
    }

    /// For the status.
    private func noteState() {
        let faults = supervisor?.faults ?? [:]
        server?.inputs = inputs.enumerated().map { index, input in
            let fault = faults[index].map { ActuatorFault("\($0)", kind: $0.fault.kind) }
            let address = input.source.address
            let kind: StatusResult.Input.Kind = isSimulated ? .simulated : address.isKey ? .key : .line
            var state = StatusResult.Input(input: "\(address)", kind: kind, isSimulated ? Self.simulated : fault)
            switch input.purpose {
            case .hold(let name): state.hold = name.string
            case .condition(let name): state.condition = name.string
            }
            return state
        }
    }

    private static let simulated = ActuatorFault("it is not read: hapticd runs with --simulate")

    private func changed(_ changes: [InputChange]) {
        // A level that was read, and a device that has gone, only show what has happened by then.
        server?.inputsChanged(
            changes.map {
                DeviceChange(inputs[$0.input].purpose, isDown: $0.isDown, at: $0.at, isDated: $0.cause == .edge)
            })
    }

    private func isMissing(_ index: Int, _ fault: InputFault?) {
        let input = inputs[index]
        if let fault {
            logger.warning("\(input.purpose) is not read: \(fault)")
        } else {
            logger.notice("\(input.purpose) is read again: \(input.source.address) is there")
        }
        noteState()
    }
}
