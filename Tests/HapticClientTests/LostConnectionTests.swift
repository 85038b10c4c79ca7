// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticWire
import Testing

@Suite("A connection that is lost")
struct LostConnectionTests {
    private static let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":"stopping"}}"# + "\n"

    @Test("What the daemon said before it closed is heard, also where there was no room for the question")
    func refusal() throws {
        let listener = try Listener()
        let client = try HapticClient(paths: [listener.path])
        try listener.turnAway(Self.refusal)
        #expect(throws: ClientError.refused(WireError(.shuttingDown, "stopping"))) {
            try client.call(.profile, ProfileParams(), as: ProfileResult.self)
        }
        #expect(throws: ClientError.closed) { try client.call(.profile, ProfileParams(), as: ProfileResult.self) }
    }

    @Test("A client that does not want to wait for room in the queue does not")
    func fullQueue() throws {
        let listener = try Listener(backlog: 0)
        var waiting: [HapticClient] = []
        #expect(throws: ClientError.timedOut) {
            for _ in 1...8 { waiting.append(try HapticClient(paths: [listener.path], isPatient: false)) }
        }
        #expect(!waiting.isEmpty)
    }

    @Test("Coming back ends with what the last try failed with, and each try before it is reported")
    func givesUp() throws {
        let path = "/tmp/hapticd-nobody-\(UInt32.random(in: .min ... .max))"
        var failures: [ClientError] = []
        let now = MonotonicClock.now
        #expect(throws: ClientError.noDaemon(tried: [path])) {
            try HapticClient.reconnect(
                path: path, Reconnection(lostAt: now, limit: now + 200_000_000), onFailure: { failures.append($0) },
                greet: { _ throws(ClientError) in })
        }
        // How many depends on how fast this machine is; the last one is made when the time is up.
        #expect(failures.count >= 2 && failures.allSatisfy { $0 == .noDaemon(tried: [path]) })
        #expect(MonotonicClock.now >= now + 200_000_000)
    }

    @Test("A greeting that is refused for good ends coming back; one of a daemon that stops, or has no room for now, does not")
    func greeting() throws {
        let listener = try Listener()
        var greetings = 0
        let client = try HapticClient.reconnect(
            path: listener.path, Reconnection(lostAt: 0),
            greet: { _ throws(ClientError) in
                greetings += 1
                if greetings == 1 { throw .refused(WireError(.shuttingDown, "stopping")) }
                if greetings == 2 { throw .refused(WireError(.quota, "full")) }
            })
        #expect(client.path == listener.path && greetings == 3)
        #expect(throws: ClientError.refused(WireError(.notAllowed, "no"))) {
            try HapticClient.reconnect(
                path: listener.path, Reconnection(lostAt: 0),
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
                path: "/tmp/hapticd-nobody", Reconnection(lostAt: MonotonicClock.now), interruptDescriptor: ends[0],
                greet: { _ throws(ClientError) in })
        }
    }
}
