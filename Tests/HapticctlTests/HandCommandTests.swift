// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticCore
import HapticJSON
import HapticWire
import Testing

@testable import hapticctl

@Suite("What hapticctl says of things, hands and tasks")
struct HandCommandTests {
    @Test("Ids are read one a line, of whatever ending; what is no id is named with its line")
    func ids() throws {
        #expect(try Present.ids(in: Array("a\r\nb c\n\n\u{e9}".utf8)) == ["a", "b c", "\u{e9}"])
        #expect(try Present.ids(in: []) == [])
        for (bytes, word) in [
            (Array("a\n".utf8) + [0xff], "line 2"), (Array("a\tb".utf8), "line 1"),
            (Array(("\n\n" + String(repeating: "x", count: 257)).utf8), "line 3"),
        ] {
            let error = #expect(throws: Failure.self) { try Present.ids(in: bytes) }
            #expect(error?.message.contains(word) == true && error?.status == 1, "\(error?.message ?? "")")
            #expect(error?.message.contains("a name") == false)
        }
    }

    @Test("What is wrong with an id is said of an id, and what is wrong with the name of a set of a name")
    func mistakes() throws {
        for line in ["present cart ID", "task ID began", "progress ID 1", "release ID"] {
            for (word, what) in [("", "an id has 1 to 256 bytes"), ("a\tb", "no control characters")] {
                let arguments = line.split(separator: " ").map { $0 == "ID" ? word : String($0) }
                let error = #expect(throws: (any Error).self) { try Program.parse(arguments) }
                #expect(error.map { Program.failure($0).message.contains(what) } == true, "\(line)")
            }
        }
        // Its event `ID.confirmed` is a name.
        _ = try Program.parse(["hold", String(repeating: "p", count: 246)])
        for id in ["", String(repeating: "p", count: 247)] {
            let error = #expect(throws: (any Error).self) { try Program.parse(["hold", id]) }
            #expect(error.map { Program.failure($0).message.contains("the id of a hold has 1 to 246 bytes") } == true)
        }
        let error = #expect(throws: (any Error).self) { try Program.parse(["present", "", "a"]) }
        #expect(error.map { Program.failure($0).message.contains("a name has") } == true)
    }

    @Test(
        "How a command ends says how its task has ended, and hapticctl's own status",
        arguments: [
            (0, false, .succeeded, 0), (0, true, .succeeded, 0), (1 << 8, false, .failed, 1), (7 << 8, true, .cancelled, 7),
            (SIGINT, false, .cancelled, 130), (SIGTERM, false, .cancelled, 143), (SIGKILL, false, .failed, 137),
            (SIGSEGV | 0x80, false, .failed, 139), (SIGKILL, true, .cancelled, 137),
        ] as [(Int32, Bool, TaskState, Int32)])
    func endings(waited: Int32, wasAsked: Bool, state: TaskState, status: Int32) {
        let ending = Child.Ending(waited: waited, wasAsked: wasAsked)
        #expect(ending.state == state && ending.status == status)
    }

    private func decision(
        _ input: Decision.InputKind, _ reason: Reason?, rule: String? = nil, value: Scalar? = nil,
        things: Decision.ThingCounts? = nil
    ) -> DecisionResult {
        var decision = Decision(
            sequence: 1, at: .zero, input: input, source: input == .present ? nil : "pay", name: input == .present ? "cart" : nil,
            value: value, rule: rule, outcome: .suppressed, reason: reason)
        decision.things = things
        return DecisionResult(decision)
    }

    @Test("An input is said with the counts of its set, or its state")
    func inputs() {
        let counts = Decision.ThingCounts(inserted: 2, removed: 0, kept: 3)
        #expect(Words.input(decision(.present, .unchanged, things: counts)) == "present cart (2 inserted, 0 removed, 3 kept)")
        #expect(Words.input(decision(.present, .incomplete)) == "present cart")
        #expect(Words.input(decision(.hold, .pressed, value: .string("down"))) == "hold pay down")
        #expect(Words.input(decision(.hold, nil, value: .number(0.25))) == "hold pay 25%")
        #expect(Words.input(decision(.task, nil, value: .string("working"))) == "task pay working")
        #expect(Words.input(decision(.task, nil, value: .string("odd"))) == "task pay = odd")
    }

    @Test(
        "Why nothing was felt is said as it is meant for such an input, with what to do",
        arguments: [
            (.present, .unchanged, nil, "the same things are there as before"), (.event, .unchanged, nil, "its value is the one"),
            (.hold, .unchanged, nil, "it was not held"), (.hold, .duplicate, nil, "let go first"),
            (.task, .duplicate, nil, "the task is pending already"), (.play, .duplicate, nil, "still playing"),
            (.task, .notPending, nil, "`hapticctl task ID began`"), (.hold, .reserved, nil, "press the button"),
            (.hold, .notAllowed, nil, "another connection holds it"), (.present, .quota, nil, "`thingsPerUser`"),
            (.present, .noRule, nil, "`collections`"), (.task, .noRule, nil, "`tasks`"), (.hold, .noRule, nil, "`holds`"),
            (.task, .noRule, "*", "has nothing to feel for this"), (.hold, .pressed, nil, "pressed"),
            (.hold, .renewed, nil, "still pressed (renewed)"), (.hold, .released, nil, "let go"),
            (.release, .released, nil, "back to 0"), (.present, .incomplete, nil, "to be continued"),
        ] as [(Decision.InputKind, Reason, String?, String)])
    func reasons(input: Decision.InputKind, reason: Reason, rule: String?, words: String) {
        let said = Words.notFelt(decision(input, reason, rule: rule))
        #expect(said.contains(words), "\(said)")
    }

