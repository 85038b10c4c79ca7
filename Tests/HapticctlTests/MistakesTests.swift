// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("Mistakes on the command line")
struct MistakesTests {
    private func failure(_ arguments: [String]) throws -> Failure {
        let thrown = #expect(throws: (any Error).self, "\(arguments)") { try Program.parse(arguments) }
        let error = try #require(thrown)
        #expect(Program.status(of: error) == ExitStatus.usage, "\(arguments)")
        return Program.failure(error)
    }

    @Test("A mistake ends with status 2, and the error suggests a correction")
    func mistakes() throws {
        var cases = SnapshotCases()
        // `''` is an empty word, and `TAB` a word with a tab.
        for line in try snapshotHeadings("mistakes") {
            let words = line.split(separator: " ").map { $0 == "''" ? "" : $0 == "TAB" ? "a\tb" : String($0) }
            // The help and the usage that follow are as wide as the terminal.
            let lines = try failure(words).lines.prefix { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") }
            cases.add(line, lines.map(\.printable))
        }
        try expectSnapshot(of: cases.text, "mistakes")
    }

    @Test("A name has 256 bytes at most, and the id of a hold 246: its event `ID.confirmed` is a name")
    func lengths() throws {
        func name(_ count: Int) -> String { String(repeating: "p", count: count) }
        _ = try Program.parse(["hold", name(246)])
        #expect(try failure(["hold", name(247)]).message.contains("the id of a hold has 1 to 246 bytes"))
        _ = try Program.parse(["event", name(256)])
        #expect(try failure(["event", name(257)]).message.contains("a name has 1 to 256 bytes"))
    }

    @Test("An error of the parser is one message, with the usage in lines of its own", arguments: ["play --stps 3", "progress"])
    func parserErrors(line: String) throws {
        let failure = try failure(line.split(separator: " ").map(String.init))
        #expect(failure.code == .usage)
        #expect(!failure.message.hasPrefix("Error"))
        #expect(!failure.message.contains("\n"))
        #expect(failure.details.contains { $0.contains("Usage: hapticctl") }, "\(failure.details)")
    }

    @Test(
        "The command line decides whether an error is JSON, also if it cannot be parsed",
        arguments: [
            ("--json fly", true), ("fly --json", true), ("play --json --steps x", true), ("play --steps x", false),
            ("play -- --json", false), ("", false),
        ])
    func jsonErrors(line: String, isJSON: Bool) {
        #expect(Program.wantsJSON(line.split(separator: " ").map(String.init)) == isJSON)
    }

    @Test("A file that is no socket is reported as such, and so is the variable that names it")
    func noSocket() {
        #expect(
            NoDaemon(tried: ["/"], variable: "/").message
                == "$HAPTICD_SOCKET names /, which is a folder and no socket; correct or unset that variable")
        #expect(
            NoDaemon(tried: ["/dev/null"], variable: nil).message
                == "/dev/null is a device or a pipe and no socket; name another one with --socket")
        // Membership of a group does not make a folder a socket.
        let refused = Failure(ClientError.noPermission(path: "/"))
        #expect(refused.message.hasPrefix("/ is a folder and no socket"))
        #expect(refused.status == ExitStatus.noDaemon)
    }

    @Test("A daemon is proposed only for a folder that exists")
    func noFolder() {
        let start = "no hapticd listens at /no/such/file, which"
        #expect(
            NoDaemon(tried: ["/no/such/file"], variable: nil).message
                == "\(start) --socket names; correct it: the folder /no/such does not exist")
        #expect(
            NoDaemon(tried: ["/no/such/file"], variable: "/no/such/file").message
                == "\(start) $HAPTICD_SOCKET names; correct or unset that variable: the folder /no/such does not exist")
        #expect(
            NoDaemon(tried: ["/tmp/no-such-file"], variable: nil).message.hasSuffix(
                "correct it, or start one there: `hapticd --simulate --socket /tmp/no-such-file`"))
    }

    @Test("Pulses are advised as a person types them, not as an object of JSON")
    func typedPulses() {
        let refusal = WireError(.invalidParams, "`pattern`: unknown pattern `vibrate`; \(PulsesHint.pattern)")
        let message = "`pattern`: unknown pattern `vibrate`; pulses and pauses in milliseconds are written as `100,50,100`"
        #expect(Failure(refusal).message == message)
        #expect(Failure(refusal).lines == [message])
    }

    @Test("Every failure of the daemon's side has its status and its code, for people and for programs")
    func failures() throws {
        let invalid = WireError(.invalidConfiguration, "2 errors", data: .init(diagnostics: ["a.yaml:1:1: x", "a.yaml:2:1: y"]))
        let errors: [ClientError] = [
            .noDaemon(tried: ["/run/x"]), .noPermission(path: "/run/x"), .closed, .timedOut, .notUnderstood("x"), .tooManyUntaken,
            .refused(WireError(.invalidParams, "no such pattern")), .refused(invalid),
            .refused(WireError(.invalidParams, "odd\n", data: .init(path: "steps", diagnostics: ["a", "b"]))),
        ]
        var cases = SnapshotCases()
        for error in errors {
            let failure = Failure(error)
            #expect(Program.status(of: error) == failure.status)
            cases.add("\(failure.code), status \(failure.status)", failure.lines.map(\.printable) + [try json(failure)])
        }
        for status in [1, 2, 3, 130] as [Int32] { cases.add("status \(status) alone", [try json(Failure("x", status: status))]) }
        try expectSnapshot(of: cases.text, "failures")
    }

    private func json(_ failure: Failure) throws -> String {
        String(decoding: try JSONLines.line(ErrorLine(failure: failure)).dropLast(), as: UTF8.self)
    }
}
