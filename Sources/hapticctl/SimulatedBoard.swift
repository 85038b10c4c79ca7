// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import HapticPlanning
import HapticReplay
import HapticService
import HapticTerminal
import HapticWire

/// The same engine in this process, on simulated actuators and virtual time from 0: what `--simulate` runs on.
///
/// With `--json` every decision, playback and actuation is written as it comes, with virtual times; else what was felt is drawn.
final class SimulatedBoard {
    private let configuration: EngineConfiguration
    private let library: [Text: Pattern]
    private let console: Console
    private var board: VirtualBoard
    private var motions: FeltMotions
    private(set) var felt: FeltRecord
    private(set) var tally = Tally()
    /// Whether a hold has been held to its end.
    private(set) var isConfirmed = false

    convenience init(_ options: SimulationOptions, _ console: Console) throws {
        try self.init(try ConfigurationFile.read(options.config), console)
    }

    init(_ file: Configuration, _ console: Console) throws(Failure) {
        do throws(ConfigurationMistake) {
            configuration = try file.engineConfiguration()
            library = file.patterns
        } catch {
            throw Failure("\(error)", code: .invalidFile)
        }
        var faults: [String: FaultPlan] = [:]
        for actuator in file.actuators {
            if let simulated = actuator.backend as? SimulatedBackend { faults[actuator.name] = simulated.faults }
        }
        board = VirtualBoard(configuration, faults: faults)
        motions = FeltMotions(configuration.actuators)
        felt = FeltRecord(origin: .zero)
        for actuator in configuration.actuators { felt.motors[Text(actuator.name)] = actuator.motor }
        self.console = console
    }

    var now: MonotonicInstant { board.now }
    var profile: Profile { configuration.profile }

    /// Whether some phase of `pattern` lasts until something ends it.
    func hasOpenPhases(_ pattern: PatternReference) -> Bool {
        switch pattern {
        case .named(let name): library[Text(name)]?.hasOpenPhases ?? false
        case .inline(let tree):
            (try? PatternReader.pattern(wire: tree, path: "pattern", known: library))?.hasOpenPhases ?? false
        }
    }

    /// How many records wait before they are shown: what plays may make millions of them.
    private static let mostRecords = 10_000

    func run(until instant: MonotonicInstant) throws(Failure) {
        while !board.run(until: instant, records: Self.mostRecords) { _ = try takeRecords() }
        _ = try takeRecords()
    }

    /// Lets time pass until a hold has been held to its end, and until `instant` where none is.
    func runUntilConfirmed(by instant: MonotonicInstant) throws(Failure) {
        while !isConfirmed, !board.run(until: instant, records: 1) { _ = try takeRecords() }
        _ = try takeRecords()
    }

    /// Sends an input, which happens now, and returns what became of it.
    func send(_ call: some WireCall) throws(Failure) -> (decision: DecisionResult, summary: PlaySummary?) {
        let client = ClientIdentity(connection: 1, user: getuid())
        var resolver = CallResolver(configuration, library: library)
        do throws(WireError) {
            guard case .input(var input)? = try resolver.item(call, of: client, readAt: board.now) else {
                // trap: who calls this makes an input.
                preconditionFailure("only inputs are sent here")
            }
            // As the client does for the daemon.
            input.app = input.app ?? ThisProgram.app
            board.send([.input(input)])
        } catch {
            throw Failure(error)
        }
        // trap: the engine decides each input in the call that takes it, and first.
        guard let decided = try takeRecords().first else { preconditionFailure("every input ends in one decision") }
        return decided
    }

    /// The whole of a command that sends one input.
    func sendAndFinish(_ call: some WireCall) throws(Failure) {
        let (decision, _) = try send(call)
        if let near = near(decision) {
            try console.say("\(Words.input(decision)): \(Words.whyNotFelt(decision))\(near)")
        } else if decision.outcome != .played {
            try console.say("\(Words.input(decision)): \(Words.notFelt(decision))")
        }
        try finish()
        try console.flush()
    }

    /// The rule that an event nearly matches, if it matches none.
    private func near(_ decision: DecisionResult) -> String? {
        guard decision.reason == .noRule, decision.input == .event,
            let name = decision.name
        else { return nil }
        var resolver = CallResolver(configuration, library: library)
        let near = resolver.nearRule(to: name)
        return Words.nearRule(near?.match, didYouMean: near?.name)
    }

    /// Plays everything to its end, and draws what was felt.
    func finish() throws(Failure) {
        while !board.runUntilIdle(records: Self.mostRecords) { _ = try takeRecords() }
        _ = try takeRecords()
        guard !console.isJSON else { return }
        let picture = TimelinePicture(width: console.terminal.width, glyphs: console.terminal.glyphs)
        for line in picture.lines(felt) { try console.say(line) }
    }

    /// Shows what has been recorded, and returns the decisions in it.
    private func takeRecords() throws(Failure) -> [(decision: DecisionResult, summary: PlaySummary?)] {
        var decided: [(decision: DecisionResult, summary: PlaySummary?)] = []
        for record in board.takeRecords() {
            switch record {
            case .decision(let decision, let summary):
                let result = DecisionResult(decision)
                tally.count(result)
                decided.append((result, summary))
                try console.writeJSON(Notice.decision(result))
            case .playback(let end): try console.writeJSON(Notice.playback(EndingResult(end)))
            case .interruption(let what): try console.writeJSON(Notice.interruption(InterruptionNotice(what)))
            case .hold(let change):
                if change.state == .confirmed { isConfirmed = true }
                try console.writeJSON(Notice.hold(HoldNotice(change)))
            case .actuation(let applied): try write(applied)
            case .abandoned(let applied):
                console.warn(
                    "\(name(applied.actuation)) was on with nothing more planned, and has been switched off; please report this")
                try write(applied)
            case .refused(let actuation):
                console.warn("there was no room for an actuation of \(name(actuation)); please report this")
            case .actuator(let index, let fault):
                let name = configuration.actuators[index.value].name
                motions.reset(index, configuration.actuators[index.value])
                try console.writeJSON(
                    Notice.actuator(ActuatorNotice(actuator: name, isAvailable: fault == nil, error: fault.map { "\($0)" })))
            }
        }
        return decided
    }

    private func write(_ applied: AppliedActuation) throws(Failure) {
        let name = name(applied.actuation)
        let (level, drive) = (applied.actuation.level, applied.actuation.drive)
        let acceleration = motions.follow(applied)
        felt.add(actuator: name, intensity: level.intensity.value, drive: drive.value, at: applied.at)
        try console.writeJSON(
            Notice.actuation(ActuationNotice(applied.actuation, at: applied.at, actuator: name, felt: acceleration)))
    }

    private func name(_ actuation: Actuation) -> String { configuration.actuators[actuation.actuator.value].name }
}
