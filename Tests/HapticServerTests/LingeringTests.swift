// SPDX-License-Identifier: MIT
import HapticEngine
import HapticService
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

/// A connection of which the output can be closed alone, as of a socket; an embedded channel closes as a whole.
private final class HalfClosing: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if case .output = mode {
            promise?.succeed(())
        } else {
            context.close(mode: mode, promise: promise)
        }
    }
}

@Suite("Clients that are refused") struct LingeringTests {
    @Test("Of those who are refused 32 stay connected for a second, so that they read why; those beyond them are closed at once")
    func lingering() throws {
        var configuration = try TestDaemon.configuration()
        configuration.clientBounds.clientsPerUser = 1
        let bench = try Bench(configuration)
        let served = try bench.connect()
        let refused = try (0..<100).map { _ in try bench.connect(HalfClosing()) }
        for channel in refused { #expect(try bench.heard(channel).contains(#""limit":"clientsPerUser""#)) }
        #expect(bench.server.lingering == 32)
        #expect(refused.map(\.isActive) == (0..<100).map { $0 < 32 })
        bench.loop.advanceTime(by: .milliseconds(999))
        #expect(bench.server.lingering == 32)
        bench.loop.advanceTime(by: .milliseconds(1))
        #expect(bench.server.lingering == 0)
        #expect(served.isActive && !refused.contains { $0.isActive })
    }
}
