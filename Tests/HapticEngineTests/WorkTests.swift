// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import Testing

@testable import HapticEngine
@testable import HapticPlanning

/// What one line may cost: see `WorkBudget`.
@Suite("The budget of a line") struct WorkTests {
    private static func motors(_ count: Int, _ limits: MotorLimits = .none) -> [EngineActuator] {
        (0..<count).map { EngineActuator(name: "motor-\($0)", limits: limits) }
    }

    private static func play(_ steps: Int, repeated times: Int = 1, at now: MonotonicInstant) -> BatchItem {
        let play = PlayInput(
            pattern: PlayablePattern.bench["soft"]!, train: StepTrain(steps: steps), feedbackClass: .alarm, repetitions: times)
        return .play(play, at: now)
    }

    @Test("A batch decides as many plays as fit into its line, and refuses the others", arguments: [1, 4, 64])
    func plays(actuators: Int) {
        var bench = Bench(.bench(actuators: Self.motors(actuators)))
        let now = bench.now
        let decisions = bench.send((0..<256).map { _ in Self.play(1000, at: now) })
        let cost = actuators * (WorkBudget.Cost.actuator + 3000 * WorkBudget.Cost.previewedFrame)
        let most = WorkBudget.line / cost
        let decided = decisions.prefix { $0.reason != .quota }.count
        #expect((most - 1...most).contains(decided))
        #expect(Set(decisions.dropFirst(decided).map(\.reason)) == [.quota])
        #expect(bench.engine.work.left < cost)
    }

    @Test("A play that can never fit is refused at no cost, and the next line has its own budget")
    func neverFits() {
        // No two rounds are alike to a motor that gets hot.
        var bench = Bench(.bench(actuators: [EngineActuator(name: "hot", thermal: .standard(.erm))]))
        let now = bench.now
        let first = bench.send([Self.play(10_000, repeated: 10_000, at: now), Self.play(10_000, at: now)])
        #expect((first[0].outcome, first[0].reason) == (.suppressed, .quota))
        #expect(first[1].outcome == .played)
        #expect(bench.send(Self.play(10_000, at: now)).outcome == .played)
    }

    private static let hundred = PlaybackPlan(
        pattern: PlayablePattern.bench["long"]!, train: nil, repetitions: 100, gain: .one, sharpness: nil)

    @Test("The ledger of a motor with a duty is charged for the length of the rounds that are looked at")
    func duty() {
        let cost = Self.hundred.cost(within: MotorLimits(duty: Share(0.5)!)) - Self.hundred.cost(within: .none)
        // A second, and half of one before the next.
        #expect(cost == PlaybackPlan.leastRounds * 15)
    }

    @Test("Each round on a motor that gets hot is charged, with its heat")
    func heat() {
        let cost = Self.hundred.cost(within: .none, hasHeat: true) - WorkBudget.Cost.actuator
        #expect(cost == Self.hundred.frameCount * WorkBudget.Cost.frame(isFitted: false, hasHeat: true))
    }

    @Test("Rounds that recur are charged once, however many there are, and others as they are looked at")
    func rounds() {
        let now = MonotonicInstant.zero
        let first = Channel(index: ActuatorIndex(0), actuator: EngineActuator(name: "free"))
        // Its rounds are so short that four more of them begin before two are alike.
        var work = WorkBudget(4 * Self.hundred.roundCost(within: .none, isFitted: false)!)
        #expect(first.preview(Self.hundred, Entry(), at: now, work: &work)?.counts.pulses == 100)
        // The ledger of a motor with a duty is the same again once it has all been written within the rounds.
        let limits = MotorLimits(duty: Share(0.2)!)
        let second = Channel(index: ActuatorIndex(1), actuator: EngineActuator(name: "rare", limits: limits))
        work = WorkBudget(0)
        #expect(second.preview(Self.hundred, Entry(), at: now, work: &work) == nil)
        work = WorkBudget()
        let preview = second.preview(Self.hundred, Entry(), at: now, work: &work)
        #expect((preview?.counts.pulses, preview?.counts.cutReason) == (30, .dutyLimit))
        #expect(WorkBudget.line - work.left == 14 * Self.hundred.roundCost(within: limits, isFitted: false)!)
    }

    @Test("A play that cannot pay for its transition has paid for its frames: the line looks for no further transitions")
    func transitions() throws {
        let rise = Pattern.Track.keyframes([
            Keyframe(at: .zero, intensity: Intensity(0.2)!, sharpness: .zero),
            Keyframe(at: .milliseconds(500), intensity: Intensity(0.8)!, sharpness: .zero),
        ])
        let glide = PlayInput(pattern: PlayablePattern(try Pattern(name: "rise", tracks: [rise])), feedbackClass: .alarm)
        func second(work: Int) -> (reason: Reason?, left: Int) {
            var bench = Bench()
            bench.take(.batch([.play(glide, at: bench.now)], work: WorkBudget()))
            bench.run(for: .milliseconds(300))
            bench.take(.batch([.play(glide, at: bench.now)], work: WorkBudget(work)))
            return (bench.decisions[1].reason, bench.engine.work.left)
        }
        let whole = WorkBudget.line - second(work: WorkBudget.line).left
        let refused = second(work: whole - 1)
        #expect(refused.reason == .quota)
        #expect(refused.left < whole - WorkBudget.Cost.actuator)
    }

