// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticBoard
internal import HapticThreads
internal import NIOCore
private import NIOPosix

/// Calls back on the event loop each time a descriptor has something to read, and at its end.
final class DescriptorHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let events: DescriptorEvents
    private var channel: (any Channel)?
    private var isCancelled = false

    private init(_ events: DescriptorEvents) { self.events = events }

    /// `descriptor` stays its owner's: what is watched is a copy. On the event loop.
    static func watch(_ descriptor: CInt, _ events: DescriptorEvents, on eventLoop: any EventLoop) -> DescriptorHandler {
        let handler = DescriptorHandler(events)
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            let error = IOError(errnoCode: errno, reason: "copying a descriptor")
            eventLoop.assumeIsolated().execute { handler.fail(error) }
            return handler
        }
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
            }
            .takingOwnershipOfDescriptor(input: copy)
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let channel): handler.begin(channel)
                case .failure(let error): handler.fail(error)
                }
            }
        return handler
    }

    private func begin(_ channel: any Channel) {
        self.channel = channel
        if isCancelled { channel.close(promise: nil) }
    }

    private func fail(_ error: any Error) {
        if !isCancelled { events.failed(error) }
    }

    func cancel() {
        isCancelled = true
        channel?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isCancelled { events.readable() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        if !isCancelled { events.ended() }
        context.fireChannelInactive()
    }
}
