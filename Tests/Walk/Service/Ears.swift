// SPDX-License-Identifier: MIT
import HapticWire

/// What one client waits for and what it has heard. Each request has one answer. It gets all that it has subscribed to, but for what a `missed` counts.
struct Ears {
    private(set) var awaited: [Int: Sent] = [:]
    /// Lines that nobody can use: each may have an error without an id.
    var mayBeRefused = 0
    /// Nothing is answered any more, for a line was too long.
    private(set) var isCut = false
    /// Whose ids and values it may hear; nil: everyone's.
    var user: UInt32?
    /// It did not always read.
    var hasBeenDeaf = false
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

    mutating func expect(_ sent: [Sent]) { for one in sent { if let id = one.id { awaited[id] = one } } }

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
            } else if part.begins(with: HeardLine.error) {
                hearError(part, &judge)
            } else {
                judge.fail("this is no line of the daemon: \(part.text)")
            }
        }
    }

    // MARK: Answers

    private mutating func hearError(_ line: HeardLine, _ judge: inout ServiceJudge) {
        guard let code = line.number(.code) else { return judge.fail("an error without a code: \(line.text)") }
        judge.noteError(code)
        guard let id = line.lastID else {
            mayBeRefused -= 1
            judge.require(mayBeRefused >= 0, "an error that answers nothing: \(line.text)")
            isCut = code == ErrorNumber.tooLong
            return
        }
        guard let sent = awaited.removeValue(forKey: id) else {
            return judge.fail("an error to request \(id), which was answered, or was never there: \(line.text)")
        }
        let isStopping = judge.isStopping && code == ErrorNumber.stopping
        judge.require(isStopping || sent.errors.contains(code), "an error that is not in order: \(line.text)")
        if sent.isUndone { judge.seen.note(.transactionRefused) }
        if let app = sent.app { judge.refused(app) }
    }

    private mutating func hearResult(_ line: HeardLine, _ judge: inout ServiceJudge) {
        guard let id = line.number(.id), let sent = awaited.removeValue(forKey: id) else {
            return judge.fail("an answer to what was answered, or was never there: \(line.text)")
        }
        judge.require(!sent.mustFail, "this should have been refused: \(line.text)")
        judge.require(line.firstMember == sent.result, "this is no answer with `\(sent.result)`: \(line.text)")
        if let new = sent.topics { subscribe(new, since: sent.counts, judge.counts) }
        if sent.result == "version" { judge.checkStatus(line) }
        if sent.isSetting { judge.seen.note(.answeredStored) }
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
        judge.seen.note(.answeredLate)
        judge.checkEnding(playback, ending.word(.ended))
        // What it asks for is in force before it is answered.
        let asks = awaited.values.contains { $0.topics != nil }
        guard topics.contains(.playbacks), !asks, !hasBeenDeaf else { return }
        judge.require(ends.contains(playback), "answered before the notice of the end: \(line.text)")
    }

    // MARK: Notices

    private mutating func hearNotice(_ line: HeardLine, _ judge: inout ServiceJudge) {
        let topic: Topic
        switch line.word(.method) {
        case "decision":
            topic = .decisions
            let sequence = line.number(.seq) ?? 0
            judge.require(sequence > lastNoticed, "a decision twice, or too late: \(line.text)")
            judge.checkDecision(sequence, line.word(.outcome))
            lastNoticed = sequence
            if let user, line.number(.user) != Int(user) {
                judge.seen.note(.othersMasked)
                judge.require(line.isNull(.source) && line.isNull(.value), "an id or a value of another user: \(line.text)")
            }
        case "playback":
            topic = .playbacks
            let playback = line.number(.playback) ?? 0
            judge.checkEnding(playback, line.word(.ended))
            judge.require(ends.insert(playback).inserted, "an end twice: \(line.text)")
        case "actuation":
            topic = .actuations
            judge.checkPlayed(line.number(.playback) ?? 0)
        case "actuator": topic = .actuators
        case "hold": topic = .holds
        case "profile": topic = .profile
        case "settings": topic = .settings
        case "missed":
            judge.seen.note(.noticesMissed)
            judge.require(hasBeenDeaf, "something was left out, and it reads all the time")
            missedCount += line.number(.count) ?? 0
            return
        default: return judge.fail("a notice that there is not: \(line.text)")
        }
        let asked = awaited.values.contains { $0.topics?.contains(topic) == true }
        judge.require(topics.contains(topic) || asked, "it has not subscribed to this: \(line.text)")
        heardCount += 1
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
        judge.require(
            count >= least && count <= most,
            "\(who) heard \(heardCount) notices and missed \(missedCount), and there were \(least) to \(most)")
    }
}
