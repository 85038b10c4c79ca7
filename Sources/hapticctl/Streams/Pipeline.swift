// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticWire

/// Sends a stream of inputs of one source without waiting for each answer, counts what became of them, and goes on when the daemon
/// was away: `ProgressMemory` says what it is told then.
///
/// Requests and not notifications: only so can be told at the end how much was felt, and only so is known what was not delivered.
struct Pipeline {
    /// More unanswered requests than these are waited for.
    private static let mostUnanswered = 256
    private static let patience = Int64(HapticClient.patience * 1e9)

    private enum Link {
        case connected(HapticClient)
        case away(Reconnection)
        /// Connected again, and asked whether somebody is there; the answer has to come by `deadline`.
        case greeting(HapticClient, RequestID, Reconnection, deadline: Int64)
    }

    private struct Unanswered {
        var id: RequestID
        var input: StreamInput
        /// Not of the stream: it tells a new daemon where the source stood.
        var isRestoration = false
    }

    private let path: String
    private let console: Console
    private var link: Link
    private var unanswered: [Unanswered] = []
    /// When the first of them has waited for too long.
    private var answerDue: Int64 = 0
    private var memory = ProgressMemory()
    /// Of what was left out, how much has been told.
    private var toldLeftOut = 0
    private var report: ConnectionReport
    private(set) var tally = Tally()

    init(_ client: HapticClient, _ console: Console) {
        path = client.path
        link = .connected(client)
        report = ConnectionReport(console)
        self.console = console
    }

    // MARK: What its owner waits for

    /// Nil where nothing can be asked of the daemon just now.
    var client: HapticClient? {
        if case .connected(let client) = link { client } else { nil }
    }

    /// When this is readable or `deadline` has come `attend` has something to do; negative: there is none.
    var descriptor: Int32 {
        switch link {
        case .connected(let client), .greeting(let client, _, _, _): client.descriptor
        case .away: -1
        }
    }

    var deadline: Int64? {
        switch link {
        case .connected: unanswered.isEmpty ? nil : answerDue
        case .greeting(_, _, _, let deadline): deadline
        case .away(let reconnection):
            if case .wait(let instant) = reconnection.step(at: MonotonicClock.now) { instant } else { 0 }
        }
    }

    /// Nil while the daemon is there. One that has been connected to and has not answered yet is not.
    private var lostAt: Int64? {
        switch link {
        case .connected: nil
        case .away(let reconnection), .greeting(_, _, let reconnection, _): reconnection.lostAt
        }
    }

    // MARK: The stream

    /// Waits where too many are unanswered, never for a daemon that has gone.
    mutating func send(_ input: StreamInput) throws {
        let input = input.stamped(at: MonotonicClock.now)
        do {
            if client != nil, unanswered.count == Self.mostUnanswered { try takeAnswer(timeout: HapticClient.patience) }
            try write(input)
        } catch let error as ClientError {
            try lose(error)
            keep(input)
        }
    }

    /// Takes the answers that are there, and does what is due to come back. Does not wait.
    mutating func attend() throws {
        do {
            switch link {
            case .connected(let client): try takeReadyAnswers(of: client)
            case .away(let reconnection): try comeBack(reconnection)
            case .greeting(let client, let id, let reconnection, let deadline):
                try takeGreeting(id, of: client, reconnection, deadline: deadline)
            }
        } catch let error as ClientError {
            try lose(error)
        }
    }

    /// Waits for all answers. Throws what was not delivered where the daemon is still away after `limit` nanoseconds.
    mutating func finish(within limit: Int64, interrupt: Int32) throws {
        let end = MonotonicClock.now + limit
        while !unanswered.isEmpty || !memory.undelivered.isEmpty {
            if let lostAt, MonotonicClock.now >= end { throw notDelivered(since: lostAt) }
            let next = client == nil ? min(deadline ?? end, end) : deadline
            let arrival = try StandardInput.wait(interrupt: interrupt, daemon: descriptor, deadline: next, isOpen: false)
            if case .interrupted = arrival { throw ClientError.interrupted }
            try attend()
        }
    }

