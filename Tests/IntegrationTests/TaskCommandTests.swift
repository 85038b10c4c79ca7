// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl task, as a person uses it")
struct TaskCommandTests {
    private let daemon: Daemon
    private let watcher: Connection

    init() throws {
        daemon = try Daemon()
        watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
    }

    private func start(_ command: String...) throws -> Program {
        try Program("hapticctl", ["task", "backup", "--socket", daemon.socket, "--"] + command, in: daemon.folder)
    }

    private func expectDecision(_ state: String, _ outcome: String = "played") throws {
        let decision = try watcher.notification("decision")
        #expect(decision.text("value") == state && decision.text("outcome") == outcome, "\(decision)")
    }

    @Test(
        "A command has the standard descriptors and the status that it has without, and its task is felt",
        arguments: [(0, "succeeded"), (7, "failed")] as [(Int32, String)])
    func command(status: Int32, state: String) throws {
        let program = try start("/bin/sh", "-c", "cat; echo said >&2; exit \(status)")
        program.write("typed\n")
        program.closeInput()
        let ended = try program.wait()
        #expect(ended.status == status && !ended.endedBySignal)
        #expect(ended.output == "typed\n" && ended.errors == "said\n")
        try expectDecision("began")
        try expectDecision(state)
    }

    @Test("A signal is passed on, and what it ends is cancelled", arguments: [SIGTERM, SIGINT, SIGHUP])
    func cancelled(signal: Int32) throws {
        let program = try start("/bin/sleep", "30")
        try expectDecision("began")
        program.signal(signal)
        #expect(try program.wait().status == 128 + signal)
        // By default nothing is felt of that.
        try expectDecision("cancelled", "suppressed")
    }

    @Test("A command that goes on after a signal is waited for, and its own status counts")
    func handled() throws {
        let program = try start("/bin/sh", "-c", "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.05; done")
        try expectDecision("began")
        try wait(for: "the command to be ready") { program.output.contains("ready") }
        program.signal(SIGINT)
        let ended = try program.wait()
        #expect(ended.status == 5 && ended.output == "ready\ncaught\n", "\(ended)")
        try expectDecision("cancelled", "suppressed")
    }

    @Test("Without a daemon the command runs all the same, and a warning says so")
    func noDaemon() throws {
        let ended = try runCtl([
            "task", "backup", "--socket", "/tmp/no-such-hapticd.sock", "--", "/bin/sh", "-c", "echo done; exit 4",
        ])
        #expect(ended.status == 4 && ended.output == "done\n", "\(ended)")
        #expect(ended.errors.contains("no hapticd listens") && ended.errors.contains("all the same"), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
        let json = try runCtl(["task", "backup", "--json", "--socket", "/tmp/no-such-hapticd.sock", "--", "/bin/echo", "done"])
        #expect(json.output == "done\n" && json.errors.hasPrefix(#"{"schema":1,"warning":"#), "\(json)")
    }

    @Test("Where nobody reads its warning it waits for the command all the same, and ends with its status")
    func unreadWarning() throws {
        let errors = Pipe()
        try errors.fileHandleForReading.close()
        let arguments = ["task", "backup", "--socket", "/tmp/no-such-hapticd.sock", "--", "/bin/sh", "-c", "echo done; exit 5"]
        let ended = try Program("hapticctl", arguments, errors: errors.fileHandleForWriting, in: daemon.folder).wait()
        #expect(ended.status == 5 && ended.output == "done\n" && !ended.endedBySignal, "\(ended)")
        let missing = try Program(
            "hapticctl", ["task", "backup", "--", "/no/such"], errors: errors.fileHandleForWriting, in: daemon.folder
        ).wait()
        #expect(missing.status == 127 && !missing.endedBySignal, "\(missing)")
    }

    @Test("A daemon that never answers changes neither output nor status")
    func silentDaemon() throws {
        let folder = try TemporaryFolder()
        let socket = try listeningSocket(at: folder.path("silent.sock"))
        defer { withExtendedLifetime(socket) {} }
        let ended = try runCtl(["task", "backup", "--socket", folder.path("silent.sock"), "--", "/bin/echo", "done"])
        #expect(ended.status == 0 && ended.output == "done\n" && ended.errors.contains("did not answer"), "\(ended)")
    }

