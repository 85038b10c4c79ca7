// SPDX-License-Identifier: MIT
import HapticWire

/// What one client waits for and what it has heard.
///
/// - Each request has exactly one answer; what nobody can use, at most one error. No error says that the daemon has a fault.
/// - Inputs that are not waited for are answered in order, each with its own decision, and an awaited end after its notice.
/// - It is notified of what it has subscribed to, in order, of nothing twice, and of all that it has read, except for what a `missed` counts.
/// - It sees no ids and values of others that it may not see.
struct Ears {
    private(set) var awaited: [Int: Sent] = [:]
    /// Lines that nobody can use: each may have an error without an id.
    var mayBeRefused = 0
    /// Nothing is answered any more, for a line was too long.
    private(set) var isCut = false
    /// Whose ids and values it may hear; nil: everyone's.
    var user: UInt32?
    /// Answers have waited for it: unread, or until what was set is stored. Past a bound, notices are left out.
    var mayMiss = false
    private var topics: Set<Topic> = []
    /// How much there had been when these topics came into force: before it asked, and when it heard of it.
    private var begun = (before: NoticeCounts(), heard: NoticeCounts())
    /// How many notices there were for it up to then, at least and at most.
    private var least = 0
    private var most = 0
    private var heardCount = 0
    private var missedCount = 0
    private var lastAnswered = 0
    private var lastNoticed = 0
    private var ends: Set<Int> = []

    mutating func expect(_ sent: [Sent]) {
        for one in sent { if let id = one.id { awaited[id] = one } }
        if sent.contains(where: \.isHeld) { mayMiss = true }
    }

    /// Of those that it waits for, the ones that are answered when something has ended.
    var waits: Int { awaited.values.count { $0.isAwaited } }
    var isAnswered: Bool { awaited.isEmpty }

    mutating func hear(_ line: HeardLine, _ judge: inout ServiceJudge) {
        judge.require(!isCut, "an answer after the end: \(line.text)")
        for part in line.answers {
            if part.begins(with: HeardLine.notice) {
                hearNotice(part, &judge)
            } else if part.begins(with: HeardLine.answer) {
                hearResult(part, &judge)
            } else if part.begins(with: HeardLine.error), let code = part.number(.code) {
                hearError(code, part, &judge)
            } else {
                judge.fail("this is no line of the daemon: \(part.text)")
            }
        }
    }

    // MARK: Answers

    private mutating func hearError(_ code: Int, _ line: HeardLine, _ judge: inout ServiceJudge) {
        judge.seen.note("error \(code)")
        judge.require(code != ErrorNumber.fault && (code != ErrorNumber.stopping || judge.isStopping), "\(line.text)")
        guard let id = line.lastID else {
            mayBeRefused -= 1
            judge.require(mayBeRefused >= 0, "an error that answers nothing: \(line.text)")
            isCut = code == ErrorNumber.tooLong
            return
        }
        guard let sent = awaited.removeValue(forKey: id) else {
            return judge.fail("an error to request \(id), which was answered, or was never there: \(line.text)")
        }
        if sent.isUndone { judge.seen.note("transaction refused") }
        if let app = sent.app { judge.refused(app) }
    }

    private mutating func hearResult(_ line: HeardLine, _ judge: inout ServiceJudge) {
        guard let sent = line.number(.id).flatMap({ awaited.removeValue(forKey: $0) }) else {
            return judge.fail("an answer to what was answered, or was never there: \(line.text)")
        }
        judge.require(!sent.mustFail, "this should have been refused: \(line.text)")
        judge.require(line.firstMember == sent.result, "this is no answer with `\(sent.result)`: \(line.text)")
        if let new = sent.topics { subscribe(new, since: sent.counts, judge.counts) }
        if sent.result == "version" { judge.checkStatus(line) }
        if sent.isSetting { judge.seen.note("answered stored") }
        guard let app = sent.app else { return }
        guard let sequence = line.number(.seq) else { return judge.fail("no decision in \(line.text)") }
        judge.answered(app, sequence, line.word(.outcome))
        if sent.isAwaited {
            hearEnding(line, &judge)
        } else if !sent.isHeld {
            judge.require(sequence > lastAnswered, "decided before what it had said before: \(line.text)")
            lastAnswered = sequence
        }
    }

