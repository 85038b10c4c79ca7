// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime
import HapticWire

/// Judges the service by invariants: compares its record with the lines that clients send and receive (`Receiver`).
///
/// - Each input has one decision or one refusal, with its own client. An input that a transaction switches off is not felt.
/// - Only clients with the right end others' playbacks. No playback ends with a client that is still connected.
/// - The executor gets all orders of the engine, in their order.
/// - The record of the service replays to the same decisions and actions in a second engine, bit for bit (`ServiceLog`).
/// - User settings are stored in the end, one state at a time.
struct ServiceJudge {
    /// The client of a connection.
    struct Party {
        var user: UInt32
        /// Whether it may end others' playbacks.
        var mayEndOthers: Bool
    }

    private struct SentInput {
        var sequence: Int?
        var wasRefused = false
        let sent: Sent
        let connection: UInt64
    }

    private struct Playing {
        let connection: UInt64
        let user: UInt32
        let endsWithClient: Bool
        /// Whether a client with the right has cancelled something since it began.
        var mayBeCancelled = false
        var hasLostClient = false
    }

    private(set) var complaint: String?
    var seen = Sometimes()
    var isStopping = false
    private(set) var counts = NoticeCounts()
    private var parties: [UInt64: Party] = [:]
    /// The inputs of clients, by `app`.
    private var sentInputs: [String: SentInput] = [:]
    private var outcomes: [Int: String] = [:]
    private var endings: [Int: String] = [:]
    private var played: Set<Int> = []
    private var playing: [UInt64: Playing] = [:]
    private var missing: Set<Int> = []
    /// The orders of the engine that the executor has not got.
    private var wanted: [ActuationOrder] = []
    /// The settings that clients have made.
    private(set) var chosen = Settings()

    mutating func fail(_ message: String) { if complaint == nil { complaint = message } }

    mutating func require(_ condition: Bool, _ message: @autoclosure () -> String) { if !condition { fail(message()) } }

    // MARK: What clients do

    mutating func connected(_ connection: UInt64, _ party: Party) { parties[connection] = party }

    mutating func said(_ sent: [Sent], by connection: UInt64) {
        for one in sent { if let app = one.app { sentInputs[app] = SentInput(sent: one, connection: connection) } }
    }

    // MARK: What the engine does

    mutating func took(_ event: EngineEvent, _ results: [ItemResult], _ actions: [EngineAction]) {
        var batch: [BatchItem] = []
        switch event {
        case .batch(let items, _):
            batch = items
            for case .cancel(let request) in items { cancel(request) }
        case .connectionClosed(let connection):
            for (id, one) in playing where one.connection == connection && one.endsWithClient {
                playing[id]?.hasLostClient = true
                seen.note("wait dropped")
            }
        case .configuration: if playing.values.contains(where: { $0.endsWithClient }) { seen.note("reload in wait") }
        case .actuator, .slept, .settings, .localTime, .holdsWait, .shutdown, .time, .refusal: break
        }
        for (index, result) in results.enumerated() {
            switch result {
            case .decided(let decision, _):
                let isRefusal = if case .refusal = event { true } else { false }
                decided(decision, on: index < batch.count ? batch[index] : nil, isRefusal: isRefusal)
            case .changed(let settings): chosen = settings.chosen
            case .cancelled, .notChanged, .condition: break
            }
        }
        for action in actions {
            if case .order(let order) = action { wanted.append(order) }
            if case .ended(let end) = action { ended(end, batch, results) }
            if case .held = action { counts.add(of: .holds) }
            if case .interruption = action { counts.add(of: .playbacks) }
        }
    }

    private mutating func cancel(_ request: CancelRequest) {
        let party = parties[request.client.connection]
        require(party?.user == request.client.user, "a cancel of nobody")
        for (id, one) in playing where one.user == party?.user || party?.mayEndOthers == true {
            playing[id]?.mayBeCancelled = true
        }
    }

