// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@testable import HapticConfig

@Suite("Rules that follow a value") struct FollowRuleTests {
    private static func text(_ rule: String) -> String {
        "version: 1\n\(twoActuators)\nprogress: [{ match: lever, pattern: tick, \(rule) }]"
    }

    @Test("A rule says how the value is followed, and what is felt on its way")
    func read() throws {
        func shape(_ rule: String) throws -> FollowShape? {
            try configuration(Self.text(rule)).engineConfiguration().progressRules[0].follow
        }
        #expect(try shape("mode: follow") == FollowShape(endStop: "rigid"))
        #expect(try shape("step: 1%") == nil)
        let whole = "mode: follow, response: 50ms, dampingFraction: 0.5, detents: [0.25, 50%], hysteresis: 1%, endStop: none"
        #expect(
            try shape(whole)
                == FollowShape(
                    spring: Spring(response: .milliseconds(50), dampingFraction: 0.5)!,
                    detents: [Progress(0.25)!, Progress(0.5)!], hysteresis: 0.01))
        #expect(try shape("mode: follow, detents: 9, endStop: soft")?.detents.map(\.value) == (1...9).map { Double($0) / 10 })
    }
}