    private mutating func hearEnding(_ line: HeardLine, _ judge: inout ServiceJudge) {
        guard line.word(.outcome) == "played" else { return }
        guard let ending = line.from(.ending), let playback = ending.number(.playback) else {
            return judge.fail("answered before the end: \(line.text)")
        }
        judge.seen.note("answered late")
        judge.checkEnding(playback, ending.word(.ended))
        // What it asks for is in force before it is answered.
        let asks = awaited.values.contains { $0.topics != nil }
        guard topics.contains(.playbacks), !asks, !mayMiss else { return }
        judge.require(ends.contains(playback), "answered before the notice of the end: \(line.text)")
    }

    // MARK: Notices

    private mutating func hearNotice(_ line: HeardLine, _ judge: inout ServiceJudge) {
        let method = line.word(.method) ?? ""
        if method == "missed" {
            judge.seen.note("notices missed")
            judge.require(mayMiss, "something was left out, and it reads all the time")
            missedCount += line.number(.count) ?? 0
            return
        }
        let topic = [
            "decision": Topic.decisions, "playback": .playbacks, "actuation": .actuations, "interruption": .playbacks,
            "actuator": .actuators, "hold": .holds,
            "profile": .profile, "settings": .settings,
        ][method]
        guard let topic else { return judge.fail("a notice that there is not: \(line.text)") }
        let asked = awaited.values.contains { $0.topics?.contains(topic) == true }
        judge.require(topics.contains(topic) || asked, "it has not subscribed to this: \(line.text)")
        if NoticeCounts.counted.contains(topic) { heardCount += 1 }
        if let user, [.decisions, .holds].contains(topic), line.number(.user) != Int(user) {
            judge.seen.note("others masked")
            let isMasked = topic == .holds ? line.isNull(.id) : line.isNull(.source) && line.isNull(.value)
            judge.require(isMasked, "an id or a value of another user: \(line.text)")
        }
        let playback = line.number(.playback) ?? 0
        switch topic {
        case .decisions:
            let sequence = line.number(.seq) ?? 0
            judge.require(sequence > lastNoticed, "a decision twice, or too late: \(line.text)")
            judge.checkDecision(sequence, line.word(.outcome))
            lastNoticed = sequence
        case .playbacks where line.word(.ended) != nil:
            judge.checkEnding(playback, line.word(.ended))
            judge.require(ends.insert(playback).inserted, "an end twice: \(line.text)")
        case .actuations: judge.checkPlayed(playback)
        case .playbacks, .actuators, .holds, .profile, .settings: break
        }
    }

    private mutating func subscribe(_ new: Set<Topic>, since said: NoticeCounts, _ now: NoticeCounts) {
        least += max(0, said.sum(of: topics) - begun.heard.sum(of: topics))
        most += now.sum(of: topics) - begun.before.sum(of: topics)
        (topics, begun) = (new, (said, now))
    }

    /// Nothing more is to come.
    func check(_ judge: inout ServiceJudge, _ who: String) {
        judge.require(awaited.isEmpty, "\(who) has no answer to \(awaited.keys.sorted())")
        let least = least + max(0, judge.counts.sum(of: topics) - begun.heard.sum(of: topics))
        let most = most + judge.counts.sum(of: topics) - begun.before.sum(of: topics)
        let count = heardCount + missedCount
        // What was missed may have been of a topic that is not counted.
        judge.require(
            count >= least && (count <= most || missedCount > 0 && heardCount <= most),
            "\(who) heard \(heardCount) notices and missed \(missedCount), and there were \(least) to \(most)")
    }
}
