// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire
internal import NIOCore

/// One connection: bytes to lines, lines to the service, answers to bytes.
///
/// A client that does not read its answers is not read from any more: then at most one answer beyond the backlog's bound
/// and what was read at once are kept.
final class SessionHandler: ChannelDuplexHandler, SessionOutput {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes that wait for the client to read.
    static let backlog = ChannelOptions.Types.WriteBufferWaterMark(low: 64 * 1024, high: 256 * 1024)
    /// How long a client is let finish writing after its line was too long.
    private static let lingering = TimeAmount.seconds(1)

    /// What one client may take of the event loop before the others have their turn.
    private static let turn = Nanoseconds.milliseconds(2)
    /// How soon one has another turn that had its turn.
    private static let nextTurn = TimeAmount.microseconds(50)
    /// How soon one does that asks for more than its rate, at least.
    private static let leastRestOverRate = Nanoseconds.milliseconds(10)

    /// How long one rests that asks for more than its rate and whose turn `took` so long: so long that all `connections` of its user
    /// together take less than a quarter of the event loop, however many they are.
    static func restOverRate(took: Nanoseconds, connections: Int) -> Nanoseconds {
        max(leastRestOverRate, took * (4 * connections))
    }

    private enum State {
        case open
        /// The client has closed its half: what it sent is answered, then the rest is closed.
        case ending
        /// Nothing is read or answered any more.
        case closing
    }

    private let service: FeedbackService
    private let peer: Peer
    private var framer = LineFramer(limit: WireLimit.clientLine)
    private var session: Session?
    private var context: ChannelHandlerContext?
    private var state = State.open
    private var isReadHeld = false
    private var isWaitingForTurn = false
    /// Was never served, and is kept until it has read why.
    private var isLingering = false
    /// When bytes came last. Nothing is read while whole lines wait for their turn or for room, so it is theirs.
    private var readAt = MonotonicInstant.zero

    init(service: FeedbackService, peer: Peer) {
        self.service = service
        self.peer = peer
    }

    // MARK: In

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        do throws(WireError) {
            session = try service.open(peer, output: self)
        } catch {
            refuse(error)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closing
        self.context = nil
        if isLingering { service.lingering -= 1 }
        isLingering = false
        // Later, for the service may be in the middle of writing to this very channel.
        context.eventLoop.assumeIsolated().execute {
            guard let session = self.session else { return }
            self.session = nil
            self.service.close(session)
        }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state == .open else { return }
        readAt = service.now()
        framer.append(unwrapInboundIn(data).readableBytesView)
    }

    func channelReadComplete(context: ChannelHandlerContext) { takeLines() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent, state == .open {
            state = .ending
            takeLines()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func read(context: ChannelHandlerContext) {
        isReadHeld = state != .closing && (isWaitingForTurn || !hasRoom)
        if !isReadHeld { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // Later, for the service may be in the middle of writing to this very channel.
        context.eventLoop.assumeIsolated().execute { self.resume() }
    }

    /// The client has read: it gets what was held back.
    private func resume() {
        guard let context, state != .closing, context.channel.isWritable else { return }
        session?.tellMissed()
        session?.flush()
        takeLines()
        if isReadHeld { read(context: context) }
    }

    private func takeLines() {
        guard !isWaitingForTurn else { return }
        let start = service.now()
        var rest: TimeAmount?
        while state != .closing, hasRoom, let session {
            guard let output = framer.next() ?? (state == .ending ? framer.finish() : nil) else { break }
            switch output {
            case .line(let line): service.receive(line, from: session, readAt: readAt)
            case .tooLong:
                refuse(WireError(.lineTooLong, "the line is longer than \(WireLimit.clientLine) bytes; the connection is closed"))
            }
            if service.now() - start >= Self.turn {
                rest = Self.nextTurn
                break
            }
        }
        if let session, session.isOverRate {
            session.isOverRate = false
            let overRate = Self.restOverRate(took: service.now() - start, connections: session.user.connections)
            rest = .nanoseconds(overRate.count)
        }
        if let rest { waitForTurn(rest) }
        session?.flush()
        closeIfDone()
    }

    /// Goes on once the event loop has looked at everyone else.
    private func waitForTurn(_ rest: TimeAmount) {
        guard let context else { return }
        isWaitingForTurn = true
        _ = context.eventLoop.assumeIsolated().scheduleTask(in: rest) {
            self.isWaitingForTurn = false
            self.resume()
        }
    }

    private func closeIfDone() {
        guard state == .ending, framer.pendingCount == 0, let session, session.pendingAnswers == 0, let context else { return }
        state = .closing
        whenWritten { context.close(promise: nil) }
    }

    /// Says why and closes; what the client is still writing is thrown away, or it would not get to read why.
    private func refuse(_ error: WireError) {
        guard let context else { return }
        state = .closing
        write(WireWriter.error(error, to: .null))
        isLingering = session == nil && service.lingering < FeedbackService.mostLingering
        if isLingering { service.lingering += 1 }
        whenWritten {
            guard self.isLingering || self.session != nil else { return context.close(promise: nil) }
            context.close(mode: .output, promise: nil)
            _ = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.close(promise: nil) }
        }
    }

    private func whenWritten(_ body: @escaping () -> Void) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in body() }
    }

    // MARK: Out

    var hasRoom: Bool {
        guard let context else { return false }
        if context.channel.isWritable { return true }
        // What was only not sent yet is no backlog.
        context.flush()
        return context.channel.isWritable
    }

    func write(_ line: [UInt8]) {
        guard let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: line.count)
        buffer.writeBytes(line)
        context.write(wrapOutboundOut(buffer), promise: nil)
    }

    func flush() { context?.flush() }

    func answeredLate() {
        guard let context else { return }
        context.eventLoop.assumeIsolated().execute { self.closeIfDone() }
    }
}
