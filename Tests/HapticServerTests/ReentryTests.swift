// SPDX-License-Identifier: MIT
import HapticCore
import HapticService
import HapticText
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

private func play(_ pattern: String, wait: Bool = false, as feedbackClass: String = "interaction") -> String {
    request("play", #"{"pattern":"\#(pattern)","wait":\#(wait),"class":"\#(feedbackClass)"}"#)
}
private let progress = request("progress", #"{"value":0.5}"#, id: nil)

@Suite("Events while the service is busy") struct ReentryTests {
    @Test("A client that has gone is answered late, and its last lines are handled after that")
    func clientThatHasGone() throws {
        let rig = try Rig()
        let pipe = BrokenPipe()
        let (gone, other) = (try rig.connect(pipe), try rig.connect())
        try rig.say(play("minute", wait: true), to: gone)
        pipe.unread = progress + "\n"
        // It supersedes what the other waits for, who is therefore answered.
        try rig.say(play("soft"), to: other)
        rig.advance(.milliseconds(1))
        #expect(rig.decisions == [.play, .play, .progress])
        #expect(rig.endings.first == .preempted)
        #expect(try rig.received(other).contains(#""outcome":"played""#))
        #expect(!gone.isActive)
        #expect(rig.server.sessions.count == 1)
    }

    @Test("A client may also go while the timer is served")
    func mayAlsoGo() throws {
        let rig = try Rig()
        let pipe = BrokenPipe()
        let gone = try rig.connect(pipe)
        try rig.say(play("soft", wait: true), to: gone)
        pipe.unread = progress + "\n"
        rig.advance(.seconds(1))
        #expect(rig.decisions == [.play, .progress])
        #expect(rig.endings.first == .completed)
        #expect(rig.server.sessions.isEmpty)
    }

    @Test("Subscribers that go while they are notified take their lines with them, and all others are notified")
    func subscribersThatGo() throws {
        let rig = try Rig()
        let subscribe = request("subscribe", #"{"topics":["decisions"]}"#, id: nil)
        let pipes = (0..<10).map { _ in BrokenPipe() }
        let gone = try pipes.map { try rig.connect($0) }
        let there = try (0..<10).map { _ in try rig.connect() }
        for channel in gone + there { try rig.say(subscribe, to: channel) }
        for pipe in pipes { pipe.unread = progress + "\n" }
        try rig.say(play("soft"), to: try rig.connect())
        rig.advance(.seconds(1))
        #expect(rig.decisions == [.play] + Array(repeating: .progress, count: 10))
        for channel in there { #expect(try rig.received(channel).split(separator: "\n").count == 11) }
        #expect((rig.server.sessions.count, rig.server.service.subscribers.count) == (11, 10))
        #expect(rig.server.backlog.bytes == 0)
    }

    @Test("Clients that close their sockets behind an unread line leave nothing behind")
    func vanishing() throws {
        let daemon = try TestDaemon()
        let other = try daemon.connect()
        // No rate limits alarms.
        for _ in 0..<10 {
            var gone = try (0..<10).map { _ in try daemon.connect() }
            for client in gone {
                client.write(play("minute", wait: true, as: "alarm") + "\n")
                #expect(try client.ask("settings", id: 2)?["id"] == .number(2))
            }
            // The daemon finds all lines when it polls next. The play supersedes the last client, which is answered then; the
            // others have their answers and have not read them.
            try daemon.whileBusy {
                other.write(play("soft", as: "alarm") + "\n")
                for client in gone { client.write(progress + "\n") }
                gone = []
            }
            #expect(try other.readLine()?["result"]?["decision"]?["outcome"] == "played")
        }
        // Each ask is a turn of the event loop.
        var count: JSONValue?
        for _ in 0..<1000 where count != .number(1) { count = try other.ask("status")?["result"]?["clients"] }
        #expect(count == .number(1))
        #expect(try daemon.onLoop { $0.backlog.bytes } == 0)
    }

    @Test("A client that has gone leaves no bytes in the sum of unsent ones")
    func goneLeavesNothing() throws {
        let rig = try Rig()
        let pipe = BrokenPipe()
        let gone = try rig.connect(pipe)
        try rig.say(play("minute", wait: true), to: gone)
        pipe.unread = String(repeating: request("patterns") + "\n", count: 100)
        try rig.say(play("soft"), to: try rig.connect())
        rig.advance(.seconds(1))
        #expect((rig.server.sessions.count, rig.server.backlog.bytes) == (1, 0))
    }
}
