// SPDX-License-Identifier: MIT
import Foundation
import HapticText
import HapticWire
import Testing

@testable import HapticTerminal

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
}
