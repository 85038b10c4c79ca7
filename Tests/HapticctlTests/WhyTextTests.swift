// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import hapticctl

@Suite("Why something was felt, for people")
struct WhyTextTests {
    private func lines(_ decision: Decision, ending: PlaybackEnd? = nil) -> [String] {
        var text = WhyText(
            HistoryEntry(decision, ending: ending), now: 3_500_000_000, reader: 1000, sender: Sender { $0 == 1000 ? "pi" : nil })
        return text.lines().map { $0.map(\.text).joined() }
    }

    private func decision(_ outcome: Outcome, _ reason: Reason?, _ policy: PolicyPath?, user: UInt32 = 1000) -> Decision {
        var decision = Decision(
            sequence: 41, at: .init(nanoseconds: 1_000_000_000), input: .event, source: "front", app: "till", user: user,
            process: 77, name: "door.opened", value: .number(3), feedbackClass: .notification, rule: "door.*", outcome: outcome,
            reason: reason, pattern: "success", intensity: Intensity(0.5), actuators: outcome == .played ? ["main"] : [],
            playback: outcome == .played ? .init(17) : nil)
        decision.policy = policy
        return decision
    }

    @Test("What was felt is shown link by link, with what each changed")
    func felt() {
        let half = PolicyChange(.profile, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        let end = PlaybackEnd(playback: .init(17), ending: .completed, reason: nil, at: .init(nanoseconds: 2))
        let lines = lines(decision(.played, nil, PolicyPath(profile: .quiet, changes: [half])), ending: end)
        #expect(lines[0].hasPrefix("Decision 41, 2.5 s ago ("))
        #expect(lines[2].hasPrefix("  input      event door.opened front"))
        #expect(
            lines.dropFirst(3) == [
                "  from       pi, till (process 77)", "  rule       `door.*` matches",
                "  profile    quiet, configured: intensity 100% → 50%", "  actuators  main",
                "  passed     feedback, suspend, access, off, quietHours, deadline, work, duplicate, strength, rate",
                "  result     felt: success at 50% on main (playback 17); completed",
            ])
    }

    @Test("What waits for the lights says for how long")
    func waits() {
        let wait = PolicyChange(.profile, .delay(from: .zero, to: .milliseconds(400)))
        let lines = lines(decision(.played, nil, PolicyPath(profile: .reduced, by: .settings, changes: [wait])))
        #expect(lines.contains("  profile    reduced, set by people: begins after 400 ms, when lights may flash again"))
    }

    @Test("The chain ends with the link that objected")
    func refused() {
        let lines = lines(decision(.suppressed, .profile, PolicyPath(profile: .silent, objection: .profile), user: 7))
        #expect(lines.contains("  from     user 7, till (process 77)"))
        #expect(lines.contains("  profile  the profile `silent` silences this"))
        #expect(lines.contains("  passed   feedback, suspend, access, off, quietHours, deadline, work, duplicate"))
        #expect(lines.last?.hasPrefix("  result   not felt: the profile `silent` silences this (profile); ") == true)
        #expect(!lines.contains { $0.contains("rate") })
    }

