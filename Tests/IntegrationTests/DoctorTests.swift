// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl doctor")
struct DoctorTests {
    /// Those of the findings that say what is wrong, or worth knowing.
    private func found(_ ended: EndedProgram) -> Set<String> {
        Set(ended.objects.compactMap { $0.text("finding") }).subtracting(["ok"])
    }

    private func doctor(
        _ arguments: [String], environment: [String: String] = [:], in folder: TemporaryFolder
    ) throws -> EndedProgram {
        try runCtl(["doctor", "--json"] + arguments, environment: environment, in: folder)
    }

    @Test("With a daemon that works it ends with 0, and its verdict comes last")
    func healthy() throws {
        let daemon = try Daemon()
        let ended = try doctor(["--socket", daemon.socket], in: daemon.folder)
        let verdict = try #require(ended.objects.last)
        #expect(ended.status == (verdict.number("problems") == 0 ? 0 : 1), "\(ended.output)")
        #expect(found(ended).isSubset(of: ["device.simulated", "memory.short"]), "\(ended.output)")
        #expect(found(ended).contains("device.simulated") && ended.errors.isEmpty)
        let people = try runCtl(["doctor", "--socket", daemon.socket], in: daemon.folder)
        #expect(people.output.contains("  ok       connected at \(daemon.socket)\n"), "\(people.output)")
        #expect(people.output.contains("  note     main is simulated\n"))
    }

