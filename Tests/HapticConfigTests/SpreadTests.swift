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
}
