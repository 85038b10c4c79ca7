// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import HapticWire
internal import NIOCore

/// The server's one loop. It takes events and lines one after the other; what is called back meanwhile only adds to what it has still
/// to take. On the event loop.
final class ServerLoop {
    /// How long it takes lines before the event loop looks at sockets and timers again; and how long it writes before that.
    /// However many sockets the event loop finds readable, and calls back for, in one look at them: what all these runs take is
    /// added up.
    private static let slice = Nanoseconds.milliseconds(2)
    /// What one session may take of it before the next has its turn.
    private static let turn = Nanoseconds.milliseconds(1)
    /// How soon it goes on after a slice. Not at once: what is due at once comes before sockets.
    private static let pause = TimeAmount.microseconds(50)
    /// How soon one has another turn that asks for more than its rate, at least.
    private static let leastThrottleTime = Nanoseconds.milliseconds(10)
    /// At most: it may have awaited something, and may be about to hang up.
    static let mostThrottleTime = Nanoseconds.seconds(1)

    /// How long one is throttled that asks for more than its rate and whose turn `took` so long: so long that all `connections` of its
    /// user together take less than a quarter of the event loop, where that is not longer than `mostThrottleTime`.
    static func throttleTime(took: Nanoseconds, connections: Int) -> Nanoseconds {
        min(mostThrottleTime, max(leastThrottleTime, took * (4 * connections)))
    }

    private var events = CircularBuffer<ServerEvent>()
    /// The sessions with lines that wait for their turn, each once.
    private var waitingLines = FairQueue<UInt32, Session>()
    private(set) var isRunning = false
    /// The loop goes on once the event loop has looked at everyone.
    var isRunScheduled = false
    /// What lines and writing have taken since the event loop has last been let go on.
    var worked = Nanoseconds.zero
    /// All pending input is being read, and the loop goes on with each read. With a timer of its own one of both would always be due, and
    /// the event loop polls no socket while a timer is due.
    private(set) var isReading = false
    /// Input has arrived since this was set to `false`.
    private var hasReceived = false

    /// Has `event` happen: now, or once the loop gets to it. From anywhere.
    func enter(_ event: ServerEvent, of server: FeedbackServer) {
        if case .inputs = event { hasReceived = true }
        events.append(event)
        run(server)
    }

    /// There is more of `session` to be looked at: bytes, the end of its input, room for answers. From anywhere.
    func linesArrived(of session: Session, of server: FeedbackServer) {
        hasReceived = true
        if session.turn == .idle, session.stage != .closing || session.hasGone { waitForTurn(session) }
        run(server)
    }

    /// The channel of `session` has gone. It is forgotten after its last line. From anywhere.
    func close(_ session: Session, of server: FeedbackServer) {
        session.channelGone()
        session.endThrottle()
        linesArrived(of: session, of: server)
    }

    private func waitForTurn(_ session: Session) {
        session.turn = .waiting
        waitingLines.add(session, of: session.user.id)
    }

    /// Nothing where the loop is running: it will get to what there is.
    private func run(_ server: FeedbackServer) {
        guard !isRunning else { return }
        isRunning = true
        server.noticeSleep()
        takeEvents(of: server)
        // Where it is to go on later, lines and writing have had their slice.
        if !isRunScheduled || server.service.daemon.isStopping {
            let start = server.now()
            takeLines(of: server)
            write(server)
            server.closeLargest()
            worked += server.now() - start
            scheduleSlice(server)
        }
        isRunning = false
    }

    /// Gives `session` a turn before all others, also if it is throttled because of its rate, and reads from it again.
    private func takeTurnFirst(_ session: Session, of server: FeedbackServer, until end: MonotonicInstant) {
        guard !isRunning else { return }
        isRunning = true
        server.noticeSleep()
        session.endThrottle()
        if session.turn == .waiting { waitingLines.remove(of: session.user.id) { $0 === session } }
        _ = takeTurn(session, of: server, until: end)
        server.useChannel(session)
        isRunning = false
    }

    private func takeEvents(of server: FeedbackServer) { while let event = events.popFirst() { server.take(event) } }

    private func takeLines(of server: FeedbackServer) {
        let end = server.now() + Self.slice - worked
        while let session = waitingLines.next() {
            let time = takeTurn(session, of: server, until: end)
            takeEvents(of: server)
            if time >= end || server.backlog.hasMuchToWrite { break }
        }
    }

