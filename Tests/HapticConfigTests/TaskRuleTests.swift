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
    }

    @Test(
        "What is wrong is said where it stands, with what would be right",
        arguments: [
            (
                "tasks:\n  - { match: a }",
                ["4:5: tasks[0]: nothing of this task would be felt; give it `began`, `succeeded`, `failed` or `cancelled`"]
            ),
            (
                "tasks:\n  - { match: a, began: tick, every: 2s, upTo: 30s }",
                [
                    "4:37: tasks[0].every: `every` is about `working`; give `working` too, or leave it out",
                    "4:47: tasks[0].upTo: `upTo` is about `working`; give `working` too, or leave it out",
                ]
            ),
            (
                "tasks:\n  - { match: a, began: tick, succeded: success, failed: eror }",
                [
                    "4:30: tasks[0].succeded: unknown key `succeded`, did you mean `succeeded`?",
                    "4:57: tasks[0].failed: unknown pattern `eror`, did you mean `error`?",
                ]
            ),
            (
                "tasks:\n  - { match: a, succeded: success }",
                ["4:17: tasks[0].succeded: unknown key `succeded`, did you mean `succeeded`?"]
            ),
            (
                "tasks:\n  - { match: \"*\", began: tick }\n  - { match: a, began: tick }",
                [
                    "5:14: tasks[1].match: this rule is never used: tasks[0] (`*`) takes all that it matches; put it before that one"
                ]
            ),
        ])
    func mistakes(text: String, messages: [String]) { #expect(HapticConfigTests.mistakes(text) == messages) }
}
