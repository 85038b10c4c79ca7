// SPDX-License-Identifier: MIT
import Glibc
import HapticService
import Testing

@testable import HapticServer

@Suite("Who is at the other end", .serialized) struct PeerTests {
    @Test("The kernel says which process of which user it is")
    func peer() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let peer = try #require(Peer(of: ends[0]))
        #expect(peer.process == getpid() && peer.user == getuid())
        #expect(peer.groups.first == getgid())
    }

    @Test("A session's client is known by its process, too")
    func session() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        _ = try client.ask("profile")
        #expect(try daemon.onLoop { $0.sessions.values.map(\.client.peer.process) } == [getpid()])
    }
}