    private func write(_ server: FeedbackServer) {
        let end = server.now() + Self.slice
        while let session = server.backlog.next() {
            session.isWaitingForChannel = false
            server.useChannel(session)
            // At the end of the daemon there is no later.
            if server.service.daemon.isStopping { takeEvents(of: server) } else if server.now() >= end { break }
        }
    }

    private func scheduleSlice(_ server: FeedbackServer) {
        guard !isRunScheduled, !isReading,
            worked >= Self.slice || !(waitingLines.isEmpty && server.backlog.isEmpty && events.isEmpty)
        else { return }
        isRunScheduled = true
        _ = server.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [weak server] in
            if let server, !self.isReading { self.takeSlice(of: server) }
        }
    }

    /// Goes on for another slice, of which `worked` is over, with `event` first.
    private func takeSlice(
        of server: FeedbackServer, after worked: Nanoseconds = .zero, first event: ServerEvent? = nil
    ) {
        (isRunScheduled, self.worked) = (false, worked)
        if let event { events.append(event) }
        run(server)
    }

    /// Takes lines of `session` until there are none or it has had its turn. When that was.
    private func takeTurn(_ session: Session, of server: FeedbackServer, until end: MonotonicInstant) -> MonotonicInstant {
        let start = server.now()
        var time = start
        var hasMore = false
        session.turn = .idle
        while !hasMore, let output = session.nextLine() {
            switch output {
            case .line(let line): server.receive(line, from: session)
            case .empty: server.receiveEmptyLine(from: session)
            case .tooLong:
                session.refuse(
                    WireError(.lineTooLong, "the line is longer than \(WireLimit.clientLine) bytes; the connection is closed"))
            }
            time = server.now()
            hasMore = time >= end || time - start >= Self.turn || server.backlog.hasMuchToWrite
        }
        // Nobody reads why the rest is refused.
        if session.hasGone, session.client.isOverRate { session.dropInput() }
        if session.client.isOverRate, !session.hasGone {
            throttle(session, of: server, after: time - start)
        } else if hasMore, session.hasUnread {
            waitForTurn(session)
        } else if session.hasGone {
            server.forget(session)
        }
        session.closeIfDone()
        // So that it is read from again.
        if session.isReadHeld { session.needsChannel() }
        return time
    }

    private func throttle(_ session: Session, of server: FeedbackServer, after took: Nanoseconds) {
        session.client.isOverRate = false
        session.turn = .throttled
        let time = Self.throttleTime(took: took, connections: session.user.connections)
        session.throttleEnd = server.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(time.count)) { [weak server] in
            guard let server else { return }
            session.endThrottle()
            self.linesArrived(of: session, of: server)
        }
    }

    // MARK: Pending input

    /// Answers `Output.readPendingInput` once nothing is pending.
    func readPendingInput(of server: FeedbackServer) { read(after: PendingReads(), of: server) }

    private func read(after reads: PendingReads, of server: FeedbackServer) {
        (hasReceived, isReading) = (false, true)
        isRunScheduled = true
        let start = server.now()
        _ = server.eventLoop.assumeIsolated().scheduleTask(in: PendingReads.interval) { [weak server] in
            guard let server else { return }
            var reads = reads
            let begun = server.now()
            let isRead = server.surroundings.readDevices()
            self.readReleases(&reads, of: server)
            let worked = server.now() - begun
            let isQuiet = isRead && !self.hasReceived && self.waitingLines.isEmpty && self.events.isEmpty
            reads.add(took: server.now() - start, isQuiet: isQuiet)
            guard reads.areEnough else {
                self.takeSlice(of: server, after: worked)
                return self.read(after: reads, of: server)
            }
            self.isReading = false
            self.takeSlice(of: server, after: worked, first: .pendingInputIsRead)
        }
    }

    /// Takes lines of the clients whose hold would end now before those of others, for a slice: however much is pending, a release is
    /// read in time.
    private func readReleases(_ reads: inout PendingReads, of server: FeedbackServer) {
        for session in server.sessionsOfHoldEnds() where session.turn != .idle { reads.add(session) }
        let end = server.now() + Self.slice
        while let session = reads.next() {
            takeTurnFirst(session, of: server, until: end)
            if server.now() >= end { return }
        }
    }
}
