// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl tune, as a person uses it")
struct TuneTests {
    @Test("What is no answer is said to be none, and the question asked again as a whole; r plays it again")
    func badAnswer() throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        let program = try Program(
            "hapticctl", ["tune", "main", "--socket", daemon.socket], environment: ["TERM": "xterm"], input: terminal.terminal,
            output: terminal.terminal, in: daemon.folder)
        var said = ""
        func wait(for questions: Int) throws {
            try IntegrationTests.wait(for: "question \(questions): \(said)") {
                said += terminal.written()
                return said.components(separatedBy: "Did you feel it? [y/n/r] ").count == questions + 1
            }
        }
        try wait(for: 1)
        terminal.type("maybe\n")
        try wait(for: 2)
        #expect(said.contains("`maybe` is no answer: y is yes, n is no, r plays it again"), "\(said)")
        terminal.type("R\n")
        try wait(for: 3)
        #expect(said.components(separatedBy: "is no answer").count == 2, "\(said)")
        terminal.type("YES\n")
        try wait(for: 4)
        #expect(said.components(separatedBy: "is no answer").count == 2, "\(said)")
        program.signal(SIGTERM)
        _ = try program.wait()
    }

    @Test("An actuator that is not there is said first")
    func unknown() throws {
        let ended = try Daemon().ctl("tune", "nosuch")
        #expect(ended.status == 1 && ended.output.isEmpty, "\(ended)")
        #expect(ended.errors == "unknown actuator `nosuch`; there is `main`\n", "\(ended)")
    }
}
