// SPDX-License-Identifier: MIT
import NIOCore

/// A client's socket behind the daemon's channel. Bytes that the client does not read wait, and a write to a client that has hung
/// up fails.
final class WalkSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The bytes of the client that the daemon has not read.
    var unread: [UInt8] = []
    /// Whether the daemon reads.
    var isRead = false
    /// Whether the client reads.
    var isReading = true
    /// Whether the client has gone, which the daemon may not know.
    var hasHungUp = false
    /// The number of writes after the client had gone, and of those with unread bytes of the client.
    private(set) var lateAnswers = 0
    private(set) var lateLines = 0
    private var context: ChannelHandlerContext?
    private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    private var lost: [EventLoopPromise<Void>] = []

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        let promises = held.compactMap { $0.promise } + lost
        (held, lost) = ([], [])
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
    }

    func read(context: ChannelHandlerContext) { isRead = true }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if hasHungUp {
            if let promise { lost.append(promise) }
        } else if isReading, held.isEmpty {
            context.write(data, promise: promise)
        } else {
            held.append((data, promise))
        }
    }

    /// Writes to the client. If the client has gone, unread bytes are delivered first, the write fails and the channel closes, as
    /// with NIO.
    func flush(context: ChannelHandlerContext) {
        guard hasHungUp, !lost.isEmpty else { return context.flush() }
        lateAnswers += 1
        let promises = lost
        lost = []
        let pipeline = context.pipeline.syncOperations
        if !unread.isEmpty {
            lateLines += 1
            let bytes = ByteBuffer(bytes: unread)
            unread = []
            pipeline.fireChannelRead(NIOAny(bytes))
            pipeline.fireChannelReadComplete()
        }
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        context.close(promise: nil)
    }

    /// Closes the channel; only a real channel can close one half.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        promise?.succeed(())
    }

    /// Whether the client has room for waiting bytes.
    var hasRoom: Bool { isReading && !held.isEmpty }

    func writeHeld() {
        guard let context, hasRoom else { return }
        let writes = held
        held = []
        for write in writes { context.write(write.data, promise: write.promise) }
        context.flush()
    }
}
