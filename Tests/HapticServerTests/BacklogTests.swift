// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

/// A client that reads nothing.
private final class Deaf: SessionOutput {
    private var waiting: [() -> Void] = []
    private(set) var isClosed = false
    func send(_ lines: [[UInt8]], sent: @escaping () -> Void) { waiting.append(sent) }
    func resumeReading() {}
    func close(_ way: SessionClosing) {
        isClosed = true
        for sent in waiting { sent() }
        waiting = []
    }
}

@Suite("What clients do not read") struct BacklogTests {
    @Test func `All who do not read keep no more than the bound together, and one who reads is served`() throws {
        let bench = try Bench()
        // As much as one line can ask for.
        let item = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
        let batch = "[\(Array(repeating: item, count: 256).joined(separator: ","))]"
        let outputs = (0..<250).map { _ in Deaf() }
        let sessions = try outputs.map { try bench.service.open(Peer(user: 1001, groups: []), output: $0) }
        let reading = try bench.connect(user: 1002)
        var most = 0
        for session in sessions {
            bench.service.say(batch, from: session)
            bench.loop.advanceTime(by: .milliseconds(1))
            most = max(most, bench.service.backlog.bytes)
        }
        #expect(most > Backlog.most / 2 && most <= Backlog.most)
        #expect(outputs.contains { $0.isClosed })
        try bench.say(#"{"jsonrpc":"2.0","id":7,"method":"status"}"#, to: reading)
        bench.loop.advanceTime(by: .milliseconds(1))
        let status = try bench.heard(reading)
        #expect(status.contains(#""id":7"#) && status.contains(#""by":"backlog""#))
    }

    @Test func `The user with the most unread loses the connection with the most of it`() throws {
        let bench = try Bench()
        func session(_ user: UInt32) throws -> (Deaf, Session) {
            let output = Deaf()
            return (output, try bench.service.open(Peer(user: user, groups: []), output: output))
        }
        func fill(_ session: Session, _ bytes: Int) {
            session.write([UInt8](repeating: 32, count: bytes))
            bench.service.linesArrived(of: session)
            bench.loop.advanceTime(by: .milliseconds(1))
        }
        let third = Backlog.most / 3
        let (ada, bob, more) = (try session(1001), try session(1002), try session(1001))
        fill(bob.1, third + 2)
        fill(ada.1, third + 1)
        fill(more.1, third)
        #expect(ada.0.isClosed && !bob.0.isClosed && !more.0.isClosed)
        #expect(bench.service.backlog.bytes == 2 * third + 2)
    }
}