    /// - Parameter item: The item of the decision; nil for a refusal, or for a decision without an item.
    private mutating func decided(_ decision: Decision, on item: BatchItem?, isRefusal: Bool) {
        let sequence = Int(decision.sequence)
        outcomes[sequence] = decision.outcome.rawValue
        counts.add(of: .decisions)
        var (connection, sent): (UInt64, Sent?) = (0, nil)
        if case .input(let input) = item { connection = input.client.connection }
        if item != nil || isRefusal {
            guard let app = decision.app else { return require(isRefusal, "a decision on what nobody said: \(words(decision))") }
            guard let input = sentInputs[app] else { return fail("a decision on what nobody said: \(words(decision))") }
            require(input.sequence == nil && !input.wasRefused, "a second answer to \(app): \(words(decision))")
            require(isRefusal || connection == input.connection, "\(app) was taken for another's")
            sentInputs[app]?.sequence = sequence
            sent = input.sent
        }
        if sent?.isSilent == true {
            seen.note("transaction")
            require(decision.playback == nil, "its transaction is off, and it is felt: \(words(decision))")
        }
        guard let id = decision.playback?.value, playing[id] == nil else { return }
        let user = decision.user ?? parties[connection]?.user ?? 0
        playing[id] = Playing(connection: connection, user: user, endsWithClient: sent?.endsWithClient ?? false)
        played.insert(Int(id))
    }

    private mutating func ended(_ end: PlaybackEnd, _ batch: [BatchItem], _ results: [ItemResult]) {
        let id = end.playback.value
        endings[Int(id)] = end.ending.rawValue
        counts.add(of: .playbacks)
        guard let one = playing.removeValue(forKey: id) else { return fail("an ending of \(id), which does not play") }
        if end.reason == .requested { require(one.mayBeCancelled, "\(id) of user \(one.user) was ended by someone who may not") }
        if end.reason == .clientGone { require(one.hasLostClient, "\(id) was ended for its client, which is there") }
        guard end.ending == .cancelled, end.reason == .superseded else { return }
        let isOwn = results.contains { if case .decided(let decision, _) = $0 { decision.user == one.user } else { false } }
        require(isOwn, "\(id) of user \(one.user) was replaced by another's")
    }

    // MARK: What the service hands out

    /// Checks that `order` is the next order of the engine.
    mutating func handed(_ order: ActuationOrder) {
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

    /// Notes that all motors were replaced: the new ones count as present.
    mutating func replaced() { missing = [] }

    // MARK: What clients hear

    mutating func refused(_ app: String) {
        require(sentInputs[app]?.sequence == nil, "\(app) was decided, and refused")
        sentInputs[app]?.wasRefused = true
    }

    mutating func answered(_ app: String, _ sequence: Int, _ outcome: String?) {
        require(sentInputs[app]?.sequence == sequence, "\(app) is answered by decision \(sequence), which is another's")
        checkDecision(sequence, outcome)
    }

    mutating func checkDecision(_ sequence: Int, _ outcome: String?) {
        require(outcome != nil && outcomes[sequence] == outcome, "decision \(sequence) is not `\(outcome ?? "")`")
    }

    mutating func checkEnding(_ playback: Int, _ ending: String?) {
        require(ending != nil && endings[playback] == ending, "playback \(playback) has not ended as `\(ending ?? "")`")
    }

    mutating func checkPlayed(_ playback: Int) { require(played.contains(playback), "\(playback) is felt, and was never played") }

    mutating func checkStatus(_ status: ReceivedLine) {
        let (sources, playbacks) = (status.number(.sources) ?? .max, status.number(.playbacks) ?? .max)
        require(
            sources <= Board.bounds.sources && playbacks <= Board.bounds.playbacks, "\(sources) sources, \(playbacks) playbacks")
    }

    /// Checks that each input of `connection`, which has ended, has one decision or one refusal.
    mutating func checkInputs(of connection: UInt64) {
        for (app, input) in sentInputs where input.connection == connection {
            require(input.sequence != nil || input.wasRefused, "\(app) was never decided")
        }
    }
}
