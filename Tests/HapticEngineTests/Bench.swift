// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

@testable import HapticEngine

/// An engine on virtual time with everything that came out of it: what the tests of the engine talk to.
struct Bench: ~Copyable {
    private var loop: FeedbackLoop
    var now = MonotonicInstant.zero
    private(set) var decisions: [Decision] = []
    private(set) var summaries: [PlaySummary] = []
    private(set) var ends: [PlaybackEnd] = []
    private(set) var interruptions: [PlaybackInterruption] = []
    private(set) var holds: [HoldChange] = []
    private(set) var cancelledCounts: [Int] = []
    /// What came of changes of the settings.
    private(set) var changes: [ItemResult] = []
    private(set) var conditionChanges: [ConditionChange] = []
    /// What the actuators will have got: revoked actuations are gone.
    private(set) var actuations: [Actuation] = []

    static let ada = ClientIdentity(connection: 1, user: 1000)

    init(_ configuration: EngineConfiguration = .bench()) {
        loop = FeedbackLoop(configuration)
    }

    var engine: FeedbackEngine {
        _read { yield loop.engine }
        _modify { yield &loop.engine }
    }

    mutating func take(_ event: EngineEvent) {
        loop.take(event, at: now)
        repeat { carryOut() } while loop.proceed(at: now)
    }

    private mutating func carryOut() {
        for result in loop.actions.results {
            switch result {
            case .decided(let decision, let summary):
                decisions.append(decision)
                if let summary { summaries.append(summary) }
            case .cancelled(let count): cancelledCounts.append(count)
            case .changed, .notChanged: changes.append(result)
            case .condition(let change): conditionChanges.append(change)
            }
        }
        for action in loop.actions.actions {
            switch action {
            case .ended(let end): ends.append(end)
            case .interruption(let interruption): interruptions.append(interruption)
            case .held(let change): holds.append(change)
            case .order(.actuate(let actuation)): actuations.append(actuation)
            case .order(.revoke(let playback, let actuator, let from, _)):
                actuations.removeAll { $0.playback == playback && $0.actuator == actuator && $0.planned >= from }
            }
        }
    }

    /// Lets time pass, stopping wherever the engine wants to be called.
    mutating func run(until end: MonotonicInstant) {
        while engine.nextDeadline <= end {
            now = max(now, engine.nextDeadline)
            take(.time)
        }
        now = max(now, end)
    }

    mutating func run(for time: Nanoseconds) { run(until: now + time) }

    @discardableResult
    mutating func send(_ items: [BatchItem]) -> [Decision] {
        let before = decisions.count
        take(.batch(items))
        return Array(decisions[before...])
    }

    @discardableResult
    mutating func send(_ item: BatchItem) -> Decision { send([item])[0] }

    @discardableResult
    mutating func progress(_ id: String?, _ value: Double, client: ClientIdentity = Bench.ada) -> Decision {
        send(.progress(id, value, at: now, client: client))
    }

    @discardableResult
    mutating func event(_ name: String, _ value: Scalar? = nil, id: String? = nil) -> Decision {
        send(.event(name, value, id: id, at: now))
    }

    @discardableResult
    mutating func play(
        _ pattern: String, _ feedbackClass: FeedbackClass = .interaction, id: String? = nil, steps: Int? = nil,
        actuators: [Int]? = nil
    ) -> Decision {
        send(.play(pattern, feedbackClass, id: id, steps: steps, actuators: actuators, at: now))
    }

    /// (start, end) of each maximal run above 0 on the actuator.
    func pulses(on actuator: Int = 0) -> [(start: MonotonicInstant, end: MonotonicInstant)] {
        var pulses: [(start: MonotonicInstant, end: MonotonicInstant)] = []
        var start: MonotonicInstant?
        for actuation in actuations where actuation.actuator.value == actuator {
            if actuation.isOn {
                start = start ?? actuation.planned
            } else if let begun = start {
                pulses.append((begun, actuation.planned))
                start = nil
            }
        }
        return pulses
    }
}

extension BatchItem {
    static func progress(
        _ id: String?, _ value: Double, at: MonotonicInstant, client: ClientIdentity = Bench.ada,
        feedback: Input.FeedbackOverride = .normal
    ) -> BatchItem {
        let input = ProgressInput(value: Progress(value)!)
        return .input(Input(client: client, id: id, at: at, feedback: feedback, kind: .progress(input)))
    }

