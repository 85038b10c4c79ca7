// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import HapticWire
internal import NIOCore

/// A session's channel. On the event loop, and only while the server writes to its clients: whatever calls back from here, and
/// that is anything, for a channel that cannot be written to delivers what it has read and closes, waits until the server gets to
/// it.
protocol SessionOutput: AnyObject {
    /// Sends `lines`; `sent` is called once the kernel has them, or never will.
    func send(_ lines: [[UInt8]], sent: @escaping () -> Void)
    /// Reads again, where that was held back.
    func resumeReading()
    func close(_ way: SessionClosing)
}

enum SessionClosing {
    case whenSent
    /// What the client is still writing is read and thrown away for a moment, or it would not get to read why.
    case afterLingering
    /// The client does not read.
    case atOnce
}

/// One connection, as bytes: what its client has said, what is said to it, what it still waits for. On the event loop.
///
/// Nothing here calls out but `useChannel`. A client that does not read its answers is not read from any more.
final class Session {
    enum Stage {
        case open
        /// The client has closed its half: what it sent is answered, then the rest is closed.
        case ending
        /// Nothing is read or answered any more.
        case closing
    }

    enum Turn {
        case idle
        /// Its lines wait for their turn.
        case waiting
        /// It has asked for more than its rate.
        case throttled
    }

    let client: Client
    var turn = Turn.idle
    /// The timer that ends its throttling.
    var throttleEnd: Scheduled<Void>?
    /// It is in the backlog's queue.
    var isWaitingForChannel = false
    /// The channel would read, had it been let.
    var isReadHeld = false
    private(set) var stage = Stage.open
    /// The channel has gone. What it has said is still taken, and nothing is answered.
    private(set) var hasGone = false
    private var inbox: Inbox
    private(set) var outbox: Outbox
    /// A client that closed its half is kept until it has them.
    private var late = LateAnswers()
    private var closing: SessionClosing?
    private let output: any SessionOutput

    init(_ client: Client, backlog: Backlog, output: any SessionOutput) {
        let user = backlog.connect(client.peer.user)
        self.client = client
        inbox = Inbox(backlog, of: user)
        outbox = Outbox(backlog, of: user)
        self.output = output
    }

    var user: UserBacklog { outbox.user }
    var backlog: Backlog { outbox.backlog }

    // MARK: In

    func received(_ bytes: some Collection<UInt8>, at instant: MonotonicInstant) {
        guard stage == .open else { return }
        if wantsBytes { inbox.append(bytes, at: instant) } else { inbox.keep(bytes, at: instant) }
    }

    func inputClosed() { if stage == .open { stage = .ending } }

    func dropInput() { inbox.drop() }

    /// Whether the channel may read more. What comes while it closes is thrown away.
    var wantsBytes: Bool { stage == .closing || !(turn != .idle || outbox.isHeldBack || inbox.isAhead) }

    /// Whether there may be another line.
    var hasUnread: Bool { stage != .closing && inbox.count > 0 }

    /// Bytes that are kept for it, see `Backlog.bytes`.
    var kept: Int { outbox.unread + inbox.aheadCount }

    /// When the bytes that lines are taken of came.
    var readAt: MonotonicInstant { inbox.readAt }

    /// The next line that may be answered.
    func nextLine() -> LineFramer.Output? {
        guard stage != .closing, hasGone || !outbox.isHeldBack else { return nil }
        return inbox.next() ?? (stage == .ending ? inbox.finish() : nil)
    }

    // MARK: Out

    func write(_ line: [UInt8]) {
        guard stage != .closing, !hasGone else { return }
        outbox.append(line)
        needsChannel()
    }

    /// Keeps these answers until `release`.
    func hold(_ answers: LineAnswers, until ticket: Ticket) {
        guard stage != .closing, !hasGone else { return }
        late.hold(answers, until: ticket)
        outbox.hold(answers.size)
    }

    /// Gives the answers that waited for `ticket`; `error` in place of those that were to be stored.
    func release(_ ticket: Ticket, _ error: WireError?) {
        guard var answers = late.release(ticket) else { return }
        outbox.release(answers.size)
        if let error { answers.fail(error) }
        if let line = answers.line { write(line) }
    }

    private func dropHeld() {
        for answers in late.releaseAll() { outbox.release(answers.size) }
    }

    /// What is said with `ticket` will be the answer to `id`.
    func expectReply(_ ticket: Ticket, for id: RequestID) { late.expect(ticket, for: id) }

    /// Which request what is said with `ticket` is the answer to. It is awaited no longer.
    func endWait(for ticket: Ticket) -> RequestID? { late.end(ticket) }

    /// Says what has happened, in `count` notices. False where it had to be left out, for the client reads too slowly, or its
    /// user does.
    func notify(_ lines: [UInt8], count: Int) -> Bool {
        guard outbox.hasRoom(for: lines.count) else {
            outbox.missed += UInt64(count)
            // It is not full itself, so there is room for that much.
            if !outbox.isHeldBack { needsChannel() }
            return false
        }
        notifyMissed()
        write(lines)
        return true
    }

    /// Says how much was left out, once it reads again. Whoever calls this writes next.
    private func notifyMissed() {
        guard outbox.missed > 0, stage != .closing, !hasGone, !outbox.isHeldBack else { return }
        outbox.append(WireWriter.notification(.missed(.init(count: outbox.missed))))
        outbox.missed = 0
    }

    // MARK: The end

    func closeIfDone() {
        let awaitsNothing = !late.areAwaited || Canary.is("half-close-drops-late-answers")
        if stage == .ending, !hasGone, !hasUnread, awaitsNothing, !late.areHeld { close(.whenSent) }
    }

    /// Says why, and closes.
    func refuse(_ error: WireError) {
        write(WireWriter.error(error, to: .null))
        close(.afterLingering)
    }

    func close(_ way: SessionClosing) {
        stage = .closing
        closing = way
        dropInput()
        dropHeld()
        if way == .atOnce { outbox.drop() }
        needsChannel()
    }

    func channelGone() {
        hasGone = true
        client.hasHungUp = true
        closing = nil
        isReadHeld = false
        dropHeld()
        outbox.drop()
    }

    func endThrottle() {
        throttleEnd?.cancel()
        throttleEnd = nil
        if turn == .throttled { turn = .idle }
    }

    // MARK: The channel

    /// Does what there is to do on the channel.
    ///
    /// `hasRoom`: called some time later, where the client has read enough to be read from again.
    func useChannel(hasRoom: @escaping (Session) -> Void) {
        notifyMissed()
        let lines = outbox.take()
        if !lines.isEmpty {
            let count = lines.reduce(0) { $0 + $1.count }
            output.send(lines) {
                guard self.outbox.sent(count) else { return }
                // To say what was left out.
                self.needsChannel()
                hasRoom(self)
            }
        }
        if let closing {
            self.closing = nil
            output.close(closing)
        }
        if isReadHeld, wantsBytes {
            isReadHeld = false
            output.resumeReading()
        }
    }
}
