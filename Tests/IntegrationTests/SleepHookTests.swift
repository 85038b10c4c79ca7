// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// What the service manager calls before the machine sleeps, with real programs.
@Suite("The hook that is called before the machine sleeps") struct SleepHookTests {
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

    @Test("With the timeout and the sleep of BusyBox, which take whole seconds only, it stops as well")
    func wholeSeconds() throws {
        let daemon = try Daemon()
        let folder = daemon.folder
        for name in ["timeout", "sleep"] {
            let path = try folder.write(
                "#!/bin/sh\nfor one; do case $one in [0-9]*.[0-9]*) exit 1 ;; esac; done\nexec /usr/bin/\(name) \"$@\"\n",
                to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let path = try folder.write(hook().replacingOccurrences(of: "@BINDIR@", with: programs.path), to: "whole")
        let environment = ["HAPTICD_SOCKET": daemon.socket, "PATH": "\(folder.path("")):/usr/bin:/bin"]
        #expect(try Program("/bin/sh", [path, "pre"], environment: environment, in: folder).wait().status == 0)
        #expect(try play(daemon).output.contains(#""reason":"suspended""#))
    }

    @Test("Nor does a hapticctl or a systemctl that never ends", .timeLimit(.minutes(10)))
    func endless() throws {
        let daemon = try Daemon()
        let folder = daemon.folder
        for name in ["hapticctl", "systemctl"] { try endless(name, in: folder) }
        let own = folder.path("")
        #expect(try call("pre", socket: daemon.socket, binaries: own, in: folder).status == 0)
        // As on a machine of systemd, with the daemon's socket where it usually is.
        let asked = try hook().replacingOccurrences(of: "/run/systemd/system", with: own)
            .replacingOccurrences(of: "/run/hapticd/hapticd.sock", with: daemon.socket)
            .replacingOccurrences(of: "@BINDIR@", with: programs.path)
        let path = try folder.write(asked, to: "asked")
        let search = "\(own):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        #expect(try Program("/bin/sh", [path, "pre"], environment: ["PATH": search], in: folder).wait().status == 0)
        #expect(try play(daemon).output.contains(#""reason":"suspended""#), "a systemctl that hangs counts as a yes")
    }
}
