// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import TestSupport

/// The motors, rules and patterns of a walk.
struct Board {
    private(set) var motors: [Motor.Limits]
    let shapes: [String: Shape]
    let movements: [String: Movement]
    /// For whoever plays one by itself, without open phases; in the order of their names.
    let playable: [PlayablePattern]
    /// Those with open phases.
    let open: [PlayablePattern]
    /// Whether the rules `resuming` say so.
    var resumes = false
    /// Whether there are the rules of `Follower`.
    var follows = false

    /// The `match` of rules for events.
    static let resuming: Set<String> = ["sync.*"]
    static let bounds = EngineBounds(
        sources: 12, sourcesPerUser: 8, things: 50, thingsPerUser: 30, playbacks: 4, playbacksPerUser: 3,
        sourceTimeout: .seconds(5))

    /// Those that rules name, and profiles.
    static let named: [Shape] = [
        .pulse("soft", 8, 0.5), .pulse("light", 10, 0.6), .pulse("tick", 8, 0.4), .pulse("success", 60, 1),
        .pulse("faint", 8, 0.1), .pulse("second", 1000, 0.8),
    ]

    init(_ options: Options, _ arranger: inout Arranger, using random: inout SplitMix64) {
        let motors = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.motor(&random) }
        var shapes: [Shape] = []
        if options.features.contains(.longPatterns) { shapes.append(.pulse("minute", 60_000, 1)) }
        for index in 0..<10 { shapes.append(.random("random\(index)", using: &random)) }
        let pieces = arranger.pieces(of: Self.named + shapes)
        let movements = arranger.movements(of: Self.named + shapes + pieces.filter { !$0.shape.glides }.map(\.shape))
        self.init(motors, shapes, pieces, movements)
    }

    /// With more than those that the rules name.
    init(_ motors: [Motor.Limits], _ more: [Shape], _ pieces: [Piece] = [], _ movements: [Movement] = []) {
        self.motors = motors
        // No pattern may be longer.
        let shapes = Self.named + more.filter { $0.length <= 60_000_000_000 }
        self.shapes = Dictionary(uniqueKeysWithValues: (shapes + pieces.map(\.shape)).map { ($0.name, $0) })
        self.movements = Dictionary(uniqueKeysWithValues: movements.map { ($0.name, $0) })
        let patterns = shapes.map(\.pattern) + pieces.map(\.pattern)
        playable = patterns.sorted { $0.name < $1.name }.map { PlayablePattern($0) }
        open = movements.map { PlayablePattern($0.pattern) }
    }

    private static func motor(_ random: inout SplitMix64) -> Motor.Limits {
        var motor = Motor.Limits(interval: [1, 1, 2, 7].randomElement(using: &random)! * 1_000_000)
        if Bool.random(using: &random) { motor.minGap = [3, 9, 20, 150].randomElement(using: &random)! * 1_000_000 }
        if Bool.random(using: &random) { motor.maxOn = [50, 400, 2000].randomElement(using: &random)! * 1_000_000 }
        if Int.random(in: 0..<3, using: &random) == 0 { motor.duty = [0.01, 0.1, 0.4].randomElement(using: &random)! }
        motor.variesIntensity = Int.random(in: 0..<4, using: &random) > 0
        if Int.random(in: 0..<3, using: &random) == 0 {
            motor.model = model(&random)
            motor.reverses = Bool.random(using: &random)
        }
        return motor
    }

    private static func model(_ random: inout SplitMix64) -> Motor.Model {
        func time(_ milliseconds: ClosedRange<Int64>) -> Int64 { Int64.random(in: milliseconds, using: &random) * 1_000_000 }
        let start = Double.random(in: 0...0.9, using: &random)
        let rise = time(1...400)
        // More than three times `rise` contradicts it.
        let overdrive =
            Bool.random(using: &random)
            ? (level: Double.random(in: 1.05...1.5, using: &random), time: min(time(2...200), 3 * rise)) : nil
        return Motor.Model(
            isERM: Bool.random(using: &random), rise: rise, fall: time(1...400), start: start,
            hold: Double.random(in: 0...start, using: &random), minPulse: time(0...100), overdrive: overdrive,
            brake: Bool.random(using: &random))
    }

    /// Has some of the motors get hot, and soon, but bear a pulse of 30 ms when they are cold. `number` decides which: it draws nothing at random.
    mutating func heat(_ number: Int) {
        for index in motors.indices where (number / 2 + index) % 3 == 0 {
            // What is overdriven is hot sooner.
            let least = motors[index].model?.overdrive == nil ? 0.35 : 0.5
            motors[index].thermal = Heat.Model(
                winding: [100, 400, 1500][number % 5 % 3] * 1_000_000, housing: [2, 8][number % 7 % 2] * 1_000_000_000,
                continuous: max(least, [0.35, 0.5, 0.9][number % 11 % 3]), soft: [0.5, 0.8][number % 13 % 2],
                floor: [0.2, 0.6][number % 17 % 2])
        }
    }

    func configuration(profile: Profile, hasOtherMotors: Bool) -> EngineConfiguration {
        let names = names(hasOtherMotors: hasOtherMotors)
        let actuators = motors.enumerated().map { index, motor in
            EngineActuator(
                name: names[index], capabilities: capabilities(motor),
                limits: MotorLimits(
                    minInterval: Nanoseconds(motor.interval), minGap: Nanoseconds(motor.minGap),
                    maxOn: motor.maxOn.map { Nanoseconds($0) }, duty: Share(motor.duty)!),
                motor: motor.model.map(MotorModel.init), thermal: motor.thermal.map(ThermalModel.init))
        }
        func feedback(_ pattern: String, _ feedbackClass: FeedbackClass) -> RuleFeedback {
            RuleFeedback(pattern: pattern, feedbackClass: feedbackClass)
        }
        return try! EngineConfiguration(
            settings: Settings(profile: profile), actuators: actuators,
            progressRules: (follows ? Follower.rules : []) + [
                ProgressRule(
                    match: Glob("*"), gate: GateConfiguration(step: 0.01), feedback: feedback("soft", .texture),
                    complete: "success")
            ],
            eventRules: [
                EventRule(match: Glob("payment.*"), feedback: feedback("success", .notification)),
                EventRule(
                    match: Glob("sync.*"), when: ChangeCondition(from: .any, to: .glob(Glob("failed"))),
                    feedback: feedback("second", .notification), resumes: resumes),
                EventRule(match: Glob("sync.*"), feedback: feedback("light", .interaction), resumes: resumes),
                EventRule(match: Glob("*.confirmed"), feedback: feedback("light", .notification)),
            ],
            collectionRules: [
                CollectionRule(
                    match: Glob("\(SetModel.prefix)*"),
                    patterns: ThingPatterns(inserted: Self.inserted, removed: Self.removed, both: Self.both),
                    feedback: feedback(Self.inserted, .interaction), interval: .milliseconds(60))
            ],
            holdRules: HoldModel.rules.map {
                HoldRule(match: $0.match, feedback: feedback("soft", .texture), pressed: $0.pressed, complete: "success")
            },
            taskRules: [
                TaskRule(
                    match: Glob("t*"), began: feedback("light", .interaction), succeeded: feedback("success", .notification),
                    failed: feedback("second", .notification),
                    working: .init(
                        feedback: feedback("faint", .texture), interval: Nanoseconds(TaskModel.interval),
                        upTo: Nanoseconds(TaskModel.upTo)), timeout: Nanoseconds(TaskModel.timeout))
            ],
            patterns: Dictionary(uniqueKeysWithValues: (playable + open).map { (Text($0.name), $0) }), bounds: Self.bounds)
    }

    func names(hasOtherMotors: Bool) -> [String] {
        motors.indices.map { "\(hasOtherMotors && !stays($0) ? "other" : "motor")\($0)" }
    }

    /// Whether the motor is the same where all are replaced. Where there is one alone, another one has to come.
    func stays(_ index: Int) -> Bool { index == 0 && motors.count > 1 }

    func capabilities(_ motor: Motor.Limits) -> ActuatorCapabilities {
        ActuatorCapabilities(
            variesIntensity: motor.variesIntensity, variesSharpness: false, mostDrive: Drive(motor.most)!,
            reverses: motor.reverses)
    }

    func drivers() -> [WitnessDriver] {
        motors.map { WitnessDriver(capabilities($0), maxOn: $0.maxOn.map { Nanoseconds($0) }) }
    }

    /// The number of the motor with that name.
    static func number(of name: String) -> Int { Int(name.drop { !$0.isNumber })! }
}

extension ThermalModel {
    fileprivate init(_ model: Heat.Model) {
        self.init(
            winding: Nanoseconds(model.winding), housing: Nanoseconds(model.housing), continuous: Share(model.continuous)!,
            soft: Share(model.soft)!, floor: Share(model.floor)!)
    }
}

extension MotorModel {
    fileprivate init(_ model: Motor.Model) {
        self.init(
            kind: model.isERM ? .erm : .lra, rise: Nanoseconds(model.rise), fall: Nanoseconds(model.fall),
            start: Share(model.start)!, hold: Share(model.hold)!, minPulse: Nanoseconds(model.minPulse),
            overdrive: model.overdrive.map { Overdrive(level: Drive($0.level)!, time: Nanoseconds($0.time)) },
            brake: model.brake)
    }
}
