// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime
import HapticWire

/// Judges the service: what its clients hear is held against what they asked for and what the engine has decided, and what ends against who may end it.
/// It shares no code with the service.
struct ServiceJudge {
    /// Who is at the other end of a connection.
    struct Party {
        var user: UInt32
        /// Of what others play it may end something.
        var mayEndOthers: Bool
    }

    private struct SentInput {
        var sequence: Int?
        var wasRefused = false
        let sent: Sent
        let connection: UInt64
    }

    /// What plays.
    private struct Playing {
        let connection: UInt64
        let user: UInt32
        let rank: Int
        let source: String?
        let endsWithClient: Bool
        /// It may be fading out, and stands in nobody's way.
        var mayFade = false
        /// Someone who may has cancelled it.
        var isCancelled = false
        var hasLostClient = false
        /// It ends for another reason than that something takes its motors.
        var isOver = false
    }

    private(set) var complaint: String?
    var seen = Sometimes()
    var isStopping = false
    /// What there was to be notified of.
    private(set) var counts = NoticeCounts()
    private var parties: [UInt64: Party] = [:]
    /// By `app`: what was said and is an input.
    private var sentInputs: [String: SentInput] = [:]
    private var decisions: [Int: (app: String?, outcome: String)] = [:]
    private var endings: [Int: String] = [:]
    private var played: Set<Int> = []
    private var playing: [UInt64: Playing] = [:]
    /// By the number of the motor.
    private var holders: [Int: UInt64] = [:]
    private var missing: Set<Int> = []
    /// What the engine wants and the executor has not been given.
    private var wanted: [ExecutorOrder] = []
    /// The one in force, and whether a client has set it.
    private var profile: (current: Profile, isChosen: Bool)
    /// What clients have set.
    private(set) var chosen = Settings()

    init(profile: Profile) { self.profile = (profile, false) }

    mutating func fail(_ message: String) { if complaint == nil { complaint = message } }

    mutating func require(_ condition: Bool, _ message: @autoclosure () -> String) { if !condition { fail(message()) } }

    // MARK: What clients do

    mutating func connected(_ connection: UInt64, _ party: Party) { parties[connection] = party }

    mutating func said(_ sent: [Sent], by connection: UInt64) {
        for one in sent { if let app = one.app { sentInputs[app] = SentInput(sent: one, connection: connection) } }
    }

    /// What is to be felt of a decision.
    func request(of decision: Decision) -> Request? { decision.app.flatMap { sentInputs[$0]?.sent.request } }

    var playingIDs: [UInt64] { playing.keys.sorted() }
    /// The playbacks that end with their client.
    var boundCount: Int { playing.values.count { $0.endsWithClient } }

    // MARK: What the engine does

    /// `isFelt`: whether all that was to be felt of a playback on a motor is over. What is spread, or fitted to its motors, does not end on all
    /// of them at once, and is in nobody's way on those that it has left.
    mutating func took(
        _ event: EngineEvent, at instant: MonotonicInstant, _ results: [ItemResult], _ actions: [EngineAction],
        isFelt: (UInt64, Int) -> Bool
    ) {
        noteSettings(event, at: instant, results)
        for (motor, holder) in holders where isFelt(holder, motor) { holders[motor] = nil }
        for case .ended(let end) in actions where end.ending != .preempted { playing[end.playback.value]?.isOver = true }
        var itemCount = 0
        switch event {
        case .batch(let batch, _):
            itemCount = batch.count
            for item in batch { prepare(for: item) }
            // What was taken back may have taken motors from others first: then it is not known who has them.
            let isSure = !results.contains { outcome in
                guard case .decided(let decision, _) = outcome else { return false }
                return decision.outcome == .preempted || decision.outcome == .cancelled
            }
            for (index, outcome) in results.enumerated() where index < batch.count {
                if !isSure { holders = [:] }
                decided(outcome, on: batch[index])
            }
            if !isSure { holders = [:] }
            let changed = results.compactMap { if case .changed(let settings) = $0 { settings } else { nil } }
            if let last = changed.last {
                profile.isChosen = last.profileLayer == .settings
                profileIs(last.profile)
            }
        case .refusal:
            itemCount = results.count
            for case .decided(let decision, _) in results {
                let isUnread = [.invalidParams, .quota, .shutdown].contains(decision.reason)
                require(decision.app != nil || isUnread, "a refusal of nobody: \(decision)")
                note(decision, from: nil)
            }
        case .connectionClosed(let connection):
            for (id, one) in playing where one.connection == connection && one.endsWithClient {
                playing[id]?.hasLostClient = true
                playing[id]?.mayFade = true
                seen.note(.waitDropped)
            }
        case .configuration(let new, _):
            if !profile.isChosen { profileIs(new.profile) }
            if boundCount > 0 { seen.note(.reloadInWait) }
            mayAllFade()
        case .actuator(let index, let isAvailable, _): if !isAvailable { holders[index.value] = nil }
        case .slept: seen.note(.slept)
        case .settings, .localTime, .holdsWait, .shutdown, .time: break
        }
        for outcome in results.dropFirst(itemCount) { cameByItself(outcome) }
        for action in actions {
            if let order = ExecutorOrder(action) { wanted.append(order) }
            if case .ended(let end) = action { ended(end, by: event, results.dropFirst(itemCount)) }
            if case .held = action { counts.add(of: .holds) }
        }
    }

