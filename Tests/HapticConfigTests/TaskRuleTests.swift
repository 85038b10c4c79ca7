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
                "tasks:\n  - { match: a, succeded: success }\n  - { match: b, success: success }\n  - { match: c, wrking: soft, every: 5s }",
                [
                    "4:17: tasks[0].succeded: unknown key `succeded`, did you mean `succeeded`?",
                    "5:17: tasks[1].success: unknown key `success`, did you mean `succeeded`?",
                    "6:17: tasks[2].wrking: unknown key `wrking`, did you mean `working`?",
                ]
            ),
            (
                "tasks:\n  - { match: 5, began: tik, working: sofft, every: 5, upTo: 0ms, timeout: 0s }",
                [
                    "4:14: tasks[0].match: expected text (put it in quotes), found the number 5",
                    "4:24: tasks[0].began: unknown pattern `tik`, did you mean `tick`?",
                    "4:38: tasks[0].working: unknown pattern `sofft`, did you mean `soft`?",
                    "4:52: tasks[0].every: 5 has no unit; write a duration with its unit, such as `20ms` or `1.6s`",
                    "4:61: tasks[0].upTo: `0ms` is out of range; write a duration from 100ms to 24h",
                    "4:75: tasks[0].timeout: `0s` is out of range; write a duration from 1s to 168h",
                ]
            ),
            (
                "tasks:\n  - { match: a, working: soft, every: 10s, upTo: 1s }\n  - { match: b, working: soft, timeout: 2s }",
                [
                    "4:26: tasks[0].working: this is never felt: the first would come after 10s (`every`), and `upTo` is 1s; shorten `every`, or leave `working` out",
                    "5:26: tasks[1].working: this is never felt: the first would come after 2s (`every`), and `timeout` is 2s; shorten `every`, or leave `working` out",
                ]
            ),
            ("tasks:\n  - { match: a, working: soft, every: 2s, upTo: 2s, timeout: 2001ms }", []),
            (
                "tasks:\n  - { match: \"*\", began: tick }\n  - { match: a, began: tick }",
                [
                    "5:14: tasks[1].match: this rule is never used: tasks[0] (`*`) takes all that it matches; put it before that one"
                ]
            ),
        ])
    func mistakes(text: String, messages: [String]) { #expect(HapticConfigTests.mistakes(text) == messages) }
}
