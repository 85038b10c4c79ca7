// SPDX-License-Identifier: MIT
import HapticBackends
import HapticClient
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import HapticService
import HapticTerminal
import HapticText
import HapticWire

/// Plays what `tune` asks about on one actuator.
final class TuningPlayer {
    /// Before each stimulus, for the hand to come to rest after the one before: half a second, in ns.
    private static let pause: Int64 = 500_000_000
    /// The longest stimulus, with time for the daemon.
    private static let patience = 10.0

    let hasLevels: Bool
    /// What stands in the way of a good measurement.
    let warnings: [String]
    private let actuator: String
    private let client: HapticClient?
    private let simulate: () throws -> SimulatedBoard

    init(actuator: String, common: CommonOptions, simulation: SimulationOptions, _ console: Console) throws {
        self.actuator = actuator
        let known: [ActuatorResult]
        if simulation.simulate {
            let configuration = try ConfigurationFile.read(simulation.config)
            let engine = configuration.actuators.map(\.engine)
            known = configuration.actuators.enumerated().map { index, actuator in
                ActuatorResult(
                    index, of: engine, backend: type(of: actuator.backend).name, isMotorAssumed: actuator.isMotorAssumed,
                    fault: nil)
            }
            client = nil
            // What it plays is drawn and written nowhere.
            simulate = { try SimulatedBoard(configuration, Console(isJSON: false, isQuiet: true)) }
        } else {
            let client = try common.connect()
            known = try client.call(ActuatorsParams()).actuators
            self.client = client
            // trap: called without a client only.
            simulate = { preconditionFailure("the daemon plays") }
        }
        guard let found = known.first(where: { Text($0.name) == Text(actuator) }) else {
            throw Failure(unknownMessage("actuator", actuator, candidates: known.map(\.name)), code: .unknownName)
        }
        if let error = found.error { throw Failure("\(actuator) is not there: \(error)", code: .noActuator) }
        hasLevels = found.variesIntensity
        warnings = try Self.warnings(found)
    }

    /// Throws where a limit leaves nothing to be asked about.
    static func warnings(_ actuator: ActuatorResult) throws(Failure) -> [String] {
        var warnings: [String] = []
        if actuator.minGapMs > 0 {
            let gap = "the `minGap` of \(actuator.name), \(Words.time(milliseconds: actuator.minGapMs))"
            let advice = "take it out of the configuration while you tune"
            guard actuator.minGapMs < Double(pause) / 1e6 else {
                throw Failure(
                    "\(gap), is longer than the pause before each question, so what follows it would not be played; \(advice)",
                    code: .noActuator)
            }
            warnings.append("two pulses closer than \(gap), are not played so: no smaller gap can be found; \(advice)")
        }
        var limits: [String] = []
        if let most = actuator.maxOnMs, most < 1500 { limits.append("`maxOn`") }
        if actuator.duty < 0.5 { limits.append("`duty`") }
        guard !limits.isEmpty else { return warnings }
        return warnings + [
            "\(limits.joined(separator: ", ")) of \(actuator.name) will be measured, too; take it out of the configuration while you tune"
        ]
    }

    func play(_ stimulus: Stimulus) throws {
        if client != nil { Signals.sleep(until: MonotonicClock.now + Self.pause) }
        guard let pattern = try Self.pattern(stimulus) else { return }
        var params = PlayParams(pattern: try PatternFile.inline(pattern, from: "tune"))
        // An alarm is felt in every profile but `silent`, and goes before what plays.
        (params.feedbackClass, params.actuators, params.fit, params.wait) = (.alarm, [actuator], .off, true)
        guard let client else {
            let (decision, _) = try simulate().send(params)
            return try check(decision, plays: pattern)
        }
        let result = try client.call(params, timeout: Self.patience)
        try check(result.decision, plays: pattern)
        guard let ending = result.ending, ending.ended != .completed else { return }
        throw Failure("what was to be felt was not played to its end: \(Words.ending(ending))", code: .cutShort)
    }

    /// A profile, a strength and a fallback change what is played; what the answers say of that says nothing of the motor.
    private func check(_ decision: DecisionResult, plays pattern: Pattern) throws(Failure) {
        guard decision.outcome == .played else {
            throw Failure("what was to be felt was not played: \(Words.notFelt(decision))", code: .notFelt)
        }
        var sent = decision
        (sent.pattern, sent.intensity, sent.actuators) = (pattern.name, Timeline(pattern).peak.value, [actuator])
        let isThePattern = decision.pattern.map(Text.init) == Text(pattern.name)
        let isThere = decision.actuators.map { Text($0) } == [Text(actuator)]
        guard !isThePattern || !isThere || decision.intensity != sent.intensity else { return }
        let advice = "while you tune, \(actuator) has to be there, the profile `full` and every strength 100%"
        throw Failure(
            "what was to be felt, \(Words.felt(sent)), was played as \(Words.felt(decision)), so nothing can be measured; \(advice)",
            code: .notFelt)
    }

    /// Nil: nothing is to be played.
    static func pattern(_ stimulus: Stimulus) throws(Failure) -> Pattern? {
        var time = Nanoseconds.zero
        var keyframes: [Keyframe] = []
        for part in stimulus.parts {
            keyframes.append(Keyframe(at: time, intensity: part.drive, sharpness: Sharpness(clamping: 0.5), curve: .step))
            time += part.time
        }
        guard !keyframes.isEmpty else { return nil }
        keyframes.append(Keyframe(at: time, intensity: .zero, sharpness: .zero, curve: .step))
        do throws(PatternError) {
            return try Pattern(name: "tune", tracks: [.keyframes(keyframes)])
        } catch {
            throw Failure("\(error); please report this")
        }
    }
}
