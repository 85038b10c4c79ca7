// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer
@testable import HapticService

/// A client that reads nothing: what is left for it is never sent, and only `atOnce` closes it.
private final class Deaf: SessionOutput {
    private var waiting: [() -> Void] = []
    private(set) var isClosed = false
    func send(_ lines: [[UInt8]], sent: @escaping () -> Void) { waiting.append(sent) }
    func resumeReading() {}
    func close(_ way: SessionClosing) {
        guard case .atOnce = way else { return }
        isClosed = true
        for sent in waiting { sent() }
        waiting = []
    }
}

/// A connection whose client reads what is left for it when the test has it do so, and never all.
private final class Slow: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private var last: [EventLoopPromise<Void>] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if unwrapOutboundIn(data).readableBytes > 0 {
            context.write(data, promise: promise)
        } else if let promise {
            last.append(promise)
        }
    }

    func flush(context: ChannelHandlerContext) {}

    func read() { context?.flush() }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.flush()
        for promise in last { promise.fail(ChannelError.ioOnClosedChannel) }
        last = []
        context.close(mode: mode, promise: promise)
    }
}

/// As much as one line can ask for.
private let largestBatch: String = {
    let item = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
    return "[\(Array(repeating: item, count: 256).joined(separator: ","))]"
}()

