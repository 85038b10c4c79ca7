// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl condition, as a person uses it", .ownThreads)
struct ConditionCommandTests {
    private let daemon: Daemon

    private static let camera = "conditions: [{ match: camera, classes: { notification: nothing } }]"

    init() throws { daemon = try Daemon(configuration: Self.camera) }

    private func conditions(of daemon: Daemon) throws -> [String] {
        try daemon.status().object("settings")["conditions"] as? [String] ?? []
    }

    private func expectInForce(_ names: String..., of daemon: Daemon? = nil) throws {
        let daemon = daemon ?? self.daemon
        try wait(for: "the conditions \(names)") { try conditions(of: daemon) == names }
    }

    private func reason() throws -> String? {
        let play = try daemon.connect().result("play", #"{"pattern":"soft","class":"notification"}"#)
        return play.object("decision").text("reason")
    }

    // MARK: Until it is interrupted

    @Test("A condition is in force until Ctrl-C or SIGTERM, which end it with 0", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let program = try daemon.start(["condition", "camera"])
        try program.wait(toSay: "the condition camera is in force until Ctrl-C")
        #expect(try reason() == "condition")
        program.signal(signal)
        #expect(try program.wait().quietStatus == 0)
        // The command has waited for its release.
        #expect(try conditions(of: daemon) == [])
        #expect(try reason() == nil)
    }

    @Test("With --for a condition ends by itself, and --json prints the result in one line")
    func time() throws {
        let ended = try daemon.ctl("condition", "camera", "--for", "20ms", "--json")
        #expect(ended.quietStatus == 0)
        #expect(ended.output == #"{"schema":1,"name":"camera","inForce":true}"# + "\n")
        #expect(try conditions(of: daemon) == [])
    }

    @Test("A condition is asserted again after a restart of the daemon")
    func restarted() throws {
        let program = try daemon.start(["condition", "camera", "--json"])
        try expectInForce("camera")
        #expect(try daemon.stop().status == 0)
        try program.wait(toSay: #""connected":false"#)
        let next = try Daemon(configuration: Self.camera, in: daemon.folder)
        try program.wait(toSay: #""connected":true"#)
        try expectInForce("camera", of: next)
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
    }

    @Test("With --for a condition ends in time also while the daemon is away")
    func awayAtTheEnd() throws {
        let program = try daemon.start(["condition", "camera", "--for", "300ms"])
        try program.wait(toSay: "is in force for 300 ms")
        _ = try daemon.stop(SIGKILL)
        #expect(try program.wait().status == 0)
    }

    @Test("A reload that keeps the rule changes nothing; one that drops it ends the command with the daemon's error")
    func reload() throws {
        let program = try daemon.start(["condition", "camera"])
        try expectInForce("camera")
        try daemon.folder.configure("conditions: [{ match: camera, profile: quiet }, { match: slider, profile: silent }]")
        #expect(try daemon.ctl("reload").status == 0)
        #expect(try conditions(of: daemon) == ["camera"])
        try daemon.folder.configure("conditions: [{ match: slider, profile: silent }]")
        #expect(try daemon.ctl("reload").status == 0)
        let ended = try program.wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("unknown condition `camera`"), "\(ended)")
    }

    @Test("A name that the configuration does not have is an error with a suggestion")
    func unknown() throws {
        let ended = try daemon.ctl("condition", "camra", "--json")
        #expect((ended.status, ended.output) == (1, ""))
        let error = try ended.error()
        #expect(error.text("code") == "unknownName")
        #expect(error.text("message")?.contains("did you mean `camera`?") == true, "\(error)")
    }

    @Test("Without a daemon a condition without a command is an error")
    func noDaemon() throws {
        let folder = try TemporaryFolder()
        let ended = try runCtl(["condition", "camera", "--socket", folder.path("none.sock")], in: folder)
        #expect(ended.status == 3)
        #expect(ended.errors.contains("no hapticd listens"), "\(ended)")
    }

    // MARK: While a command runs

    private func start(condition name: String = "camera", options: [String] = [], _ command: String...) throws -> Program {
        try Program(
            "hapticctl", ["condition", name, "--socket", daemon.socket] + options + ["--"] + command, in: daemon.folder)
    }

    @Test("A condition is in force while a command runs, which has its own descriptors and status, also with --json")
    func command() throws {
        let program = try start(options: ["--json"], "/bin/sh", "-c", "echo ready; cat; echo said >&2; exit 7")
        try program.wait(toSay: "ready")
        #expect(try conditions(of: daemon) == ["camera"])
        program.write("typed\n")
        program.closeInput()
        let ended = try program.wait()
        #expect((ended.status, ended.output, ended.errors) == (7, "ready\ntyped\n", "said\n"))
        #expect(try conditions(of: daemon) == [])
    }

    @Test("A signal is passed on, and the status is that of a shell", arguments: [SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGIO, 40])
    func signals(signal: Int32) throws {
        // The condition is in force before the command runs.
        let program = try start("/bin/sh", "-c", "echo ready; exec sleep 30")
        try program.wait(toSay: "ready")
        try expectInForce("camera")
        program.signal(signal)
        #expect(try program.wait().quietStatus == 128 + signal)
        try expectInForce()
    }

    /// A socket at which nobody answers, and a hapticctl that has just connected to it.
    private func startUnanswered(_ command: String) throws -> (Program, connection: FileHandle, socket: FileHandle) {
        let path = daemon.folder.path("silent.sock")
        let socket = try listeningSocket(at: path)
        var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
        setsockopt(socket.fileDescriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let program = try Program(
            "hapticctl", ["condition", "camera", "--socket", path, "--", "/bin/sh", "-c", command], in: daemon.folder)
        let descriptor = accept(socket.fileDescriptor, nil, nil)
        try #require(descriptor >= 0, "nobody connects: \(program.errors)")
        return (program, FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), socket)
    }

    @Test(
        "A signal before the command runs is for the command, which does not start if the signal asks to end",
        arguments: [SIGTERM, SIGUSR1])
    func earlySignal(signal: Int32) throws {
        let (program, connection, socket) = try startUnanswered("exec sleep 30")
        program.signal(signal)
        let ended = try program.wait()
        #expect((ended.status, ended.endedBySignal) == (128 + signal, false), "\(ended)")
        #expect(ended.errors.contains("was not started") == (signal == SIGTERM), "\(ended)")
        withExtendedLifetime((connection, socket)) {}
    }

    @Test("A refusal for the rate is followed by its pause")
    func rate() throws {
        let (program, connection, socket) = try startUnanswered("echo ready; cat")
        _ = connection.availableData
        connection.write(Data((#"{"jsonrpc":"2.0","id":1,"result":{"topics":["settings"]}}"# + "\n").utf8))
        #expect(String(decoding: connection.availableData, as: UTF8.self).contains(#""condition""#))
        let error = #"{"code":-32000,"message":"too fast","data":{"retryAfterMs":1e12}}"#
        connection.write(Data((#"{"jsonrpc":"2.0","id":2,"error":\#(error)}"# + "\n").utf8))
        try program.wait(toSay: "ready")
        program.closeInput()
        let ended = try program.wait()
        #expect(ended.status == 0)
        #expect(ended.errors.contains("too fast; the command runs without it, and hapticctl keeps trying"), "\(ended)")
        #expect(fcntl(socket.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
        #expect(accept(socket.fileDescriptor, nil, nil) < 0, "there was no pause")
    }

    @Test(
        "Ctrl-Z stops hapticctl, with its command, and releases the condition until both continue",
        arguments: [("", "in force", 0), ("-- sh -c 'echo ready; exec cat'", "ready", 128 + SIGINT)] as [(String, String, Int32)])
    func stopped(command: String, beginning: String, status: Int32) throws {
        let terminal = try PseudoTerminal()
        let hapticctl = "(exec \(programs.path)/hapticctl condition camera --socket \(daemon.socket) \(command))"
        let script = "\(hapticctl); echo stopped with $?; read line; fg; echo ended with $?"
        let shell = try Program(
            "/usr/bin/setsid", ["--ctty", "--wait", "sh", "-m", "-c", script], input: terminal.terminal,
            output: terminal.terminal, errors: terminal.terminal, in: daemon.folder)
        try terminal.see(beginning)
        try expectInForce("camera")
        terminal.type("\u{1a}")
        try terminal.see("stopped with \(128 + SIGTSTP)")
        #expect(try conditions(of: daemon) == [])
        terminal.type("\n")
        try expectInForce("camera")
        terminal.type("\u{3}")
        try terminal.see("ended with \(status)")
        #expect(try shell.wait().status == 0)
    }

    @Test("A script without `#!` runs with /bin/sh, as a shell runs it")
    func script() throws {
        // Made by a process of its own: no other test's child has it open for writing.
        let make = "cd \"$2\"; printf 'echo $1; exit 4' >script; chmod +x script; "
        let run = "exec \"$0\" condition camera --socket \"$1\" -- ./script a"
        let hapticctl = programs.appendingPathComponent("hapticctl").path
        let arguments = ["-c", make + run, hapticctl, daemon.socket, daemon.folder.url.path]
        let ended = try Program("/bin/sh", arguments, in: daemon.folder).wait()
        #expect((ended.quietStatus, ended.output) == (4, "a\n"), "\(ended)")
    }

    @Test("A command that handles a signal runs on, and so does its condition")
    func handled() throws {
        let script = "trap 'echo caught' USR1; trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done"
        let program = try start("/bin/sh", "-c", script)
        try program.wait(toSay: "ready")
        program.signal(SIGUSR1)
        try program.wait(toSay: "caught")
        #expect(try conditions(of: daemon) == ["camera"])
        program.signal(SIGTERM)
        #expect(try program.wait().quietStatus == 5)
    }

    @Test("Without a daemon a command runs with one warning, and its condition is asserted once a daemon is there")
    func laterDaemon() throws {
        let folder = try TemporaryFolder()
        let socket = folder.path("hapticd.sock")
        let program = try Program(
            "hapticctl", ["condition", "camera", "--socket", socket, "--", "/bin/sh", "-c", "cat; exit 4"], in: folder)
        try program.wait(toSay: "no hapticd listens")
        #expect(program.errors.contains("the command runs without it, and hapticctl keeps trying"), "\(program.errors)")
        let daemon = try Daemon(configuration: Self.camera, in: folder)
        try expectInForce("camera", of: daemon)
        try program.wait(toSay: "hapticctl: connected after ")
        program.closeInput()
        let ended = try program.wait()
        #expect((ended.status, ended.output) == (4, ""))
        let alone = try runCtl(["condition", "camera", "--socket", folder.path("none"), "--", "/bin/sh", "-c", "exit 6"])
        #expect((alone.status, alone.errorLines.count) == (6, 1), "\(alone)")
    }

    @Test("A command survives a restart of the daemon, and its condition is asserted again")
    func restartedUnderCommand() throws {
        let program = try start("/bin/cat")
        try expectInForce("camera")
        #expect(try daemon.stop().status == 0)
        let next = try Daemon(configuration: Self.camera, in: daemon.folder)
        try expectInForce("camera", of: next)
        program.closeInput()
        let ended = try program.wait()
        #expect((ended.status, ended.output) == (0, ""))
        #expect(ended.errors.contains("the connection to hapticd was lost"), "\(ended)")
    }

    @Test("A condition that the daemon refuses, or drops, costs a warning, and the command keeps its status")
    func refused() throws {
        let unknown = try start(condition: "camra", "/bin/sh", "-c", "exit 3").wait()
        #expect((unknown.status, unknown.errorLines.count) == (3, 1), "\(unknown)")
        #expect(unknown.errors.contains("did you mean `camera`?; the command runs without it"), "\(unknown)")
        let dropped = try start("/bin/sh", "-c", "cat; exit 2")
        try expectInForce("camera")
        try daemon.folder.configure()
        #expect(try daemon.ctl("reload").status == 0)
        try dropped.wait(toSay: "the command continues without it")
        dropped.closeInput()
        #expect(try dropped.wait().status == 2)
    }

    @Test("If there is no such command the condition is released, and the status is that of a shell")
    func noCommand() throws {
        let missing = try start("/no/such/command").wait()
        #expect(missing.status == 127)
        #expect(missing.errors.contains("there is no command"), "\(missing)")
        try expectInForce()
    }
}
