// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// What the service manager calls before the machine sleeps, with real programs.
@Suite("The hook that is called before the machine sleeps") struct SleepHookTests {
    /// The hook as `make install` would put it for these programs, called with `arguments`.
    private func call(_ arguments: String..., socket: String, in folder: TemporaryFolder) throws -> EndedProgram {
        let source = package.appendingPathComponent("systemd/sleep-hook")
        let hook = try String(contentsOf: source, encoding: .utf8).replacingOccurrences(of: "@BINDIR@", with: programs.path)
        let path = try folder.write(hook, to: "sleep-hook")
        return try Program("/bin/sh", [path] + arguments, environment: ["HAPTICD_SOCKET": socket], in: folder).wait()
    }

    private func play(_ daemon: Daemon) throws -> EndedProgram { try daemon.ctl("play", "soft", "--json") }

    @Test("It ends what is playing, and nothing begins after it; after the sleep it does nothing", arguments: ["pre", "suspend"])
    func ends(argument: String) throws {
        let daemon = try Daemon()
        let ring = try Program(
            "hapticctl", ["play", "ring", "--repeat", "20", "--class", "alarm", "--socket", daemon.socket], in: daemon.folder)
        let client = try daemon.connect()
        try wait(for: "the ring") { try client.result("status").number("playbacks") == 1 }
        for arguments in ["post", "resume", "thaw", ""] {
            let done = try call(arguments, socket: daemon.socket, in: daemon.folder)
            #expect(done.status == 0 && done.errors.isEmpty, "\(done.errors)")
        }
        #expect(try client.result("status").number("playbacks") == 1)
        let done = try call(argument, "suspend", socket: daemon.socket, in: daemon.folder)
        #expect(done.status == 0 && done.output.isEmpty && done.errors.isEmpty, "\(done.errors)")
        #expect(try ring.wait().errors.contains("the machine goes to sleep"))
        #expect(try play(daemon).output.contains(#""reason":"suspended""#))
    }

    @Test("A daemon that does not answer, or is not there, keeps no machine awake")
    func hanging() throws {
        let daemon = try Daemon()
        daemon.program.signal(SIGSTOP)
        defer { daemon.program.signal(SIGCONT) }
        #expect(try call("pre", socket: daemon.socket, in: daemon.folder).status == 0)
        #expect(try call("pre", socket: daemon.folder.path("none"), in: daemon.folder).status == 0)
    }
}
