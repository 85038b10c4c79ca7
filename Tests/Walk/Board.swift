// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import HapticPlanning
import TestSupport

/// The motors, rules and patterns of a walk.
struct Board {
    private(set) var motors: [Motor.Limits]
    /// The patterns without open phases, in the order of their names.
    let playable: [PlayablePattern]
    /// The patterns with open phases.
    let open: [PlayablePattern]
    let rules: Rules

    struct Rules {
        var resumes = false
        var follows = false
    }

    /// The `match` of rules for events that resume, and of rules for progress that is followed.
    static let resuming = "sync.*"
    static let followed = ["d", "e"]
    /// A hold that only a device can press.
    static let device = "knob"
    static let bounds = EngineBounds(
        sources: 12, sourcesPerUser: 8, things: 50, thingsPerUser: 30, playbacks: 4, playbacksPerUser: 3,
        sourceTimeout: .seconds(5))

    /// The patterns that rules and profiles name.
    static let named: [Pattern] = [
        .pulse("soft", .milliseconds(8), 0.5), .pulse("light", .milliseconds(10), 0.6), .pulse("tick", .milliseconds(8), 0.4),
        .pulse("success", .milliseconds(60), 1), .pulse("faint", .milliseconds(8), 0.1), .pulse("second", .seconds(1), 0.8),
    ]

    init(_ options: Options, using random: inout SplitMix64) {
        var patterns = (0..<10).map { Pattern.random("random\($0)", using: &random) }
        if options.has(.longPatterns) { patterns.append(.pulse("minute", .seconds(60), 1)) }
        let short = (Self.named + patterns).filter { $0.duration <= .seconds(2) }
        if options.has(.composed) { patterns += (0..<3).map { .composed("composed\($0)", of: short, using: &random) } }
        if options.has(.dense) { patterns += (0..<2).map { .dense("dense\($0)", using: &random) } }
        let open = options.has(.openPhases) ? (0..<4).map { Pattern.open("open\($0)", of: short, using: &random) } : []
        var motors = (0..<Int.random(in: 1...4, using: &random)).map { _ in Motor.Limits.random(&random) }
        for index in motors.indices where options.has(.heat) && random.chance(2) { motors[index].heat(&random) }
        self.init(motors, patterns, open, Rules(resumes: options.has(.resume), follows: options.has(.follow)))
    }

    /// A board with the patterns that the rules name, and `more`.
    init(_ motors: [Motor.Limits], _ more: [Pattern], _ open: [Pattern] = [], _ rules: Rules = Rules()) {
        self.motors = motors
        playable = (Self.named + more).sorted { $0.name < $1.name }.map { PlayablePattern($0) }
        self.open = open.map { PlayablePattern($0) }
        self.rules = rules
    }

    func pattern(_ name: String) -> PlayablePattern { playable.first { $0.name == name }! }

    func configuration(profile: Profile, hasOtherMotors: Bool) -> EngineConfiguration {
        let names = names(hasOtherMotors: hasOtherMotors)
        let actuators = motors.enumerated().map { index, motor in
            EngineActuator(
                name: names[index], capabilities: motor.capabilities, limits: motor.limits, motor: motor.model,
                thermal: motor.thermal)
        }
        func feedback(_ pattern: String, _ feedbackClass: FeedbackClass) -> RuleFeedback {
            RuleFeedback(pattern: pattern, feedbackClass: feedbackClass)
        }
        return try! EngineConfiguration(
            settings: Settings(profile: profile), actuators: actuators,
            progressRules: (rules.follows ? Self.followRules : []) + [
                ProgressRule(
                    match: Glob("*"), gate: GateConfiguration(step: 0.01), feedback: feedback("soft", .texture),
                    complete: "success")
            ],
            eventRules: [
                EventRule(match: Glob("payment.*"), feedback: feedback("success", .notification)),
                EventRule(
                    match: Glob(Self.resuming), when: ChangeCondition(from: .any, to: .glob(Glob("failed"))),
                    feedback: feedback("second", .notification), resumes: rules.resumes),
                EventRule(match: Glob(Self.resuming), feedback: feedback("light", .interaction), resumes: rules.resumes),
                EventRule(match: Glob("*.confirmed"), feedback: feedback("light", .notification)),
            ],
            collectionRules: [
                CollectionRule(
                    match: Glob("cart.*"), patterns: ThingPatterns(inserted: "soft", removed: "faint", both: "light"),
                    feedback: feedback("soft", .interaction), interval: .milliseconds(60))
            ],
            holdRules: ([(.device(Self.device), "light"), (.clients(Glob("h2")), "light"), (.clients(Glob("h*")), nil)]
                as [(HoldRule.Match, String?)]).map {
                    HoldRule(match: $0, feedback: feedback("soft", .texture), pressed: $1, complete: "success")
                },
            taskRules: [
                TaskRule(
                    match: Glob("t*"), began: feedback("light", .interaction), succeeded: feedback("success", .notification),
                    failed: feedback("second", .notification),
                    working: .init(feedback: feedback("faint", .texture), interval: .seconds(2), upTo: .seconds(7)),
                    timeout: .seconds(60))
            ],
            conditionRules: Self.conditions,
            patterns: Dictionary(uniqueKeysWithValues: (playable + open).map { (Text($0.name), $0) }), bounds: Self.bounds)
    }

    static let conditions: [ConditionRule] = {
        var effects = ConditionRule.Effects()
        (effects.notification, effects.interaction, effects.texture) = (.nothing, .pattern("light"), .half)
        return [
            ConditionRule(name: "camera", effects: effects), ConditionRule(name: "slider", profile: .silent),
            ConditionRule(name: "calm", profile: .reduced),
        ]
    }()

    private static let followRules = [
        ProgressRule(
            match: Glob(followed[0]), gate: GateConfiguration(step: 0.01),
            follow: FollowShape(detents: FollowShape.even(9), endStop: "soft"),
            feedback: RuleFeedback(pattern: "light", feedbackClass: .texture)),
        ProgressRule(
            match: Glob(followed[1]), gate: GateConfiguration(step: 0.01),
            follow: FollowShape(spring: Spring(response: .milliseconds(300), dampingFraction: 0.3)!, detents: [Progress(0.5)!]),
            feedback: RuleFeedback(pattern: "tick", feedbackClass: .interaction, intensity: Intensity(0.7)!)),
    ]

    func names(hasOtherMotors: Bool) -> [String] {
        motors.indices.map { "\(hasOtherMotors && !stays($0) ? "other" : "motor")\($0)" }
    }

    /// Whether the motor stays when all are replaced. A single motor does not.
    func stays(_ index: Int) -> Bool { index == 0 && motors.count > 1 }

    func drivers() -> [WitnessDriver] { motors.map { WitnessDriver($0.capabilities, maxOn: $0.limits.maxOn) } }

    /// The number of the motor with that name.
    static func number(of name: String) -> Int { Int(name.drop { !$0.isNumber })! }
}
