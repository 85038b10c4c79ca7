// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore
import HapticEngine
import HapticService
import HapticText
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticServer

/// A connection of which the output can be closed alone, as of a socket; an embedded channel closes as a whole.
private final class HalfClosing: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if case .output = mode {
            promise?.succeed(())
        } else {
            context.close(mode: mode, promise: promise)
        }
    }
}

@Suite("Connections, and refused ones") struct ConnectionLimitTests {
    private static func onePerUser() throws -> ServiceConfiguration {
        try Rig.configuration { $0.clientBounds.clientsPerUser = 1 }
    }

    @Test("32 refused clients stay connected for a second, so that they read why; those beyond are closed immediately")
    func lingering() throws {
        let rig = try Rig(Self.onePerUser())
        let served = try rig.connect()
        let refused = try (0..<50).map { _ in try rig.connect(HalfClosing()) }
        for channel in refused { #expect(try rig.received(channel).contains(#""limit":"clientsPerUser""#)) }
        #expect(refused.map(\.isActive) == (0..<50).map { $0 < 32 })
        rig.advance(.milliseconds(999))
        #expect(rig.server.lingering == 32)
        rig.advance(.milliseconds(1))
        #expect(rig.server.lingering == 0)
        #expect(served.isActive)
        #expect(!refused.contains { $0.isActive })
    }

    @Test("Refused clients that do not hang up take no descriptors, and each reads why, also by the library")
    func refusedAndDoNotHang() throws {
        let daemon = try TestDaemon(Self.onePerUser())
        let served = try daemon.connect()
        _ = try served.ask("settings")
        let refused = try (0..<50).map { _ in try daemon.connect() }
        let clients = try (0..<50).map { _ in try HapticClient(paths: [daemon.path]) }
        // All have been accepted, refused, and those past the bound closed.
        #expect(try served.ask("settings")?["result"] != nil)
        for client in refused {
            #expect(try client.readLine()?["error"]?["data"]?["limit"] == "clientsPerUser")
            #expect(try client.readLine() == nil)
        }
        for client in clients {
            let error = #expect(throws: ClientError.self) { try client.call(StatusParams()) }
            guard case .refused(let refusal)? = error else { return #expect(error == nil) }
            #expect(refusal.data?.limit == "clientsPerUser")
        }
        #expect(try served.ask("settings")?["result"] != nil)
    }

    @Test("The kernel names a client's user, its process and its groups")
    func peer() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        _ = try client.ask("settings")
        let accepted = try daemon.onLoop { $0.sessions.values.first?.client.peer }
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(CInt(groups.count), &groups))
        for peer in [Peer(of: ends[0]), accepted] {
            #expect((peer?.user, peer?.process) == (geteuid(), getpid()))
            #expect(Set(peer?.groups ?? []) == Set([getegid()] + groups.prefix(count)))
        }
    }
}
