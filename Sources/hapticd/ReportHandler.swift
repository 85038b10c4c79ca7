// SPDX-License-Identifier: MIT
private import Glibc
internal import NIOCore
private import NIOPosix

/// Calls back on the event loop each time a descriptor has something to read, and at its end.
final class ReportHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let signalled: () -> Void
    private let ended: () -> Void

    private init(_ signalled: @escaping () -> Void, _ ended: @escaping () -> Void) {
        self.signalled = signalled
        self.ended = ended
    }

    /// `descriptor` stays its owner's: what is watched is a copy. On the event loop.
    static func watch(
        _ descriptor: CInt, on eventLoop: any EventLoop, ended: @escaping () -> Void = {}, _ signalled: @escaping () -> Void
    ) -> EventLoopFuture<any Channel> {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return eventLoop.makeFailedFuture(IOError(errnoCode: errno, reason: "copying an eventfd")) }
        let handler = NIOLoopBound(ReportHandler(signalled, ended), eventLoop: eventLoop)
        return NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
            }
            .takingOwnershipOfDescriptor(input: copy)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { signalled() }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }
}
