// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@testable import HapticConfig

@Suite("Rules for several actuators") struct SpreadTests {
    private static let actuators = """
        version: 1
        actuators: [{ name: left, backend: simulated }, { name: right, backend: simulated }, { name: back, backend: simulated }]
        """

    private static func text(_ rule: String) -> String { actuators + "\nevents: [{ match: x, pattern: soft, \(rule) }]" }

    @Test(
        "A rule says how what it plays is spread",
        arguments: [
            ("stagger: 60ms", Spread.stagger(Stagger(interval: .milliseconds(60)))),
            ("stagger: 0.5s, from: center", .stagger(Stagger(interval: .milliseconds(500), origin: .center))),
            ("handOver: { to: right }", .handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(200)))),
            (
                "actuators: [left], handOver: { to: back, duration: 1s }",
                .handOver(HandOver(to: ActuatorIndex(2), duration: .seconds(1)))
            ),
        ])
    func read(rule: String, spread: Spread) throws {
        let engine = try configuration(Self.text(rule)).engineConfiguration()
        #expect(engine.eventRules[0].feedback.spread == spread)
    }

    @Test(
        "What is not possible is reported where it stands",
        arguments: [
            ("stagger: 600ms", "events[0].stagger: with 3 actuators the last one would begin 1.2s after the first"),
            ("from: last", "events[0].from: this is about `stagger`"),
            ("stagger: 60ms, from: middle", "events[0].from: "),
            ("stagger: 60ms, handOver: { to: right }", "events[0].handOver: `handOver` and `stagger` are two ways"),
            ("handOver: { to: rihgt }", "events[0].handOver.to: unknown actuator `rihgt`, did you mean `right`?"),
            ("actuators: [left], handOver: { to: left }", "events[0].handOver.to: this is one of the rule's own actuators"),
            ("handOver: { duration: 1s }", "events[0].handOver"),
            ("handOver: { to: right, duration: 11s }", "events[0].handOver.duration"),
        ])
    func mistakes(rule: String, message: String) {
        let found = HapticConfigTests.mistakes(whole: Self.text(rule))
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }
}