    @Test("Reading and rendering take from the same budget as deciding")
    func oneBudget() {
        var bench = Bench()
        bench.take(.batch([Self.play(10_000, at: bench.now)], work: WorkBudget(100_000)))
        bench.take(.batch([Self.play(10_000, at: bench.now)], work: WorkBudget(300_000)))
        #expect(bench.decisions.map(\.reason) == [.quota, nil])
        bench.take(.batch([.cancel(.all)], work: WorkBudget(0)))
        #expect(bench.cancelledCounts == [1], "to cancel is always done")
    }

    @Test("A step of a hold costs the line at hand nothing, and is played even if that line has no budget left")
    func holds() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.now = .ms(650)
        bench.take(.batch([.cancel(.source(id: "none"))], work: WorkBudget(0)))
        #expect(bench.decisions.map(\.outcome) == [.suppressed, .played])
        #expect(bench.engine.work.left == 0)
    }

    // MARK: Rules

    /// Rules that each have to be looked at to the end.
    private static func rules(_ count: Int) -> EngineConfiguration {
        var configuration = EngineConfiguration.bench()
        let glob = { (number: Int) in Glob(String(repeating: "*a", count: 60) + "*z\(number)*") }
        configuration.progressRules =
            (0..<count).map {
                var rule = configuration.progressRules[0]
                rule.match = glob($0)
                return rule
            } + configuration.progressRules
        configuration.eventRules =
            (0..<count).map { EventRule(match: glob($0), feedback: configuration.eventRules[0].feedback) }
            + configuration.eventRules
        return configuration
    }

    private static let longName = String(repeating: "a", count: 240)

    @Test("1,023 long globs and 256 long names: inputs that do not fit into the line are refused, and decided in a later one")
    func longGlobs() {
        var bench = Bench(Self.rules(1023))
        let now = bench.now
        let decisions = bench.send((0..<256).map { .progress("\(Self.longName)\($0)x", 0.5, at: now) })
        let cost = bench.engine.arbiter.rules.costs.ids.units(242)
        #expect((1...WorkBudget.line / cost).contains(decisions.count { $0.reason != .quota }))
        #expect(decisions.last?.reason == .quota)
        #expect(decisions.last?.rule == nil)
        bench.run(for: .seconds(1))
        #expect(bench.progress("\(Self.longName)255x", 0.6).rule == "*")
        let events = bench.send((0..<256).map { .event("\(Self.longName)\($0)", at: bench.now) })
        #expect(events.filter { $0.reason == .noRule }.count <= WorkBudget.line / cost)
        #expect(events.last?.reason == .quota)
    }

    @Test("256 events and 50 ordinary rules are all decided")
    func ordinaryRules() {
        var configuration = EngineConfiguration.bench()
        configuration.eventRules = (0..<50).map {
            EventRule(match: Glob("app\($0).*"), feedback: configuration.eventRules[0].feedback)
        }
        var bench = Bench(configuration)
        let now = bench.now
        let decisions = bench.send((0..<256).map { .event("app\($0 % 60).done", at: now) })
        #expect(decisions.allSatisfy { $0.reason != .quota })
    }

    @Test("A reload with 4,096 sources changes none of them, and each finds its rule at its next input")
    func reload() {
        var bench = Bench()
        for number in 0..<4096 { bench.progress("source-\(number)", 0.005) }
        let before = bench.engine.arbiter.rules.generation
        var new = bench.engine.configuration
        new.progressRules[0].feedback.pattern = "tick"
        new.progressRules.insert(new.progressRules[0], at: 0)
        new.progressRules[0].match = Glob("source-7")
        bench.take(.configuration(new))
        for number in 0..<4096 {
            let slot = bench.engine.inputs.sources.slot(of: SourceKey(client: Bench.ada, id: "source-\(number)"))!
            #expect(bench.engine.inputs.sources.withSource(slot) { $0.ruleGeneration } == before)
        }
        // Half a step was gone already, and is still.
        let seven = bench.progress("source-7", 0.0101)
        #expect((seven.rule, seven.pattern, seven.outcome) == ("source-7", "tick", .played))
        bench.run(for: .seconds(1))
        let eight = bench.progress("source-8", 0.0101)
        #expect((eight.rule, eight.pattern, eight.outcome) == ("*", "tick", .played))
    }
}
