// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl task, as a person uses it", .ownThreads)
struct TaskCommandTests {
    private let daemon: Daemon
    private let watcher: Connection

    /// The built-in rule. Nothing is too old to be felt, however late a busy machine gets to it.
    private static let rules = """
        tasks: [{ match: '*', began: start, succeeded: success, failed: error }]
        classes: { interaction: { deadline: none }, notification: { deadline: none } }
        """

    init() throws {
        daemon = try Daemon(configuration: Self.rules)
        watcher = try daemon.connect()
        try watcher.subscribe("decisions")
    }

    private func start(_ command: String...) throws -> Program {
        try Program("hapticctl", ["task", "backup", "--socket", daemon.socket, "--"] + command, in: daemon.folder)
    }

    private func expectDecision(_ state: String, _ outcome: String = "played") throws {
        let decision = try watcher.notification("decision")
        #expect((decision.text("value"), decision.text("outcome")) == (state, outcome), "\(decision)")
    }

    @Test(
        "A command has the standard descriptors and the status that it has without, and its task is played",
        arguments: [(0, "succeeded"), (7, "failed")] as [(Int32, String)])
    func command(status: Int32, state: String) throws {
        let program = try start("/bin/sh", "-c", "cat; echo said >&2; exit \(status)")
        program.write("typed\n")
        program.closeInput()
        let ended = try program.wait()
        #expect((ended.status, ended.endedBySignal) == (status, false))
        #expect((ended.output, ended.errors) == ("typed\n", "said\n"))
        try expectDecision("began")
        try expectDecision(state)
    }

    @Test("A signal is passed on, and the task of a command that it ends is cancelled", arguments: [SIGTERM, SIGINT, SIGHUP])
    func cancelled(signal: Int32) throws {
        let program = try start("/bin/sleep", "30")
        try expectDecision("began")
        program.signal(signal)
        #expect(try program.wait().status == 128 + signal)
        // By default nothing is felt of that.
        try expectDecision("cancelled", "suppressed")
    }

    @Test("A command that continues after a signal is waited for, and its own status counts")
    func handled() throws {
        let program = try start("/bin/sh", "-c", "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.05; done")
        try expectDecision("began")
        try program.wait(toSay: "ready")
        program.signal(SIGINT)
        let ended = try program.wait()
        #expect((ended.status, ended.output) == (5, "ready\ncaught\n"))
        try expectDecision("cancelled", "suppressed")
    }

    @Test("Without a daemon that answers the command still runs, with a warning that nobody needs to read")
    func noDaemon() throws {
        let folder = try TemporaryFolder()
        let nowhere = folder.path("none.sock")
        func run(_ options: [String], socket: String, _ command: String, errors: FileHandle? = nil) throws -> EndedProgram {
            let arguments = ["task", "backup", "--socket", socket] + options + ["--", "/bin/sh", "-c", command]
            return try Program("hapticctl", arguments, errors: errors, in: folder).wait()
        }
        let ended = try run([], socket: nowhere, "echo done; exit 4")
        #expect((ended.status, ended.output, ended.errorLines.count) == (4, "done\n", 1))
        #expect(ended.errors.contains("no hapticd listens"), "\(ended.errors)")
        #expect(ended.errors.contains("all the same"), "\(ended.errors)")
        #expect(try run(["--json"], socket: nowhere, "echo done").errors.hasPrefix(#"{"schema":1,"warning":"#))
        let errors = Pipe()
        try errors.fileHandleForReading.close()
        let unread = try run([], socket: nowhere, "echo done; exit 5", errors: errors.fileHandleForWriting)
        #expect((unread.status, unread.output, unread.endedBySignal) == (5, "done\n", false))
        let socket = try listeningSocket(at: folder.path("silent.sock"))
        let silent = try run([], socket: folder.path("silent.sock"), "echo done")
        #expect((silent.status, silent.output) == (0, "done\n"))
        #expect(silent.errors.contains("did not answer"), "\(silent)")
        withExtendedLifetime(socket) {}
    }

    @Test("If there is no such command hapticd gets no task, and the status is that of a shell")
    func noCommand() throws {
        let missing = try start("/no/such/command").wait()
        #expect(missing.status == 127)
        #expect(missing.errors.contains("there is no command"), "\(missing)")
        let plain = try start(daemon.folder.write("", to: "plain")).wait()
        #expect(plain.status == 126)
        #expect(plain.errors.contains("name a program that this user may run"), "\(plain)")
        #expect((try watcher.result("status")["decisions"] as? [Any])?.isEmpty == true)
    }

    @Test("A daemon that is restarted meanwhile plays the end, and not the beginning")
    func restarted() throws {
        let program = try start("/bin/cat")
        try expectDecision("began")
        #expect(try daemon.stop().status == 0)
        let next = try Daemon(configuration: Self.rules, in: daemon.folder)
        let watcher = try next.connect()
        try watcher.subscribe("decisions")
        program.closeInput()
        let ended = try program.wait()
        #expect(ended.quietStatus == 0, "\(ended)")
        let decisions = try (0..<3).map { _ in try watcher.notification("decision") }
        #expect(decisions.map { $0.text("value") } == ["succeeded", "began", "succeeded"])
        #expect(decisions.map { $0.text("reason") } == ["notPending", "stale", nil])
    }

    @Test("A task of the same id that is pending already is not ended by another command")
    func duplicate() throws {
        let first = try start("/bin/cat")
        try expectDecision("began")
        let second = try start("/bin/false").wait()
        #expect((second.status, second.output) == (1, ""))
        #expect(second.errors.contains("pending already"), "\(second)")
        try expectDecision("began", "suppressed")
        first.closeInput()
        #expect(try first.wait().status == 0)
        try expectDecision("succeeded")
    }

    @Test("The command has no signals blocked, and those ignored that were; an ignored signal cancels nothing")
    func signals() throws {
        let hapticctl = programs.appendingPathComponent("hapticctl").path
        for areIgnored in [true, false] {
            let script = "exec \"$0\" task a --socket /tmp/no-such -- grep -E '^Sig(Blk|Ign)' /proc/self/status"
            let arguments = ["-c", (areIgnored ? "trap '' PIPE HUP; " : "") + script, hapticctl]
            let words = try Program("/bin/sh", arguments, in: daemon.folder).wait().output.split { $0.isWhitespace }
            try #require(words.count == 4)
            #expect(words[1] == "0000000000000000")
            let ignored = UInt64(words[3], radix: 16) ?? 0
            for signal in [SIGPIPE, SIGHUP] { #expect((ignored & (1 << UInt64(signal - 1)) != 0) == areIgnored) }
        }
        let script = "trap '' HUP; exec \"$0\" task backup --socket \"$1\" -- /bin/sh -c 'kill -HUP $PPID; exit 1'"
        #expect(try Program("/bin/sh", ["-c", script, hapticctl, daemon.socket], in: daemon.folder).wait().status == 1)
        try expectDecision("began")
        try expectDecision("failed")
    }
}
