// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire
internal import NIOCore

/// The one loop. It takes events and lines one after the other; what is called back meanwhile only adds to what it has still to take.
extension FeedbackService {
    /// How long it takes lines before the event loop looks at sockets and timers again; and how long it writes before that. However many
    /// sockets the event loop finds readable, and calls back for, in one look at them: what all these runs take is added up.
    private static let slice = Nanoseconds.milliseconds(2)
    /// What one session may take of it before the next has its turn.
    private static let turn = Nanoseconds.milliseconds(1)
    /// How soon it goes on after a slice. Not at once: what is due at once comes before sockets.
    private static let pause = TimeAmount.microseconds(50)
    /// How soon one has another turn that asks for more than its rate, at least.
    private static let leastRestOverRate = Nanoseconds.milliseconds(10)
    /// At most: it may have awaited something, and may be about to hang up.
    static let mostRestOverRate = Nanoseconds.seconds(1)

    /// How long one rests that asks for more than its rate and whose turn `took` so long: so long that all `connections` of its user
    /// together take less than a quarter of the event loop, where that is not longer than `mostRestOverRate`.
    static func restOverRate(took: Nanoseconds, connections: Int) -> Nanoseconds {
        min(mostRestOverRate, max(leastRestOverRate, took * (4 * connections)))
    }

    /// Has `event` happen: now, or once the loop gets to it. From anywhere.
    func enter(_ event: ServiceEvent) {
        events.append(event)
        run()
    }

    /// There is more of `session` to be looked at: bytes, the end of its input, room for answers. From anywhere.
    func linesArrived(of session: Session) {
        if !session.isWaitingForTurn, session.stage != .closing || session.hasGone { waitForTurn(session) }
        run()
    }

    /// The channel of `session` has gone. It is forgotten after its last line. From anywhere.
    func close(_ session: Session) {
        session.channelGone()
        endRest(of: session)
        linesArrived(of: session)
    }

    private func waitForTurn(_ session: Session) {
        session.isWaitingForTurn = true
        waitingLines.add(session, of: session.user.id)
    }

    /// Nothing where the loop is running: it will get to what there is.
    private func run() {
        guard !isRunning else { return }
        isRunning = true
        takeEvents()
        // Where it is to go on later, lines and writing have had their slice.
        if !isRunScheduled || isStopping {
            let start = now()
            takeLines()
            write()
            closeLargest()
            worked += now() - start
            goOnLater()
        }
        isRunning = false
    }

    private func takeEvents() { while let event = events.popFirst() { take(event) } }

    private func takeLines() {
        let end = now() + Self.slice - worked
        while let session = waitingLines.next() {
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
            if isStopping { takeEvents() } else if now() >= end { break }
        }
    }

    /// Makes room where all clients together have read too little: of the user with the most unread, the connection with the most.
    private func closeLargest() {
        guard backlog.bytes > Backlog.most else { return }
        // Also those that are closing: a client that has closed its half and does not read keeps as much. Each once: one whose channel is
        // about to go gets no smaller by it.
        var unread = sessions.values.filter { $0.kept > 0 }
        while backlog.bytes > Backlog.most {
            let largest = unread.indices.max {
                let (one, other) = (unread[$0], unread[$1])
                return (one.user.unread, one.kept) < (other.user.unread, other.kept)
            }
            guard let largest else { return }
            let session = unread.remove(at: largest)
            refused(Refusal(cause: .backlog, most: Backlog.most), to: session.user.id)
            session.close(.atOnce)
            useChannel(session)
        }
    }

    private func useChannel(_ session: Session) {
        session.useChannel { [weak self] session in self?.linesArrived(of: session) }
    }

    private func goOnLater() {
        guard !isRunScheduled, worked >= Self.slice || !(waitingLines.isEmpty && backlog.isEmpty && events.isEmpty) else {
            return
        }
        isRunScheduled = true
        _ = eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in
            self?.isRunScheduled = false
            self?.worked = .zero
            self?.run()
        }
    }

    /// Takes lines of `session` until there are none or it has had its turn. When that was.
    private func takeTurn(_ session: Session, until end: MonotonicInstant) -> MonotonicInstant {
        let start = now()
        var time = start
        var hasMore = false
        session.isWaitingForTurn = false
        while !hasMore, let output = session.nextLine() {
            switch output {
            case .line(let line): receive(line, from: session, readAt: session.readAt)
            case .empty: _ = spend(session)
            case .tooLong:
                session.refuse(
                    WireError(.lineTooLong, "the line is longer than \(WireLimit.clientLine) bytes; the connection is closed"))
            }
            time = now()
            hasMore = time >= end || time - start >= Self.turn || backlog.hasMuchToWrite
        }
        // Nobody reads why the rest is refused.
        if session.hasGone, session.isOverRate { session.dropInput() }
        if session.isOverRate, !session.hasGone {
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
        session.isOverRate = false
        session.isWaitingForTurn = true
        session.isResting = true
        let rest = Self.restOverRate(took: took, connections: session.user.connections)
        _ = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(rest.count)) { [weak self] in
            self?.endRest(of: session)
            self?.linesArrived(of: session)
        }
    }

    private func endRest(of session: Session) {
        guard session.isResting else { return }
        session.isResting = false
        session.isWaitingForTurn = false
    }
}
