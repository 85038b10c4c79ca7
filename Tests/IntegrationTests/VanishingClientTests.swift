// SPDX-License-Identifier: MIT
import Foundation
import Testing

private let progress = #"{"jsonrpc":"2.0","method":"progress","params":{"value":0.5}}"#
private func play(_ rest: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft"\#(rest)}}"#
}

@Suite("Clients that vanish", .serialized) struct VanishingClientTests {
    @Test("A client that sends a line, closes, and is answered before the line is read leaves the daemon as it was")
    func answeredLate() throws {
        let daemon = try Daemon()
        let other = try daemon.connect()
        for _ in 0..<20 {
            try vanish(while: daemon, isStoppedFor: other)
            _ = try other.result("status")
        }
        #expect(daemon.program.isRunning, "\(daemon.program.errors)")
        #expect(try daemon.stop().status == 0)
    }

    /// The daemon finds both lines at once, that of `other` first, and answers whom it supersedes.
    private func vanish(while daemon: Daemon, isStoppedFor other: Connection) throws {
        var gone: Connection? = try daemon.connect()
        try gone?.send(play(#","repeat":10000,"wait":true"#))
        try wait(for: "the first to be played") { try other.result("status").number("playbacks") == 1 }
        try stop(daemon)
        try other.send(play(""))
        try gone?.send(progress)
        gone = nil
        daemon.program.signal(SIGCONT)
        _ = try other.readObject()
    }

    private func stop(_ daemon: Daemon) throws {
        daemon.program.signal(SIGSTOP)
        let status = "/proc/\(daemon.program.processIdentifier)/stat"
        try wait(for: "the daemon to be stopped") { try String(contentsOfFile: status, encoding: .utf8).contains(") T ") }
    }

    @Test("Thirty clients that vanish at a time leave the daemon as it was, with and without the daemon stopped meanwhile")
    func many() throws {
        let daemon = try Daemon()
        for round in 0..<20 {
            var clients = try (0..<30).map { _ in try daemon.connect() }
            for client in clients { try client.send(play(#","wait":true"#)) }
            usleep(8000)
            if round % 2 == 0 { try stop(daemon) }
            while let client = clients.popLast() { try client.send(progress) }
            if round % 2 == 0 { daemon.program.signal(SIGCONT) }
        }
        _ = try daemon.connect().result("status")
        #expect(daemon.program.isRunning, "\(daemon.program.errors)")
        #expect(try daemon.stop().status == 0)
    }
}
