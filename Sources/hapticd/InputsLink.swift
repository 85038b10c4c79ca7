// SPDX-License-Identifier: MIT
private import HapticBackends
internal import HapticConfig
internal import HapticCore
internal import HapticInputs
internal import HapticServer
private import HapticService
internal import HapticThreads
private import HapticWire
internal import Logging

/// The keys and buttons of devices' holds: the service hears what a hand does to them, and which cannot be read. On the event loop.
final class InputsLink {
    private let loop: any BoardLoop
    private let logger: Logger
    /// Nothing is read.
    private let isSimulated: Bool
    private weak var server: FeedbackServer?
    private var supervisor: InputSupervisor?
    /// As the supervisor has them, by the same indices.
    private var inputs: [HoldInput] = []
    /// Those that the service takes to be held.
    private var pressed: [HoldInput] = []
    private var hasSaidSimulated = false

    init(on loop: any BoardLoop, isSimulated: Bool, logger: Logger) {
        self.loop = loop
        self.logger = logger
        self.isSimulated = isSimulated
    }

    /// Once. `isWatching`: whether `devicesHaveChanged` is called. `supervised`: what reads them; a test has its own.
    func serve(
        _ server: FeedbackServer, _ inputs: [HoldInput], isWatching: Bool,
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

    /// Reads these from here on. To be called before the configuration that they are of is in force: who is not read any more lets go.
    func use(_ new: [HoldInput]) {
        supervisor?.use(new.map(\.source))
        // What goes on being held, but is another hold from now on.
        let ended = pressed.filter { one in !new.contains { $0.isSame(as: one) } }
        report(ended.map { HandReport(input: $0, isDown: false, at: loop.now, isDated: false) })
        inputs = new
        saySimulated()
        noteState()
    }

    func devicesHaveChanged() { supervisor?.devicesHaveChanged() }

    /// Gives every device back. Nothing is reported any more.
    func shutDown() { supervisor?.shutDown() }

    private func saySimulated() {
        guard isSimulated, !inputs.isEmpty, !hasSaidSimulated else { return }
        hasSaidSimulated = true
        let names = inputs.map { "`\($0.name)`" }.joined(separator: ", ")
        logger.notice("--simulate: no keys and buttons are read, so nobody presses \(names)")
    }

    /// For the status.
    private func noteState() {
        let faults = supervisor?.faults ?? [:]
        server?.inputs = inputs.enumerated().map { index, input in
            let fault = faults[index].map { ActuatorFault("\($0)", kind: $0.fault.kind) }
            let address = input.source.address
            let kind: StatusResult.Input.Kind = isSimulated ? .simulated : address.isKey ? .key : .line
            return StatusResult.Input(
                hold: input.name, input: "\(address)", kind: kind, isSimulated ? Self.simulated : fault)
        }
    }

    private static let simulated = ActuatorFault("it is not read: hapticd runs with --simulate")

    private func changed(_ changes: [InputChange]) {
        // A level that was read, and a device that has gone, only show what has happened by then.
        report(changes.map { HandReport(input: inputs[$0.input], isDown: $0.isDown, at: $0.at, isDated: $0.cause == .edge) })
    }

    private struct HandReport {
        let input: HoldInput
        let isDown: Bool
        let at: MonotonicInstant
        let isDated: Bool
    }

    private func report(_ changes: [HandReport]) {
        guard !changes.isEmpty else { return }
        for change in changes {
            pressed.removeAll { $0.isSame(as: change.input) }
            if change.isDown { pressed.append(change.input) }
        }
        server?.held(
            changes.map { HandChange($0.input.name, $0.isDown ? .down : .up, at: $0.at, isDated: $0.isDated) })
    }

    private func isMissing(_ index: Int, _ fault: InputFault?) {
        let input = inputs[index]
        if let fault {
            logger.warning("the hold `\(input.name)` is not read: \(fault)")
        } else {
            logger.notice("the hold `\(input.name)` is read again: \(input.source.address) is there")
        }
        noteState()
    }
}

extension HoldInput {
    /// The same key or button for the same hold.
    fileprivate func isSame(as other: Self) -> Bool { Text(name) == Text(other.name) && source == other.source }
}
