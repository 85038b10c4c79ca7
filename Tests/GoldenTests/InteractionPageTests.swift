// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// docs/interaction.md names the test of each rule.
@Suite("The page of the rules of good feedback") struct InteractionPageTests {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

    private static func rows() throws -> [Substring] {
        try String(contentsOf: root.appendingPathComponent("docs/interaction.md"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| rule ") && !$0.hasPrefix("| --- ") }
    }

    @Test("Each rule except slow motion names a trace or a test that exists")
    func named() throws {
        let rows = try Self.rows()
        #expect(rows.count == 15 + 11 + 11)
        let files = FileManager.default.enumerator(atPath: Self.root.appendingPathComponent("Tests").path)
        let tests = Set((files?.compactMap { ($0 as? String)?.split(separator: "/").last.map(String.init) }) ?? [])
        for row in rows {
            let cell = row.split(separator: "|", omittingEmptySubsequences: false).dropLast().last ?? ""
            let names = cell.split(separator: "`").map(String.init).filter { $0.hasSuffix(".trace") || $0.hasSuffix("Tests") }
            #expect(names.isEmpty == row.contains("Slow motion"), "\(row)")
            for name in names { #expect(tests.contains(name.hasSuffix(".trace") ? name : name + ".swift"), "\(name)") }
        }
    }
}
