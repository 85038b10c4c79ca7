// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("What people read")
struct TextTests {
    @Test(
        "A bar is as wide as it may be, and is full only at the end",
        arguments: [
            (0.0, true, "soft  ──────────    0%  0.0 s"), (0.55, true, "soft  ━━━━━╸────   55%  0.0 s"),
            (0.999, true, "soft  ━━━━━━━━━╸   99%  0.0 s"), (1, true, "soft  ━━━━━━━━━━  100%  0.0 s"),
            (7, true, "soft  ━━━━━━━━━━  100%  0.0 s"), (0.5, false, "soft  [####....]   50%  0.0 s"),
            (-1, false, "soft  [........]    0%  0.0 s"),
        ])
    func bars(share: Double, isUnicode: Bool, line: String) {
        #expect(ProgressBar(label: "soft", width: 29, isUnicode: isUnicode).line(share, note: "0.0 s") == line)
    }

    @Test("A narrow terminal gets the numbers only")
    func narrow() {
        #expect(ProgressBar(label: "upload", width: 10, isUnicode: true).line(0.5, note: "") == "upload  50%")
    }

    private func terminal(_ environment: [String: String], isTerminal: Bool = true, width: Int? = nil) -> Terminal {
        Terminal(
            environment: { environment[$0] }, outputIsTerminal: isTerminal, errorIsTerminal: isTerminal, reportedWidth: width)
    }

    @Test("Colour is for terminals that can show it, and obeys NO_COLOR")
    func colour() {
        #expect(terminal([:]).hasColour)
        #expect(!terminal([:], isTerminal: false).hasColour)
        #expect(!terminal(["NO_COLOR": "1"]).hasColour)
        #expect(terminal(["NO_COLOR": ""]).hasColour)
        #expect(!terminal(["TERM": "dumb"]).hasColour)
        #expect(!terminal(["TERM": "dumb"]).errorIsTerminal)
    }

    @Test("Nothing is drawn in place on a terminal of the kind `dumb`")
    func dumb() {
        #expect(!terminal(["TERM": "dumb"]).movesCursor)
        #expect(terminal(["TERM": "vt100"]).movesCursor && terminal([:]).movesCursor)
    }

    @Test("The locale says whether there is Unicode")
    func locale() {
        #expect(terminal(["LANG": "de_DE.UTF-8"]).isUnicode)
        #expect(terminal(["LANG": "C", "LC_CTYPE": "C.utf8"]).isUnicode)
        #expect(!terminal(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]).isUnicode)
        #expect(terminal(["LANG": "en_US.UTF-8", "LC_ALL": ""]).isUnicode)
        #expect(!terminal([:]).isUnicode)
    }

    @Test("The width is COLUMNS, else the terminal's, else 80")
    func width() {
        #expect(terminal(["COLUMNS": "132"], width: 100).width == 132)
        #expect(terminal(["COLUMNS": "wide"], width: 100).width == 100)
        #expect(terminal([:]).width == 80)
    }