    /// One event makes one notice, whatever it changes of them.
    private mutating func noteSettings(_ event: EngineEvent, at instant: MonotonicInstant, _ results: [ItemResult]) {
        if case .refusal = event { return }
        if case .slept(let time) = event, case .until(let end) = chosen.off { chosen.off = .until(end - time) }
        let former = chosen
        if case .until(let end) = chosen.off, end <= instant { chosen.off = nil }
        for case .changed(let settings) in results { chosen = settings.chosen }
        var isOther = chosen != former
        if case .configuration(let new, _) = event, !profile.isChosen { isOther = isOther || new.profile != profile.current }
        if isOther { counts.add(of: .settings) }
    }

    /// Who listens to the settings hears of it.
    mutating func troubleChanged() { counts.add(of: .settings) }

    private mutating func profileIs(_ new: Profile) {
        if new != profile.current { counts.add(of: .profile) }
        profile.current = new
    }

    private mutating func mayAllFade() { for id in playing.keys { playing[id]?.mayFade = true } }

    private mutating func prepare(for item: BatchItem) {
        switch item {
        case .input: break
        case .change: mayAllFade()
        // What goes on with its next phase does not end by that.
        case .cancel(let request) where request.mode == .advance: break
        case .cancel(let request):
            let party = parties[request.client.connection]
            require(party?.user == request.client.user, "a cancel of nobody")
            for (id, one) in playing {
                let mayEnd = one.user == party?.user || party?.mayEndOthers == true
                let isMeant =
                    switch request.target {
                    case .all: party?.mayEndOthers == true
                    case .playback(let meant): mayEnd && meant.value == id
                    case .source(let source): one.user == party?.user && one.source == source
                    }
                guard isMeant else { continue }
                playing[id]?.isCancelled = true
                playing[id]?.mayFade = true
            }
        }
    }

    private mutating func decided(_ outcome: ItemResult, on item: BatchItem) {
        guard case .decided(let decision, _) = outcome, case .input(let input) = item else { return }
        note(decision, from: input.client)
        if let app = decision.app, sentInputs[app]?.sent.isSilent == true {
            seen.note(.transaction)
            require(decision.playback == nil, "its transaction is off, and it is felt: \(decision)")
        }
        guard let id = decision.playback?.value, let party = parties[input.client.connection] else { return }
        let sent = decision.app.flatMap { sentInputs[$0]?.sent }
        let new = Playing(
            connection: input.client.connection, user: party.user, rank: Self.rank(decision.feedbackClass),
            source: sent?.source, endsWithClient: sent?.endsWithClient ?? false)
        for motor in decision.actuators.map(Board.number) {
            if let loser = holders[motor].flatMap({ playing[$0] }), !loser.mayFade, !loser.isOver {
                require(new.rank >= loser.rank, "\(id) took a motor from what goes before it")
                let mayEnd = new.rank > loser.rank || loser.user == new.user || party.mayEndOthers
                require(mayEnd, "\(id) of user \(new.user) took a motor from one of user \(loser.user), and may not")
            }
            holders[motor] = id
        }
        playing[id] = new
        played.insert(Int(id))
    }

    /// A decision on what nobody has said just now: on what a hand does, or on a task.
    private mutating func cameByItself(_ outcome: ItemResult) {
        guard case .decided(let decision, _) = outcome else { return fail("this does not come by itself: \(outcome)") }
        decisions[Int(decision.sequence)] = (nil, decision.outcome.rawValue)
        counts.add(of: .decisions)
        if decision.outcome == .preempted || decision.outcome == .cancelled { holders = [:] }
        guard let id = decision.playback?.value else { return }
        let rank = Self.rank(decision.feedbackClass)
        for motor in decision.actuators.map(Board.number) {
            if let loser = holders[motor].flatMap({ playing[$0] }), !loser.mayFade, !loser.isOver {
                require(rank >= loser.rank, "\(id) took a motor from what goes before it, by itself")
            }
            holders[motor] = id
        }
        playing[id] = Playing(connection: 0, user: decision.user ?? 0, rank: rank, source: decision.source, endsWithClient: false)
        played.insert(Int(id))
    }

    /// As the configuration has the classes.
    private static func rank(_ feedbackClass: FeedbackClass?) -> Int {
        switch feedbackClass {
        case .alarm: 3
        case .notification: 2
        case .interaction: 1
        case .texture, nil: 0
        }
    }

