// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Two users at one daemon: root, which the tests run as, and nobody.
@Suite("Rights and limits of two users", .ownThreads, .enabled(if: geteuid() == 0, "only root can be two users"))
struct LimitTests {
    private static let nobody = 65_534

    private static func daemon(_ rest: String) throws -> Daemon {
        try Daemon(configuration: "socket: { mode: \"0666\" }\n\(rest)")
    }

    /// Runs hapticctl as nobody. A copy, for nobody may not be let into the folder of the build.
    private func ctlAsNobody(_ arguments: [String], _ daemon: Daemon) throws -> EndedProgram {
        let copy = daemon.folder.path("hapticctl")
        if !daemon.folder.has("hapticctl") {
            // By a process of its own: a child of another test would keep a file open that this one writes, and it could not be run.
            let original = programs.appendingPathComponent("hapticctl").path
            #expect(try Program("/bin/cp", [original, copy], in: daemon.folder).wait().status == 0)
        }
        let identity = ["--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"]
        let program = try Program(
            "/usr/bin/setpriv", identity + [copy] + arguments + ["--socket", daemon.socket], in: daemon.folder)
        program.closeInput()
        return try program.wait()
    }

    @Test("One user's flood and connections are refused, each logged in one line, and another user is served")
    func flood() throws {
        let daemon = try Self.daemon("bounds: { requestsPerUser: 100/s, clientsPerUser: 20 }")
        let connections = try (0..<30).map { _ in try daemon.connect() }
        let flooding = try #require(connections.first)
        let event = #"{"jsonrpc":"2.0","method":"event","params":{"name":"a.b"}}"# + "\n"
        for _ in 0..<50 { try flooding.send(bytes: Data(String(repeating: event, count: 40).utf8)) }
        let answer = try connections[25].readObject()
        #expect(answer.errorCode == -32000)
        #expect(answer.errorMessage.contains("20 connections"), "\(answer)")
        let served = try ctlAsNobody(["play", "--pattern", "soft", "--class", "alarm", "--json"], daemon)
        #expect(served.status == 0, "\(served.errors)")
        let refused = try daemon.ctl("status")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("`bounds: clientsPerUser`"), "\(refused.errors)")
        #expect(refused.errorLines.count == 1)
        // The daemon reads the flood with pauses, so the time depends on the machine.
        try wait(for: "two hundred refusals") {
            let rows = try ctlAsNobody(["status", "--json"], daemon).objects.first?["refused"] as? [[String: Any]] ?? []
            return rows.contains { $0.text("by") == "requestsPerUser" && ($0.number("count") ?? 0) > 200 }
        }
        for bound in ["requestsPerUser", "clientsPerUser"] {
            #expect(daemon.logged(bound).count == 1)
            #expect(daemon.logged(bound).first?.contains("`root` (0)") == true, "\(daemon.program.errors)")
        }
        withExtendedLifetime(connections) {}
    }

    @Test("A restricted method is refused to a stranger in one line that names who may, and done for root")
    func access() throws {
        let daemon = try Self.daemon(
            "access: { reload: { groups: [root] }, cancelAll: { users: [root] }, profile: { users: [root] } }")
        for arguments in [["reload"], ["cancel", "--all"], ["profile", "silent"]] {
            let refused = try ctlAsNobody(arguments, daemon)
            #expect((refused.status, refused.output) == (1, ""))
            #expect(refused.errors.contains("user 65534"), "\(refused.errors)")
            #expect(refused.errors.contains("root and the user that hapticd runs as"), "\(refused.errors)")
            #expect(refused.errorLines.count == 1)
            let done = try runCtl(arguments + ["--socket", daemon.socket], in: daemon.folder)
            #expect(done.status == 0, "\(done.errors)")
        }
        _ = try ctlAsNobody(["reload"], daemon)
        #expect(daemon.logged("access: reload").count == 1, "\(daemon.program.errors)")
    }
}
