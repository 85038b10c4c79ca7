// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("A terminal that `status --watch` draws on is given back as it was")
struct WatchTests {
    /// A shell with job control, whose terminal somebody types at.
    private struct Shell {
        let daemon: Daemon
        let terminal: PseudoTerminal
        let program: Program

        /// `script` finds `watch`, which watches the daemon.
        init(_ script: String) throws {
            daemon = try Daemon()
            terminal = try PseudoTerminal()
            let watch = "watch() { exec \(programs.path)/hapticctl status --watch --socket \(daemon.socket); }; ulimit -c 0; "
            program = try Program(
                "/usr/bin/setsid", ["--ctty", "--wait", "sh", "-m", "-c", watch + script],
                environment: ["TERM": "xterm"], input: terminal.terminal, output: terminal.terminal,
                errors: terminal.terminal, in: daemon.folder)
        }

        /// Waits for it on the screen; returns all that has come since the last time.
        @discardableResult
        func see(_ text: String) throws -> String {
            var shown = ""
            try wait(for: "`\(text)` on the screen; it has \(shown.debugDescription)") {
                shown += terminal.written()
                return shown.contains(text)
            }
            return shown
        }

        /// Whether keys are shown, and lines are whole.
        var isPlain: Bool { terminal.flags & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON) }
        var isDrawn: Bool { terminal.flags & tcflag_t(ECHO | ICANON) == 0 }
    }

    private static let (begin, end) = ("\u{1b}[?1049h\u{1b}[?25l", "\u{1b}[?25h\u{1b}[?1049l")

    @Test(
        "Whichever key ends it",
        arguments: [("q", 0), ("\u{3}", 0), ("\u{1c}", 128 + SIGQUIT)] as [(String, Int32)])
    func ends(key: String, status: Int32) throws {
        let shell = try Shell("(watch); echo ended with $?; read rest; echo got:$rest:")
        #expect(try shell.see("q or Ctrl-C ends this").contains(Self.begin))
        #expect(shell.isDrawn)
        shell.terminal.type("xyz" + key)
        let shown = try shell.see("ended with \(status)\r\n")
        #expect(shown.contains(Self.end) && shell.isPlain)
        shell.terminal.type("more\n")
        try shell.see("got:more:")
        #expect(try shell.program.wait().status == 0)
    }

    @Test("A stop gives it back, too, and what is continued in the foreground has it again")
    func stops() throws {
        let shell = try Shell("(watch); echo stopped with $?; read line; fg; echo ended with $?")
        try shell.see("ends this")
        shell.terminal.type("\u{1a}")
        #expect(try shell.see("stopped with \(128 + SIGTSTP)").contains(Self.end))
        #expect(shell.isPlain)
        shell.terminal.type("\n")
        #expect(try shell.see("ends this").contains(Self.begin))
        #expect(shell.isDrawn)
        shell.terminal.type("q")
        #expect(try shell.see("ended with 0").contains(Self.end))
        #expect(shell.isPlain)
        #expect(try shell.program.wait().status == 0)
    }

    @Test("In the background it draws nothing, changes nothing, and is not stopped")
    func background() throws {
        let shell = try Shell("(watch) & read line; fg; echo it waits; bg; read line; kill %1; wait $!; echo ended with $?")
        shell.terminal.type("\n")
        let shown = try shell.see("ends this")
        #expect(shown.components(separatedBy: Self.begin).count == 2, "\(shown)")
        #expect(shell.isDrawn, "what began in the background has the keys in the foreground")
        shell.terminal.type("\u{1a}")
        // Before the shell has the terminal again, what is typed may be dropped.
        #expect(try shell.see("it waits").contains(Self.end))
        shell.terminal.type("\n")
        let rest = try shell.see("ended with \(128 + SIGTERM)")
        #expect(shell.isPlain && !rest.contains(Self.begin) && !rest.contains(Self.end), "\(rest)")
        #expect(try shell.program.wait().status == 0)
    }
}
