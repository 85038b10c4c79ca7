// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// docs/configuration.md is the reference, generated from the description of keys, and hapticd.yaml(5) is made from it: its ranges are
/// those that are read.
@Suite("Ranges of the configuration, as they are documented")
struct DocumentedRangeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var key: String
        /// How the page says it.
        var words: String
        var taken: [Substring]
        var refused: [Substring]
        /// A configuration with `@` in place of the value, and without the keys that every configuration needs.
        var text: String
        var testDescription: String { "\(key): \(words)" }
    }

    private static func file(_ path: String) -> [Substring] {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../\(path)").standardized
        return (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    }

    /// The rows of `Tests/fixtures/ranges.txt`, whose first line names the columns.
    static let rows = file("Tests/fixtures/ranges.txt").dropFirst().map { line in
        let cells = line.split(separator: " | ")
        return Row(
            key: String(cells[0]), words: String(cells[1]), taken: cells[2].split(separator: " / "),
            refused: cells[3].split(separator: " / "), text: String(cells[4]))
    }

    private func isTaken(_ row: Row, _ value: Substring) -> Bool {
        let needed = "version: 1\n" + (row.text.hasPrefix("actuators") ? "" : twoActuators + "\n")
        return (try? configuration(needed + row.text.replacingOccurrences(of: "@", with: value))) != nil
    }

    @Test("Values in the range are taken, others are refused, and a line of the page says so", arguments: rows)
    func range(row: Row) throws {
        for value in row.taken { #expect(isTaken(row, value), "\(value)") }
        for value in row.refused { #expect(!isTaken(row, value), "\(value)") }
        let lines = Self.file("docs/configuration.md").filter { $0.hasPrefix("| `") }
        #expect(lines.contains { $0.contains("`\(row.key)`") && $0.contains(row.words) })
    }

    @Test("Every key with a range has a row")
    func everyRow() { #expect(Self.rows.count > 50) }
}
