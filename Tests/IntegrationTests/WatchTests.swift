// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl status --watch, and the terminal that it draws on", .ownThreads)
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

        /// Whether keys are shown, and lines are whole.
        var isPlain: Bool { terminal.flags & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON) }
        var isDrawn: Bool { terminal.flags & tcflag_t(ECHO | ICANON) == 0 }
    }

    private static let (begin, end) = ("\u{1b}[?1049h\u{1b}[?25l", "\u{1b}[?25h\u{1b}[?1049l")

    @Test(
        "The terminal is given back as it was, whichever key ends it",
        arguments: [("q", 0), ("\u{3}", 0), ("\u{1c}", 128 + SIGQUIT)] as [(String, Int32)])
    func ends(key: String, status: Int32) throws {
        let shell = try Shell("(watch); echo ended with $?; read rest; echo got:$rest:")
        #expect(try shell.terminal.see("q or Ctrl-C ends this").contains(Self.begin))
        #expect(shell.isDrawn)
        shell.terminal.type("xyz" + key)
        #expect(try shell.terminal.see("ended with \(status)\r\n").contains(Self.end))
        #expect(shell.isPlain)
        shell.terminal.type("more\n")
        try shell.terminal.see("got:more:")
        #expect(try shell.program.wait().status == 0)
    }

    @Test("A stop gives the terminal back, too, and the watch takes it again when it continues in the foreground")
    func stops() throws {
        let shell = try Shell("(watch); echo stopped with $?; read line; fg; echo ended with $?")
        try shell.terminal.see("ends this")
        shell.terminal.type("\u{1a}")
        #expect(try shell.terminal.see("stopped with \(128 + SIGTSTP)").contains(Self.end))
        #expect(shell.isPlain)
        shell.terminal.type("\n")
        #expect(try shell.terminal.see("ends this").contains(Self.begin))
        #expect(shell.isDrawn)
        shell.terminal.type("q")
        #expect(try shell.terminal.see("ended with 0").contains(Self.end))
        #expect(shell.isPlain)
        #expect(try shell.program.wait().status == 0)
    }

    @Test("A watch in the background draws nothing, changes nothing, and is not stopped")
    func background() throws {
        let shell = try Shell("(watch) & read line; fg; echo it waits; bg; read line; kill %1; wait $!; echo ended with $?")
        shell.terminal.type("\n")
        let shown = try shell.terminal.see("ends this")
        #expect(shown.components(separatedBy: Self.begin).count == 2, "\(shown)")
        #expect(shell.isDrawn, "what began in the background has the keys in the foreground")
        shell.terminal.type("\u{1a}")
        // Before the shell has the terminal again, what is typed may be dropped.
        #expect(try shell.terminal.see("it waits").contains(Self.end))
        shell.terminal.type("\n")
        let rest = try shell.terminal.see("ended with \(128 + SIGTERM)")
        #expect(shell.isPlain)
        #expect(!rest.contains(Self.begin))
        #expect(!rest.contains(Self.end))
        #expect(try shell.program.wait().status == 0)
    }

    @Test("The watch draws in place at the terminal's width, continues if the daemon goes, and ends by Ctrl-C")
    func draws() throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        func start(_ kind: String) throws -> Program {
            try daemon.start(["status", "--watch"], environment: ["TERM": kind], output: terminal.terminal)
        }
        let refused = try start("dumb").wait()
        #expect(refused.status == 2)
        #expect(refused.errors.contains("the kind `dumb`"), "\(refused.errors)")
        terminal.setWidth(200)
        let watch = try start("xterm")
        var shown = try terminal.see("Ready: 1 actuator, on time.")
        #expect(shown.hasPrefix("\u{1b}[?1049h"))
        func longest() -> Int {
            let screens = shown.components(separatedBy: "\u{1b}[H")
            return (screens.dropLast().last ?? "").components(separatedBy: "\u{1b}[K").map(\.count).max() ?? 0
        }
        for (width, isDrawn) in [(200, { longest() > 60 }), (50, { longest() <= 52 })] as [(UInt16, () -> Bool)] {
            terminal.setWidth(width)
            try wait(for: "a screen of \(width) columns") {
                shown += terminal.written()
                return isDrawn()
            }
        }
        terminal.setWidth(200)
        _ = try daemon.stop()
        try terminal.see("hapticd does not answer: no hapticd listens at ")
        watch.signal(SIGINT)
        #expect(try watch.wait().status == 0)
        try terminal.see("\u{1b}[?1049l")
        let piped = try daemon.ctl("status", "--watch")
        #expect(piped.status == 2)
        #expect(piped.errors.contains("draws on a terminal"), "\(piped)")
    }

    @Test("With `--json` the watch waits for the next daemon, too, and warns once")
    func watchAsJSON() throws {
        let daemon = try Daemon()
        let watch = try daemon.start(["status", "--watch", "--json"])
        try watch.wait(toSay: "{")
        _ = try daemon.stop()
        try watch.wait(toSay: "hapticd does not answer: ")
        let again = try Daemon(in: daemon.folder)
        let before = watch.output.count
        try wait(for: "another status") { watch.output.count > before }
        watch.signal(SIGINT)
        let ended = try watch.wait()
        #expect((ended.status, ended.errorLines.count) == (0, 1))
        withExtendedLifetime(again) {}
    }
}