    private func night(except exception: QuietHours.Exception?) -> AppliedSetting {
        let weekend = QuietHours(days: [.sat, .sun], from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        return AppliedSetting(.quietHours(weekend, exception: exception), by: .settings)
    }

    @Test("What people set is named where it decided, and whose word it is")
    func settings() {
        func why(_ reason: Reason, _ link: PolicyLink, _ setting: AppliedSetting) -> String? {
            let path = PolicyPath(profile: .full, objection: link, settings: [setting])
            return lines(decision(.suppressed, reason, path)).first { $0.hasPrefix("  \(link.rawValue) ") }?.trimmed
        }
        let end = MonotonicInstant(nanoseconds: MonotonicClock.now) + .seconds(1)
        let time = TimeOfInstant.minute(of: end.nanoseconds)
        #expect(why(.off, .off, AppliedSetting(.off(.until(end)), by: .settings)) == "off     off until \(time)")
        #expect(
            why(.off, .off, AppliedSetting(.off(.forGood), by: .settings)) == "off     off until somebody switches it on")
        #expect(
            why(.quietHours, .quietHours, night(except: nil))
                == "quietHours  quiet hours 22:00-07:00 on sat, sun, set by people")
        #expect(
            why(.strength, .strength, AppliedSetting(.classStrength(Strength(0)!), by: .configuration))
                == "strength  strength of class notification: 0%, configured")
    }

    @Test(
        "What is felt all the same, and what is felt less, says which setting had a say",
        arguments: [(.feedbackClass, "class notification"), (.app, "app till")] as [(QuietHours.Exception, String)])
    func feltWithSettings(exception: QuietHours.Exception, words: String) {
        let half = PolicyChange(.strength, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        let settings = [
            night(except: exception), night(except: .repeated),
            AppliedSetting(.strength(.full), by: .configuration), AppliedSetting(.appStrength(Strength(0.5)!), by: .settings),
        ]
        let path = PolicyPath(profile: .reduced, by: .settings, changes: [half], settings: settings)
        let lines = lines(decision(.played, nil, path)).map(\.trimmed)
        let hours = "quiet hours 22:00-07:00 on sat, sun, excepted: "
        #expect(
            lines.contains(
                "quietHours  \(hours)\(words), set by people; \(hours)it has come again within 15 minutes, set by people"))
        #expect(
            lines.contains(
                "strength    strength of everything: 100%, configured; strength of app till: 50%, set by people: intensity 100% → 50%"
            ))
        #expect(lines.contains("profile     reduced, set by people"))
        #expect(lines.contains("passed      feedback, suspend, access, off, deadline, work, duplicate, rate"))
    }

    @Test("Who may not name the class `alarm` reads that, and nothing of what others play")
    func alarm() {
        let lines = lines(decision(.suppressed, .notAllowed, PolicyPath(profile: .full, objection: .access)))
        #expect(lines.contains { $0.hasSuffix("its sender may not name the class `alarm`") })
    }

    @Test("An input that no rule matches has no more links, and one that still plays says so")
    func short() {
        #expect(lines(decision(.suppressed, .noRule, nil)).contains("  rule    no rule matches it"))
        let playing = lines(decision(.played, nil, PolicyPath(profile: .full)))
        #expect(playing.last?.hasSuffix("(playback 17); it is playing") == true)
    }

    @Test("What is in the way, which rule comes near and what stands in are said")
    func circumstances() {
        var blocked = decision(.suppressed, .lowerPriority, PolicyPath(profile: .full))
        blocked.circumstance = .blocked(by: .init(playback: .init(12), pattern: "ring", feedbackClass: .alarm))
        #expect(
            lines(blocked).contains(
                "  actuators  something more important is playing: the pattern ring, class alarm (playback 12)"))
        blocked.circumstance = .blocked(by: .init(playback: .init(12), pattern: nil, feedbackClass: .alarm))
        #expect(
            lines(blocked).contains {
                $0.hasSuffix("playing: a pattern of a client's own, or a value that is followed, class alarm (playback 12)")
            })
        var near = decision(.suppressed, .noRule, nil)
        near.circumstance = .otherChange(rule: "door.*")
        #expect(
            lines(near).contains("  rule    no rule matches it: `door.*` matches its name, but has a `when` for another change"))
        var light = decision(.played, nil, PolicyPath(profile: .full))
        light.actuators = ["light"]
        light.circumstance = .standIn(wanted: ["pad", "main"], there: ["pad", "light"])
        #expect(lines(light).contains("  actuators  light, in place of main, which is not there"))
        var hot = decision(.played, nil, PolicyPath(profile: .full))
        hot.circumstance = .hot(strength: 0.85)
        #expect(lines(hot).contains("  actuators  main, of which a motor is hot: strength 100% → 85%"))
        light.circumstance = .standIn(wanted: ["left", "right"], there: ["light"])
        #expect(lines(light).contains("  actuators  light, in place of left and right, which are not there"))
        light.circumstance = .standIn(wanted: ["pad", "main"], there: ["pad", "light"])
        light.outcome = .merged
        light.reason = .minGap
        #expect(
            lines(light).contains {
                $0.hasPrefix("  actuators  the motor needs a pause first")
                    && $0.hasSuffix("; light, in place of main, which is not there")
            })
    }

    @Test("What is another user's is said to be hidden")
    func hidden() {
        var entry = HistoryEntry(decision(.suppressed, .noRule, nil, user: 7), ending: nil)
        entry.decision = entry.decision.masked
        var text = WhyText(entry, now: 0, reader: 1000, sender: Sender { _ in nil })
        #expect(
            text.lines()[2].map(\.text).joined().hasSuffix(
                "event door.opened, class notification (its id and value, if any, are another user's)"))
    }

    @Test("A number is read with or without `#`; anything else says what would be right", arguments: ["0", "-1", "x", "", "1.5"])
    func number(wrong: String) throws {
        #expect(try Why.which("41") == .number(41) && Why.which("#41") == .number(41) && Why.which("last") == .last)
        #expect(throws: (any Error).self) { try Why.which(wrong) }
    }
}