    /// `160 sent, 77 felt, 83 not (83 belowStep); 12 came while hapticd was away and were left out`.
    var words: String {
        guard memory.leftOut > 0 else { return tally.words }
        let were = memory.leftOut == 1 ? "was" : "were"
        return "\(tally.words); \(memory.leftOut) came while hapticd was away and \(were) left out"
    }

    private func notDelivered(since lostAt: Int64) -> Failure {
        guard let input = memory.undelivered.last else { return Failure(.closed) }
        let (source, value) = (input.id ?? "it", Words.percent(input.value.value))
        let seconds = Words.plain((Double(MonotonicClock.now - lostAt) / 1e8).rounded() / 10)
        return Failure(
            "hapticd has been away for \(seconds) s, so \(source) at \(value) was not delivered; start it (`systemctl start hapticd`), then `hapticctl progress \(source) \(value)` tells it",
            status: ExitStatus.noDaemon)
    }

    // MARK: Connected

    private mutating func write(_ input: StreamInput, isRestoration: Bool = false) throws(ClientError) {
        guard let client else { return keep(input) }
        let id = try input.send(by: client)
        if unanswered.isEmpty { answerDue = MonotonicClock.now + Self.patience }
        unanswered.append(Unanswered(id: id, input: input, isRestoration: isRestoration))
    }

    private mutating func takeReadyAnswers(of client: HapticClient) throws {
        do {
            while !unanswered.isEmpty { try takeAnswer(timeout: 0) }
            // Nothing is waited for, but the end of the connection is to be seen.
            try client.receiveNotices(timeout: 0) { false }
        } catch ClientError.timedOut where unanswered.isEmpty || MonotonicClock.now < answerDue {
            return
        }
    }

    private mutating func takeAnswer(timeout: Double) throws {
        guard let client, let first = unanswered.first else { return }
        let decision: DecisionResult = try client.answer(to: first.id, as: DecisionResult.self, timeout: timeout)
        unanswered.removeFirst()
        answerDue = MonotonicClock.now + Self.patience
        guard !first.isRestoration else { return }
        if case .progress(let params) = first.input { memory.answered(params, decision) }
        tally.count(decision)
        try console.tell(Notice.decision(decision))
    }

    // MARK: Away

    /// The connection is lost, or a try to come back has failed. What is neither is thrown.
    private mutating func lose(_ error: ClientError) throws {
        guard error.mayBeRestart else { throw error }
        switch link {
        case .connected:
            do {
                // What was answered before the end is delivered.
                while !unanswered.isEmpty { try takeAnswer(timeout: 0) }
            } catch is ClientError {}
            for missing in unanswered where !missing.isRestoration { keep(missing.input) }
            unanswered.removeAll()
            let now = MonotonicClock.now
            link = .away(Reconnection(lostAt: now))
            try report.lost(at: now)
        case .away(var reconnection), .greeting(_, _, var reconnection, _):
            reconnection.failed(at: MonotonicClock.now)
            link = .away(reconnection)
            report.failed(error)
        }
    }

    private mutating func keep(_ input: StreamInput) {
        switch input {
        case .progress(let params): memory.keep(params)
        case .release: memory.release()
        }
    }

    private mutating func comeBack(_ reconnection: Reconnection) throws(ClientError) {
        guard reconnection.step(at: MonotonicClock.now) == .tryNow else { return }
        let client = try HapticClient(paths: [path], isPatient: false)
        let id = try client.send(.profile)
        link = .greeting(client, id, reconnection, deadline: MonotonicClock.now + Self.patience)
    }

    private mutating func takeGreeting(
        _ id: RequestID, of client: HapticClient, _ reconnection: Reconnection, deadline: Int64
    ) throws {
        do throws(ClientError) {
            _ = try client.answer(to: id, as: ProfileResult.self, timeout: 0)
        } catch {
            guard error == .timedOut, MonotonicClock.now < deadline else { throw error }
            return
        }
        let now = MonotonicClock.now
        link = .connected(client)
        try report.again(at: now, lostAt: reconnection.lostAt, leftOut: memory.leftOut - toldLeftOut)
        toldLeftOut = memory.leftOut
        if let restoration = memory.restoration(at: now) { try write(.progress(restoration), isRestoration: true) }
        for input in memory.takeUndelivered(at: now) { try send(.progress(input)) }
    }
}
