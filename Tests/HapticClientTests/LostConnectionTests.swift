// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore
import HapticWire
import Testing

@Suite("A connection that is lost")
struct LostConnectionTests {
    private static let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":"stopping"}}"# + "\n"

    @Test("The daemon's last line is read, even if the request found no room")
    func refusal() throws {
        let listener = try Listener()
        let client = try HapticClient(paths: [listener.path])
        try listener.reject(Self.refusal)
        #expect(throws: ClientError.refused(WireError(.shuttingDown, "stopping"))) {
            try client.call(StatusParams())
        }
        #expect(throws: ClientError.closed) { try client.call(StatusParams()) }
    }

    @Test("A client that is not patient does not wait for room in the queue")
    func fullQueue() throws {
        let listener = try Listener(backlog: 0)
        var waiting: [HapticClient] = []
        #expect(throws: ClientError.timedOut) {
            for _ in 1...8 { waiting.append(try HapticClient(paths: [listener.path], isPatient: false)) }
        }
        #expect(!waiting.isEmpty)
    }

    @Test("Reconnecting ends with the error of the last try, and each try before it is reported")
    func givesUp() throws {
        let path = "/tmp/hapticd-nobody-\(UInt32.random(in: .min ... .max))"
        var failures: [ClientError] = []
        let now = MonotonicClock.now
        #expect(throws: ClientError.noDaemon(tried: [path])) {
            try HapticClient.reconnect(
                paths: [path], Reconnection(lostAt: now, limit: now + 100_000_000), onFailure: { failures.append($0) },
                greet: { _ throws(ClientError) in })
        }
        // How many depends on how fast this machine is; the last one is made when the time is up.
        #expect(failures.count >= 2)
        #expect(failures.allSatisfy { $0 == .noDaemon(tried: [path]) })
        #expect(MonotonicClock.now >= now + 100_000_000)
    }

    @Test("A permanent refusal of the greeting ends reconnecting; one of a daemon that stops, or has no room, does not")
    func greeting() throws {
        let listener = try Listener()
        var greetings = 0
        let client = try HapticClient.reconnect(
            paths: [listener.path], Reconnection(lostAt: 0),
            greet: { _ throws(ClientError) in
                greetings += 1
                if greetings == 1 { throw .refused(WireError(.shuttingDown, "stopping")) }
                if greetings == 2 { throw .refused(WireError(.quota, "full")) }
            })
        #expect((client.path, greetings) == (listener.path, 3))
        #expect(throws: ClientError.refused(WireError(.notAllowed, "no"))) {
            try HapticClient.reconnect(
                paths: [listener.path], Reconnection(lostAt: 0),
                greet: { _ throws(ClientError) in throw .refused(WireError(.notAllowed, "no")) })
        }
    }

    @Test("A signal ends the waiting")
    func interrupted() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try #require(write(ends[1], "x", 1) == 1)
        #expect(throws: ClientError.interrupted) {
            try HapticClient.reconnect(
                paths: ["/tmp/hapticd-nobody"], Reconnection(lostAt: MonotonicClock.now), interruptDescriptor: ends[0],
                greet: { _ throws(ClientError) in })
        }
    }
}

/// The test is the daemon: it reads and answers when it likes.
@Suite("Answers that are not taken") struct UntakenAnswerTests {
    private let listener: Listener
    private let client: HapticClient
    private let daemon: Int32

    init() throws {
        listener = try Listener()
        client = try HapticClient(paths: [listener.path])
        daemon = try listener.takeNext()
    }

    private func read() throws {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(daemon, &bytes, bytes.count, 0)
        try #require(count > 0, "waited in vain for a request")
    }

    private func answer(_ number: Int) {
        let line = #"{"jsonrpc":"2.0","id":\#(number),"result":{"cancelled":1}}"# + "\n"
        _ = Glibc.send(daemon, line, line.utf8.count, Int32(MSG_NOSIGNAL))
    }

    @Test("Past `mostUntaken` no request is sent, until an answer is taken or given up")
    func manyRequestsMayBeSent() throws {
        defer { close(daemon) }
        var ids: [RequestID] = []
        for _ in 0..<HapticClient.mostUntaken {
            ids.append(try client.send(CancelParams(.all)))
            try read()
        }
        #expect(throws: ClientError.tooManyUntaken) { try client.send(CancelParams(.all)) }
        answer(1)
        _ = try client.answer(to: ids[0], as: CancelResult.self)
        ids.append(try client.send(CancelParams(.all)))
        #expect(throws: ClientError.tooManyUntaken) { try client.send(CancelParams(.all)) }
        client.giveUp(ids[1])
        _ = try client.send(CancelParams(.all))
        #expect(client.untakenCount == HapticClient.mostUntaken)
    }

    @Test("An answer that nobody asked for, or no longer waits for, is not kept")
    func answerThatNobody() throws {
        defer { close(daemon) }
        #expect(throws: ClientError.timedOut) { try client.call(CancelParams(.all), timeout: 0) }
        #expect(client.untakenCount == 0)
        let id = try client.send(CancelParams(.all))
        for number in [1, 77, 78, 79, 2] { answer(number) }
        #expect(client.untakenCount == 1)
        #expect(try client.answer(to: id, as: CancelResult.self).cancelled == 1)
        #expect(client.untakenCount == 0)
    }
}
