// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Decisions in words")
struct WordsTests {
    private func played(_ change: (inout DecisionResult) -> Void = { _ in }) -> DecisionResult {
        var decision = DecisionResult(
            Decision(
                sequence: 1, at: .zero, input: .progress, source: "copy", value: .number(0.42), outcome: .played, pattern: "soft",
                intensity: Intensity(0.5), actuators: ["main"], playback: .init(17)))
        change(&decision)
        return decision
    }

    @Test("Every reason has words of its own")
    func reasons() throws {
        let words = Reason.allCases.map { Words.reason($0) }
        #expect(Set(words).count == words.count)
        #expect(Reason.allCases.filter { Words.reason($0) == $0.rawValue } == [])
        var cases = SnapshotCases()
        cases.add("why something is not felt", zip(Reason.allCases, words).map { "\($0.rawValue): \($1)" })
        try expectSnapshot(of: cases.text, "reasons")
    }

    private let refused: [Decision] = [
        notFelt(.progress, .lowerPriority), notFelt(.event, .lowerPriority), notFelt(.task, .lowerPriority),
        notFelt(.task, .lowerPriority, .string("began")), notFelt(.progress, .noRule), notFelt(.event, .noRule),
        notFelt(.progress, .tooSubtle), notFelt(.progress, .silent), notFelt(.play, .silent),
        notFelt(.event, .stale) { $0.circumstance = .late(age: .milliseconds(1500)) },
        notFelt(.event, .stale) { $0.circumstance = .late(age: .seconds(7200)) },
        notFelt(.hold, .stale, .number(0.25)) { $0.circumstance = .late(age: .milliseconds(1500)) },
        notFelt(.present, .unchanged), notFelt(.event, .unchanged), notFelt(.hold, .unchanged),
        notFelt(.hold, .duplicate), notFelt(.task, .duplicate), notFelt(.play, .duplicate), notFelt(.task, .notPending),
        notFelt(.hold, .reserved), notFelt(.hold, .notAllowed), notFelt(.present, .quota), notFelt(.hold, .quota, .number(0.25)),
        notFelt(.hold, .quota, .string("down")), notFelt(.present, .noRule), notFelt(.task, .noRule),
        notFelt(.task, .noRule, rule: "*"),
        notFelt(.hold, .noRule), notFelt(.hold, .pressed), notFelt(.hold, .renewed), notFelt(.hold, .released),
        notFelt(.release, .released), notFelt(.present, .incomplete),
        // The bound is that of playbacks: the set itself was accepted.
        notFelt(.present, .quota) { $0.things = .init(inserted: 1, removed: 0, kept: 3) },
        notFelt(.event, .invalidParams) { $0.circumstance = .mistake("`vlaue` is not a member of these params") },
        notFelt(.present, .invalidParams) { $0.circumstance = .mistake("`ids` is missing") },
    ]

    @Test("An input that is not felt is shown with the remedy for that kind of input")
    func advice() throws {
        let lines = refused.map(DecisionResult.init).map {
            "\(Words.input($0)), \($0.reason?.rawValue ?? ""): \(Words.notFelt($0))"
        }
        var cases = SnapshotCases()
        cases.add("what can be done", lines)
        try expectSnapshot(of: cases.text, "advice")
    }

    @Test("A method that a door does not allow differs from a playback that others keep")
    func refusedMethod() {
        let decision = notFelt(.play, .notAllowed) { $0.outcome = .failed }
        #expect(Words.notFelt(DecisionResult(decision)).contains("`hello`"))
        #expect(!Words.notFelt(DecisionResult(notFelt(.play, .notAllowed))).contains("`hello`"))
    }

    @Test("An input is shown with its value, its state or the counts of its set")
    func inputs() {
        let counted = notFelt(.present, nil) { $0.things = .init(inserted: 2, removed: 0, kept: 3) }
        let decisions = [
            counted, notFelt(.present, nil), notFelt(.hold, nil, .string("down")), notFelt(.hold, nil, .number(0.25)),
            notFelt(.task, nil, .string("working")), notFelt(.task, nil, .string("odd")), notFelt(.event, nil, .number(10)),
            notFelt(.event, nil, .number(0.5)), notFelt(.event, nil, .string("x")), notFelt(.event, nil, .bool(true)),
            notFelt(.progress, nil, .number(0.42)),
        ]
        #expect(
            decisions.map { Words.input(DecisionResult($0)) } == [
                "present cart (2 inserted, 0 removed, 3 kept)", "present cart", "hold pay down", "hold pay 25%",
                "task pay working", "task pay = odd", "event pay = 10", "event pay = 0.5", "event pay = x", "event pay = true",
                "progress pay 42%",
            ])
    }

    @Test("A value that is followed is felt in no pattern, and another user's pattern is not known")
    func followed() {
        #expect(Words.felt(played()) == "soft at 50% on main")
        #expect(Words.felt(played { $0.pattern = nil }) == "followed at 50% on main")
        #expect(Words.felt(played { ($0.pattern, $0.value) = (nil, nil) }) == "a pattern at 50% on main")
    }

    @Test("A playback that is too weak for its motor is never called felt")
    func tooWeak() {
        let weak = played { ($0.felt, $0.feltPeak) = (false, 0.03) }
        let strong = played { ($0.felt, $0.feltPeak) = (true, 0.3) }
        #expect(Words.outcome(played()) == "felt, soft at 50% on main")
        #expect(Words.outcome(strong) == "felt, soft at 50% on main")
        #expect(Words.outcome(weak) == "sent, but too weak to be felt on main (peak 3%)")
        #expect(tally([strong, weak]) == "2 sent, 1 felt, 1 not (1 tooWeak)")
    }

    private func tally(_ decisions: [DecisionResult]) -> String {
        var tally = Tally()
        for decision in decisions { tally.count(decision) }
        return tally.words
    }

    @Test("A tally has the commonest reason first")
    func tally() {
        let (rate, step) = (DecisionResult(notFelt(.progress, .rateLimited)), DecisionResult(notFelt(.progress, .belowStep)))
        #expect(tally([played(), rate, step, played(), step]) == "5 sent, 2 felt, 3 not (2 belowStep, 1 rateLimited)")
        #expect(tally([]) == "0 sent, 0 felt")
    }

    @Test("The summary of a play counts merged steps")
    func summary() {
        let summaries = [
            PlaySummary(steps: 75, pulses: 49, mergedByMinGap: 26), PlaySummary(steps: 1, pulses: 1, mergedByMinGap: 0),
            PlaySummary(steps: 5, pulses: 1, mergedByMinGap: 1, mergedByMinInterval: 3),
        ]
        #expect(
            summaries.map { Words.summary($0) } == [
                "75 steps, 49 pulses, 26 merged by minGap", "1 step, 1 pulse",
                "5 steps, 1 pulse, 1 merged by minGap, 3 merged by minInterval",
            ])
    }
}
