// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation
import HapticClient
import HapticJSON
import HapticWire
import Testing

@testable import hapticctl

@Suite("JSON for programs")
struct JSONLinesTests {
    private struct Empty: Encodable {}

    private struct Point: Encodable {
        var x = 1
        var y: [Int] = [2, 3]
    }

    private func text(_ value: some Encodable) throws -> String { String(decoding: try JSONLines.line(value), as: UTF8.self) }

    @Test("An object has the version of what it says as its first member")
    func schema() throws {
        #expect(try text(Point()) == #"{"schema":1,"x":1,"y":[2,3]}"# + "\n")
        #expect(try text(Empty()) == #"{"schema":1}"# + "\n")
    }

    @Test("What is no object cannot be written")
    func noObject() {
        #expect(throws: Failure.self) { try text([1, 2]) }
        #expect(throws: Failure.self) { try text("words") }
        #expect(throws: Failure.self) { try text(7) }
        #expect(throws: Failure.self) { try text(Point?.none) }
    }

    private func error(_ failure: Failure) throws -> String { try text(ErrorLine(failure: failure)) }

    @Test("An error has a code, a message, what belongs to it, and the status")
    func errors() throws {
        #expect(
            try error(Failure("no such thing", status: ExitStatus.usage))
                == #"{"schema":1,"error":{"code":"usage","message":"no such thing","details":[],"status":2,"number":null,"data":null}}"#
                + "\n")
        let refusal = WireError(.invalidParams, "odd\n", data: .init(path: "steps", diagnostics: ["a", "b"]))
        #expect(
            try error(Failure(ClientError.refused(refusal)))
                == #"{"schema":1,"error":{"code":"refused","message":"odd\n","details":["a","b"],"status":1,"number":-32602,"#
                + #""data":{"path":"steps","diagnostics":["a","b"]}}}"# + "\n")
    }

    @Test(
        "What the daemon's side ends in has a code of its own",
        arguments: [
            (ClientError.noDaemon(tried: ["/x"]), Failure.Code.noDaemon), (.closed, .noDaemon), (.timedOut, .noAnswer),
            (.noPermission(path: "/x"), .noPermission), (.notUnderstood("x"), .notUnderstood), (.tooManyUntaken, .failed),
            (.refused(WireError(.invalidParams, "x")), .refused),
        ])
    func codes(error: ClientError, code: Failure.Code) { #expect(Failure(error).code == code) }

    @Test("Every code is in the page on JSON output", arguments: Failure.Code.allCases)
    func documented(code: Failure.Code) throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/json.md").standardized
        #expect(try String(contentsOf: file, encoding: .utf8).contains("\n| `\(code.rawValue)` | "))
    }

    @Test(
        "Where a failure names no code its status does",
        arguments: [(1, .failed), (2, .usage), (3, .noDaemon), (130, .cancelled)] as [(Int32, Failure.Code)])
    func statuses(status: Int32, code: Failure.Code) { #expect(Failure("x", status: status).code == code) }

    @Test("The errors of a file come without the lines that people are shown")
    func document() {
        let diagnostic = Diagnostic(file: "here", mark: SourceMark(line: 1, column: 1), message: "odd")
        let failure = Failure(InvalidDocument([diagnostic]), texts: ["here": Array("x".utf8)])
        #expect(failure.code == .invalidFile && failure.details == ["here:1:1: odd"])
        #expect(failure.message == "here has 1 error; fix what is listed, then try again")
        #expect(failure.lines == ["here:1:1: odd", "  1 | x", "    | ^"])
    }

    @Test("The version of hapticctl comes first, then the daemon's, with what to do where they differ")
    func versions() throws {
        let same = Versions(hapticd: .init(version: HapticVersion.current, socket: "/run/x"))
        #expect(same.lines == [HapticVersion.current, "hapticd \(HapticVersion.current) at /run/x"])
        let other = Versions(hapticd: .init(version: "0.0.9", socket: "/run/x"))
        #expect(other.lines.count == 3 && other.lines[2].contains("restart hapticd"))
        #expect(
            try text(other)
                == #"{"schema":1,"hapticctl":"\#(HapticVersion.current)","hapticd":{"version":"0.0.9","socket":"/run/x"},"problem":null}"#
                + "\n")
        #expect(Versions(socket: "/no/such.sock").lines == [HapticVersion.current, "no hapticd at /no/such.sock"])
    }

    @Test("fish is offered what a pattern means behind a tab, others the name alone, and no one a name with a command in it")
    func offers() {
        let patterns = [
            Completions.PatternOffer(name: "soft", meaning: "A\tsoft\u{1b}[2J touch\n"), .init(name: "$(x)", meaning: "odd"),
            .init(name: "long", meaning: String(repeating: "a", count: 1000)), .init(name: "mute", meaning: ""),
        ]
        let longest = String(repeating: "a", count: Completions.longestMeaning)
        #expect(Completions.offers(patterns, in: .fish) == ["soft\tA soft [2J touch ", "long\t\(longest)", "mute"])
        #expect(Completions.offers(patterns, in: .zsh) == ["soft", "long", "mute"])
        #expect(Completions.offers(patterns, in: nil) == ["soft", "long", "mute"])
    }
}