@Suite("What clients do not read") struct BacklogTests {
    @Test("All who do not read keep no more than the bound together, and one who reads is served")
    func allWhoDoNotRead() throws {
        let bench = try Bench()
        let outputs = (0..<250).map { _ in Deaf() }
        let sessions = try outputs.map { try bench.server.open(Peer(user: 1001, groups: []), output: $0) }
        let reading = try bench.connect(user: 1002)
        var most = 0
        for session in sessions {
            bench.server.say(largestBatch, from: session)
            bench.loop.advanceTime(by: .milliseconds(1))
            most = max(most, bench.server.backlog.bytes)
        }
        #expect(most > Backlog.most / 2 && most <= Backlog.most)
        #expect(outputs.contains { $0.isClosed })
        try bench.say(#"{"jsonrpc":"2.0","id":7,"method":"status"}"#, to: reading)
        bench.loop.advanceTime(by: .milliseconds(1))
        let status = try bench.heard(reading)
        #expect(status.contains(#""id":7"#) && status.contains(#""by":"backlog""#))
    }

    @Test("The user with the most unread loses the connection with the most of it")
    func userWithTheMost() throws {
        let bench = try Bench()
        func session(_ user: UInt32) throws -> (Deaf, Session) {
            let output = Deaf()
            return (output, try bench.server.open(Peer(user: user, groups: []), output: output))
        }
        func fill(_ session: Session, _ bytes: Int) {
            session.write([UInt8](repeating: 32, count: bytes))
            bench.server.linesArrived(of: session)
            bench.loop.advanceTime(by: .milliseconds(1))
        }
        let third = Backlog.most / 3
        let (ada, bob, more) = (try session(1001), try session(1002), try session(1001))
        fill(bob.1, third + 2)
        fill(ada.1, third + 1)
        fill(more.1, third)
        #expect(ada.0.isClosed && !bob.0.isClosed && !more.0.isClosed)
        #expect(bench.server.backlog.bytes == 2 * third + 2)
    }

    @Test("Those who close their half and read nothing lose their connections, not one who has less")
    func closeTheirHalf() throws {
        let bench = try Bench()
        let outputs = (0..<60).map { _ in Deaf() }
        let innocent = Deaf()
        let session = try bench.server.open(Peer(user: 1002, groups: []), output: innocent)
        bench.server.say(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#, from: session)
        for output in outputs {
            let session = try bench.server.open(Peer(user: 1001, groups: []), output: output)
            bench.server.say(largestBatch, from: session)
            session.inputClosed()
            bench.server.linesArrived(of: session)
            bench.loop.advanceTime(by: .milliseconds(1))
            #expect(bench.server.backlog.bytes <= Backlog.most)
        }
        #expect(outputs.contains { $0.isClosed } && !innocent.isClosed)
    }

    @Test(
        "Who is to be closed and reads nothing for 5 s is closed then, and who reads some has 5 s more", arguments: [false, true])
    func closedAndReads(isRefused: Bool) throws {
        let bench = try Bench()
        let client = Slow()
        let channel = try bench.connect(client)
        if isRefused {
            try bench.say(String(repeating: " ", count: WireLimit.clientLine + 2), to: channel)
        } else {
            try bench.say(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#, to: channel)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        bench.loop.advanceTime(by: .seconds(4))
        client.read()
        bench.loop.advanceTime(by: .seconds(5))
        #expect(channel.isActive)
        bench.loop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive && bench.server.sessions.isEmpty && bench.server.backlog.bytes == 0)
    }

    @Test("A client that is closed for its backlog while it waits for its channel waits once")
    func waitsForItsChannel() throws {
        let bench = try Bench()
        let session = try bench.server.open(Peer(user: 1001, groups: []), output: Deaf())
        session.write([UInt8](repeating: 32, count: Backlog.most + 1))
        bench.server.linesArrived(of: session)
        var waiting = 0
        while bench.server.backlog.next() != nil { waiting += 1 }
        #expect(waiting == 1)
    }

    /// Four clients of user 1001 that read nothing and have as much as there may be; `subscriber`: a client of `user`, who subscribed
    /// before.
    private static func full(subscriber user: UInt32) throws -> (bench: Bench, subscriber: EmbeddedChannel) {
        let bench = try Bench()
        let subscriber = try bench.connect(user: user)
        try bench.say(#"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["decisions"]}}"#, to: subscriber)
        let deaf = (0..<4).map { _ in Deaf() }
        for output in deaf {
            let session = try bench.server.open(Peer(user: 1001, groups: []), output: output)
            session.write([UInt8](repeating: 32, count: Backlog.most / 4))
            bench.server.linesArrived(of: session)
            bench.loop.advanceTime(by: .milliseconds(1))
        }
        #expect(bench.server.backlog.bytes == Backlog.most && !deaf.contains { $0.isClosed })
        try bench.say(#"{"jsonrpc":"2.0","method":"progress","params":{"value":0.5}}"#, to: try bench.connect(user: 1003))
        bench.loop.advanceTime(by: .milliseconds(1))
        return (bench, subscriber)
    }

    @Test("Where one user keeps all there may be, another who reads misses nothing")
    func userKeepsAll() throws {
        let (bench, subscriber) = try Self.full(subscriber: 1002)
        #expect(try bench.heard(subscriber).contains(#""method":"decision""#))
        #expect(bench.server.service.statistics.missed == 0)
    }

    @Test("Where a user keeps what it may, its client that reads is notified at once how much it misses")
    func userKeepsWhatItMayItsClient() throws {
        let (bench, subscriber) = try Self.full(subscriber: 1001)
        let heard = try bench.heard(subscriber)
        #expect(heard.contains(#""method":"missed""#) && heard.contains(#""count":1}"#), "\(heard)")
        #expect(bench.server.service.statistics.missed == 1)
    }

    @Test("A client to which nothing was written yet is not the one that is closed")
    func onlyNotBeen() throws {
        var calls: Int64 = 0
        // Writing has its slice with a session or two.
        let bench = try Bench(now: {
            calls += 1
            return .zero + .milliseconds(calls)
        })
        func fill(_ user: UInt32, _ bytes: Int) throws -> (output: Deaf, session: Session) {
            let output = Deaf()
            let session = try bench.server.open(Peer(user: user, groups: []), output: output)
            session.write([UInt8](repeating: 32, count: bytes))
            return (output, session)
        }
        let deaf = try fill(1001, Backlog.most)
        bench.server.linesArrived(of: deaf.session)
        #expect(bench.server.backlog.bytes == Backlog.most)
        let others = try (0..<20).map { _ in try fill(1002, Backlog.most / 10) }
        bench.loop.advanceTime(by: .microseconds(50))
        bench.server.linesArrived(of: others[0].session)
        #expect(deaf.output.isClosed && !others.contains { $0.output.isClosed })
    }

    @Test("What is read while lines wait is counted, and each line keeps the instant at which it came")
    func readWhileLines() throws {
        let bench = try Bench()
        let session = try bench.server.open(Peer(user: 1001, groups: []), output: Deaf())
        func line(_ text: String) -> LineFramer.Output { .line(Array(text.utf8)) }
        session.received(Array("one\ntwo\nth".utf8), at: .zero + .seconds(1))
        session.turn = .waiting
        session.received(Array("ree\n".utf8), at: .zero + .seconds(2))
        session.received(Array("four".utf8), at: .zero + .seconds(3))
        session.inputClosed()
        #expect(bench.server.backlog.bytes == 8 && session.kept == 8)
        session.turn = .idle
        #expect(!session.wantsBytes)
        #expect(session.nextLine() == line("one") && session.nextLine() == line("two") && session.readAt == .zero + .seconds(1))
        #expect(session.nextLine() == line("three") && session.readAt == .zero + .seconds(2))
        #expect(session.hasUnread)
        #expect(session.nextLine() == line("four") && session.readAt == .zero + .seconds(3))
        #expect(session.nextLine() == nil && !session.hasUnread && bench.server.backlog.bytes == 0)
    }

    @Test("Who has the most read ahead is closed past the bound, gone or not", arguments: [false, true])
    func mostReadAhead(hasGone: Bool) throws {
        let bench = try Bench()
        let outputs = (0..<2).map { _ in Deaf() }
        let sessions = try outputs.map { try bench.server.open(Peer(user: 1001, groups: []), output: $0) }
        for (index, session) in sessions.enumerated() {
            session.turn = .waiting
            session.received([UInt8](repeating: 32, count: Backlog.most / 2 + index), at: .zero)
            if hasGone { session.channelGone() }
        }
        bench.server.linesArrived(of: try bench.server.open(Peer(user: 1002, groups: []), output: Deaf()))
        #expect(!outputs[0].isClosed && outputs[1].isClosed)
        #expect(bench.server.backlog.bytes == Backlog.most / 2)
    }
}