@Suite("What the monitor is asked to show")
struct WatchFilterTests {
    private func decision(_ outcome: Outcome, source: String?, app: String?, playback: UInt64? = nil) -> DecisionResult {
        DecisionResult(
            Decision(
                sequence: 1, at: .zero, input: .event, source: source, app: app, user: 1000, name: "a",
                feedbackClass: .notification, outcome: outcome, playback: playback.map { PlaybackID($0) }))
    }

    @Test("Each kind of filter admits what any of its values matches, and all kinds have to")
    func kinds() {
        let one = decision(.failed, source: "front", app: "till")
        #expect(WatchFilter().admits(one))
        #expect(WatchFilter(sources: [Glob("back"), Glob("fr*")]).admits(one))
        #expect(!WatchFilter(sources: [Glob("back")]).admits(one))
        #expect(WatchFilter(apps: [Glob("till")], outcomes: [.failed], classes: [.notification, .alarm]).admits(one))
        #expect(!WatchFilter(apps: [Glob("till")], outcomes: [.played]).admits(one))
        #expect(!WatchFilter(classes: [.alarm]).admits(one))
        #expect(!WatchFilter(sources: [Glob("*")]).admits(decision(.failed, source: nil, app: nil)))
    }

    @Test("What plays is shown where its decision was; what concerns everything always is")
    func playbacks() {
        var watch = Watch(shown: Set(Topic.allCases), filter: WatchFilter(apps: [Glob("till")]))
        func admits(_ notice: Notice) -> Bool { watch.admits(notice) }
        func admitsEnd(of playback: UInt64) -> Bool {
            admits(.playback(EndingResult(PlaybackEnd(playback: .init(playback), ending: .completed, reason: nil, at: .zero))))
        }
        #expect(admits(.decision(decision(.played, source: nil, app: "till", playback: 3))))
        #expect(!admits(.decision(decision(.played, source: nil, app: "other", playback: 4))))
        #expect(admitsEnd(of: 3) && !admitsEnd(of: 4))
        #expect(admits(.missed(MissedNotice(count: 1))) && admits(.profile(ProfileNotice(.full, at: .zero))))
        // The oldest is forgotten where there are too many.
        for playback in 5..<5000 as Range<UInt64> {
            #expect(admits(.decision(decision(.played, source: nil, app: "till", playback: playback))))
        }
        #expect(!admitsEnd(of: 3) && admitsEnd(of: 4999))
    }
}

@Suite("Text in lines of a width")
struct WrapTests {
    @Test(
        "Lines break at spaces, and within a word that is too long",
        arguments: [
            ("", 10, [""]), ("one two three", 20, ["one two three"]), ("one two three", 7, ["one two", "three"]),
            ("one two three", 8, ["one two", "three"]), ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]),
            ("a abcdefgh", 4, ["a", "abcd", "efgh"]), ("x", 0, ["x"]), ("漢字 漢字漢", 5, ["漢字", "漢字", "漢"]),
            ("漢", 1, ["漢"]), ("e\u{301}e\u{301} e", 4, ["e\u{301}e\u{301} e"]),
        ])
    func lines(text: String, width: Int, lines: [String]) {
        #expect(Wrap.lines(text, width: width) == lines)
    }

    @Test("All lines but the first are indented, within the width")
    func indented() {
        #expect(Wrap.lines("one two three four", width: 9, indent: "  ") == ["one two", "  three", "  four"])
    }

    @Test("A table breaks its last cells, beside or, where there is no room, below the others")
    func table() {
        let rows = [["NAME", "TEXT"], ["pad", "a text of many words indeed"]]
        #expect(Table.lines(rows, width: 30) == ["NAME  TEXT", "pad   a text of many words", "      indeed"])
        #expect(Table.lines(rows, width: 22) == ["NAME  TEXT", "pad", "    a text of many", "    words indeed"])
        #expect(Table.lines(rows, width: 200).count == 2)
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
