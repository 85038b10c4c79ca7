// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("Terminals, pipes and arguments of hapticctl", .ownThreads)
struct CtlMannersTests {
    @Test("An error about a file writes no escape sequence of its name to a terminal")
    func printableErrors() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("version: 2\n", to: "\u{1b}[31mred.yaml")
        let ended = try runCtl(["check-config", file])
        #expect(ended.status == 1)
        #expect(ended.errors.contains("red"))
        #expect(!ended.errors.contains("\u{1b}"))
    }

    @Test("A terminal gets a progress bar while something plays; a pipe, and a program that wants JSON, do not")
    func progressBar() throws {
        let daemon = try Daemon()
        let play = ["play", "--pattern", "soft", "--steps", "10", "--duration", "400ms"]
        for (arguments, isDrawn) in [(play, true), (play + ["--json"], false)] {
            let terminal = try PseudoTerminal()
            let environment = ["TERM": "xterm", "LANG": "C.UTF-8", "COLUMNS": "60"]
            let program = try daemon.start(arguments, environment: environment, errors: terminal.terminal)
            #expect(try program.wait().status == 0)
            let drawn = terminal.written()
            #expect(drawn.contains("soft ×10  ━") == isDrawn, "\(drawn)")
            #expect(drawn.contains("%") == isDrawn, "\(drawn)")
            #expect(drawn.hasSuffix("\r\u{1b}[K") == isDrawn, "it is gone at the end: \(drawn)")
        }
        #expect(try daemon.start(play).wait().quietStatus == 0)
    }

    @Test("A play that a person types pre-empts a ringing one; one of a program does not")
    func typedPlay() throws {
        let daemon = try Daemon()
        let ring = try daemon.start(["play", "ring", "--repeat", "20", "--class", "notification"])
        let client = try daemon.connect()
        try wait(for: "the ring") { try client.result("status").number("playbacks") == 1 }
        #expect(try daemon.ctl("play", "soft").errors.contains("lowerPriority"))
        let terminal = try PseudoTerminal()
        let typed = try daemon.start(["play", "soft"], environment: ["TERM": "xterm"], errors: terminal.terminal)
        #expect(try typed.wait().status == 0, "\(terminal.written())")
        #expect(try ring.wait().errors.contains("preempted"), "a notification goes before one that is as important")
    }

    @Test("`--quiet` leaves errors only, and `--color` decides against the terminal")
    func quietAndColour() throws {
        let daemon = try Daemon()
        let quiet = try daemon.ctl("play", "soft", "--quiet")
        #expect((quiet.quietStatus, quiet.output) == (0, ""))
        #expect(try daemon.ctl("-q", "play", "nothing").errors.contains("unknown pattern"))
        for (colour, isColoured) in [("always", true), ("never", false)] {
            let monitor = try daemon.start(["monitor", "--playbacks", "1", "--color", colour])
            try daemon.waitForSubscriber()
            #expect(try daemon.ctl("play", "soft").status == 0)
            #expect(try monitor.wait().output.contains("\u{1b}[") == isColoured)
            let client = try daemon.connect()
            try wait(for: "the monitor to be gone") { try client.result("status").number("subscribers") == 0 }
        }
    }

    @Test("`--version` names the hapticd that answers, and is no failure if none does")
    func versions() throws {
        let daemon = try Daemon()
        /// It waits 0.3 s for the answer, in which a busy machine may get nowhere.
        func answered(_ arguments: [String]) throws -> EndedProgram {
            var ended: EndedProgram?
            try wait(for: "hapticd to answer \(arguments)") {
                ended = try runCtl(arguments)
                return ended?.output.contains("does not answer") == false
            }
            return try #require(ended)
        }
        let both = try answered(["--version", "--socket", daemon.socket])
        let version = try #require(both.output.split(separator: "\n").first)
        #expect(both.quietStatus == 0)
        #expect(both.output == "\(version)\nhapticd \(version) at \(daemon.socket)\n")
        let json = try answered(["--socket", daemon.socket, "--json", "-V"])
        #expect(json.objects.map { $0.object("hapticd").text("socket") } == [daemon.socket], "\(json)")
        let none = try runCtl(["--version", "--socket", "/no/such.sock"])
        #expect(none.status == 0)
        #expect(none.output.hasPrefix("\(version)\n"))
        #expect(none.output.contains("/no/such.sock"))
    }

    @Test("Help is as wide as the terminal, and output that cannot be written is a failure")
    func help() throws {
        let folder = try TemporaryFolder()
        for (columns, width) in [("40", 40), ("200", 100)] {
            let help = try Program("hapticctl", ["--help"], environment: ["COLUMNS": columns], in: folder).wait()
            // Examples, and the parser's own lines of usage, are never broken, and neither is a word alone.
            let prose = help.output.split(separator: "\n").filter {
                !$0.contains("  hapticctl ") && !$0.contains("[--") && !$0.hasPrefix("  See ")
            }
            let tooLong = prose.filter { $0.count > width && $0.dropFirst(26).drop { $0 == " " }.contains(" ") }
            #expect(help.status == 0)
            #expect(tooLong == [])
            #expect(prose.contains { $0.count > width - 12 }, "\(help.output)")
        }
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        for arguments in [["--help"], ["--version"], ["play", "--help"], ["--generate-completion-script", "bash"]] {
            let ended = try Program("hapticctl", arguments, output: full, in: folder).wait()
            #expect(ended.status == 1, "\(arguments)")
            #expect(ended.errors.contains("cannot write the output"), "\(arguments): \(ended)")
        }
    }

    @Test("An argument that is not UTF-8 is refused, not sent as another text")
    func notText() throws {
        let command = "exec \(programs.path)/hapticctl event \"$(printf '\\377\\376')\" --socket /no/such.sock"
        let ended = try Program("/bin/sh", ["-c", command], in: TemporaryFolder()).wait()
        #expect(ended.status == 2)
        #expect(ended.errors.contains("argument 2 is not valid UTF-8"), "\(ended.errors)")
    }

    @Test("Standard input that never ends is no set: the error says how much may come")
    func endless() throws {
        let zeros = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
        let arguments = ["present", "stock", "--stdin", "--simulate"]
        let ended = try Program("hapticctl", arguments, input: zeros, in: TemporaryFolder()).wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("100,000 of them and 8 MB"), "\(ended)")
        #expect(!ended.errors.contains("Failure("), "\(ended.errors)")
    }

    @Test("`tune` refuses anything but an answer, and asks the question again; r plays it again")
    func tuneAnswers() throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        let program = try daemon.start(
            ["tune", "main"], environment: ["TERM": "xterm"], input: terminal.terminal, output: terminal.terminal)
        let question = "Did you feel it? [y/n/r] "
        for (answer, error) in [("maybe", "`maybe` is no answer: y is yes, n is no, r plays it again"), ("R", nil), ("YES", nil)]
        {
            _ = try terminal.see(question)
            terminal.type(answer + "\n")
            guard let error else { continue }
            #expect(try terminal.see(error).contains(error))
        }
        let shown = try terminal.see(question)
        #expect(!shown.contains("is no answer"), "\(shown)")
        program.signal(SIGTERM)
        try program.wait()
    }
}
