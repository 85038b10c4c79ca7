// SPDX-License-Identifier: MIT
import Glibc
import HapticConfig
import HapticCore
import HapticEngine
import HapticFormats
import HapticSimulator
import HapticWire

/// The same engine in this process, on simulated actuators and virtual time from 0: what `--simulate` runs on.
///
/// With `--json` every decision, playback and actuation is told as it comes, with virtual times; else what was felt is drawn.
final class SimulatedBoard {
    private let configuration: EngineConfiguration
    private let console: Console
    private var board: VirtualBoard
    private(set) var felt = FeltRecord(origin: .zero)
    private(set) var tally = Tally()

    init(_ options: SimulationOptions, _ console: Console) throws {
        configuration = try ConfigurationFile.read(options.config).engineConfiguration
        board = VirtualBoard(configuration)
        self.console = console
    }

    var profile: String { configuration.profile.rawValue }

    func run(until instant: MonotonicInstant) throws(Failure) {
        board.run(until: instant)
        _ = try takeRecords()
    }

    /// Sends an input, which happens now, and returns what became of it.
    func send(_ params: some InputParams) throws(Failure) -> (decision: DecisionResult, summary: PlaySummary?) {
        let input = Input(
            client: ClientIdentity(connection: 1, user: getuid()), id: params.id, at: board.now, kind: try kind(of: params))
        board.send([.input(input)])
        guard let decided = try takeRecords().last else { preconditionFailure("every input ends in one decision") }
        return decided
    }

    /// The whole of a command that sends one input.
    func sendAndFinish(_ params: some InputParams) throws(Failure) {
        let (decision, _) = try send(params)
        if decision.outcome != "played" { try console.say("\(Words.input(decision)): \(Words.notFelt(decision))") }
        try finish()
        try console.flush()
    }

    /// Plays everything to its end, and draws what was felt.
    func finish() throws(Failure) {
        board.runUntilIdle()
        _ = try takeRecords()
        guard !console.isJSON else { return }
        let picture = TimelinePicture(width: console.terminal.width, glyphs: console.terminal.isUnicode ? .blocks : .ascii)
        for line in picture.lines(felt) { try console.say(line) }
    }

    private func kind(of params: some InputParams) throws(Failure) -> Input.Kind {
        switch params {
        case let params as ProgressParams:
            return .progress(
                ProgressInput(value: params.value, step: params.step, mode: params.mode, intensity: params.intensity))
        case let params as EventParams:
            return .event(
                EventInput(
                    name: params.name, value: params.value, intensity: params.intensity, feedbackClass: params.feedbackClass))
        case let params as PlayParams:
            return .play(
                PlayInput(
                    pattern: try pattern(params.pattern), train: params.train, intensity: params.intensity ?? .one,
                    sharpness: params.sharpness, feedbackClass: params.feedbackClass ?? .interaction,
                    actuators: try actuators(params.actuators), repetitions: params.repeat ?? 1))
        default: return .release
        }
    }

    private func pattern(_ reference: PatternReference) throws(Failure) -> PlayablePattern {
        switch reference {
        case .inline(let pattern): return PlayablePattern(pattern)
        case .named(let name):
            if let pattern = configuration.patterns[name] { return pattern }
            throw Failure(unknownMessage("pattern", name, candidates: configuration.patterns.keys.sorted()))
        }
    }

    private func actuators(_ names: [String]?) throws(Failure) -> [ActuatorIndex]? {
        guard let names else { return nil }
        let known = configuration.actuators.map(\.name)
        var places: [ActuatorIndex] = []
        for name in names {
            guard let place = known.firstIndex(of: name) else {
                throw Failure(unknownMessage("actuator", name, candidates: known))
            }
            if !places.contains(ActuatorIndex(place)) { places.append(ActuatorIndex(place)) }
        }
        return places
    }

    /// Tells what has been recorded, and returns the decisions in it.
    private func takeRecords() throws(Failure) -> [(decision: DecisionResult, summary: PlaySummary?)] {
        var decided: [(decision: DecisionResult, summary: PlaySummary?)] = []
        for record in board.takeRecords() {
            switch record {
            case .decision(let decision, let summary):
                let result = DecisionResult(decision)
                tally.count(result)
                decided.append((result, summary))
                try console.tell(Notice.decision(result))
            case .playback(let end): try console.tell(Notice.playback(EndingResult(end)))
            case .actuation(let applied):
                let name = configuration.actuators[applied.actuation.actuator.value].name
                felt.add(actuator: name, intensity: applied.actuation.level.intensity.value, at: applied.at)
                try console.tell(Notice.actuation(ActuationNotice(applied.actuation, at: applied.at, actuator: name)))
            case .actuator(let index, let fault):
                let name = configuration.actuators[index.value].name
                try console.tell(Notice.actuator(ActuatorNotice(actuator: name, isAvailable: false, error: "\(fault)")))
            }
        }
        return decided
    }
}
