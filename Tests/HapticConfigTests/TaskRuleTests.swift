// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@testable import HapticConfig

@Suite("Rules for tasks") struct TaskRuleTests {
    @Test("A task is answered as a touch is, and its end has the class of its rule")
    func read() throws {
        let text = """
            version: 1
            \(twoActuators)
            tasks:
              - { match: "build-*", began: tick, succeeded: success, failed: error, cancelled: stop, working: soft, every: 1s, upTo: 1h,
                  timeout: 7200s, class: alarm, intensity: 50%, actuators: [pad] }
            """
        let rule = try configuration(text).engineConfiguration().taskRules[0]
        func feedback(_ pattern: String, _ feedbackClass: FeedbackClass) -> RuleFeedback {
            RuleFeedback(
                pattern: pattern, feedbackClass: feedbackClass, intensity: Intensity(clamping: 0.5), actuators: [ActuatorIndex(1)]
            )
        }
        #expect(
            rule
                == TaskRule(
                    match: Glob("build-*"), began: feedback("tick", .interaction), succeeded: feedback("success", .alarm),
                    failed: feedback("error", .alarm), cancelled: feedback("stop", .alarm),
                    working: .init(feedback: feedback("soft", .texture), interval: .seconds(1), upTo: .seconds(3600)),
                    timeout: .seconds(7200)))
        #expect(mistakes("tasks:\n  - { match: a, working: soft, every: 2s, upTo: 2s, timeout: 2001ms }") == [])
    }
}
