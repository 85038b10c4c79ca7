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

    @Test(
        "What makes no sense is reported where it stands",
        arguments: [
            ("mode: follow, step: 1%", "progress[0].step: `step` is about steps"),
            ("mode: follow, complete: success", "progress[0].complete: `complete` is about steps"),
            ("mode: follow, stagger: 60ms", "progress[0].stagger: `stagger` is about steps"),
            ("response: 100ms", "progress[0].response: `response` is about `mode: follow`"),
            ("mode: grid, endStop: none", "progress[0].endStop: `endStop` is about `mode: follow`"),
            ("mode: follow, detents: [0.5, 0.4]", "progress[0].detents[1]: detents are ascending"),
            ("mode: follow, detents: [1]", "progress[0].detents[0]: detents are ascending"),
            ("mode: follow, detents: many", "progress[0].detents: expected how many detents there are"),
            ("mode: follow, detents: 101", "progress[0].detents: 101 is out of range"),
            ("mode: follow, endStop: rigd", "progress[0].endStop: unknown pattern `rigd`, did you mean `rigid`?"),
            ("mode: folow", "progress[0].mode: unknown mode `folow`, did you mean `follow`?"),
        ])
    func mistakes(rule: String, message: String) {
        let found = HapticConfigTests.mistakes(whole: Self.text(rule))
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }
}
