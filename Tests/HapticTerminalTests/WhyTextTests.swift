// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticEngine
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Ways to a decision, for people")
struct WhyTextTests {
    private func lines(_ entry: HistoryEntry) -> [String] {
        var text = WhyText(entry, now: 3_500_000_000, reader: 1000, sender: Sender { $0 == 1000 ? "pi" : nil })
        // The time of day is the machine's.
        return text.lines().plain.map { $0.hasPrefix("Decision") ? $0.prefix { $0 != "(" } + "(TIME)" : $0 }
    }

    private func decision(
        _ outcome: Outcome, _ reason: Reason?, _ policy: PolicyPath?, user: UInt32 = 1000,
        change: (inout Decision) -> Void = { _ in }
    ) -> Decision {
        var decision = Decision(
            sequence: 41, at: .init(nanoseconds: 1_000_000_000), input: .event, source: "front", app: "till", user: user,
            process: 77, name: "door.opened", value: .number(3), feedbackClass: .notification, rule: "door.*", outcome: outcome,
            reason: reason, pattern: "success", intensity: Intensity(0.5), actuators: outcome == .played ? ["main"] : [],
            playback: outcome == .played ? .init(17) : nil)
        decision.policy = policy
        change(&decision)
        return decision
    }

    private func add(_ heading: String, _ decision: Decision, ending: PlaybackEnd? = nil, to cases: inout SnapshotCases) {
        cases.add(heading, lines(HistoryEntry(decision, ending: ending)))
    }

    private let half = PolicyChange(.strength, .intensity(from: .one, to: Intensity(clamping: 0.5)))

    private func night(except exception: QuietHours.Exception?) -> AppliedSetting {
        let weekend = QuietHours(days: [.sat, .sun], from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        return AppliedSetting(.quietHours(weekend, exception: exception), by: .settings)
    }

    @Test("The way to a decision is shown link by link, and ends with the link that objected")
    func links() throws {
        var cases = SnapshotCases()
        let profile = PolicyChange(.profile, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        let end = PlaybackEnd(playback: .init(17), ending: .completed, reason: nil, at: .init(nanoseconds: 2))
        let quiet = PolicyPath(profile: .quiet, changes: [profile])
        add("felt, at half the strength", decision(.played, nil, quiet), ending: end, to: &cases)
        add("still playing", decision(.played, nil, PolicyPath(profile: .full)), to: &cases)
        let wait = PolicyChange(.profile, .delay(from: .zero, to: .milliseconds(400)))
        add("later", decision(.played, nil, PolicyPath(profile: .reduced, by: .settings, changes: [wait])), to: &cases)
        let silent = PolicyPath(profile: .silent, objection: .profile)
        add("silenced, of a user without a name", decision(.suppressed, .profile, silent, user: 7), to: &cases)
        let camera = PolicyPath(profile: .full, objection: .condition, condition: "camera")
        add("silenced by a condition", decision(.suppressed, .condition, camera), to: &cases)
        let halved = PolicyChange(.condition, .intensity(from: .one, to: Intensity(clamping: 0.5)))
        let slider = PolicyPath(profile: .full, condition: "the slider", changes: [halved])
        add("changed by a condition", decision(.played, nil, slider), to: &cases)
        let access = PolicyPath(profile: .full, objection: .access)
        add("the class is not the sender's to name", decision(.suppressed, .notAllowed, access), to: &cases)
        add("no rule", decision(.suppressed, .noRule, nil), to: &cases)
        var hidden = HistoryEntry(decision(.suppressed, .noRule, nil, user: 7), ending: nil)
        hidden.decision = hidden.decision.masked
        cases.add("hidden", lines(hidden))
        try expectSnapshot(of: cases.text, "why")
    }

    @Test("A setting that decided or changed something is named with its origin")
    func settings() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ reason: Reason, _ link: PolicyLink, _ setting: AppliedSetting) {
            let path = PolicyPath(profile: .full, objection: link, settings: [setting])
            let lines = lines(HistoryEntry(decision(.suppressed, reason, path), ending: nil))
            cases.add(heading, lines.filter { $0.hasPrefix("  \(link.rawValue)") })
        }
        add("off", .off, .off, AppliedSetting(.off(.forGood), by: .settings))
        add("quiet hours", .quietHours, .quietHours, night(except: nil))
        add("a class at 0%", .strength, .strength, AppliedSetting(.classStrength(Strength(0)!), by: .configuration))
        for exception in [.feedbackClass, .app] as [QuietHours.Exception] {
            let settings = [
                night(except: exception), night(except: .repeated), AppliedSetting(.strength(.full), by: .configuration),
                AppliedSetting(.appStrength(Strength(0.5)!), by: .settings),
            ]
            let path = PolicyPath(profile: .reduced, by: .settings, changes: [half], settings: settings)
            self.add("felt, excepted by \(exception)", decision(.played, nil, path), to: &cases)
        }
        try expectSnapshot(of: cases.text, "why-settings")
    }

