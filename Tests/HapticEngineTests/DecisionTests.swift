// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("Decisions")
struct DecisionTests {
    @Test("The counters hold the number of decisions by outcome and reason, and each decision has the next number")
    func counters() {
        var bench = Bench()
        for value in [0.1, 0.101, 0.102, 0.2] { bench.progress("a", value) }
        bench.take(.refusal(.event))
        #expect(bench.engine.count(of: .played, reason: nil) == 2)
        #expect(bench.engine.count(of: .suppressed, reason: .belowStep) == 2)
        #expect(bench.engine.count(of: .failed, reason: .invalidParams) == 1)
        #expect(bench.decisions.map(\.sequence) == [1, 2, 3, 4, 5])
    }

    @Test("An event whose rules want another change names the first of them")
    func otherChange() {
        var bench = Bench()
        bench.event("sync.state", .string("running"))
        #expect(bench.event("sync.state", .string("done")).circumstance == .otherChange(rule: "sync.*"))
        #expect(bench.event("payment.failed").circumstance == nil)
    }

    @Test("A stale input carries its age, and an input in time carries none")
    func age() {
        var bench = Bench()
        bench.run(for: .seconds(2))
        let late = bench.send(.play("soft", at: bench.now - .milliseconds(1500)))
        #expect((late.reason, late.circumstance) == (.stale, .late(age: .milliseconds(1500))))
        #expect(bench.play("soft").circumstance == nil)
    }

    @Test("A pattern without a level above 0 is silent, and a weak one is too subtle for a motor that is only on or off")
    func silent() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        for capabilities in [ActuatorCapabilities.full, onOff] {
            var bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: capabilities)]))
            let mute = bench.play(PlayInput(pattern: .pulse("mute", 8, intensity: 0)), by: Bench.ada)
            #expect((mute.outcome, mute.reason) == (.suppressed, .silent))
        }
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: onOff)]))
        #expect(bench.play("faint").reason == .tooSubtle)
    }

    @Test("Once all sources are forgotten the engine waits for nothing")
    func forgotten() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .milliseconds(59_999))
        #expect(bench.engine.sourceCount == 1)
        bench.run(for: .milliseconds(1))
        #expect(bench.engine.sourceCount == 0)
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test("A second has at most 10 notifications and 50 interactions")
    func standardLimits() {
        let classes = ClassTable.standard
        #expect(classes.notification.limitPerSecond == 10)
        #expect(classes.interaction.limitPerSecond == 50)
    }

    // MARK: The app of an input

    @Test(
        "Each decision has the app of its input",
        arguments: [
            (.progress(ProgressInput(value: .one)), .played), (.progress(ProgressInput(value: .zero)), .suppressed),
            (.release, .suppressed), (.event(EventInput(name: "payment.succeeded")), .played),
            (.event(EventInput(name: "tea.ready")), .suppressed),
            (.play(PlayInput(pattern: PlayablePattern.bench["soft"]!)), .played),
        ] as [(Input.Kind, Outcome)])
    func decided(kind: Input.Kind, outcome: Outcome) {
        var bench = Bench()
        let decision = bench.send(.input(Input(client: Bench.ada, app: "till", at: .zero, kind: kind)))
        #expect((decision.outcome, decision.app) == (outcome, "till"))
        #expect(bench.send(.input(Input(client: Bench.ada, at: .zero, kind: kind))).app == nil)
    }

    @Test("The decision on a refused notification has its app")
    func refused() {
        var bench = Bench()
        bench.take(.refusal(.event, app: "till", .quota))
        #expect(bench.decisions.last?.app == "till")
    }

    @Test("Inputs of two apps with the same id are one source")
    func sources() {
        var bench = Bench()
        let kind = Input.Kind.progress(ProgressInput(value: Progress(0.5)!))
        let first = bench.send(.input(Input(client: Bench.ada, id: "a", app: "till", at: .zero, kind: kind)))
        let second = bench.send(.input(Input(client: Bench.ada, id: "a", app: "kiosk", at: .zero, kind: kind)))
        #expect((first.outcome, second.reason) == (.played, .belowStep))
    }
}
