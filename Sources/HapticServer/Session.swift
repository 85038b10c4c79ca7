// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire
internal import NIOCore

/// A session's channel. On the event loop, and only while the service writes to its clients: whatever calls back from here, and that is
/// anything, for a channel that cannot be written to delivers what it has read and closes, waits until the service gets to it.
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

/// One connection: who it is, what it has said, what it is told of, what it still waits for. On the event loop.
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

    let client: ClientIdentity
    let peer: Peer
    let user: ConnectedUser
    var budget = RequestBudget()
    /// A request was refused for there were too many, since this was looked at last.
    var isOverRate = false
    var topics: Set<Topic> = []
    /// Its lines wait for their turn, or it rests.
    var isWaitingForTurn = false
    /// It has asked for more than its rate.
    var isResting = false
    /// It is in the backlog's queue.
    var isWaitingForChannel = false
    /// The channel would read, had it been let.
    var isReadHeld = false
    private(set) var stage = Stage.open
    /// The channel has gone. What it has said is still taken, and nothing is answered.
    private(set) var hasGone = false
    /// When the bytes that lines are taken of came.
    private(set) var readAt = MonotonicInstant.zero
    /// What came while lines waited for their turn or for room: at a half-close NIO reads all that the kernel has.
    private var ahead = CircularBuffer<(bytes: [UInt8], at: MonotonicInstant)>(initialCapacity: 1)
    private var aheadCount = 0
    /// Answers that come later: of `wait`, `reload` and `prepare`. A client that closed its half is kept until they are given.
    private(set) var pendingAnswers = 0
    let backlog: Backlog
    private(set) var outbox: Outbox
    /// Notifications left out since the last `missed`.
    private var missed: UInt64 = 0
    private var framer = LineFramer(limit: WireLimit.clientLine)
    private var closing: SessionClosing?
    private let output: any SessionOutput

    init(connection: UInt64, peer: Peer, user: ConnectedUser, backlog: Backlog, output: any SessionOutput) {
        client = ClientIdentity(connection: connection, user: peer.user, process: peer.process)
        self.peer = peer
        self.user = user
        self.backlog = backlog
        outbox = Outbox(backlog, of: user)
        self.output = output
    }

    // MARK: In

    func received(_ bytes: some Collection<UInt8>, at instant: MonotonicInstant) {
        guard stage == .open else { return }
        guard wantsBytes else {
            ahead.append((Array(bytes), instant))
            return keepAhead(bytes.count)
        }
        readAt = instant
        framer.append(bytes)
    }

    private func keepAhead(_ count: Int) {
        aheadCount += count
        backlog.keep(count, for: user)
    }

    func inputClosed() { if stage == .open { stage = .ending } }

    func dropInput() {
        framer = LineFramer(limit: WireLimit.clientLine)
        ahead.removeAll()
        keepAhead(-aheadCount)
    }

    /// Whether the channel may read more. What comes while it closes is thrown away.
    var wantsBytes: Bool { stage == .closing || !(isWaitingForTurn || outbox.isHeldBack || aheadCount > 0) }

    /// Whether there may be another line.
    var hasUnread: Bool { stage != .closing && framer.pendingCount + aheadCount > 0 }

    /// Bytes that are kept for it, see `Backlog.bytes`.
    var kept: Int { outbox.unread + aheadCount }

    /// The next line that may be answered.
    func nextLine() -> LineFramer.Output? {
        guard stage != .closing, hasGone || !outbox.isHeldBack else { return nil }
        while true {
            if let line = framer.next() { return line }
            guard let next = ahead.popFirst() else { return stage == .ending ? framer.finish() : nil }
            keepAhead(-next.bytes.count)
            readAt = next.at
            framer.append(next.bytes)
        }
    }

    // MARK: Out

    func write(_ line: [UInt8]) {
        guard stage != .closing, !hasGone else { return }
        outbox.append(line)
        needsChannel()
    }

    func willAnswerLater() { pendingAnswers += 1 }

    func answerLate(_ line: [UInt8]) {
        pendingAnswers -= 1
        write(line)
        closeIfDone()
    }

    /// Tells of something, in `count` lines. False where it had to be left out, for the client reads too slowly, or its user does.
    func tell(_ lines: [UInt8], count: Int) -> Bool {
        guard outbox.hasRoom(for: lines.count) else {
            missed += UInt64(count)
            // It is not full itself, so it can be told that much.
            if !outbox.isHeldBack { needsChannel() }
            return false
        }
        tellMissed()
        write(lines)
        return true
    }

    /// Tells how much was left out, once it reads again. Whoever calls this writes next.
    private func tellMissed() {
        guard missed > 0, stage != .closing, !hasGone, !outbox.isHeldBack else { return }
        outbox.append(WireWriter.notification(.missed(.init(count: missed))))
        missed = 0
    }

    // MARK: The end

    func closeIfDone() {
        if stage == .ending, !hasGone, !hasUnread, pendingAnswers == 0 { close(.whenSent) }
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
        if way == .atOnce { outbox.drop() }
        needsChannel()
    }

    func channelGone() {
        hasGone = true
        closing = nil
        isReadHeld = false
        outbox.drop()
    }

    // MARK: The channel

    /// Does what there is to do on the channel.
    ///
    /// `hasRoom`: called some time later, where the client has read enough to be read from again.
    func useChannel(hasRoom: @escaping (Session) -> Void) {
        tellMissed()
        let lines = outbox.take()
        if !lines.isEmpty {
            let count = lines.reduce(0) { $0 + $1.count }
            output.send(lines) {
                guard self.outbox.sent(count) else { return }
                // To tell what was left out.
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
