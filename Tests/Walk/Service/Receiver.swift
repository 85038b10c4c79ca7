// SPDX-License-Identifier: MIT
import HapticWire

/// The pending requests of one client, and the lines that it has received.
///
/// - Each request has exactly one answer, and an unusable line at most one error. No error reports a fault of the daemon.
/// - Inputs are answered in order, each with its own decision. An awaited end is answered after its notice.
/// - The client receives the notices of its topics in order, none twice, and all of them except those that a `missed` counts.
/// - The client sees no ids and values of other users without the right to them.
struct Receiver {
    private(set) var awaited: [Int: Sent] = [:]
    /// The number of unusable lines, each of which may have an error without an id.
    var mayBeRefused = 0
    /// Whether the answers have ended, because a line was too long.
    private(set) var isCut = false
    /// The user whose ids and values it may see; nil for all users.
    var user: UInt32?
    /// Whether answers have waited for it, unread or for a store of settings. Past a bound, notices are left out.
    var mayMiss = false
    private var topics: Set<Topic> = []
    /// The numbers of notices before the subscription was requested, and when its answer arrived.
    private var begun = (before: NoticeCounts(), received: NoticeCounts())
    /// The least and the largest number of notices for it up to then.
    private var least = 0
    private var most = 0
    private var receivedCount = 0
    private var missedCount = 0
    private var lastAnswered = 0
    private var lastNoticed = 0
    private var ends: Set<Int> = []

    mutating func expect(_ sent: [Sent]) {
        for one in sent { if let id = one.id { awaited[id] = one } }
        if sent.contains(where: \.isHeld) { mayMiss = true }
    }

    /// The number of pending requests that are answered at the end of a playback.
    var waits: Int { awaited.values.count { $0.isAwaited } }
    var isAnswered: Bool { awaited.isEmpty }

    mutating func receive(_ line: ReceivedLine, _ judge: inout ServiceJudge) {
        judge.require(!isCut, "an answer after the end: \(line.text)")
        for part in line.answers {
            if part.begins(with: ReceivedLine.notice) {
                receiveNotice(part, &judge)
            } else if part.begins(with: ReceivedLine.answer) {
                receiveResult(part, &judge)
            } else if part.begins(with: ReceivedLine.error), let code = part.number(.code) {
                receiveError(code, part, &judge)
            } else {
                judge.fail("this is no line of the daemon: \(part.text)")
            }
        }
    }

    // MARK: Answers

    private mutating func receiveError(_ code: Int, _ line: ReceivedLine, _ judge: inout ServiceJudge) {
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

    private mutating func receiveResult(_ line: ReceivedLine, _ judge: inout ServiceJudge) {
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
            receiveEnding(line, &judge)
        } else if !sent.isHeld {
            judge.require(sequence > lastAnswered, "decided before what it had said before: \(line.text)")
            lastAnswered = sequence
        }
    }

    private mutating func receiveEnding(_ line: ReceivedLine, _ judge: inout ServiceJudge) {
        guard line.word(.outcome) == "played" else { return }
        guard let ending = line.from(.ending), let playback = ending.number(.playback) else {
            return judge.fail("answered before the end: \(line.text)")
        }
        judge.seen.note("answered late")
        judge.checkEnding(playback, ending.word(.ended))
        // A subscription is in force before its answer.
        let asks = awaited.values.contains { $0.topics != nil }
        guard topics.contains(.playbacks), !asks, !mayMiss else { return }
        judge.require(ends.contains(playback), "answered before the notice of the end: \(line.text)")
    }

    // MARK: Notices

    private mutating func receiveNotice(_ line: ReceivedLine, _ judge: inout ServiceJudge) {
        let method = line.word(.method) ?? ""
        if method == "missed" {
            judge.seen.note("notices missed")
            judge.require(mayMiss, "something was left out, and it reads all the time")
            missedCount += line.number(.count) ?? 0
            return
        }
        let topic = [
            "decision": Topic.decisions, "playback": .playbacks, "actuation": .actuations, "interruption": .playbacks,
            "actuator": .actuators, "hold": .holds, "settings": .settings,
        ][method]
        guard let topic else { return judge.fail("a notice that there is not: \(line.text)") }
        let asked = awaited.values.contains { $0.topics?.contains(topic) == true }
        judge.require(topics.contains(topic) || asked, "it has not subscribed to this: \(line.text)")
        if NoticeCounts.counted.contains(topic) { receivedCount += 1 }
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
        case .playbacks, .actuators, .holds, .settings: break
        }
    }

    private mutating func subscribe(_ new: Set<Topic>, since said: NoticeCounts, _ now: NoticeCounts) {
        least += max(0, said.sum(of: topics) - begun.received.sum(of: topics))
        most += now.sum(of: topics) - begun.before.sum(of: topics)
        (topics, begun) = (new, (said, now))
    }

    /// Checks the client after its last line.
    func check(_ judge: inout ServiceJudge, _ who: String) {
        judge.require(awaited.isEmpty, "\(who) has no answer to \(awaited.keys.sorted())")
        let least = least + max(0, judge.counts.sum(of: topics) - begun.received.sum(of: topics))
        let most = most + judge.counts.sum(of: topics) - begun.before.sum(of: topics)
        let count = receivedCount + missedCount
        // Missed notices may be of a topic that is not counted.
        judge.require(
            count >= least && (count <= most || missedCount > 0 && receivedCount <= most),
            "\(who) heard \(receivedCount) notices and missed \(missedCount), and there were \(least) to \(most)")
    }
}
