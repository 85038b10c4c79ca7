// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("The app of an input") struct AppTests {
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

    @Test("Another app makes no other source of the same id")
    func sources() {
        var bench = Bench()
        let kind = Input.Kind.progress(ProgressInput(value: Progress(0.5)!))
        let first = bench.send(.input(Input(client: Bench.ada, id: "a", app: "till", at: .zero, kind: kind)))
        let second = bench.send(.input(Input(client: Bench.ada, id: "a", app: "kiosk", at: .zero, kind: kind)))
        #expect((first.outcome, second.reason) == (.played, .belowStep))
    }
}
