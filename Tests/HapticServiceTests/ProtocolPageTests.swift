// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticJSON
import Testing

@testable import HapticService
@testable import HapticWire

/// docs/protocol.md is the reference: what the code has and the page has not would be found by nobody.
@Suite("The page on the protocol")
struct ProtocolPageTests {
    private let page: String
    /// The rows of all tables, each with its cells.
    private let rows: [[Substring]]

    init() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/protocol.md").standardized
        page = try String(contentsOf: file, encoding: .utf8)
        rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { $0.dropFirst(2).split(separator: " | ") }
    }

    /// Whether a table has a row that begins with `name`.
    private func hasRow(_ name: String) -> Bool { row(name) != nil }

    private func row(_ name: String) -> [Substring]? {
        // Several names may share a row.
        rows.first { row in row.first.map { $0.split(separator: ", ").contains { $0 == "`\(name)`" } } == true }
    }

    @Test("The page has each method with all of its params", arguments: Methods.all.map { $0.method })
    func methods(_ method: String) throws {
        let cells = try #require(row(method), "no row for \(method)").joined(separator: " ")
        // What every input takes is described once, below the table.
        let behind = try #require(page.components(separatedBy: "are the inputs.").dropFirst().first)
        let common = behind.components(separatedBy: "\n\n")[0]
        for member in Methods.named(Text(method))?.description ?? [] {
            // `all: true` and such are a member with its value.
            let isThere = ["`\(member.name)`", "`\(member.name): "].contains { cells.contains($0) || common.contains($0) }
            #expect(isThere, "`\(member.name)` of \(method) is not on the page")
        }
    }

    @Test("The page has each outcome, each reason and each error")
    func vocabulary() {
        for outcome in Outcome.allCases { #expect(hasRow(outcome.rawValue), "\(outcome.rawValue)") }
        for reason in Reason.allCases { #expect(hasRow(reason.rawValue), "\(reason.rawValue)") }
        for code in ErrorCode.allCases {
            #expect(rows.contains { $0.first == "\(code.rawValue)" }, "\(code) has no row")
        }
    }

    @Test("The page names each topic, and each limit as it is")
    func limits() {
        for topic in Topic.allCases { #expect(page.contains("`\(topic.rawValue)`"), "\(topic.rawValue)") }
        #expect(
            page.contains(
                "at most \(WireLimit.clientLine / 1024) KiB, the daemon's at most \(WireLimit.daemonLine / 1_048_576) MiB"))
        #expect(page.contains("an array of at most \(WireLimit.batchItems)"))
        #expect(page.contains("\(WireLimit.text) bytes, a list \(WireLimit.listItems) items"))
    }

    @Test("The page has no reason and no error that the code has not")
    func nothingElse() throws {
        let known = Set(Reason.allCases.map(\.rawValue))
        let section = try #require(page.components(separatedBy: "| reason | meaning |\n").dropFirst().first)
        let table = section.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst()
        for line in table {
            let name = line.dropFirst(3).prefix { $0 != "`" }
            #expect(known.contains(String(name)), "\(name) is no reason")
        }
        #expect(table.count == known.count)
        let codes = rows.compactMap { $0.first.flatMap { Int($0) } }.filter { $0 <= -32000 }
        #expect(Set(codes) == Set(ErrorCode.allCases.map(\.rawValue)))
    }
}
