// SPDX-License-Identifier: MIT
package import HapticClient
import HapticCore
import HapticWire

/// Sends a stream of inputs of one source without waiting for each answer, counts what became of them, and goes on when the daemon
/// was away, or had enough of it for now (`retryAfterMs`): `ProgressMemory` says what is sent then.
///
/// Requests and not notifications: only answers say how much was felt, and what was not delivered.
package struct Pipeline {
    /// More unanswered requests than these are waited for.
    private static let mostUnanswered = 256
    // trap: a constant.
    private static let patience = Int64(HapticClient.patience * 1e9)

    private let path: String
    private let console: Console
    private var link: Link
    private var unanswered: [Unanswered] = []
    /// When the first of them has waited for too long.
    private var answerDue: Int64 = 0
    private var memory = ProgressMemory()
    /// Only while connected.
    private var backOff: BackOff?
    /// What the daemon was, for the words on what was left out.
    private var (wasAway, wasOverRate) = (false, false)
    /// Of what was left out, how much has been reported.
    private var reportedLeftOut = 0
    private var report: ConnectionReport
    package private(set) var tally = Tally()

    package init(_ client: HapticClient, _ console: Console) {
        path = client.path
        link = .connected(client)
        report = ConnectionReport(console)
        self.console = console
    }

    // MARK: What its owner waits for

    /// Nil where nothing can be asked of the daemon just now.
    package var client: HapticClient? {
        if case .connected(let client) = link { client } else { nil }
    }

    /// When this is readable or `deadline` has come `attend` has something to do; negative: there is none.
    package var descriptor: Int32 {
        switch link {
        case .connected(let client), .greeting(let client, _, _, _): client.descriptor
        case .away: -1
        }
    }

    package var deadline: Int64? {
        switch link {
        case .connected: unanswered.isEmpty ? backOff?.end : answerDue
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

    /// Waits where too many are unanswered, or one was refused and not all are answered; never for a daemon that has gone, nor for the end of a back-off.
    package mutating func send(_ input: StreamInput) throws {
        let input = input.stamped(at: MonotonicClock.now)
        do {
            // Once one is refused they all are answered first: else one that is refused later would be kept as if it came after this.
            while !unanswered.isEmpty, backOff != nil || unanswered.count == Self.mostUnanswered {
                try takeAnswer(timeout: HapticClient.patience)
            }
            try write(input)
        } catch let error as ClientError {
            try lose(error)
            keep(input)
        }
    }

    /// Takes the answers that are there, and does what is due to come back. Does not wait.
    package mutating func attend() throws {
        do {
            switch link {
            case .connected(let client):
                try takeReadyAnswers(of: client)
                try endBackOff()
            case .away(let reconnection): try comeBack(reconnection)
            case .greeting(let client, let id, let reconnection, let deadline):
                try takeGreeting(id, of: client, reconnection, deadline: deadline)
            }
        } catch let error as ClientError {
            try lose(error)
        }
    }

    /// Waits for all answers. Throws what was not delivered where the daemon is still away, or still refuses it, after `limit`
    /// nanoseconds.
    package mutating func finish(within limit: Int64, interrupt: Int32) throws {
        let end = MonotonicClock.now + limit
        while !unanswered.isEmpty || !memory.undelivered.isEmpty || backOff?.release != nil {
            // With none unanswered it is away, or backs off.
            if unanswered.isEmpty, MonotonicClock.now >= end { throw notDelivered }
            let next = unanswered.isEmpty ? min(deadline ?? end, end) : deadline
            let arrival = try StandardInput.wait(interrupt: interrupt, daemon: descriptor, deadline: next, isOpen: false)
            if case .interrupted = arrival { throw ClientError.interrupted }
            try attend()
        }
    }

    /// `160 sent, 77 felt, 83 not (83 belowStep); 12 came while hapticd was away and were left out`.
    package var words: String {
        guard memory.leftOut > 0 else { return tally.words }
        let were = memory.leftOut == 1 ? "was" : "were"
        let when = [(wasAway, "while hapticd was away"), (wasOverRate, "faster than hapticd allows")].filter(\.0).map(\.1)
        return "\(tally.words); \(memory.leftOut) came \(when.joined(separator: " or ")) and \(were) left out"
    }

    private var notDelivered: Failure {
        let input = memory.undelivered.last
        let (source, value) = (input?.id ?? "it", Words.percent(input?.value.value ?? 0))
        if let backOff {
            let what = input == nil ? "that \(backOff.release?.id ?? "it") was let go" : "\(source) at \(value)"
            return Failure("\(what) was not delivered: \(backOff.reason)", code: .notDelivered)
        }
        guard input != nil, let lostAt else { return Failure(.closed) }
        return Failure(
            "hapticd has been away for \(Words.about(MonotonicClock.now - lostAt)), so \(source) at \(value) was not delivered; start it (`systemctl start hapticd`), then `hapticctl progress \(source) \(value)` tells it",
            status: ExitStatus.noDaemon, code: .notDelivered)
    }

    // MARK: Connected

    private mutating func write(_ input: StreamInput, isRestoration: Bool = false) throws(ClientError) {
        guard let client, backOff == nil else { return keep(input) }
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
        let decision: DecisionResult
        do throws(ClientError) {
            decision = try client.answer(to: first.id, as: DecisionResult.self, timeout: timeout)
        } catch {
            guard let pause = error.retryAfter else { throw error }
            unanswered.removeFirst()
            answerDue = MonotonicClock.now + Self.patience
            return refused(first, for: pause, error)
        }
        unanswered.removeFirst()
        answerDue = MonotonicClock.now + Self.patience
        guard !first.isRestoration else { return }
        delivered(first.input, decision)
        tally.count(decision)
        try console.writeJSON(Notice.decision(decision))
    }

    /// What was refused before it came before it, and is sent only where it still matters.
    private mutating func delivered(_ input: StreamInput, _ decision: DecisionResult) {
        switch input {
        case .progress(let params):
            memory.answered(params, decision)
            backOff?.release = nil
            backOff?.owesRestoration = false
        case .release(let params):
            memory.release()
            // A completion that is sent after it has to be followed by it.
            backOff?.release = memory.undelivered.isEmpty ? nil : params
        }
    }

    // MARK: Over the rate

    private mutating func refused(_ missing: Unanswered, for pause: Int64, _ error: ClientError) {
        let end = MonotonicClock.now + pause
        backOff = BackOff(
            end: end, reason: error, release: backOff?.release,
            owesRestoration: missing.isRestoration || backOff?.owesRestoration == true)
        wasOverRate = true
        if !missing.isRestoration { keep(missing.input) }
    }

    private mutating func endBackOff() throws {
        guard let ended = backOff, unanswered.isEmpty, MonotonicClock.now >= ended.end else { return }
        backOff = nil
        try sendKept(restoring: ended.owesRestoration, ended.release)
    }

    /// `release`: came before the newest value.
    private mutating func sendKept(restoring: Bool, _ release: ReleaseParams? = nil) throws {
        let now = MonotonicClock.now
        if restoring, let restoration = memory.restoration(at: now) { try write(.progress(restoration), isRestoration: true) }
        let kept = memory.takeUndelivered(at: now)
        let completions = kept.prefix { $0.value >= .one }
        for input in completions { try send(.progress(input)) }
        if let release { try send(.release(release)) }
        for input in kept.dropFirst(completions.count) { try send(.progress(input)) }
    }

    // MARK: Away

    /// The connection is lost, or a try to come back has failed. What is neither is thrown.
    private mutating func lose(_ error: ClientError) throws {
        guard client == nil ? error.mayPass : error.mayBeRestart else { throw error }
        switch link {
        case .connected:
            do {
                // What was answered before the end is delivered.
                while !unanswered.isEmpty { try takeAnswer(timeout: 0) }
            } catch is ClientError {}
            // The next connection has its own count, and a new daemon has the source at 0.
            backOff = nil
            wasAway = true
            reportedLeftOut = memory.leftOut
            for missing in unanswered where !missing.isRestoration { keep(missing.input) }
            unanswered.removeAll()
            // One that has stopped answering was lost when it was heard of last.
            let lostAt = error == .timedOut ? min(MonotonicClock.now, answerDue - Self.patience) : MonotonicClock.now
            link = .away(Reconnection(lostAt: lostAt))
            try report.lost(at: lostAt)
        case .away(var reconnection), .greeting(_, _, var reconnection, _):
            reconnection.failed(at: MonotonicClock.now, retryAfter: error.retryAfter)
            link = .away(reconnection)
            report.failed(error)
        }
    }

    private mutating func keep(_ input: StreamInput) {
        switch input {
        case .progress(let params): memory.keep(params)
        case .release(let params):
            memory.release()
            backOff?.release = params
        }
    }

    private mutating func comeBack(_ reconnection: Reconnection) throws(ClientError) {
        guard reconnection.step(at: MonotonicClock.now) == .tryNow else { return }
        let client = try HapticClient(paths: [path], app: ThisProgram.app, isPatient: false)
        let id = try client.send(SettingsParams())
        link = .greeting(client, id, reconnection, deadline: MonotonicClock.now + Self.patience)
    }

    private mutating func takeGreeting(
        _ id: RequestID, of client: HapticClient, _ reconnection: Reconnection, deadline: Int64
    ) throws {
        do throws(ClientError) {
            _ = try client.answer(to: id, as: SettingsResult.self, timeout: 0)
        } catch {
            guard error == .timedOut, MonotonicClock.now < deadline else { throw error }
            return
        }
        let now = MonotonicClock.now
        link = .connected(client)
        try report.again(at: now, lostAt: reconnection.lostAt, leftOut: memory.leftOut - reportedLeftOut)
        reportedLeftOut = memory.leftOut
        try sendKept(restoring: true)
    }
}
