// SPDX-License-Identifier: MIT
internal import NIOCore

/// Pauses accepting where a connection cannot be accepted, which mostly is for want of a descriptor: who connects waits in the socket's
/// queue.
///
/// NIO's own handler only puts off the next read and leaves the socket registered, so that the event loop wakes for it all the
/// time.
final class AcceptBackOff: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.milliseconds(100)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let options = context.channel.syncOptions
        // Fails where the channel has been closed for the error: then there is nothing to be done.
        try? options?.setOption(.autoRead, value: false)
        _ = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { try? options?.setOption(.autoRead, value: true) }
    }
}
