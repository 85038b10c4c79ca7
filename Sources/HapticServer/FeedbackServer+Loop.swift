// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import HapticWire
internal import NIOCore

/// What the loop has still to take, and what that has taken of the event loop.
struct Turns {
    var events = CircularBuffer<ServerEvent>()
    /// The sessions with lines that wait for their turn, each once.
    var waitingLines = FairQueue<UInt32, Session>()
    var isRunning = false
    /// The loop goes on once the event loop has looked at everyone.
    var isRunScheduled = false
    /// What lines and writing have taken since the event loop has last been let go on.
    var worked = Nanoseconds.zero
    /// All pending input is being read, and the loop goes on with each read. With a timer of its own one of both would always be due, and
    /// the event loop polls no socket while a timer is due.
    var isReading = false
    /// Input has arrived since this was set to `false`.
    var hasReceived = false
}

/// The one loop. It takes events and lines one after the other; what is called back meanwhile only adds to what it has still to
/// take.
extension FeedbackServer {
    /// How long it takes lines before the event loop looks at sockets and timers again; and how long it writes before that.
    /// However many sockets the event loop finds readable, and calls back for, in one look at them: what all these runs take is
    /// added up.
    private static let slice = Nanoseconds.milliseconds(2)
    /// What one session may take of it before the next has its turn.
    private static let turn = Nanoseconds.milliseconds(1)
    /// How soon it goes on after a slice. Not at once: what is due at once comes before sockets.
    private static let pause = TimeAmount.microseconds(50)
    /// How soon one has another turn that asks for more than its rate, at least.
    private static let leastRestOverRate = Nanoseconds.milliseconds(10)
    /// At most: it may have awaited something, and may be about to hang up.
    static let mostRestOverRate = Nanoseconds.seconds(1)

    /// How long one rests that asks for more than its rate and whose turn `took` so long: so long that all `connections` of its
    /// user together take less than a quarter of the event loop, where that is not longer than `mostRestOverRate`.
    static func restOverRate(took: Nanoseconds, connections: Int) -> Nanoseconds {
        min(mostRestOverRate, max(leastRestOverRate, took * (4 * connections)))
    }

    /// Has `event` happen: now, or once the loop gets to it. From anywhere.
    func enter(_ event: ServerEvent) {
        if case .inputs = event { turns.hasReceived = true }
        turns.events.append(event)
        run()
    }

    /// There is more of `session` to be looked at: bytes, the end of its input, room for answers. From anywhere.
    func linesArrived(of session: Session) {
        turns.hasReceived = true
        if session.turn == .idle, session.stage != .closing || session.hasGone { waitForTurn(session) }
        run()
    }

    /// The channel of `session` has gone. It is forgotten after its last line. From anywhere.
    func close(_ session: Session) {
        session.channelGone()
        endRest(of: session)
        linesArrived(of: session)
    }

    private func waitForTurn(_ session: Session) {
        session.turn = .waiting
        turns.waitingLines.add(session, of: session.user.id)
    }

    /// Nothing where the loop is running: it will get to what there is.
    private func run() {
        guard !turns.isRunning else { return }
        turns.isRunning = true
        noticeSleep()
        takeEvents()
        // Where it is to go on later, lines and writing have had their slice.
        if !turns.isRunScheduled || service.daemon.isStopping {
            let start = now()
            takeLines()
            write()
            closeLargest()
            turns.worked += now() - start
            goOnLater()
        }
        turns.isRunning = false
    }

    /// Before anything else is taken: what comes after a sleep is decided as after one.
    private func noticeSleep() {
        guard let time = surroundings.sleep.slept() else { return }
        service.slept(time, at: now())
        carryOut()
    }

    /// Gives `session` a turn before all others, also if it rests because of its rate, and reads from it again.
    func takeTurnFirst(_ session: Session, until end: MonotonicInstant) {
        guard !turns.isRunning else { return }
        turns.isRunning = true
        noticeSleep()
        endRest(of: session)
        if session.turn == .waiting { turns.waitingLines.remove(of: session.user.id) { $0 === session } }
        _ = takeTurn(session, until: end)
        useChannel(session)
        turns.isRunning = false
    }

