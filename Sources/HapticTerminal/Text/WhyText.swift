// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticText
package import HapticWire

/// A decision and the way to it, for people: a row for each link.
package struct WhyText {
    private let entry: HistoryEntry
    private let now: Int64
    /// The number of the daemon's last decision.
    private let newest: UInt64
    /// The last one was asked for, not this one by its number.
    private let isLast: Bool
    /// The user who reads this.
    private let reader: UInt32
    private var sender: Sender

    /// `now`: on CLOCK_MONOTONIC.
    package init(
        _ entry: HistoryEntry, now: Int64, newest: UInt64 = 0, isLast: Bool = false, reader: UInt32 = getuid(),
        sender: Sender = Sender()
    ) {
        (self.entry, self.now, self.newest, self.isLast) = (entry, now, newest, isLast)
        (self.reader, self.sender) = (reader, sender)
    }

    private var decision: DecisionResult { entry.decision }

    package mutating func lines() -> [[Console.Span]] {
        let head =
            "Decision \(decision.seq), \(Words.about(max(0, now - decision.atNs))) ago (\(TimeOfInstant.text(of: decision.atNs)))"
        let newer = isLast && newest > decision.seq ? newest - decision.seq : 0
        let from = sender.words(user: decision.user, process: decision.process, app: decision.app)
        var rows = [Row("input", input), Row("from", from ?? "not known")]
        rows += remarks.map { Row("note", $0, .yellow) }
        rows += entry.chain.filter { !isPlain($0) }.map(row)
        let plain = entry.chain.filter(isPlain).map(\.link)
        if !plain.isEmpty { rows.append(Row("passed", plain.joined(separator: ", "))) }
        rows.append(result)
        let width = rows.map(\.title.count).max() ?? 0
        let note = newer == 1 ? "1 newer input was only counted" : "\(newer) newer inputs were only counted"
        let notes = newer == 0 ? [] : ["\(note): below a step, merged, released, followed, or with feedback off."]
        return notes.map { [.init($0, .yellow)] } + [[.init(head)], [.init("")]]
            + rows.map { row in
                let gap = String(repeating: " ", count: width - row.title.count + 2)
                return [.init("  " + row.title, .dim), .init(gap), .init(row.text, row.colour)]
            }
    }

    private struct Row {
        var title: String
        var text: String
        var colour: Console.Colour?

        init(_ title: String, _ text: String, _ colour: Console.Colour? = nil) {
            (self.title, self.text, self.colour) = (title, text, colour)
        }
    }

    private var input: String {
        let isHidden = decision.source == nil && decision.value == nil && decision.user.map { $0 != reader } ?? false
        let pattern = decision.input == .play ? decision.pattern.map { ", the pattern \(Words.given($0))" } ?? "" : ""
        let importance = decision.feedbackClass.map { ", class \($0)" } ?? ""
        return Words.input(decision) + pattern + importance + (isHidden ? " (its id and value, if any, are another user's)" : "")
    }

    /// What is worth knowing of the input itself.
    private var remarks: [String] {
        var remarks: [String] = []
        if decision.origin == .device {
            remarks.append("a hand did it, on a key or a button that hapticd reads")
        }
        if let timeout = entry.timeoutMs {
            remarks.append(
                "the task has not ended within \(Words.time(milliseconds: timeout)), which counts as failed; `timeout` of its rule says so"
            )
        }
        if entry.areIdsShifted == true {
            remarks.append(
                "each id is one more or one less than before: these are probably positions; give each thing an id that stays its own"
            )
        }
        if entry.runsTogether == true {
            remarks.append(
                "the motor does not stop between its pulses, so they run together into one vibration; a motor that stops faster, or fewer pulses, keep them apart"
            )
        }
        return remarks
    }

    /// A link of the policy that let it pass as it was: there is nothing more to say of it.
    private func isPlain(_ link: HistoryEntry.Link) -> Bool {
        link.reason == nil && link.changes.isEmpty && settings(of: link).isEmpty
            && PolicyLink(text: Text(link.link)).map { $0 != .profile } ?? false
    }

    /// What people have set, or what is configured of it, that this link went by, in words.
    private func settings(of link: HistoryEntry.Link) -> [String] {
        let kinds: [AppliedSettingResult.Kind] =
            switch PolicyLink(text: Text(link.link)) {
            case .off: [.off]
            case .quietHours: [.quietHours]
            case .strength: [.strength, .classStrength, .appStrength]
            default: []
            }
        return entry.settings.filter { kinds.contains($0.of) }.map { SettingWords.applied($0, to: decision) }
    }

    /// The profile, and by whose word it is not full.
    private var profile: String? {
        guard let profile = entry.profile, profile != .full, let by = entry.profileBy else {
            return entry.profile?.rawValue
        }
        return "\(profile.rawValue), \(SettingWords.by(by))"
    }

    /// `the condition camera`; `nil` if none had an effect.
    private var condition: String? { entry.condition.map { "the condition \(Words.given($0))" } }

    private func row(_ link: HistoryEntry.Link) -> Row {
        if let reason = link.reason { return Row(link.link, self.reason(reason, of: link), .yellow) }
        if link.link == "actuators", let standIn = Self.standIn(link) { return Row(link.link, standIn) }
        let changes = link.changes.map(Self.words)
        let what =
            switch link.link {
            case "rule": decision.rule.map { "`\($0)` matches" } ?? "passed"
            case PolicyLink.condition.rawValue: condition ?? "passed"
            case PolicyLink.profile.rawValue: profile ?? "passed"
            case _ where !settings(of: link).isEmpty: settings(of: link).joined(separator: "; ")
            case "actuators" where link.changes.contains { $0.of == "strength" }:
                "\(decision.actuators.joined(separator: ", ")), of which a motor is hot"
            case "actuators": decision.actuators.isEmpty ? "passed" : decision.actuators.joined(separator: ", ")
            default: "passed"
            }
        return Row(link.link, changes.isEmpty ? what : "\(what): \(changes.joined(separator: ", "))")
    }

    /// With what else is known: what plays, which rule comes near, what stands in.
    private func reason(_ reason: Reason, of link: HistoryEntry.Link) -> String {
        if reason == .condition, let condition { return "\(condition) silences this" }
        let settings = settings(of: link)
        if !settings.isEmpty { return settings.joined(separator: "; ") }
        let isAlarm = Text(link.link) == Text(PolicyLink.access.rawValue)
        let isWhole = decision.reason == reason
        let words =
            isAlarm
            ? "its sender may not name the class `alarm`"
            : isWhole ? Words.reason(of: decision, profile: entry.profile) : Words.reason(reason, profile: entry.profile)
        if let blocker = entry.blocker {
            let pattern =
                blocker.pattern.map { "the pattern \(Words.given($0))" }
                ?? "a pattern of a client's own, or a value that is followed"
            return "\(words): \(pattern), class \(blocker.feedbackClass.rawValue) (playback \(blocker.playback))"
        }
        if let near = Words.nearRule(entry.nearRule, didYouMean: entry.didYouMean) { return words + near }
        return Self.standIn(link).map { "\(words); \($0)" } ?? words
    }

    /// `light, in place of main, which is not there`.
    private static func standIn(_ link: HistoryEntry.Link) -> String? {
        guard let change = link.changes.first, case .array(let wanted) = change.from, case .array(let there) = change.to else {
            return nil
        }
        let (others, missing) = (there.filter { !wanted.contains($0) }, wanted.filter { !there.contains($0) })
        guard !others.isEmpty, !missing.isEmpty else { return nil }
        func names(_ these: [JSONValue]) -> String { text(.array(these), of: change.of) }
        return "\(names(others)), in place of \(names(missing)), which \(missing.count == 1 ? "is" : "are") not there"
    }

    /// What a link made of it: `intensity 100% → 50%`.
    private static func words(_ change: HistoryEntry.Change) -> String {
        if Text(change.of) == "delayMs", case .number(let wait) = change.to {
            return "begins after \(Words.time(milliseconds: wait)), when lights may flash again"
        }
        return "\(change.of) \(text(change.from, of: change.of)) → \(text(change.to, of: change.of))"
    }

    private static func text(_ value: JSONValue, of what: String) -> String {
        switch value {
        case .number(let number): what == "intensity" || what == "strength" ? Words.percent(number) : Words.plain(number)
        case .string(let text): text
        case .array(let items): items.map { text($0, of: what) }.joined(separator: " and ")
        case .null, .bool, .object: "?"
        }
    }

    private var result: Row {
        guard decision.outcome == .played else {
            // The rule that nearly matches is the remedy, and stands above.
            let words = entry.nearRule == nil ? Words.notFelt : Words.whyNotFelt
            return Row("result", words(decision, entry.profile), decision.outcome == .failed ? .red : .yellow)
        }
        let playback = decision.playback.map { " (playback \($0))" } ?? ""
        let ending = entry.ending.map { "; \(Words.ending($0))" } ?? "; it is playing"
        if let weak = Words.tooWeak(decision) { return Row("result", "\(weak)\(playback)\(ending); \(Self.remedy)", .yellow) }
        return Row("result", "felt: \(Words.felt(decision))\(playback)\(ending)", .green)
    }

    private static let remedy =
        "use a longer or stronger pattern, or, if a hand does feel it, describe the motor by what `hapticctl tune` finds"
}
