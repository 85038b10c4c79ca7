// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

/// Measures a daemon from outside: how long it takes to answer, and from a `play` to its first actuation.
struct LatencyRun {
    /// How many were not felt, and why.
    struct Refusal: Hashable, Encodable {
        var reason: String
        var count: Int
    }

    /// Longer than this, in nanoseconds, no actuation is waited for: the executor has left it out.
    static let patience: Int64 = 1_000_000_000
    /// The shortest time from one play to the next.
    private static let shortestPace = Nanoseconds.milliseconds(20)
    /// After the end of one play, beside what the motor needs: so that lateness of the one does not become a gap too short for the next.
    private static let rest = Nanoseconds.milliseconds(5)
    let client: HapticClient
    let play: PlayParams
    private(set) var roundTrips = LatencyFigures()
    private(set) var firstActuations = LatencyFigures()
    /// Plays that were decided as played, and of which no actuation came.
    private(set) var unfelt = 0
    private(set) var refused: [String: Int] = [:]
    /// What may still be playing.
    private(set) var playback: UInt64?
    private var pace: LatencyPace

    init(_ client: HapticClient, _ play: PlayParams, pace: Nanoseconds) {
        self.client = client
        self.play = play
        self.pace = LatencyPace(pace)
    }

    var refusals: [Refusal] {
        refused.map { Refusal(reason: $0, count: $1) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    /// The most often an actuator can play a pattern without being held back by its own limits.
    static func pace(length: Nanoseconds, felt: Nanoseconds, on actuator: ActuatorResult) -> Nanoseconds {
        let gap = Nanoseconds(seconds: actuator.minGapMs / 1000) ?? .zero
        let isLimited = actuator.duty > 0 && actuator.duty < 1
        let share = isLimited ? Nanoseconds(seconds: felt.inSeconds * 1.1 / actuator.duty) ?? LatencyPace.longest : .zero
        return max(shortestPace, length + gap + rest, share)
    }

    /// Plays once, unmeasured: the first time a device may have to take a pattern up. Returns the decision.
    mutating func warmUp() throws(ClientError) -> DecisionResult {
        let result = try client.call(play)
        playback = result.playback
        return result.decision
    }

    /// The way of a `play` there and back, but for the motor: it is decided, and nothing is felt.
    mutating func measureRoundTrip() throws(ClientError) {
        var silent = play
        silent.feedback = .off
        _ = try client.call(silent)
        roundTrips.add(client.receivedAt - client.writtenAt)
    }

    /// What became of the next play.
    enum Round {
        case felt
        /// Decided as played, but no actuation came.
        case unfelt
        /// To be tried again.
        case refused
        /// Waiting would not help.
        case hopeless(DecisionResult)
    }

    /// Plays, once it is time, and waits for the first actuation. `actuations` must be subscribed to.
    mutating func measureFirstActuation() throws(ClientError) -> Round {
        // From what the daemon said last, which is after the last play began: where it was late to read that, so is the next.
        try idle(until: client.receivedAt + pace.wait.count)
        var first: Int64?
        // The answer comes first, but what is said of the playback must not be lost where it does not.
        var early: [ActuationNotice] = []
        var expected: UInt64?
        client.onNotice = { notice in
            guard case .actuation(let actuation) = notice, actuation.drive != 0, first == nil else { return }
            if expected == nil { early.append(actuation) } else if actuation.playback == expected { first = actuation.atNs }
        }
        defer { client.onNotice = nil }
        let request = try client.send(play)
        let written = client.writtenAt
        let decision = try client.answer(to: request, as: PlayResult.self).decision
        guard decision.outcome == .played, let playback = decision.playback else { return noteRefusal(decision) }
        pace.played()
        self.playback = playback
        expected = playback
        first = early.first { $0.playback == playback }?.atNs
        do throws(ClientError) {
            try client.receiveNotices(timeout: Double(Self.patience) / 1e9) { first != nil }
        } catch .timedOut {
            unfelt += 1
            return .unfelt
        }
        if let first { firstActuations.add(first - written) }
        return .felt
    }

    /// Reads what comes meanwhile, so that the daemon need not wait for its reader.
    private func idle(until instant: Int64) throws(ClientError) {
        do throws(ClientError) {
            try client.receiveNotices(timeout: max(0, Double(instant - MonotonicClock.now) / 1e9)) { false }
        } catch .timedOut {
            return
        }
    }

    private mutating func noteRefusal(_ decision: DecisionResult) -> Round {
        refused[decision.reason?.rawValue ?? decision.outcome.rawValue, default: 0] += 1
        pace.refused()
        return Self.isLasting(decision) || pace.isHopeless ? .hopeless(decision) : .refused
    }

    private static let lasting: Set<Reason> = [
        .profile, .off, .quietHours, .strength, .noActuator, .deviceLost, .tooSubtle, .silent, .shutdown,
    ]

    /// Whether the same will be decided again however long one waits.
    static func isLasting(_ decision: DecisionResult) -> Bool {
        decision.reason.map(lasting.contains) ?? false
    }

    /// Ends what may still be playing.
    mutating func stop() {
        client.interruptDescriptor = nil
        guard let playback else { return }
        let params = CancelParams(.playback(.init(playback)), mode: .immediate)
        // Where the daemon has gone there is nothing left to be cancelled; and where it hangs, someone waits for the end by now.
        _ = try? client.call(params, timeout: 1)
        self.playback = nil
    }

    mutating func sort() {
        roundTrips.sort()
        firstActuations.sort()
    }
}
