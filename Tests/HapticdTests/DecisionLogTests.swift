// SPDX-License-Identifier: MIT
import HapticCore
import Logging
import Testing

@testable import hapticd

@Suite("Decisions in the log")
struct DecisionLogTests {
    @Test("No decision is logged unless the level is debug", arguments: Logger.Level.allCases)
    func quiet(level: Logger.Level) {
        let logger = Logger(label: "test") { _ in QueueLogHandler(logLevel: level) }
        #expect((DecisionLog.recorder(logger) != nil) == (level == .debug || level == .trace))
    }

    @Test("A played decision is logged with the fields that the journal can be searched for")
    func played() {
        let decision = Decision(
            sequence: 4, at: .zero, input: .progress, source: "upload-1", value: .number(0.42), feedbackClass: .texture,
            rule: "*", outcome: .played, pattern: "soft", intensity: Intensity(0.5), actuators: ["main", "pad"],
            playback: PlaybackID(17))
        #expect(DecisionLog.message(decision) == "progress upload-1 0.42: played, soft at 0.5 on main pad, playback 17")
        #expect(
            DecisionLog.fields(decision) == [
                "input": "progress", "source": "upload-1", "value": "0.42", "class": "texture", "rule": "*",
                "outcome": "played", "pattern": "soft", "playback": "17",
            ])
    }

    @Test("A decision that was not played is logged with its reason and without absent fields")
    func suppressed() {
        let decision = Decision(
            sequence: 4, at: .zero, input: .event, name: "payment.failed", value: .string("x"), outcome: .suppressed,
            reason: .noRule)
        #expect(DecisionLog.message(decision) == "event payment.failed x: suppressed, noRule")
        #expect(
            DecisionLog.fields(decision) == [
                "input": "event", "name": "payment.failed", "value": "x", "outcome": "suppressed", "reason": "noRule",
            ])
    }

    @Test("The end of a playback is logged with how it ended")
    func ending() {
        let end = PlaybackEnd(playback: PlaybackID(17), ending: .cancelled, reason: .requested, at: .zero)
        #expect(DecisionLog.message(end) == "playback 17: cancelled, requested")
        #expect(DecisionLog.fields(end) == ["playback": "17", "ended": "cancelled", "reason": "requested"])
        let whole = PlaybackEnd(playback: PlaybackID(1), ending: .completed, reason: nil, at: .zero)
        #expect(DecisionLog.message(whole) == "playback 1: completed")
        #expect(DecisionLog.fields(whole)["reason"] == nil)
    }
}