    @Test("Where there is no such command hapticd hears nothing of it, and the status is that of a shell")
    func noCommand() throws {
        let missing = try start("/no/such/command").wait()
        #expect(missing.status == 127 && missing.errors.contains("there is no command"), "\(missing)")
        let file = try daemon.folder.write("", to: "plain")
        let plain = try start(file).wait()
        #expect(plain.status == 126 && plain.errors.contains("name a program that this user may run"), "\(plain)")
        #expect(try watcher.result("status").object("decisions").isEmpty)
    }

    @Test("A daemon that is started again meanwhile has the end felt all the same, and not the beginning")
    func restarted() throws {
        let program = try start("/bin/cat")
        try expectDecision("began")
        #expect(try daemon.stop().status == 0)
        let next = try Daemon(in: daemon.folder)
        let watcher = try next.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        program.closeInput()
        let ended = try program.wait()
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended)")
        let decisions = try (0..<3).map { _ in try watcher.notification("decision") }
        #expect(decisions.map { $0.text("value") } == ["succeeded", "began", "succeeded"])
        #expect(decisions.map { $0.text("reason") } == ["notPending", "stale", nil])
    }

    @Test("One of the same id that is pending already is not ended by another command")
    func duplicate() throws {
        let first = try start("/bin/cat")
        try expectDecision("began")
        let second = try start("/bin/false").wait()
        #expect(second.status == 1 && second.output.isEmpty && second.errors.contains("pending already"), "\(second)")
        try expectDecision("began", "suppressed")
        first.closeInput()
        #expect(try first.wait().status == 0)
        try expectDecision("succeeded")
    }

    @Test("The command has no signals blocked, and those ignored that were")
    func signals() throws {
        for areIgnored in [true, false] {
            let script = "exec \"$0\" task a --socket /tmp/no-such -- grep -E '^Sig(Blk|Ign)' /proc/self/status"
            let arguments = ["-c", (areIgnored ? "trap '' PIPE HUP; " : "") + script]
            let ended = try Program(
                "/bin/sh", arguments + [programs.appendingPathComponent("hapticctl").path], in: daemon.folder
            ).wait()
            let words = ended.output.split { $0.isWhitespace }
            #expect(words.count == 4 && words[1] == "0000000000000000", "\(ended)")
            let ignored = UInt64(words.last ?? "", radix: 16) ?? 0
            for signal in [SIGPIPE, SIGHUP] { #expect((ignored & (1 << UInt64(signal - 1)) != 0) == areIgnored, "\(ended)") }
        }
    }

    @Test("A signal that was ignored at the start is none: a command that fails after it has failed")
    func ignored() throws {
        let script = "trap '' HUP; exec \"$0\" task backup --socket \"$1\" -- /bin/sh -c 'kill -HUP $PPID; exit 1'"
        let program = try Program(
            "/bin/sh", ["-c", script, programs.appendingPathComponent("hapticctl").path, daemon.socket], in: daemon.folder)
        #expect(try program.wait().status == 1)
        try expectDecision("began")
        try expectDecision("failed")
    }

    @Test("A state is said by itself, with any number of other commands between, and without a daemon drawn")
    func states() throws {
        #expect(try daemon.ctl("task", "copy", "began").output.hasPrefix("task copy began: felt, "))
        #expect(try daemon.ctl("task", "copy", "began").output.contains("the task is pending already (duplicate)"))
        #expect(try daemon.ctl("task", "copy", "failed", "--json").objects.first?.text("outcome") == "played")
        let over = try daemon.ctl("task", "copy", "succeeded")
        #expect(over.status == 0 && over.output.contains("no task of this id is pending"), "\(over)")
        let drawn = try runCtl(["task", "copy", "failed", "--simulate", "--after", "5s"])
        #expect(drawn.status == 0 && drawn.output.contains("task copy failed: felt, "), "\(drawn)")
        let lines = try runCtl(["task", "copy", "succeeded", "--simulate", "--json"]).objects.map { $0.object("decision") }
        #expect(lines.filter { !$0.isEmpty }.map { $0.number("atNs") } == [0, 3e9])
    }
}
