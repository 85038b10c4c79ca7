// SPDX-License-Identifier: MIT
import HapticCore
import HapticService
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

/// A connection whose client has gone, as NIO has it: what is written fails, and on the way what had not been read yet is
/// delivered and the channel closed.
private final class BrokenPipe: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    /// What the client sent last; nil while it is there.
    var unread: String?
    private var unsent: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard unread != nil else { return context.write(data, promise: promise) }
        if let promise { unsent.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        guard let line = unread, !unsent.isEmpty else { return context.flush() }
        let failed = unsent
        unsent = []
        context.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(string: line)))
        context.pipeline.syncOperations.fireChannelReadComplete()
        for promise in failed { promise.fail(ChannelError.ioOnClosedChannel) }
        context.close(promise: nil)
    }
}

private func play(_ pattern: String, wait: Bool = false) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"\#(pattern)","wait":\#(wait)}}"#
}
private let progress = #"{"jsonrpc":"2.0","method":"progress","params":{"value":0.5}}"#

@Suite("What comes while the service is busy") struct ReentryTests {
    @Test("A client that has gone is answered late, and what it sent last is taken after that")
    func clientThatHasGone() throws {
        let bench = try Bench()
        let pipe = BrokenPipe()
        let (gone, other) = (try bench.connect(pipe), try bench.connect())
        try bench.say(play("minute", wait: true), to: gone)
        pipe.unread = progress + "\n"
        // It supersedes what the other waits for, who is therefore answered.
        try bench.say(play("soft"), to: other)
        bench.loop.advanceTime(by: .milliseconds(1))
        #expect(bench.decisions == [.play, .play, .progress])
        #expect(bench.endings.first == .preempted)
        #expect(try bench.heard(other).contains(#""outcome":"played""#))
        #expect(!gone.isActive && bench.server.sessions.count == 1)
    }

    @Test("A client may also go while the timer is served")
    func mayAlsoGo() throws {
        let bench = try Bench()
        let pipe = BrokenPipe()
        let gone = try bench.connect(pipe)
        try bench.say(play("soft", wait: true), to: gone)
        pipe.unread = progress + "\n"
        bench.loop.advanceTime(by: .seconds(1))
        #expect(bench.decisions == [.play, .progress])
        #expect(bench.endings.first == .completed && bench.server.sessions.isEmpty)
    }

    @Test("Subscribers that go while they are notified take their lines with them, and all others are notified")
    func subscribersThatGo() throws {
        let bench = try Bench()
        let subscribe = #"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["decisions"]}}"#
        let pipes = (0..<10).map { _ in BrokenPipe() }
        let gone = try pipes.map { try bench.connect($0) }
        let there = try (0..<10).map { _ in try bench.connect() }
        for channel in gone + there { try bench.say(subscribe, to: channel) }
        for pipe in pipes { pipe.unread = progress + "\n" }
        try bench.say(play("soft"), to: try bench.connect())
        bench.loop.advanceTime(by: .seconds(1))
        #expect(bench.decisions == [.play] + Array(repeating: .progress, count: 10))
        for channel in there { #expect(try bench.heard(channel).split(separator: "\n").count == 11) }
        #expect(bench.server.sessions.count == 11 && bench.server.service.subscribers.count == 10)
        #expect(bench.server.backlog.bytes == 0)
    }

    @Test("What has gone leaves nothing in the sum of what is unsent")
    func goneLeavesNothing() throws {
        let bench = try Bench()
        let pipe = BrokenPipe()
        let gone = try bench.connect(pipe)
        try bench.say(play("minute", wait: true), to: gone)
        pipe.unread = String(repeating: #"{"jsonrpc":"2.0","id":1,"method":"patterns"}"# + "\n", count: 100)
        try bench.say(play("soft"), to: try bench.connect())
        bench.loop.advanceTime(by: .seconds(1))
        #expect(bench.server.sessions.count == 1 && bench.server.backlog.bytes == 0)
    }
}
