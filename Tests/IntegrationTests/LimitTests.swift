// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Two users at one daemon: root, which the tests run as, and nobody.
@Suite("Who may speak, between two users", .serialized, .enabled(if: geteuid() == 0, "only root can be two users"))
struct LimitTests {
    private static let nobody = 65_534

    private static func daemon(_ rest: String) throws -> Daemon {
        let folder = try TemporaryFolder()
        let text = """
            version: 1
            socket: { mode: "0666" }
            actuators:
              - { name: main, backend: simulated }
            \(rest)
            """
        return try Daemon(["--config", folder.write(text, to: "hapticd.yaml")], in: folder)
    }

    /// Runs hapticctl as nobody. A copy, for nobody may not be let into the folder of the build.
    private func ctlAsNobody(_ arguments: [String], _ daemon: Daemon) throws -> EndedProgram {
        let copy = daemon.folder.path("hapticctl")
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.copyItem(atPath: programs.appendingPathComponent("hapticctl").path, toPath: copy)
        }
        let identity = ["--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"]
        let program = try Program(
            "/usr/bin/setpriv", identity + [copy] + arguments + ["--socket", daemon.socket], in: daemon.folder)
        program.closeInput()
        return try program.wait()
    }

    /// The lines of the daemon's log that hold `word`.
    private func logged(_ word: String, _ daemon: Daemon) -> [Substring] {
        daemon.program.errors.split(separator: "\n").filter { $0.contains(word) }
    }

    @Test("One user's flood is refused and logged in one line, and another user is served")
    func flood() throws {
        let daemon = try Self.daemon("bounds: { requestsPerUser: 100/s }")
        let flooding = try daemon.connect()
        let event = #"{"jsonrpc":"2.0","method":"event","params":{"name":"a.b"}}"# + "\n"
        for _ in 0..<50 { try flooding.send(bytes: Data(String(repeating: event, count: 40).utf8)) }
        let served = try ctlAsNobody(["play", "--pattern", "soft", "--json"], daemon)
        #expect(served.status == 0, "\(served.errors)")
        // It is read with rests, so how soon is the machine's to say.
        try wait(for: "a thousand refusals") {
            let status = try ctlAsNobody(["status", "--json"], daemon)
            let refused = status.objects.first?["refused"] as? [[String: Any]] ?? []
            return refused.first?.text("by") == "requestsPerUser" && (refused.first?.number("count") ?? 0) > 1000
        }
        let lines = logged("requestsPerUser", daemon)
        #expect(lines.count == 1 && lines[0].contains("warning") && lines[0].contains("`root` (0)"), "\(daemon.program.errors)")
    }

    @Test("One user's connections leave room for another's")
    func connections() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let daemon = try Self.daemon("")
        let connections = try (0..<1030).map { _ in try daemon.connect() }
        // All but the last ones that were refused have been answered and closed.
        let answer = try connections[300].readObject()
        #expect(answer.errorCode == -32000 && answer.errorMessage.contains("256 connections"), "\(answer)")
        let status = try ctlAsNobody(["status", "--json"], daemon)
        #expect(status.status == 0, "\(status.errors)")
        #expect(status.objects.first?.number("clients") == 257)
        // hapticctl of the user who has them all gets one line.
        let refused = try daemon.ctl("status")
        #expect(refused.status == 1 && refused.errors.contains("`bounds: clientsPerUser`"), "\(refused.errors)")
        #expect(refused.errors.split(separator: "\n").count == 1)
        #expect(logged("clientsPerUser", daemon).count == 1, "\(daemon.program.errors)")
        withExtendedLifetime(connections) {}
    }

    @Test("Without descriptors the daemon rests, and accepts again as soon as there are some")
    func descriptors() throws {
        let daemon = try Daemon(through: ["/bin/sh", "-c", #"ulimit -n 40; exec "$@""#, "sh"])
        let process = "/proc/\(daemon.program.processIdentifier)"
        func processorTime() throws -> Int {
            let fields = try String(contentsOfFile: process + "/stat", encoding: .utf8).split(separator: " ")
            return Int(fields[13])! + Int(fields[14])!
        }
        let before = try processorTime()
        var waiting = try (0..<100).map { _ in try daemon.connect() }
        // The last one is refused once all others have been, and these keep the descriptors for a second, 27 at a time.
        #expect(try waiting[99].readObject().errorCode == -32000)
        // Hundredths of a second: it was 200 of them. A busy host makes them fewer, never more.
        #expect(try processorTime() - before < 60)
        waiting.removeAll()
        try wait(for: "a client to be served") { (try? daemon.connect().result("status")) != nil }
    }

    @Test("What is kept to a group is refused to a stranger in one line that names it, and done for root")
    func access() throws {
        let daemon = try Self.daemon(
            "access: { reload: { groups: [root] }, cancelAll: { users: [root] }, profile: { users: [root] } }")
        for arguments in [["reload"], ["cancel", "--all"], ["profile", "silent"]] {
            let refused = try ctlAsNobody(arguments, daemon)
            #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.contains("user 65534"), "\(refused.errors)")
            #expect(refused.errors.contains("root and the user that hapticd runs as"), "\(refused.errors)")
            #expect(refused.errors.split(separator: "\n").count == 1)
            let done = try runCtl(arguments + ["--socket", daemon.socket], in: daemon.folder)
            #expect(done.status == 0, "\(done.errors)")
        }
        let again = try ctlAsNobody(["reload"], daemon)
        #expect(again.status == 1)
        #expect(logged("access: reload", daemon).count == 1, "\(daemon.program.errors)")
    }

    @Test("What is wrong with a file is shown to root, and to a stranger only how much; both see which file it is")
    func errorsOfStrangers() throws {
        let daemon = try Self.daemon("")
        let path = daemon.folder.path("hapticd.yaml")
        _ = try daemon.folder.write(try String(contentsOfFile: path, encoding: .utf8) + "\nmy-secret: 1\n", to: "hapticd.yaml")
        let stranger = try ctlAsNobody(["reload"], daemon)
        #expect(stranger.status == 1 && stranger.errors.contains("it has 1 mistake"), "\(stranger.errors)")
        #expect(!stranger.errors.contains("my-secret"))
        #expect(try daemon.ctl("reload").errors.contains("my-secret"))
        #expect(try ctlAsNobody(["status"], daemon).output.contains("\nconfiguration \(path)\n"))
    }

    @Test(
        "A daemon does not start with a user or a group that is not there; a reload keeps what it has, and check-config takes it")
    func unknownNames() throws {
        let folder = try TemporaryFolder()
        func text(_ access: String) -> String {
            "version: 1\nactuators: [{ name: main, backend: simulated }]\naccess: { reload: \(access) }\n"
        }
        let path = try folder.write(text("{ users: [root] }"), to: "hapticd.yaml")
        let daemon = try Daemon(["--config", path], in: folder)
        _ = try folder.write(text("{ groups: [no-such-group] }"), to: "hapticd.yaml")
        let refused = try daemon.ctl("reload")
        #expect(
            refused.status == 1 && refused.errors.contains("3:30: access.reload.groups[0]: there is no group"),
            "\(refused.errors)")
        let check = try Program("hapticd", ["--check", "--config", path], in: folder).wait()
        #expect(check.status == 1 && check.errors.contains("no-such-group"), "\(check.errors)")
        let taken = try runCtl(["check-config", path])
        #expect(taken.status == 0 && taken.output.contains("`hapticd --check"), "\(taken.output)")
    }
}
