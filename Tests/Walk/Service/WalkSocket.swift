// SPDX-License-Identifier: MIT
import NIOCore

/// A client's socket as the daemon's channel has it: what the client does not read waits, and to one that has hung up nothing can be written.
final class WalkSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the client has said and the daemon has not read.
    var unread: [UInt8] = []
    /// The daemon would read.
    var isRead = false
    /// The client does.
    var isReading = true
    /// The client has gone, and the daemon may not know.
    var hasHungUp = false
    /// Writes that found nobody, and bytes that had been said before: for the walk.
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

    /// To one that has gone: as NIO has it, writing fails, and on the way what had not been read is delivered and the channel closed.
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

    /// One half is closed by a real channel only.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        promise?.succeed(())
    }

    /// The client has room for what waits for it.
    var hasRoom: Bool { isReading && !held.isEmpty }

    func writeHeld() {
        guard let context, hasRoom else { return }
        let writes = held
        held = []
        for write in writes { context.write(write.data, promise: write.promise) }
        context.flush()
    }
}
