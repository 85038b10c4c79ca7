// SPDX-License-Identifier: MIT
private import Glibc
private import HapticService
public import NIOCore
private import NIOPosix

/// Accepts connections on a listening socket and gives each to the server. On the server's event loop.
public enum SocketServer {
    /// Bytes taken of one client before the others have their turn.
    private static let readAtOnce = 16 * 1024

    /// Serves `server` on a socket that is bound and listens; its descriptor belongs to the channel from now on.
    public static func start(_ server: FeedbackServer, descriptor: CInt) -> EventLoopFuture<any Channel> {
        let isolated = NIOLoopBound(server, eventLoop: server.eventLoop)
        return ServerBootstrap(group: server.eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptBackOff()) }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: readAtOnce)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let peer = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { Peer(of: $0) }
                    guard case .some(.some(let peer)) = peer else { throw ChannelError.operationUnsupported }
                    try pipeline.addHandler(SessionHandler(isolated.value, peer: peer))
                }
            }
            .withBoundSocket(descriptor)
            // NIO listens again, with room for 128 only; who comes in a rush must not be turned away.
            .always { _ in _ = listen(descriptor, SOMAXCONN) }
    }
}
