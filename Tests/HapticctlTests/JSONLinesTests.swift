// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation
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

    @Test("Every JSON object begins with the version of its schema")
    func schema() throws {
        #expect(try text(Point()) == #"{"schema":1,"x":1,"y":[2,3]}"# + "\n")
        #expect(try text(Empty()) == #"{"schema":1}"# + "\n")
        #expect(throws: Failure.self) { try text([1, 2]) }
        #expect(throws: Failure.self) { try text("words") }
        #expect(throws: Failure.self) { try text(7) }
        #expect(throws: Failure.self) { try text(Point?.none) }
    }

    @Test("Every code is in the page on JSON output", arguments: Failure.Code.allCases)
    func documented(code: Failure.Code) throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/json.md").standardized
        #expect(try String(contentsOf: file, encoding: .utf8).contains("\n| `\(code.rawValue)` | "))
    }

    @Test("The errors of a file come without the excerpts for people")
    func document() {
        let diagnostic = Diagnostic(file: "here", mark: SourceMark(line: 1, column: 1), message: "odd")
        let failure = Failure(InvalidDocument([diagnostic]), texts: ["here": Array("x".utf8)])
        #expect(failure.code == .invalidFile)
        #expect(failure.details == ["here:1:1: odd"])
        #expect(failure.message == "here has 1 error; fix what is listed, then try again")
        #expect(failure.lines == ["here:1:1: odd", "  1 | x", "    | ^"])
    }

    @Test(
        "An error of a configuration is the same whether it was found here or by the daemon",
        arguments: [
            Diagnostic(
                file: "/etc/a.yaml", mark: .init(line: 4, column: 11), path: "progress[0].step", message: "must be: at most 1"),
            Diagnostic(file: "/etc/a.yaml", mark: .init(line: 1, column: 1), message: "unknown key `progres`: did you mean it?"),
            Diagnostic(file: "/etc/a:b.yaml", mark: .init(line: 1, column: 2), path: "version", message: "is missing"),
            Diagnostic(file: "/no/such.yaml", message: "cannot be read: there is no such file"),
            Diagnostic(message: "2 more errors are not shown"), Diagnostic(message: "it is so: no place"),
        ])
    func problem(diagnostic: Diagnostic) { #expect(Problem(text: diagnostic.description) == Problem(diagnostic)) }

    @Test("The version of hapticctl comes first, then the daemon's, with what to do if they differ")
    func versions() throws {
        let same = Versions(hapticd: .init(version: HapticVersion.current, socket: "/run/x"))
        #expect(same.lines == [HapticVersion.current, "hapticd \(HapticVersion.current) at /run/x"])
        let other = Versions(hapticd: .init(version: "0.0.9", socket: "/run/x"))
        #expect(other.lines.count == 3)
        #expect(other.lines[2].contains("restart hapticd"))
        #expect(
            try text(other)
                == #"{"schema":1,"hapticctl":"\#(HapticVersion.current)","hapticd":{"version":"0.0.9","socket":"/run/x"},"problem":null}"#
                + "\n")
        #expect(Versions(socket: "/no/such.sock").lines == [HapticVersion.current, "no hapticd at /no/such.sock"])
    }

    @Test("fish is offered the meaning of a pattern behind a tab, others the name alone; names with commands are left out")
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
