// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer
@testable import HapticService

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
private let largestBatch = batch(Array(repeating: request("rpc.discover"), count: 256))

@Suite("Unread output and input") struct BacklogTests {
    private let rig: Rig

    init() throws { rig = try Rig() }

    private func connect(_ user: UInt32 = 1001) throws -> (output: Deaf, session: Session) {
        let output = Deaf()
        return (output, try rig.server.open(Peer(user: user, groups: []), output: output))
    }

    private func fill(_ session: Session, _ bytes: Int) {
        session.write([UInt8](repeating: 32, count: bytes))
        rig.server.linesArrived(of: session)
        rig.advance(.milliseconds(1))
    }

    @Test("All clients that do not read keep at most the bound together, half-closed or not, and others are served")
    func allWhoDoNotRead() throws {
        let reading = try rig.connect(user: 1002)
        // Two of the clients request as much as one line can, and the others fill the backlog up to the bound.
        let deaf = try (0..<20).map { _ in try connect() }
        let innocent = try connect(1003)
        rig.server.say(request("status"), from: innocent.session)
        for (number, client) in deaf.enumerated() {
            if number < 2 { rig.server.say(largestBatch, from: client.session) } else { fill(client.session, Backlog.most / 15) }
            if number % 2 == 0 {
                client.session.inputClosed()
                rig.server.linesArrived(of: client.session)
            }
            rig.advance(.milliseconds(1))
            #expect(rig.server.backlog.bytes <= Backlog.most)
        }
        #expect(rig.server.backlog.bytes > Backlog.most / 2)
        #expect(deaf.contains { $0.output.isClosed })
        #expect(!innocent.output.isClosed)
        try rig.say(request("status", id: 7), to: reading)
        rig.advance(.milliseconds(1))
        let status = try rig.received(reading)
        #expect(status.contains(#""id":7"#))
        #expect(status.contains(#""by":"backlog""#))
    }

    @Test("The user with the most unread loses the connection with the most of it")
    func userWithTheMost() throws {
        let (ada, bob, more) = (try connect(1001), try connect(1002), try connect(1001))
        let third = Backlog.most / 3
        fill(bob.session, third + 2)
        fill(ada.session, third + 1)
        fill(more.session, third)
        #expect([ada, bob, more].map { $0.output.isClosed } == [true, false, false])
        #expect(rig.server.backlog.bytes == 2 * third + 2)
    }

    @Test(
        "A client to be closed that reads nothing for 5 s is closed then, and one that reads has 5 s more",
        arguments: [false, true])
    func closedAndReads(isRefused: Bool) throws {
        let client = Slow()
        let channel = try rig.connect(client)
        if isRefused {
            try rig.say(String(repeating: " ", count: WireLimit.clientLine + 2), to: channel)
        } else {
            try rig.say(request("status"), to: channel)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        rig.advance(.seconds(4))
        client.read()
        rig.advance(.seconds(5))
        #expect(channel.isActive)
        rig.advance(.seconds(2))
        #expect(!channel.isActive)
        #expect(rig.server.sessions.isEmpty)
        #expect(rig.server.backlog.bytes == 0)
    }

    @Test("A client that is closed for its backlog while it waits for its channel waits once")
    func waitsForItsChannel() throws {
        let session = try rig.server.open(Peer(user: 1001, groups: []), output: Deaf())
        session.write([UInt8](repeating: 32, count: Backlog.most + 1))
        rig.server.linesArrived(of: session)
        var waiting = 0
        while rig.server.backlog.next() != nil { waiting += 1 }
        #expect(waiting == 1)
    }

    @Test(
        "If one user fills the backlog, its own subscribers get the number of missed notices, and others miss nothing",
        arguments: [1001, 1002] as [UInt32])
    func userKeepsAll(subscriber user: UInt32) throws {
        let subscriber = try rig.connect(user: user)
        try rig.say(request("subscribe", #"{"topics":["decisions"]}"#, id: nil), to: subscriber)
        for _ in 0..<4 { fill(try connect().session, Backlog.most / 4) }
        #expect(rig.server.backlog.bytes == Backlog.most)
        try rig.say(request("progress", #"{"value":0.5}"#, id: nil), to: try rig.connect(user: 1003))
        rig.advance(.milliseconds(1))
        let heard = try rig.received(subscriber)
        #expect(heard.contains(user == 1001 ? #""method":"missed""# : #""method":"decision""#), "\(heard)")
        #expect(rig.server.service.statistics.missed == (user == 1001 ? 1 : 0))
    }

    @Test("A client to which nothing was written yet is not closed")
    func onlyNotBeen() throws {
        // Writing has its slice with a session or two.
        let rig = try Rig(now: SlowClock().look)
        func fill(_ user: UInt32, _ bytes: Int) throws -> (output: Deaf, session: Session) {
            let output = Deaf()
            let session = try rig.server.open(Peer(user: user, groups: []), output: output)
            session.write([UInt8](repeating: 32, count: bytes))
            return (output, session)
        }
        let deaf = try fill(1001, Backlog.most)
        rig.server.linesArrived(of: deaf.session)
        #expect(rig.server.backlog.bytes == Backlog.most)
        let others = try (0..<20).map { _ in try fill(1002, Backlog.most / 10) }
        rig.turn()
        rig.server.linesArrived(of: others[0].session)
        #expect(deaf.output.isClosed)
        #expect(!others.contains { $0.output.isClosed })
    }

    @Test("Lines that wait are counted, and each keeps the instant at which it came")
    func readWhileLines() throws {
        let session = try rig.server.open(Peer(user: 1001, groups: []), output: Deaf())
        func line(_ text: String) -> LineFramer.Output { .line(Array(text.utf8)) }
        session.received(Array("one\ntwo\nth".utf8), at: .zero + .seconds(1))
        session.turn = .waiting
        session.received(Array("ree\n".utf8), at: .zero + .seconds(2))
        session.received(Array("four".utf8), at: .zero + .seconds(3))
        session.inputClosed()
        #expect((rig.server.backlog.bytes, session.kept) == (8, 8))
        session.turn = .idle
        #expect(!session.wantsBytes)
        for (text, seconds) in [("one", 1), ("two", 1), ("three", 2), ("four", 3)] as [(String, Int64)] {
            #expect(session.hasUnread)
            #expect(session.nextLine() == line(text))
            #expect(session.readAt == .zero + .seconds(seconds))
        }
        #expect(session.nextLine() == nil)
        #expect(!session.hasUnread)
        #expect(rig.server.backlog.bytes == 0)
    }

    @Test("Past the bound the client with the most input read ahead is closed, gone or not", arguments: [false, true])
    func mostReadAhead(hasGone: Bool) throws {
        let outputs = (0..<2).map { _ in Deaf() }
        let sessions = try outputs.map { try rig.server.open(Peer(user: 1001, groups: []), output: $0) }
        for (index, session) in sessions.enumerated() {
            session.turn = .waiting
            session.received([UInt8](repeating: 32, count: Backlog.most / 2 + index), at: .zero)
            if hasGone { session.channelGone() }
        }
        rig.server.linesArrived(of: try rig.server.open(Peer(user: 1002, groups: []), output: Deaf()))
        #expect(outputs.map(\.isClosed) == [false, true])
        #expect(rig.server.backlog.bytes == Backlog.most / 2)
    }
}