    @Test("An off for a time is shown with its end")
    func offUntil() {
        let end = MonotonicInstant(nanoseconds: MonotonicClock.now) + .seconds(1)
        let off = AppliedSetting(.off(.until(end)), by: .settings)
        let path = PolicyPath(profile: .full, objection: .off, settings: [off])
        let lines = lines(HistoryEntry(decision(.suppressed, .off, path), ending: nil))
        #expect(lines.contains { $0.hasSuffix("  off until \(TimeOfInstant.minute(of: end.nanoseconds))") })
    }

    @Test("A blocker, a rule that comes near, a stand-in and a hot motor are shown")
    func circumstances() throws {
        var cases = SnapshotCases()
        let full = PolicyPath(profile: .full)
        for pattern in ["ring", nil] as [String?] {
            let blocked = decision(.suppressed, .lowerPriority, full) {
                $0.circumstance = .blocked(by: .init(playback: .init(12), pattern: pattern, feedbackClass: .alarm))
            }
            add("blocked by \(pattern == nil ? "a value or a client's own pattern" : "a pattern")", blocked, to: &cases)
        }
        add("another change", decision(.suppressed, .noRule, nil) { $0.circumstance = .otherChange(rule: "door.*") }, to: &cases)
        var mistyped = HistoryEntry(decision(.suppressed, .noRule, nil) { $0.name = "dor.opened" }, ending: nil)
        (mistyped.nearRule, mistyped.didYouMean) = ("door.*", "door.opened")
        cases.add("a mistyped name", lines(mistyped))
        let late = PolicyPath(profile: .full, objection: .deadline)
        add("too late", decision(.suppressed, .stale, late) { $0.circumstance = .late(age: .milliseconds(1500)) }, to: &cases)
        add("hot", decision(.played, nil, full) { $0.circumstance = .hot(strength: 0.85) }, to: &cases)
        func standIn(_ wanted: [String], _ there: [String], change: (inout Decision) -> Void = { _ in }) -> Decision {
            decision(.played, nil, full) {
                $0.actuators = ["light"]
                $0.circumstance = .standIn(wanted: wanted, there: there)
                change(&$0)
            }
        }
        add("in place of one", standIn(["pad", "main"], ["pad", "light"]), to: &cases)
        add("in place of two", standIn(["left", "right"], ["light"]), to: &cases)
        let merged = standIn(["pad", "main"], ["pad", "light"]) { ($0.outcome, $0.reason) = (.merged, .minGap) }
        add("in place of one, and merged", merged, to: &cases)
        try expectSnapshot(of: cases.text, "why-circumstances")
    }

    @Test("A hold, a task and a set have remarks, and a rule only if there is one")
    func hands() throws {
        var cases = SnapshotCases()
        let set = notFelt(.present, .unchanged, rule: "*") {
            $0.things = .init(inserted: 1, removed: 1, kept: 1)
            $0.circumstance = .idsShifted
        }
        add("ids that are positions", set, to: &cases)
        let late = notFelt(.task, .noRule, .string("failed"), rule: "*") { $0.circumstance = .timedOut(after: .seconds(600)) }
        add("a task that took too long", late, to: &cases)
        add("a hand on a button", notFelt(.hold, .pressed) { $0.origin = .device }, to: &cases)
        add("another connection's hold", notFelt(.hold, .notAllowed, .string("up")), to: &cases)
        add("not held", notFelt(.hold, .unchanged, .string("up")), to: &cases)
        add("too many holds", notFelt(.hold, .quota, .string("down")), to: &cases)
        add("no such task", notFelt(.task, .notPending, .string("failed")), to: &cases)
        add("held already, with a rule", notFelt(.hold, .duplicate, .string("down"), rule: "p*"), to: &cases)
        add("no rule for a hold", notFelt(.hold, .noRule, .string("down")), to: &cases)
        try expectSnapshot(of: cases.text, "why-hands")
    }
}
