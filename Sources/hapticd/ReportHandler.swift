// SPDX-License-Identifier: MIT
private import Glibc
internal import NIOCore
private import NIOPosix

/// Calls back on the event loop each time an eventfd has been signalled.
final class ReportHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let signalled: () -> Void

    private init(_ signalled: @escaping () -> Void) { self.signalled = signalled }

    /// `descriptor` stays its owner's: what is watched is a copy. On the event loop.
    static func watch(
        _ descriptor: CInt, on eventLoop: any EventLoop, _ signalled: @escaping () -> Void
    ) -> EventLoopFuture<any Channel> {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return eventLoop.makeFailedFuture(IOError(errnoCode: errno, reason: "copying an eventfd")) }
        let handler = NIOLoopBound(ReportHandler(signalled), eventLoop: eventLoop)
        return NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
            }
            .takingOwnershipOfDescriptor(input: copy)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { signalled() }
}