    private func takeEvents() { while let event = turns.events.popFirst() { take(event) } }

    private func takeLines() {
        let end = now() + Self.slice - turns.worked
        while let session = turns.waitingLines.next() {
            let time = takeTurn(session, until: end)
            takeEvents()
            if time >= end || backlog.hasMuchToWrite { break }
        }
    }

    private func write() {
        let end = now() + Self.slice
        while let session = backlog.next() {
            session.isWaitingForChannel = false
            useChannel(session)
            // At the end of the daemon there is no later.
            if service.daemon.isStopping { takeEvents() } else if now() >= end { break }
        }
    }

    /// Makes room where all clients together have read too little: of the user with the most unread, the connection with the
    /// most.
    private func closeLargest() {
        guard backlog.bytes > Backlog.most else { return }
        // Also those that are closing: a client that has closed its half and does not read keeps as much. Each once: one whose
        // channel is about to go gets no smaller by it.
        var unread = sessions.values.filter { $0.kept > 0 }
        while backlog.bytes > Backlog.most {
            let largest = unread.indices.max {
                let (one, other) = (unread[$0], unread[$1])
                return (one.user.unread, one.kept) < (other.user.unread, other.kept)
            }
            guard let largest else { return }
            let session = unread.remove(at: largest)
            service.refusedBacklog(of: session.client, most: Backlog.most, at: now())
            carryOut()
            session.close(.atOnce)
            useChannel(session)
        }
    }

    private func useChannel(_ session: Session) {
        session.useChannel { [weak self] session in self?.linesArrived(of: session) }
    }

    private func goOnLater() {
        guard !turns.isRunScheduled, !turns.isReading,
            turns.worked >= Self.slice || !(turns.waitingLines.isEmpty && backlog.isEmpty && turns.events.isEmpty)
        else { return }
        turns.isRunScheduled = true
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in
            if self?.turns.isReading == false { self?.takeSlice() }
        }
    }

    /// Goes on for another slice, of which `worked` is over, with `event` first.
    func takeSlice(after worked: Nanoseconds = .zero, first event: ServerEvent? = nil) {
        (turns.isRunScheduled, turns.worked) = (false, worked)
        if let event { turns.events.append(event) }
        run()
    }

    /// Takes lines of `session` until there are none or it has had its turn. When that was.
    private func takeTurn(_ session: Session, until end: MonotonicInstant) -> MonotonicInstant {
        let start = now()
        var time = start
        var hasMore = false
        session.turn = .idle
        while !hasMore, let output = session.nextLine() {
            switch output {
            case .line(let line): receive(line, from: session)
            case .empty:
                _ = service.charge(session.client, at: now())
                carryOut()
            case .tooLong:
                session.refuse(
                    WireError(.lineTooLong, "the line is longer than \(WireLimit.clientLine) bytes; the connection is closed"))
            }
            time = now()
            hasMore = time >= end || time - start >= Self.turn || backlog.hasMuchToWrite
        }
        // Nobody reads why the rest is refused.
        if session.hasGone, session.client.isOverRate { session.dropInput() }
        if session.client.isOverRate, !session.hasGone {
            rest(session, after: time - start)
        } else if hasMore, session.hasUnread {
            waitForTurn(session)
        } else if session.hasGone {
            forget(session)
        }
        session.closeIfDone()
        // So that it is read from again.
        if session.isReadHeld { session.needsChannel() }
        return time
    }

    private func rest(_ session: Session, after took: Nanoseconds) {
        session.client.isOverRate = false
        session.turn = .resting
        let rest = Self.restOverRate(took: took, connections: session.user.connections)
        session.restEnd = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(rest.count)) { [weak self] in
            self?.endRest(of: session)
            self?.linesArrived(of: session)
        }
    }

    private func endRest(of session: Session) {
        session.restEnd?.cancel()
        session.restEnd = nil
        if session.turn == .resting { session.turn = .idle }
    }
}