    private mutating func note(_ decision: Decision, from client: ClientIdentity?) {
        let sequence = Int(decision.sequence)
        decisions[sequence] = (decision.app, decision.outcome.rawValue)
        counts.add(of: .decisions)
        if decision.reason == .notAllowed { seen.note(.accessRefused) }
        if decision.reason == .suspended { seen.note(.suspended) }
        guard let app = decision.app else { return require(client == nil, "a decision on what nobody said: \(decision)") }
        guard let input = sentInputs[app] else { return fail("a decision on what nobody said: \(decision)") }
        require(input.sequence == nil, "a second decision on \(app): \(decision)")
        require(!input.wasRefused, "a decision on \(app), which was refused: \(decision)")
        require(client.map { $0.connection == input.connection } ?? true, "\(app) was taken for another's")
        sentInputs[app]?.sequence = sequence
    }

    private mutating func ended(_ end: PlaybackEnd, by event: EngineEvent, _ byItself: ArraySlice<ItemResult>) {
        let id = end.playback.value
        endings[Int(id)] = end.ending.rawValue
        counts.add(of: .playbacks)
        guard let one = playing.removeValue(forKey: id) else { return fail("an ending of \(id), which does not play") }
        for (motor, holder) in holders where holder == id { holders[motor] = nil }
        if end.reason == .requested { require(one.isCancelled, "\(id) of user \(one.user) was ended by someone who may not") }
        if end.ending == .cancelled, end.reason == .superseded, case .batch(let batch, _) = event {
            let isOwn = batch.contains { item in
                guard case .input(let input) = item else { return false }
                return input.client.user == one.user && input.id == one.source
            }
            let isFollowed = byItself.contains { outcome in
                guard case .decided(let decision, _) = outcome else { return false }
                return decision.user == one.user && decision.source == one.source
            }
            require(isOwn || isFollowed, "\(id) of user \(one.user) was replaced by another's")
        }
        if end.reason == .clientGone { require(one.hasLostClient, "\(id) was ended for its client, which is there") }
    }

    // MARK: What the service hands out

    /// It does what the engine wants, all of it and in its order.
    mutating func handed(_ order: ExecutorOrder) {
        guard wanted.first == order else { return fail("not what the engine wants: \(order)") }
        wanted.removeFirst()
        if case .actuate(let actuation) = order { checkPlayed(Int(actuation.playback.value)) }
    }

    mutating func handedAll() { if let first = wanted.first { fail("the executor was not given \(first)") } }

    mutating func applied(_ count: Int) { counts.add(count, of: .actuations) }

    mutating func setMissing(_ motor: Int, _ isMissing: Bool) {
        let isNews = isMissing ? missing.insert(motor).inserted : missing.remove(motor) != nil
        if isNews { counts.add(of: .actuators) }
    }

    /// The motors are others, which count as there.
    mutating func replaced() { missing = [] }

    // MARK: What clients hear

    mutating func noteError(_ code: Int) {
        switch code {
        case ErrorNumber.quota: seen.note(.quotaRefused)
        case ErrorNumber.notAllowed: seen.note(.accessRefused)
        case ErrorNumber.params: seen.note(.paramsRefused)
        case ErrorNumber.notStored: seen.note(.notStored)
        case ErrorNumber.tooLong: seen.note(.lineTooLong)
        default: break
        }
    }

    mutating func refused(_ app: String) {
        require(sentInputs[app]?.sequence == nil, "\(app) was decided, and refused")
        sentInputs[app]?.wasRefused = true
    }

    mutating func answered(_ app: String, _ sequence: Int, _ outcome: String?) {
        require(sentInputs[app]?.sequence == sequence, "\(app) is answered by decision \(sequence), which is another's")
        checkDecision(sequence, outcome)
    }

    mutating func checkDecision(_ sequence: Int, _ outcome: String?) {
        let decision = decisions[sequence]
        require(decision != nil && decision?.outcome == outcome, "decision \(sequence) is not `\(outcome ?? "")`")
    }

    mutating func checkEnding(_ playback: Int, _ ending: String?) {
        require(
            endings[playback] != nil && endings[playback] == ending, "playback \(playback) has not ended as `\(ending ?? "")`")
    }

    mutating func checkPlayed(_ playback: Int) { require(played.contains(playback), "\(playback) is felt, and was never played") }

    mutating func checkStatus(_ line: HeardLine) {
        let (sources, playbacks) = (line.number(.sources) ?? .max, line.number(.playbacks) ?? .max)
        require(sources <= Board.bounds.sources && playbacks <= Board.bounds.playbacks, "past its bounds: \(line.text)")
    }

    /// Each input of `connection`, which was heard to the end, has its one decision or its one refusal.
    mutating func checkInputs(of connection: UInt64) {
        for (app, input) in sentInputs where input.connection == connection {
            require(input.sequence != nil || input.wasRefused, "\(app) was never decided")
        }
    }
}
