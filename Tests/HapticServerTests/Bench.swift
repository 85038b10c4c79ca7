// SPDX-License-Identifier: MIT
import HapticCore
import HapticService
import NIOCore
import NIOEmbedded

@testable import HapticServer

/// The server with channels that have no socket, in time as the test has it.
final class Bench {
    let loop = EmbeddedEventLoop()
    let server: FeedbackServer
    let sink = RecordingSink()
    private(set) var decisions: [Decision.InputKind] = []
    private(set) var endings: [PlaybackEnd.Ending] = []

    /// How long the machine has slept in all.
    var suspended: Nanoseconds {
        get { suspendedTime.value }
        set { suspendedTime.value = newValue }
    }
    private let suspendedTime = SuspendedTime()

    private final class SuspendedTime {
        var value = Nanoseconds.seconds(1000)
    }

    /// `now`: nil where time is that of the event loop.
    init(_ configuration: ServiceConfiguration? = nil, now: (() -> MonotonicInstant)? = nil) throws {
        let (loop, suspendedTime) = (loop, suspendedTime)
        server = FeedbackServer(
            try configuration ?? TestDaemon.configuration(), version: "test", eventLoop: loop, sink: sink, ownUser: 0,
            now: now ?? { .zero + .seconds(5) + Nanoseconds(Int64(loop.now.uptimeNanoseconds)) },
            suspended: { suspendedTime.value }, reloader: { _, _ in })
        server.onRecord = { [weak self] record in
            switch record {
            case .decision(let decision): self?.decisions.append(decision.input)
            case .ending(let end): self?.endings.append(end.ending)
            }
        }
    }

    func connect(_ handler: (any ChannelHandler)? = nil, user: UInt32 = 1001) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        if let handler { try channel.pipeline.syncOperations.addHandler(handler) }
        try channel.pipeline.syncOperations.addHandler(SessionHandler(server, peer: Peer(user: user, groups: [])))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/there")).wait()
        return channel
    }

    func say(_ line: String, to channel: EmbeddedChannel) throws { try channel.writeInbound(ByteBuffer(string: line + "\n")) }

    func heard(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        return text
    }
}
