// SPDX-License-Identifier: MIT
internal import HapticService
internal import HapticWire
internal import NIOCore

/// One connection's channel: bytes to its session, lines of its session to bytes.
final class SessionHandler: ChannelDuplexHandler, SessionOutput {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a client is let finish writing after it has been refused.
    private static let lingering = TimeAmount.seconds(1)
    /// How long a client that is to be closed may read nothing of what is left for it.
    private static let patience = TimeAmount.seconds(5)

    private let server: FeedbackServer
    private let peer: Peer
    /// Nil before it is served, where it never is, and when the channel has gone.
    private var session: Session?
    private var context: ChannelHandlerContext?
    /// Was never served, and is kept until it has read why.
    private var isLingering = false
    /// When the client must have read something.
    private var deadline: Scheduled<Void>?

    init(_ server: FeedbackServer, peer: Peer) {
        self.server = server
        self.peer = peer
    }

    // MARK: In

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        do throws(WireError) {
            session = try server.open(peer, output: self)
        } catch {
            reject(error)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        if isLingering { server.lingering -= 1 }
        isLingering = false
        if let session {
            self.session = nil
            server.close(session)
        }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        session?.received(unwrapInboundIn(data).readableBytesView, at: server.now())
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let session { server.linesArrived(of: session) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent, let session {
            session.inputClosed()
            server.linesArrived(of: session)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func read(context: ChannelHandlerContext) {
        if session?.wantsBytes == false { session?.isReadHeld = true } else { context.read() }
    }

    // MARK: Out

    func send(_ lines: [[UInt8]], sent: @escaping () -> Void) {
        guard let context else { return sent() }
        var buffer = context.channel.allocator.buffer(capacity: lines.reduce(0) { $0 + $1.count })
        for line in lines { buffer.writeBytes(line) }
        context.writeAndFlush(wrapOutboundOut(buffer)).assumeIsolated().whenComplete { _ in sent() }
    }

    func resumeReading() { context?.read() }

    func close(_ way: SessionClosing) {
        switch way {
        case .whenSent: whenSent { $0.close(promise: nil) }
        case .afterLingering: whenSent(linger)
        case .atOnce: context?.close(promise: nil)
        }
    }

    private func whenSent(_ body: @escaping (ChannelHandlerContext) -> Void) {
        guard let context else { return }
        expectReading(context)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            self.deadline?.cancel()
            self.deadline = nil
            body(context)
        }
    }

    /// Closes the channel once the client has read nothing for `patience`.
    private func expectReading(_ context: ChannelHandlerContext) {
        let unsent = unsent(context)
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            guard self.unsent(context) < unsent else { return context.close(promise: nil) }
            self.expectReading(context)
        }
    }

    private func unsent(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func linger(_ context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        _ = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.close(promise: nil) }
    }

    /// Says why it is not served. There is no session, so nothing of this reaches the server.
    private func reject(_ error: WireError) {
        isLingering = server.lingering < FeedbackServer.mostLingering
        if isLingering { server.lingering += 1 }
        send([WireWriter.error(error, to: .null)]) {}
        whenSent { context in
            guard self.isLingering else { return context.close(promise: nil) }
            self.linger(context)
        }
    }
}
