// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticEngine
import HapticTerminal
import HapticWire

struct HoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Press and hold, to confirm: until Enter, Ctrl-C, Ctrl-Z or the end of input.",
        discussion: """
            Examples:

              hapticctl hold pay
              hapticctl hold pay --for 3s && echo paid
              hapticctl hold pay --for 1s --simulate

            A press that lasts is charged, step by step, until it is confirmed; then `pay.confirmed` is an event, for which the rules may have something to feel, too. Letting go before that lets it fall back to 0. How long all that takes is up to the rule (`holds` of the configuration).

            Exits with 0 where it was confirmed, and with 1 where it was let go before, whatever let it go: Enter, Ctrl-C, Ctrl-Z, the end of input or --for. With --for the end of input does not let go. Where hapticd goes before that it is 3, and after SIGTERM 143.
            """)

    @Argument(help: "What is held, such as `pay`.", completion: .hold, transform: Values.holdID)
    var id: String

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("Let go after this time. (with --simulate default: once it is confirmed)", valueName: "time"),
        transform: Values.duration)
    var time: Nanoseconds?

    @OptionGroup var feedback: FeedbackOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let time, time > Self.longest else { return }
        throw ValidationError("no hold takes longer than \(Self.longest); give a shorter --for")
    }

    /// After this any hold is confirmed.
    private static let longest = HoldShape.longestPress + HoldShape.longestDuration

    /// The press ends after this without a word of ours: we may be stopped (SIGSTOP), or hang.
    private static let lease = Nanoseconds.seconds(1)
    /// So one that comes a little late is no matter.
    private static let repetition = Nanoseconds.milliseconds(300)

    /// `instant`: when the hand did it, on the monotonic clock. The daemon counts from then, even if it reads the line later.
    private func params(_ state: HoldState, at instant: Int64? = nil, lease: Nanoseconds? = nil) -> HoldParams {
        var params = HoldParams(id: id, state: state)
        params.atNs = instant
        params.leaseMs = lease?.inMilliseconds
        params.feedback = feedback.feedback
        return params
    }

    func run() throws {
        let console = common.console()
        if simulation.simulate { return try simulate(console) }
        let client = try common.connect()
        // Stopped, it would hold on, and nobody would see it.
        let interrupt = try Signals.catchInterrupts(andStop: true)
        // So would reading the terminal from the background: it fails, which is the end of input.
        signal(SIGTTIN, SIG_IGN)
        client.interruptDescriptor = interrupt
        let course = HoldCourse(id, console)
        client.onNotice = { if case .hold(let notice) = $0 { course.take(notice) } }
        _ = try client.call(SubscribeParams(topics: [.holds]))
        let pressedAt = MonotonicClock.now
        try press(try client.call(params(.down, at: pressedAt, lease: Self.lease)), console)
        console.beginBar(id)
        // A signal ends the hold itself from here on, and it is to be let go of whatever has come.
        client.interruptDescriptor = nil
        do {
            let ending = try hold(client, course, since: pressedAt, interrupt: interrupt, console)
            // Where the last moment before that has confirmed it, the daemon says so before it answers.
            let decision = try client.call(params(.up, at: MonotonicClock.now))
            try course.report()
            try console.writeJSON(Notice.decision(decision))
            try console.flush()
            if !course.isConfirmed { throw notConfirmed(course, ending, decision) }
        } catch {
            guard course.isConfirmed else { throw notConfirmed(error) }
            // That has come of it already, and the hold ends with the connection.
            try? course.report()
            try? console.flush()
            let what =
                error is ClientError
                ? "since then hapticd does not answer, which does not matter" : Program.failure(error).message
            console.warn("\(Words.given(id)) is confirmed; \(what)")
        }
    }

    private func press(_ decision: DecisionResult, _ console: Console) throws {
        try console.writeJSON(Notice.decision(decision))
        guard !decision.isPress else { return try console.flush() }
        try console.flush()
        throw Failure("\(Words.input(decision)): \(Words.notFelt(decision))", code: .refused)
    }

    // MARK: Holding

    private enum Ending: Hashable {
        case enter, endOfInput, timeOver
        /// We did not run for longer than the lease.
        case stalled
        case signal(Int32)
    }

    /// Repeats the press until it ends. `start`: when it was pressed.
    private func hold(
        _ client: HapticClient, _ course: HoldCourse, since start: Int64, interrupt: Int32, _ console: Console
    ) throws -> Ending {
        let end = time.map { MonotonicClock.now + $0.count }
        let note = console.terminal.inputIsTerminal ? "Enter lets go" : ""
        var isOpen = true
        var renewedAt = start
        while true {
            console.drawBar(course.value, note: note)
            try course.report()
            let now = MonotonicClock.now
            // Another press now would be a new one.
            if now - renewedAt >= Self.lease.count { return .stalled }
            if let end, now >= end { return .timeOver }
            if now - renewedAt >= Self.repetition.count {
                try client.notify(params(.down, at: now, lease: Self.lease))
                renewedAt = now
            }
            let next = renewedAt + Self.repetition.count
            switch try arrival(interrupt, client, deadline: min(next, end ?? next), isOpen: isOpen) {
            case .bytes(let bytes): if bytes.contains(UInt8(ascii: "\n")) { return .enter }
            case .end:
                if end == nil { return .endOfInput }
                isOpen = false
            case .interrupted: return .signal(Signals.take() ?? SIGINT)
            case .timedOut: break
            case .daemon:
                do throws(ClientError) {
                    try client.receiveNotices(timeout: 0) { false }
                } catch {
                    guard error == .timedOut else { throw error }
                }
            }
        }
    }

    /// An input that cannot be read is one that has ended.
    private func arrival(
        _ interrupt: Int32, _ client: HapticClient, deadline: Int64?, isOpen: Bool
    ) throws(Failure) -> StandardInput.Arrival {
        do throws(Failure) {
            return try StandardInput.wait(
                interrupt: interrupt, daemon: client.descriptor, deadline: deadline, isOpen: isOpen)
        } catch {
            guard isOpen, error.code == .unreadable else { throw error }
            return .end
        }
    }

    /// `error` has come first.
    private func notConfirmed(_ error: any Error) -> Failure {
        var failure = Program.failure(error)
        guard failure.code != .notConfirmed else { return failure }
        failure.message = "\(Words.given(id)) is not confirmed: \(failure.message)"
        failure.lines = [failure.message] + failure.details
        return failure
    }

    /// `decision`: that on letting go.
    private func notConfirmed(_ course: HoldCourse, _ ending: Ending, _ decision: DecisionResult) -> Failure {
        if case .signal(SIGTERM) = ending { return Failure("ended by SIGTERM", status: ExitStatus.interrupted(by: SIGTERM)) }
        let whose = Words.given(id)
        if ending == .stalled {
            let time = Self.lease.words
            return Failure(
                "\(whose) was let go, for hapticctl was stopped for \(time) or longer, and is not confirmed; press it again",
                code: .notConfirmed)
        }
        guard decision.reason == .released else {
            return Failure(
                "\(whose) was let go by hapticd, as by a reload, and is not confirmed; press it again", code: .notConfirmed)
        }
        let what =
            course.hasBegun
            ? "\(whose) was let go at \(Words.percent(course.furthest))"
            : "\(whose) was let go before its charge began"
        let advice =
            switch ending {
            case .endOfInput: "standard input is at its end, or cannot be read; --for says how long to hold it all the same"
            case .timeOver: "give a longer --for"
            case .enter, .signal, .stalled: "hold it longer"
            }
        return Failure("\(what), and is not confirmed; \(advice)", code: .notConfirmed)
    }

    // MARK: Without a daemon

    private func simulate(_ console: Console) throws {
        let board = try SimulatedBoard(simulation, console)
        let pressed = try board.send(params(.down)).decision
        guard pressed.isPress else {
            try console.flush()
            throw Failure("\(Words.input(pressed)): \(Words.notFelt(pressed))", code: .refused)
        }
        if let time { try board.run(until: .zero + time) } else { try board.runUntilConfirmed(by: .zero + Self.longest) }
        _ = try board.send(params(.up))
        try board.run(until: board.now + HoldShape.longestFall)
        try board.finish()
        if board.isConfirmed { try console.say("\(Words.given(id)): confirmed") }
        try console.flush()
        guard board.isConfirmed else {
            throw Failure("\(Words.given(id)) was let go, and is not confirmed; give a longer --for", code: .notConfirmed)
        }
    }
}

/// How a hold of this user goes, as its notifications say.
private final class HoldCourse {
    private let id: Text
    private let user = getuid()
    private let console: Console
    /// What has not been reported.
    private var news: [HoldNotice] = []
    private(set) var value = 0.0
    private(set) var furthest = 0.0
    private(set) var hasBegun = false
    private(set) var isConfirmed = false

    init(_ id: String, _ console: Console) {
        self.id = Text(id)
        self.console = console
    }

    func take(_ notice: HoldNotice) {
        guard notice.origin == .client, notice.user == user, notice.id.map({ Text($0) }) == id else {
            return
        }
        value = notice.value ?? value
        furthest = max(furthest, value)
        switch notice.state {
        case .began, .progress: hasBegun = true
        case .confirmed: (hasBegun, isConfirmed) = (true, true)
        case .released: break
        }
        news.append(notice)
    }

    /// Says what has come: people that it is confirmed, programs everything.
    func report() throws {
        guard !news.isEmpty else { return }
        for notice in news {
            try console.writeJSON(Notice.hold(notice))
            if notice.state == .confirmed { try console.say("\(Words.given(id.string)): confirmed") }
        }
        if console.isJSON || isConfirmed { try console.flush() }
        news.removeAll()
    }
}
