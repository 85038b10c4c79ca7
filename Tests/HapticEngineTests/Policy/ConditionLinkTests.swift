// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("Conditions") struct ConditionLinkTests {
    private static func rule(
        _ name: String, _ notification: ProfileEffect? = nil, texture: ProfileEffect? = nil, _ profile: Profile? = nil
    ) -> ConditionRule {
        var effects = ConditionRule.Effects()
        (effects.notification, effects.texture) = (notification, texture)
        return ConditionRule(name: name, effects: effects, profile: profile)
    }

    private static let camera = rule("camera", .nothing, texture: .nothing)
    private static let bob = ClientIdentity(connection: 2, user: 1001)

    private func bench(_ rules: ConditionRule..., profile: Profile = .full, actuators: [EngineActuator]? = nil) -> Bench {
        Bench(.bench(actuators: actuators ?? [EngineActuator(name: "main")], profile: profile, conditions: rules))
    }

    // MARK: What is felt

    @Test("A condition suppresses the classes that its rule names, by its name, and no other")
    func classes() {
        var bench = bench(Self.camera)
        bench.assert("camera")
        let decision = bench.play("soft", .notification)
        #expect((decision.outcome, decision.reason) == (.suppressed, .condition))
        #expect(decision.policy == PolicyPath(profile: .full, objection: .condition, condition: "camera"))
        #expect(bench.play("soft", .texture).reason == .condition)
        let interaction = bench.play("soft", .interaction)
        #expect((interaction.outcome, interaction.policy) == (.played, PolicyPath(profile: .full)))
    }

    @Test("A condition plays half of a class, or a pattern in its place, and the decision shows the change and the condition")
    func changes() {
        var bench = bench(Self.rule("camera", .half, texture: .pattern("tick")))
        bench.assert("camera")
        let half = PolicyChange(.condition, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        #expect(bench.play("soft", .notification).policy == PolicyPath(profile: .full, condition: "camera", changes: [half]))
        #expect(bench.play("success", .texture).pattern == "tick")
    }

    @Test("No condition and no profile of one suppresses or changes an alarm", arguments: Profile.allCases)
    func alarm(profile: Profile) {
        var bench = bench(Self.camera, Self.rule("slider", .nothing, texture: .nothing, profile))
        bench.assert("camera")
        bench.assert("slider")
        let decision = bench.play("soft", .alarm)
        #expect((decision.outcome, decision.policy) == (.played, PolicyPath(profile: .full)))
    }

    @Test("The engine's own suspension suppresses an alarm, by the same link and without a name")
    func suspension() {
        var bench = bench(Self.camera)
        bench.take(.batch([.cancel(CancelRequest(client: Bench.ada, target: .all, mode: .immediate, untilResumed: true))]))
        let decision = bench.play("soft", .alarm)
        #expect(decision.reason == .suspended)
        #expect(decision.policy == PolicyPath(profile: .full, objection: .condition))
    }

    @Test(
        "The profile of a condition counts if it is stricter than the one in force, class by class",
        arguments: [
            (.full, .quiet, 0.25, nil), (.quiet, .quiet, 0.25, nil), (.quiet, .full, 0.25, nil), (.reduced, .quiet, 0.6, nil),
            (.full, .silent, nil, .condition), (.quiet, .silent, nil, .condition), (.silent, .quiet, nil, .profile),
        ] as [(Profile, Profile, Double?, Reason?)])
    func profile(inForce: Profile, ofCondition: Profile, intensity: Double?, reason: Reason?) {
        var bench = bench(Self.rule("slider", nil, ofCondition), profile: inForce)
        bench.assert("slider")
        let decision = bench.play("soft", .notification)
        #expect((decision.intensity?.value, decision.reason) == (intensity, reason))
    }

    @Test("An effect of a condition on a class takes the place of its own profile")
    func ownEffect() {
        var bench = bench(Self.rule("meeting", .full, texture: .half, .silent))
        bench.assert("meeting")
        #expect(bench.play("soft", .notification).policy == PolicyPath(profile: .full))
        #expect(bench.play("soft", .texture).intensity?.value == 0.25)
        #expect(bench.play("soft", .interaction).reason == .condition)
    }

    @Test("The profile in force is applied to the rest: a pattern that a condition plays instead is halved by `quiet`")
    func both() {
        var bench = bench(Self.rule("camera", .pattern("light")), profile: .quiet)
        bench.assert("camera")
        let decision = bench.play("soft", .notification)
        #expect((decision.pattern, decision.intensity?.value) == ("light", 0.3))
    }

    @Test("Of several conditions the strictest counts, and its name is the reason; of equal ones, the first rule")
    func several() {
        var bench = bench(Self.rule("a", .half), Self.rule("b", .nothing), Self.rule("c", nil, .silent))
        for name in ["c", "b", "a"] { bench.assert(name) }
        #expect(bench.engine.conditionNames == ["a", "b", "c"])
        let (notification, interaction) = (bench.play("soft", .notification), bench.play("soft", .interaction))
        #expect(notification.policy?.condition == "b")
        #expect(interaction.policy?.condition == "c")
    }

    @Test("A light stands in for a class of which a condition wants nothing, as for a profile")
    func fallback() {
        let main = EngineActuator(name: "main", fallback: ActuatorIndex(1))
        var bench = bench(Self.camera, actuators: [main, EngineActuator(name: "light")])
        bench.assert("camera")
        #expect(bench.play("soft", .notification, actuators: [0]).actuators == ["light"])
    }

    @Test("What plays when a condition begins plays on")
    func playing() {
        var bench = bench(Self.camera)
        bench.play("long", .notification)
        bench.assert("camera")
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.ending) == [.completed])
    }

    @Test(
        "While a condition has the profile `reduced`, lights flash at most three times in a second, also if another one is stricter",
        arguments: [(Profile.full, true), (.silent, false)])
    func flashes(profile: Profile, hasStricter: Bool) throws {
        let motor = EngineActuator(name: "motor", fallback: ActuatorIndex(1))
        let rules = [Self.rule("dark", nil, .reduced), Self.rule("camera", .nothing)]
        var bench = Bench(
            try EngineConfiguration(
                settings: Settings(profile: profile), meanings: .standard, actuators: [motor, Reduced.light],
                conditionRules: rules, patterns: Reduced.patterns))
        bench.assert("dark")
        if hasStricter { bench.assert("camera") }
        for _ in 0..<20 {
            bench.take(.batch([Reduced.play("soft", .notification, actuators: [0], at: bench.now)]))
            bench.run(for: .milliseconds(100))
        }
        let rises = WCAG.flashes(bench.actuations.filter { $0.actuator == ActuatorIndex(1) })
        #expect(!rises.isEmpty)
        #expect(zip(rises, rises.dropFirst(3)).allSatisfy { $1 - $0 >= .seconds(1) }, "\(rises)")
    }

    @Test("Lights whose flashes are not counted go out when a condition with the profile `reduced` begins")
    func darkens() {
        var bench = bench(Self.rule("dark", nil, .reduced), actuators: [Reduced.light])
        bench.play("long", .notification)
        bench.assert("dark")
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.reason) == [.condition])
    }

    // MARK: Who asserts it

    @Test("A condition is in force while one connection asserts it")
    func shared() {
        var bench = bench(Self.camera)
        bench.assert("camera")
        bench.assert("camera")
        bench.assert("camera", by: Self.bob)
        bench.assert("camera", isOn: false)
        #expect(bench.engine.conditionNames == ["camera"])
        bench.assert("camera", isOn: false, by: Self.bob)
        #expect(bench.engine.conditionNames.isEmpty)
        let expected = [true, true, true, true, false].map { ConditionChange.taken("camera", isInForce: $0) }
        #expect(bench.conditionChanges == expected)
        #expect(bench.play("soft", .notification).outcome == .played)
    }

    @Test("A closed connection releases its conditions, and those of no other")
    func closed() {
        var bench = bench(Self.camera, Self.rule("slider", nil, .silent))
        bench.assert("camera")
        bench.assert("slider")
        bench.assert("slider", by: Self.bob)
        bench.take(.connectionClosed(Bench.ada.connection))
        #expect(bench.engine.conditionNames == ["slider"])
        bench.take(.connectionClosed(Self.bob.connection))
        #expect(bench.engine.conditionNames.isEmpty)
    }

    @Test("A user asserts 32 conditions, counted for each connection; another user is not affected, and a release makes room")
    func bound() {
        let rules = (0..<40).map { Self.rule("c\($0)", .half) }
        var bench = Bench(.bench(conditions: rules))
        let second = ClientIdentity(connection: 7, user: Bench.ada.user)
        for index in 0..<31 { bench.assert("c\(index)") }
        bench.assert("c0", by: second)
        bench.assert("c1", by: second)
        bench.assert("c0")
        bench.assert("c1", by: Self.bob)
        bench.assert("c5", isOn: false)
        bench.assert("c1", by: second)
        #expect(
            bench.conditionChanges.suffix(6) == [
                .taken("c0", isInForce: true), .tooMany, .taken("c0", isInForce: true), .taken("c1", isInForce: true),
                .taken("c5", isInForce: false), .taken("c1", isInForce: true),
            ])
    }

    @Test("An unknown name is not asserted, and a reload drops the conditions whose rule has gone for good")
    func reload() {
        var bench = bench(Self.camera)
        bench.assert("slider")
        #expect(bench.conditionChanges == [.unknown])
        bench.assert("camera")
        bench.take(.configuration(.bench(conditions: [Self.rule("slider", nil, .silent), Self.rule("camera", .half)])))
        #expect(bench.engine.conditionNames == ["camera"])
        #expect(bench.play("soft", .notification).intensity?.value == 0.25)
        bench.take(.configuration(.bench()))
        bench.take(.configuration(.bench(conditions: [Self.camera])))
        #expect(bench.engine.conditionNames.isEmpty)
    }

    @Test("A configuration whose condition names a pattern that is not there is refused")
    func mistake() {
        #expect(throws: ConfigurationMistake.noPattern(named: "none", holder: "the condition `camera`")) {
            try EngineConfiguration(
                actuators: [EngineActuator(name: "main")], conditionRules: [Self.rule("camera", .pattern("none"))],
                patterns: Dictionary(uniqueKeysWithValues: PlayablePattern.bench.values.map { (Text($0.name), $0) }))
        }
    }
}

extension Bench {
    fileprivate mutating func assert(_ name: String, isOn: Bool = true, by client: ClientIdentity = Bench.ada) {
        take(.batch([.condition(ConditionRequest(client: client, name: name, isOn: isOn))]))
    }
}