    @Test("A table's columns stand below each other, without blanks at the end")
    func table() {
        #expect(
            Table.lines([["A", "B", "C"], ["long", "x", ""], ["", "yy", "z"]]) == ["A     B   C", "long  x", "      yy  z"])
        #expect(Table.lines([["名前", "x"], ["abc", "y"]]) == ["名前  x", "abc   y"])
        #expect(Table.lines([]).isEmpty)
    }

    @Test("The summary of a play says what was merged")
    func summary() {
        let merged = PlaySummary(steps: 75, pulses: 49, mergedByMinGap: 26)
        #expect(Words.summary(merged) == "75 steps, 49 pulses, 26 merged by minGap")
        #expect(Words.summary(PlaySummary(steps: 1, pulses: 1, mergedByMinGap: 0)) == "1 step, 1 pulse")
        let fast = PlaySummary(steps: 5, pulses: 1, mergedByMinGap: 1, mergedByMinInterval: 3)
        #expect(Words.summary(fast) == "5 steps, 1 pulse, 1 merged by minGap, 3 merged by minInterval")
    }

    @Test("Every reason has words of its own", arguments: Reason.allCases)
    func reasons(reason: Reason) {
        let words = Words.reason(reason.rawValue)
        #expect(words != reason.rawValue)
        #expect(Reason.allCases.count { Words.reason($0.rawValue) == words } == 1)
    }

    @Test(
        "An input that is not felt is shown with what can be done about it",
        arguments: [
            (.progress, .lowerPriority, "it is felt again when that has ended, or raise `class` in a rule of its own"),
            (.event, .lowerPriority, "try again when it has ended, or give a more important --class"),
            (.task, .lowerPriority, "raise `class` in its rule, if it is to be felt all the same"),
            (.progress, .noRule, "add one under `progress` of the configuration"),
            (
                .event, .noRule,
                "add one under `events` of the configuration, which replaces the built-in rules, or look at the `when` of the one that matches its name"
            ),
            (.progress, .tooSubtle, "raise `intensity` in its rule, or use a stronger pattern"),
        ] as [(Decision.InputKind, Reason, String)])
    func advice(input: Decision.InputKind, reason: Reason, advice: String) {
        let decision = DecisionResult(
            Decision(sequence: 1, at: .zero, input: input, source: nil, outcome: .suppressed, reason: reason))
        #expect(Words.notFelt(decision) == "\(Words.whyNotFelt(decision)); \(advice)")
    }

    @Test("That a task begins is of one class, whatever its rule says, so no other class is advised")
    func adviceOnBeginning() {
        let began = Decision(
            sequence: 1, at: .zero, input: .task, source: "copy", value: .string("began"), outcome: .suppressed,
            reason: .lowerPriority)
        #expect(Words.notFelt(DecisionResult(began)).hasSuffix("; begin it when that has ended"))
    }

    private func decision(_ outcome: Outcome, _ reason: Reason? = nil) -> DecisionResult {
        DecisionResult(
            Decision(
                sequence: 1, at: .init(nanoseconds: 1_000_000_000), input: .progress, source: "copy", value: .number(0.42),
                outcome: outcome, reason: reason, pattern: "soft", intensity: Intensity(0.5), actuators: ["main"],
                playback: outcome == .played ? .init(17) : nil))
    }

    @Test("A value that is followed is felt in no pattern, and of another user's nobody knows")
    func followed() {
        var value = decision(.played)
        #expect(Words.felt(value) == "soft at 50% on main")
        value.pattern = nil
        #expect(Words.felt(value) == "followed at 50% on main")
        value.value = nil
        #expect(Words.felt(value) == "a pattern at 50% on main")
    }

    @Test("A playback that is too weak for its motor is never called felt")
    func tooWeak() {
        var weak = decision(.played)
        #expect(Words.outcome(weak) == "felt, soft at 50% on main")
        (weak.felt, weak.feltPeak) = (false, 0.03)
        #expect(Words.outcome(weak) == "sent, but too weak to be felt on main (peak 3%)")
        (weak.felt, weak.feltPeak) = (true, 0.3)
        #expect(Words.outcome(weak) == "felt, soft at 50% on main")
        var tally = Tally()
        tally.count(weak)
        weak.felt = false
        tally.count(weak)
        #expect(tally.words == "2 sent, 1 felt, 1 not (1 tooWeak)")
    }

    @Test(
        "The value of an event looks the same whatever it is",
        arguments: [(.number(10), "10"), (.number(0.5), "0.5"), (.string("x"), "x"), (.bool(true), "true")] as [(Scalar, String)])
    func values(value: Scalar, text: String) {
        let decision = DecisionResult(
            Decision(sequence: 1, at: .zero, input: .event, source: nil, name: "a.b", value: value, outcome: .played))
        #expect(Words.input(decision) == "event a.b = \(text)")
        #expect(Words.input(self.decision(.played)) == "progress copy 42%")
    }

    @Test("The monitor shows each notice in words, with the time since the first")
    func monitor() {
        var watch = Watch(shown: Set(Topic.allCases))
        let actuation = Actuation(
            planned: .init(nanoseconds: 1_100_000_000), actuator: .init(0), playback: .init(17),
            level: Level(intensity: .one, sharpness: .zero))
        let end = PlaybackEnd(
            playback: .init(17), ending: .preempted, reason: .lowerPriority, at: .init(nanoseconds: 2_234_567_890))
        func interruption(_ state: PlaybackInterruption.State, _ at: Int64) -> Notice {
            .interruption(InterruptionNotice(.init(playback: .init(17), state: state, at: .init(nanoseconds: at))))
        }
        let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        let notices: [(Notice, String)] = [
            (.decision(decision(.played)), "   0.000 s #1 progress copy 42%: felt: soft at 50% on main (playback 17)"),
            (
                .decision(decision(.suppressed, .belowStep)),
                "   0.000 s #1 progress copy 42%: not felt: less than a step further than the last time (belowStep)"
            ),
            (
                .decision(decision(.suppressed, .lowerPriority)),
                "   0.000 s #1 progress copy 42%: not felt: what plays there goes first (lowerPriority)"
            ),
            (
                .actuation(ActuationNotice(actuation, at: .init(nanoseconds: 1_100_250_000), actuator: "main")),
                "   0.100 s main: on at 100%, sharpness 0%, 0.25 ms late"
            ),
            (interruption(.interrupted, 1_150_000_000), "   0.150 s playback 17: interrupted, and waits"),
            (interruption(.resumed, 1_250_000_000), "   0.250 s playback 17: resumed"),
            (.playback(EndingResult(end)), "   1.234 s playback 17: preempted: something more important is playing"),
            (
                .actuator(ActuatorNotice(actuator: "pad", isAvailable: false, error: "unplugged")),
                "   2.000 s actuator pad has gone: unplugged"
            ),
            (
                .settings(Self.notice(["apps", "off"], Settings(off: .until(.zero + .seconds(60))))),
                "   2.000 s feedback is off for 1 min; changed: apps"
            ),
            (.settings(Self.notice(["off"], Settings())), "   2.000 s feedback is on again"),
            (
                .settings(Self.notice(["apps", "quiet"], Settings(quietHours: [night]), at: LocalTime(.mon, second: 0))),
                "   2.000 s these are quiet hours until 07:00; changed: apps"
            ),
            (.settings(Self.notice(["quiet"], Settings())), "   2.000 s the quiet hours are over"),
            (.settings(Self.notice(["trouble"], Settings())), "   2.000 s what people set is stored again"),
            (.settings(Self.notice(["strength", "profile"], Settings())), "   2.000 s changed: strength, profile"),
            (.missed(MissedNotice(count: 3)), "   2.000 s 3 notifications missed: they were not read fast enough"),
        ]
        for (notice, text) in notices {
            let line = watch.take(notice, now: 3_000_000_000)
            #expect(watch.clock(line.atNs) + " " + line.text == text)
        }
        #expect(watch.ended == 1 && watch.isOn)
        #expect(watch.felt.closed.map(\.starts) == [[.microseconds(100_250)]])
    }

    private static func notice(_ changed: [String], _ settings: Settings, at time: LocalTime? = nil) -> SettingsNotice {
        var notice = SettingsNotice(changed, SettingsNow(SettingsInForce(settings), at: .zero, time, isKept: true), at: .zero)
        notice.atNs = 3_000_000_000
        return notice
    }

    @Test("A change of the profile is one line, not two")
    func profileOnce() {
        var watch = Watch(shown: Set(Topic.allCases))
        #expect(watch.take(.settings(Self.notice(["profile"], Settings())), now: 0).isRoutine)
        #expect(!watch.take(.settings(Self.notice(["profile", "apps"], Settings())), now: 0).isRoutine)
    }

    @Test("Only an end as it should be is routine to the monitor")
    func routine() {
        var watch = Watch(shown: Set(Topic.allCases))
        for (ending, reason, isRoutine) in [
            (.completed, nil, true), (.completed, .maxOn, false), (.preempted, .lowerPriority, false),
            (.cancelled, .requested, false),
        ] as [(PlaybackEnd.Ending, Reason?, Bool)] {
            let end = PlaybackEnd(playback: .init(17), ending: ending, reason: reason, at: .zero)
            #expect(watch.take(.playback(EndingResult(end)), now: 0).isRoutine == isRoutine)
        }
    }

    @Test("A tally has the commonest reason first")
    func tally() {
        var tally = Tally()
        for reason in [nil, .rateLimited, .belowStep, nil, .belowStep] as [Reason?] {
            tally.count(decision(reason == nil ? .played : .suppressed, reason))
        }
        #expect(tally.words == "5 sent, 2 felt, 3 not (2 belowStep, 1 rateLimited)")
        #expect(Tally().words == "0 sent, 0 felt")
    }
}
