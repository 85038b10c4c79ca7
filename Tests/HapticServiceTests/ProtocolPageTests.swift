// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticWire
import Testing

/// The parts of docs/protocol.md that are not generated have the vocabulary and the limits of the code.
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
    private func hasRow(_ name: String) -> Bool { rows.contains { $0.first == "`\(name)`" } }

    @Test("The page has each outcome and each reason")
    func vocabulary() {
        for outcome in Outcome.allCases { #expect(hasRow(outcome.rawValue), "\(outcome.rawValue)") }
        for reason in Reason.allCases { #expect(hasRow(reason.rawValue), "\(reason.rawValue)") }
    }

    @Test("The page names each limit as it is")
    func limits() {
        #expect(
            page.contains(
                "at most \(WireLimit.clientLine / 1024) KiB, the daemon's at most \(WireLimit.daemonLine / 1_048_576) MiB"))
        #expect(page.contains("an array of at most \(WireLimit.batchItems)"))
    }

    @Test("The page has no reason that the code has not")
    func nothingElse() throws {
        let known = Set(Reason.allCases.map(\.rawValue))
        let section = try #require(page.components(separatedBy: "| reason | meaning |\n").dropFirst().first)
        let table = section.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst()
        for line in table {
            let name = line.dropFirst(3).prefix { $0 != "`" }
            #expect(known.contains(String(name)), "\(name) is no reason")
        }
        #expect(table.count == known.count)
    }
}