    @Test("A bound of playbacks is not one of things or of hands: the set has settled, and the hold goes on")
    func playbackBound() {
        let counts = Decision.ThingCounts(inserted: 1, removed: 0, kept: 3)
        let set = Words.notFelt(decision(.present, .quota, things: counts))
        #expect(!set.contains("stays as it was") && set.contains("play less at once"), "\(set)")
        let step = Words.notFelt(decision(.hold, .quota, value: .number(0.25)))
        #expect(!step.contains("let go of others") && step.contains("play less at once"), "\(step)")
        let press = Words.notFelt(decision(.hold, .quota, value: .string("down")))
        #expect(press.contains("let go of others first"), "\(press)")
    }

    private func why(_ decision: Decision) -> [String] {
        var text = WhyText(HistoryEntry(decision, ending: nil), now: 0, reader: 1000, sender: Sender { _ in nil })
        return text.lines().map { $0.map(\.text).joined() }
    }

    @Test("`why` says that ids are positions, that a task took too long, and that a hand was on a button")
    func remarks() {
        var set = Decision(
            sequence: 1, at: .zero, input: .present, name: "cart", rule: "*", outcome: .suppressed, reason: .unchanged)
        set.things = .init(inserted: 1, removed: 1, kept: 1)
        set.circumstance = .idsShifted
        #expect(why(set).contains { $0.contains("note") && $0.contains("positions") })
        #expect(why(set).contains("  rule    the same things are there as before"))
        var task = Decision(
            sequence: 2, at: .zero, input: .task, source: "copy", value: .string("failed"), rule: "*", outcome: .suppressed,
            reason: .noRule)
        task.circumstance = .timedOut(after: .seconds(600))
        #expect(why(task).contains { $0.contains("has not ended within 10 min") }, "\(why(task))")
        var hold = Decision(sequence: 3, at: .zero, input: .hold, source: "unlock", outcome: .suppressed, reason: .pressed)
        hold.origin = .device
        #expect(why(hold).contains { $0.contains("a hand did it") })
    }

    @Test("`why` says once what became of what a hand did, and names a rule only where there is one")
    func hands() {
        func lines(_ input: Decision.InputKind, _ value: String, _ reason: Reason, rule: String? = nil) -> [String] {
            why(
                Decision(
                    sequence: 1, at: .zero, input: input, source: "pay", value: .string(Text(value)), rule: rule,
                    outcome: .suppressed, reason: reason))
        }
        for (lines, words) in [
            (lines(.hold, "up", .notAllowed), "another connection"), (lines(.hold, "up", .unchanged), "it was not held"),
            (lines(.hold, "down", .quota), "let go of others"), (lines(.task, "failed", .notPending), "no task of this id"),
        ] {
            #expect(!lines.contains { $0.hasPrefix("  rule") } && lines.count { $0.contains(words) } == 1, "\(lines)")
        }
        #expect(lines(.hold, "down", .duplicate, rule: "p*").contains("  rule    `p*` matches"))
        #expect(lines(.hold, "down", .noRule).contains { $0.hasPrefix("  rule") && $0.contains("no rule") })
    }

    @Test("A report hides the name of a set, the id of a hold and that of a task, and keeps hapticd's own words")
    func report() throws {
        var report = BugReport(pseudonyms: Pseudonyms(salt: (1, 2)), date: "now")
        var set = Decision(sequence: 1, at: .zero, input: .present, name: "annas-cart", rule: "annas-*", outcome: .played)
        set.things = .init(inserted: 1, removed: 2, kept: 3)
        for decision in [
            set,
            Decision(sequence: 2, at: .zero, input: .hold, source: "annas-hold", value: .string("down"), outcome: .suppressed),
            Decision(sequence: 3, at: .zero, input: .task, source: "annas-task", value: .string("began"), outcome: .suppressed),
        ] {
            report.add(HistoryEntry(decision, ending: nil))
        }
        let text = report.lines.joined(separator: "\n")
        #expect(!text.contains("anna"), "\(text)")
        for kept in [#""origin":"client""#, #""input":"present""#, #""inserted":1,"removed":2,"kept":3"#] {
            #expect(text.contains(kept), "\(kept)")
        }
    }

    @Test("The monitor shows the holds of the ids it is asked for, and no others where more is asked for")
    func watch() {
        let notice = HoldNotice(HoldChange(id: "pay", origin: .client, user: 1, state: .began, value: .zero, at: .zero))
        #expect(WatchFilter(sources: [Glob("p*")]).admits(notice) && !WatchFilter(sources: [Glob("q")]).admits(notice))
        #expect(!WatchFilter(apps: [Glob("*")]).admits(notice) && !WatchFilter(classes: [.alarm]).admits(notice))
        #expect(!WatchFilter(sources: [Glob("*")]).admits(notice.masked))
    }

    @Test("What is felt in place of the rule's pattern is `off`, `normal` or a pattern's name")
    func feedback() throws {
        #expect(try Values.feedback("off") == .off && Values.feedback("normal") == .normal)
        #expect(try Values.feedback("tick") == .pattern(.named("tick")))
        #expect(throws: (any Error).self) { try Values.feedback("") }
    }

    @Test("What stands behind `--` is the command, whatever it looks like")
    func command() throws {
        let line = ["task", "copy", "--quiet", "--", "cp", "-V", "--json", "a"]
        let task = try #require(try Program.parse(line) as? TaskCommand)
        #expect(
            task.command == ["cp", "-V", "--json", "a"] && task.state == nil && !task.common.json && !Program.wantsJSON(line))
    }
}
