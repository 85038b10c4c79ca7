// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// What the service manager calls before the machine sleeps, with real programs.
@Suite("The hook that is called before the machine sleeps", .ownThreads) struct SleepHookTests {
    private func hook() throws -> String {
        try String(contentsOf: package.appendingPathComponent("systemd/sleep-hook"), encoding: .utf8)
    }

    /// A program that no signal but SIGKILL ends.
    private func endless(_ name: String, in folder: TemporaryFolder) throws {
        let path = try folder.write("#!/bin/sh\ntrap '' TERM\nexec sleep 1000\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// The hook as `make install` would put it for these programs, called with `arguments`.
    private func call(
        _ arguments: String..., socket: String, binaries: String = programs.path, in folder: TemporaryFolder
    ) throws -> EndedProgram {
        let hook = try hook().replacingOccurrences(of: "@BINDIR@", with: binaries)
        let path = try folder.write(hook, to: "sleep-hook")
        return try Program("/bin/sh", [path] + arguments, environment: ["HAPTICD_SOCKET": socket], in: folder).wait()
    }

    private func play(_ daemon: Daemon) throws -> String { try daemon.ctl("play", "soft", "--json").output }
    private static let suspended = #""reason":"suspended""#

    @Test("The hook ends all playbacks before a sleep, and none begins after it; after the sleep the hook does nothing")
    func ends() throws {
        let daemon = try Daemon()
        let ring = try daemon.start(["play", "ring", "--repeat", "20", "--class", "alarm"])
        let client = try daemon.connect()
        try wait(for: "the ring") { try client.result("status").number("playbacks") == 1 }
        for argument in ["post", "resume", "thaw", ""] {
            #expect(try call(argument, socket: daemon.socket, in: daemon.folder).quietStatus == 0)
        }
        #expect(try client.result("status").number("playbacks") == 1)
        let done = try call("pre", "suspend", socket: daemon.socket, in: daemon.folder)
        #expect((done.quietStatus, done.output) == (0, ""))
        #expect(try ring.wait().errors.contains("the machine goes to sleep"))
        #expect(try play(daemon).contains(Self.suspended))
    }

    @Test("A daemon or a hapticctl that does not answer, or is not there, keeps no machine awake", .timeLimit(.minutes(10)))
    func hanging() throws {
        let daemon = try Daemon()
        let folder = daemon.folder
        #expect(try call("pre", socket: folder.path("none"), in: folder).status == 0)
        try endless("hapticctl", in: folder)
        #expect(try call("pre", socket: daemon.socket, binaries: folder.path(""), in: folder).status == 0)
        daemon.program.signal(SIGSTOP)
        defer { daemon.program.signal(SIGCONT) }
        #expect(try call("suspend", socket: daemon.socket, in: folder).status == 0)
    }

    @Test("A systemctl that never ends counts as a yes, and BusyBox's whole seconds suffice", .timeLimit(.minutes(10)))
    func endlessSystemctl() throws {
        let daemon = try Daemon()
        let folder = daemon.folder
        try endless("systemctl", in: folder)
        for name in ["timeout", "sleep"] {
            let whole = "for one; do case $one in [0-9]*.[0-9]*) exit 1 ;; esac; done"
            let path = try folder.write("#!/bin/sh\n\(whole)\nexec /usr/bin/\(name) \"$@\"\n", to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        // As on a machine of systemd, with the daemon's socket where it usually is.
        let asked = try hook().replacingOccurrences(of: "/run/systemd/system", with: folder.url.path)
            .replacingOccurrences(of: "/run/hapticd/hapticd.sock", with: daemon.socket)
            .replacingOccurrences(of: "@BINDIR@", with: programs.path)
        let path = try folder.write(asked, to: "asked")
        let search = "\(folder.url.path):/usr/bin:/bin"
        #expect(try Program("/bin/sh", [path, "pre"], environment: ["PATH": search], in: folder).wait().status == 0)
        #expect(try play(daemon).contains(Self.suspended))
    }
}
