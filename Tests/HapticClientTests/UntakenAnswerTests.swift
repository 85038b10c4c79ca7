// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticWire
import Testing

/// The test is the daemon: it reads and answers when it likes.
@Suite struct UntakenAnswerTests {
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
        let line = #"{"jsonrpc":"2.0","id":\#(number),"result":{"profile":"full"}}"# + "\n"
        _ = Glibc.send(daemon, line, line.utf8.count, Int32(MSG_NOSIGNAL))
    }

    @Test("Past `mostUntaken` no request is sent, until an answer is taken or given up")
    func manyRequestsMayBeSent() throws {
        defer { close(daemon) }
        var ids: [RequestID] = []
        for _ in 0..<HapticClient.mostUntaken {
            ids.append(try client.send(.profile))
            try read()
        }
        #expect(throws: ClientError.tooManyUntaken) { try client.send(.profile) }
        answer(1)
        _ = try client.answer(to: ids[0], as: ProfileResult.self)
        ids.append(try client.send(.profile))
        #expect(throws: ClientError.tooManyUntaken) { try client.send(.profile) }
        client.giveUp(ids[1])
        _ = try client.send(.profile)
        #expect(client.untakenCount == HapticClient.mostUntaken)
    }

    @Test("An answer that nobody asked for, or no longer waits for, is not kept")
    func answerThatNobody() throws {
        defer { close(daemon) }
        #expect(throws: ClientError.timedOut) { try client.call(.profile, as: ProfileResult.self, timeout: 0) }
        #expect(client.untakenCount == 0)
        let id = try client.send(.profile)
        for number in [1, 77, 78, 79, 2] { answer(number) }
        #expect(client.untakenCount == 1)
        #expect(try client.answer(to: id, as: ProfileResult.self).profile == "full")
        #expect(client.untakenCount == 0)
    }
}