    static func release(_ id: String, at: MonotonicInstant) -> BatchItem {
        .input(Input(client: Bench.ada, id: id, at: at, kind: .release))
    }

    static func event(
        _ name: String, _ value: Scalar? = nil, id: String? = nil, at: MonotonicInstant, client: ClientIdentity = Bench.ada
    ) -> BatchItem {
        .input(Input(client: client, id: id, at: at, kind: .event(EventInput(name: name, value: value))))
    }

    static func play(
        _ pattern: String, _ feedbackClass: FeedbackClass = .interaction, id: String? = nil, steps: Int? = nil,
        actuators: [Int]? = nil, endsWithClient: Bool = false, at: MonotonicInstant
    ) -> BatchItem {
        let input = PlayInput(
            pattern: PlayablePattern.bench[pattern]!, train: steps.map { StepTrain(steps: $0)! }, feedbackClass: feedbackClass,
            actuators: actuators?.map { ActuatorIndex($0) }, endsWithClient: endsWithClient)
        return .input(Input(client: Bench.ada, id: id, at: at, kind: .play(input)))
    }

    static func cancel(_ target: CancelTarget, _ mode: CancelMode = .immediate) -> BatchItem {
        .cancel(CancelRequest(client: Bench.ada, target: target, mode: mode))
    }

    static func set(_ profile: Profile) -> BatchItem { .change(SettingsChange(profile: .set(profile))) }
}

extension PlayablePattern {
    /// A rectangle of `milliseconds`.
    static func pulse(_ name: String, _ milliseconds: Int64, intensity: Double) -> PlayablePattern {
        let track = Pattern.Track.keyframes([
            Keyframe(at: .zero, intensity: Intensity(intensity)!, sharpness: Sharpness(0.5)!),
            Keyframe(at: .milliseconds(milliseconds), intensity: .zero, sharpness: .zero, curve: .step),
        ])
        return PlayablePattern(try! Pattern(name: name, tracks: [track]))
    }

    static let bench: [String: PlayablePattern] = Dictionary(
        uniqueKeysWithValues: [
            pulse("soft", 8, intensity: 0.5), pulse("light", 10, intensity: 0.6), pulse("tick", 8, intensity: 0.4),
            pulse("success", 60, intensity: 1), pulse("faint", 8, intensity: 0.1), pulse("long", 1000, intensity: 0.8),
            pulse("endless", 60_000, intensity: 1),
        ].map { ($0.name, $0) })
}

extension EngineConfiguration {
    static func bench(
        actuators: [EngineActuator] = [EngineActuator(name: "main")], gate: GateConfiguration = GateConfiguration(step: 0.01),
        complete: String? = nil, profile: Profile = .full, classes: ClassTable = .standard, conditions: [ConditionRule] = [],
        bounds: EngineBounds = .standard, patterns: [PlayablePattern] = []
    ) -> EngineConfiguration {
        try! EngineConfiguration(
            settings: Settings(profile: profile), classes: classes, actuators: actuators,
            progressRules: [
                ProgressRule(
                    match: Glob("*"), gate: gate, feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture),
                    complete: complete)
            ],
            eventRules: [
                EventRule(
                    match: Glob("payment.succeeded"),
                    feedback: RuleFeedback(pattern: "success", feedbackClass: .notification)),
                EventRule(
                    match: Glob("sync.*"), when: ChangeCondition(from: .any, to: .glob(Glob("failed"))),
                    feedback: RuleFeedback(pattern: "long", feedbackClass: .notification)),
                EventRule(
                    match: Glob("sync.*"), when: ChangeCondition(from: .exactly(.null), to: .any),
                    feedback: RuleFeedback(pattern: "light", feedbackClass: .interaction)),
            ],
            conditionRules: conditions,
            patterns: Dictionary(uniqueKeysWithValues: (PlayablePattern.bench.values + patterns).map { (Text($0.name), $0) }),
            bounds: bounds)
    }
}

extension QuietHours {
    static let always = QuietHours(from: TimeOfDay(minutes: 0)!, to: TimeOfDay(minutes: 1440)!)
}

extension MonotonicInstant {
    static func ms(_ milliseconds: Int64) -> MonotonicInstant { .zero + .milliseconds(milliseconds) }
}