    @Test("No daemon, a stale socket and a file in its place are findings, not exit status 3")
    func noDaemon() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hapticd.sock")
        var ended = try doctor(["--socket", path], in: folder)
        #expect(ended.status == 1 && found(ended).contains("socket.missing"), "\(ended.output)")
        // Closed with the handle; the file stays.
        _ = try listeningSocket(at: path)
        ended = try doctor(["--socket", path], in: folder)
        #expect(ended.status == 1 && found(ended).contains("socket.stale"), "\(ended.output)")
        try FileManager.default.removeItem(atPath: path)
        _ = try folder.write("no socket", to: "hapticd.sock")
        ended = try doctor(["--socket", path], in: folder)
        #expect(ended.status == 1 && found(ended).contains("socket.foreign"), "\(ended.output)")
    }

    @Test("Typing the remedy of a stale socket brings a daemon there")
    func remedy() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("it's $(one).sock")
        _ = try listeningSocket(at: path)
        let ended = try doctor(["--socket", path], in: folder)
        let stale = try #require(ended.objects.first { $0.text("finding") == "socket.stale" }, "\(ended.output)")
        let command = try #require((stale["commands"] as? [String])?.first)
        let daemon = try Program("/bin/bash", ["-c", "PATH=\(programs.path):$PATH; exec \(command)"], in: folder)
        try wait(for: "the daemon to listen: \(daemon.errors)") { (try? Connection(to: path)) != nil }
        #expect(try doctor(["--socket", path], in: folder).objects.contains { $0.text("what") == "connected at \(path)" })
        withExtendedLifetime(daemon) {}
    }

    @Test("A variable that leads nowhere counts for a user; for root the doctor says that it is ignored")
    func variable() throws {
        let folder = try TemporaryFolder()
        let ended = try doctor([], environment: ["HAPTICD_SOCKET": folder.path("none.sock")], in: folder)
        #expect(ended.status == 1)
        #expect(found(ended).contains(geteuid() == 0 ? "socket.ignored" : "socket.variable"), "\(ended.output)")
    }

    @Test("A daemon that takes connections and says nothing is silent")
    func silent() throws {
        let folder = try TemporaryFolder()
        let socket = try listeningSocket(at: folder.path("s"))
        let ended = try doctor(["--socket", folder.path("s")], in: folder)
        #expect(ended.status == 1 && found(ended).contains("daemon.silent"), "\(ended.output)")
        withExtendedLifetime(socket) {}
    }

    @Test("All errors of a bad file are shown with their lines, and a name in it runs nothing")
    func badFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "version: 1\nprofil: full\nactuators: [{ name: m, backend: gpoi }]\n", to: "x'; touch run; '$(touch run).yaml")
        let daemon = try Daemon()
        let ended = try doctor(["--socket", daemon.socket, "--config", file], in: folder)
        let bad = try #require(ended.objects.first { $0.text("finding") == "configuration.invalid" }, "\(ended.output)")
        #expect(ended.status == 1 && bad.text("what")?.hasSuffix("has 2 errors") == true)
        #expect((bad["details"] as? [String])?.contains("    | ^") == true, "\(bad)")
        let check = try #require((bad["commands"] as? [String])?.first { $0.hasPrefix("hapticctl check-config") })
        let line = "cd \(folder.url.path); PATH=\(programs.path):$PATH; \(check)"
        let typed = try Program("/bin/bash", ["-c", line], in: folder).wait()
        #expect(typed.status == 1 && typed.errors.contains("did you mean `profile`"), "\(typed.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("run")))
    }

    @Test("A daemon that runs another file than the one that is there is to read it")
    func otherFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("version: 1\nactuators: [{ name: main, backend: simulated }]\n", to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        #expect(!found(try doctor(["--socket", daemon.socket, "--config", file], in: folder)).contains("configuration.other"))
        _ = try folder.write("version: 1\nactuators: [{ name: left, backend: simulated }]\n", to: "hapticd.yaml")
        let ended = try doctor(["--socket", daemon.socket, "--config", file], in: folder)
        let other = try #require(ended.objects.first { $0.text("finding") == "configuration.other" }, "\(ended.output)")
        let command = try #require((other["commands"] as? [String])?.first)
        let typed = try Program("/bin/bash", ["-c", "PATH=\(programs.path):$PATH; \(command)"], in: folder).wait()
        #expect(typed.status == 0, "\(typed.errors)")
        #expect(!found(try doctor(["--socket", daemon.socket, "--config", file], in: folder)).contains("configuration.other"))
    }

    @Test("A device that is not there is named by the daemon, without one by the doctor itself")
    func missingDevice() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "version: 1\nactuators: [{ name: lamp, backend: led, led: no-such-lamp }]\n", to: "hapticd.yaml")
        var ended = try doctor(["--socket", folder.path("none"), "--config", file], in: folder)
        #expect(found(ended).contains("device.missing"), "\(ended.output)")
        let daemon = try Daemon(["--config", file], simulate: false, in: folder)
        ended = try doctor(["--socket", daemon.socket, "--config", file], in: folder)
        #expect(found(ended).contains("device.missing") && ended.status == 1, "\(ended.output)")
    }

    @Test("A socket that this user may not open is a matter of its group", .enabled(if: geteuid() == 0))
    func stranger() throws {
        let daemon = try Daemon()
        chmod(daemon.folder.url.path, 0o755)
        chmod(daemon.socket, 0o660)
        chown(daemon.socket, 0, 44)
        let copy = daemon.folder.path("hapticctl")
        try FileManager.default.copyItem(at: programs.appendingPathComponent("hapticctl"), to: URL(fileURLWithPath: copy))
        let identity = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        let ended = try Program(
            "/usr/bin/setpriv", identity + [copy, "doctor", "--json", "--socket", daemon.socket], in: daemon.folder
        ).wait()
        let group = try #require(ended.objects.first { $0.text("finding") == "socket.group" }, "\(ended.output)\(ended.errors)")
        #expect(group["needsRoot"] as? Bool == true)
        #expect((group["commands"] as? [String])?.first?.hasPrefix("sudo usermod -aG ") == true)
    }

    @Test("A test pulse is played where it was agreed to, and nowhere else")
    func pulse() throws {
        let daemon = try Daemon()
        let ended = try doctor(["--socket", daemon.socket, "--pulse"], in: daemon.folder)
        #expect(ended.objects.contains { $0.text("what") == "main: the test pulse was played" }, "\(ended.output)")
        let client = try daemon.connect()
        func felt() throws -> Int { ((try client.result("status"))["decisions"] as? [[String: Any]] ?? []).count }
        #expect(try felt() == 1)
        #expect(try runCtl(["doctor", "--socket", daemon.socket, "--no-pulse"], in: daemon.folder).status == 0)
        #expect(try runCtl(["doctor", "--socket", daemon.socket], in: daemon.folder).status == 0, "nobody is there to be asked")
        #expect(try felt() == 1)
        for (one, other) in [("--pulse", "--no-pulse"), ("--explain", "--json"), ("--explain", "--pulse")] {
            #expect(try runCtl(["doctor", one, other]).status == 2, "\(one) \(other)")
        }
    }

    @Test("A configuration that was named and is not there is an error, not a finding")
    func noSuchFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hapticd.yml")
        let ended = try runCtl(["doctor", "--config", path], in: folder)
        #expect(ended.status == 1 && ended.output.isEmpty)
        #expect(ended.errors == "there is no \(path); name the daemon's configuration, or leave out --config\n")
    }

    @Test("With a problem the error has the verdict for programs, and nothing more for people")
    func verdict() throws {
        let folder = try TemporaryFolder()
        let ended = try doctor(["--socket", folder.path("none")], in: folder)
        #expect(ended.status == 1 && ended.errors.contains("fix first: there is no socket at "), "\(ended.errors)")
        let people = try runCtl(["doctor", "--socket", folder.path("none")], in: folder)
        #expect(people.status == 1 && people.errors.isEmpty && people.output.contains("; fix first: "))
    }

    @Test("On a terminal it asks first, and then whether it was felt; the last line has the problems of before, too")
    func asks() throws {
        let daemon = try Daemon()
        let bad = try daemon.folder.write("profil: full\n", to: "bad.yaml")
        let terminal = try PseudoTerminal()
        // Whose `main` is not simulated, as far as it says.
        let liar = try DistortingDaemon(before: daemon, .text("main"))
        let program = try Program(
            "hapticctl", ["doctor", "--socket", liar.socket, "--config", bad], environment: ["TERM": "xterm"],
            input: terminal.terminal, output: terminal.terminal, in: daemon.folder)
        var said = ""
        try wait(for: "the question: \(said)") {
            said += terminal.written()
            return said.contains("Play a test pulse on main? [y/N] ")
        }
        terminal.type("y\n")
        try wait(for: "the second question: \(said)") {
            said += terminal.written()
            return said.contains("Did you feel it? [Y/n] ")
        }
        terminal.type("y\n")
        let ended = try program.wait()
        said += terminal.written()
        #expect(ended.status == 1 && said.contains("the test pulse was felt"), "\(said)")
        let last = said.split(whereSeparator: \.isNewline).last ?? ""
        #expect(last.contains("fix first: \(bad) has "), "\(said)")
    }

    @Test("docs/troubleshooting.md has what `--explain` prints")
    func page() throws {
        let table = try runCtl(["doctor", "--explain"]).output
        let page = try String(contentsOf: package.appendingPathComponent("docs/troubleshooting.md"), encoding: .utf8)
        #expect(page.contains("\n\(table)\n"), "run `make doctor-page` to put it there")
        #expect(table.contains("| `socket.group` |"))
    }
}
