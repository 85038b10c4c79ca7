// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import TestSupport
import Testing

@testable import HapticDoctor
@testable import HapticTerminal

@Suite("Words of a remedy")
struct ShellQuotedTests {
    @Test(
        "A quoted text is itself to a shell, whatever is in it, and nothing of it is run",
        arguments: [
            "plain", "", " ", "two words", "it's", "\"", "$(touch /tmp/x)", "`id`", "$HOME", "a;b", "a&b|c>d", "*?[a]", "~", "#x",
            "!!",
            "-rf", "\\", "end\\", "a\nb", "end\n", "\t", "\u{1b}[31m", "\u{1b}7", "\u{202e}x", "'\u{7}'", "\\\u{1}", "é",
            "\u{7f}1",
            "=cat", "a{b,c}",
        ])
    func isItself(text: String) throws {
        for (shell, options) in [("bash", ["--norc", "-c"]), ("zsh", ["-fc"])] {
            // This machine may have one of them.
            guard let tool = patient(shell) else { continue }
            let answer = tool.ask(options + ["printf %s \(shellQuoted(text))"])
            #expect(answer == Tool.Answer(status: 0, output: Array(text.utf8)), "\(shell)")
        }
        #expect(!shellQuoted(text).unicodeScalars.contains { !$0.isPrintable }, "a terminal shows it as it is")
    }

    @Test("A harmless text is not quoted")
    func harmless() { #expect(shellQuoted("/etc/hapticd/hapticd.yaml") == "/etc/hapticd/hapticd.yaml") }

    @Test("A path is no option", arguments: [("-rf", "./-rf"), ("a", "a"), ("/-x", "/-x"), ("-a b", "'./-a b'")])
    func path(path: String, word: String) { #expect(shellQuotedPath(path) == word) }
}

/// A program that has as long as only a failure takes.
private func patient(_ name: String) -> Tool? {
    var tool = Tool(name)
    tool?.patience = 60_000_000_000
    return tool
}

@Suite("Programs of the system")
struct ToolTests {
    @Test("A program gets neither the user's environment nor input")
    func environment() throws {
        setenv("HAPTICD_SECRET", "1", 1)
        let tool = try #require(patient("sh"))
        let answer = tool.ask(["-c", "echo \"[$HAPTICD_SECRET$HOME]\"; cat; exit 3"])
        #expect(answer == Tool.Answer(status: 3, output: Array("[]\n".utf8)))
    }

    @Test("A program that takes too long is ended, with the processes that it has started")
    func tooLong() throws {
        var tool = try #require(Tool("sh"))
        tool.patience = 50_000_000
        var process: Int32?
        // A busy machine may need longer to start it.
        while process == nil, tool.patience < 60_000_000_000 {
            let answer = try #require(tool.ask(["-c", "sleep 1000 & echo $!; sleep 1000"]))
            #expect(answer.status == nil)
            process = Int32(answer.text.split(separator: "\n").first ?? "")
            tool.patience *= 2
        }
        let started = try #require(process)
        // Whoever is its parent now may take its time to collect it.
        func isRunning() -> Bool {
            guard let state = try? String(contentsOfFile: "/proc/\(started)/stat", encoding: .utf8) else { return false }
            return !state.contains(") Z ")
        }
        try wait(for: "its child to end") { !isRunning() }
    }

    @Test("No more than the bound is read of a program that writes too much")
    func tooMuch() throws {
        var tool = try #require(patient("sh"))
        tool.most = 1000
        let answer = try #require(tool.ask(["-c", "while :; do echo yes; done"]))
        #expect(answer.status == nil)
        #expect(answer.output.count == 1000)
    }

    @Test("A program that this system does not have is not run")
    func missing() {
        let isMissing = Tool("no-such-program-of-hapticd") == nil
        #expect(isMissing)
    }
}
