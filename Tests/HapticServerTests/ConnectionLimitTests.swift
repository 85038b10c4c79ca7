// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticEngine
import HapticJSON
import HapticService
import HapticWire
import Testing

@testable import HapticServer

@Suite("Who may connect, and how many", .serialized) struct ConnectionLimitTests {
    @Test("A user who opens more connections than there are leaves room for others, and is reported once")
    func userWhoOpens() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.clientBounds = .standard })
        try daemon.onLoop { server in
            var notices: [RefusalNotice] = []
            server.onRefusal = { notices.append($0) }
            var (kept, errors) = ([Visitor](), [WireError]())
            for _ in 0..<1030 {
                do { kept.append(try Visitor(server, user: 1001)) } catch { errors.append(error as! WireError) }
            }
            #expect(kept.count == 256 && errors.count == 774)
            #expect(errors[0].code == -32000 && errors[0].data?.limit == "clientsPerUser" && errors[0].data?.most == 256)
            #expect(notices.map(\.refusal.cause) == [.bound(.clientsPerUser)])
            let other = try Visitor(server, user: 1002)
            #expect(other.ask("progress", #"{"value":0.5}"#)?["result"]?["outcome"] == "played")
            let refused = other.ask("status")?["result"]?["refused"]
            #expect(refused == [["by": "clientsPerUser", "count": .number(774)]])
            // One that goes makes room for another one.
            kept.removeLast().close()
            _ = try Visitor(server, user: 1001)
        }
    }

    @Test("Where a bound is on all clients the error names that one")
    func boundIsOnAll() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.clientBounds = ClientBounds(clients: 2, clientsPerUser: 2) })
        try daemon.onLoop { server in
            let visitors = try [1001, 1002].map { try Visitor(server, user: $0) }
            let error = #expect(throws: WireError.self) { try Visitor(server, user: 1001) }
            #expect(error?.data?.limit == "clients" && error?.message.contains("2 clients") == true)
            visitors[0].close()
        }
    }

    @Test("Those who are refused and do not hang up take no descriptors from those who are served")
    func refusedAndDoNotHang() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.clientBounds.clientsPerUser = 1 })
        let served = try daemon.connect()
        _ = try served.ask("profile")
        let refused = try (0..<100).map { _ in try daemon.connect() }
        for client in refused { #expect(try client.readLine()?["error"]?["data"]?["limit"] == "clientsPerUser") }
        for client in refused { #expect(try client.readLine() == nil) }
        #expect(try served.ask("profile")?["result"] != nil)
    }

    @Test("A client of the library learns why it is refused, also where it is closed at once")
    func clientOfTheLibrary() throws {
        let daemon = try TestDaemon(TestDaemon.configured { $0.clientBounds.clientsPerUser = 1 })
        let served = try daemon.connect()
        _ = try served.ask("profile")
        let clients = try (0..<100).map { _ in try HapticClient(paths: [daemon.path]) }
        // All have been accepted, refused, and those past the bound closed.
        #expect(try served.ask("profile")?["result"] != nil)
        for client in clients {
            let error = #expect(throws: ClientError.self) { try client.call(.status, as: StatusResult.self) }
            guard case .refused(let refusal)? = error else { return #expect(error == nil) }
            #expect(refusal.data?.limit == "clientsPerUser")
        }
    }

    @Test("A client that connects while the daemon stops is refused for that")
    func connectsWhileItStops() throws {
        try TestDaemon().onLoop { server in
            server.shutDown()
            let error = #expect(throws: WireError.self) { try Visitor(server, user: 1001) }
            #expect(error?.code == ErrorCode.shuttingDown.rawValue)
        }
    }
}
