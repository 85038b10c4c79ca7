// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticCore
import HapticText
import HapticYAML
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

        /// The keys that lead to the value.
        var path: [String]? {
            let marked = text.replacingOccurrences(of: "@", with: "here")
            let report = DocumentReport(file: nil)
            return YAML.parse(Array(marked.utf8), report: report)?.path(to: "here")
        }
    }

    /// Keys of one name and one range, such as the `priority` of all rules, have one row.
    private struct RangedKey: Hashable {
        var name: String
        var kind: Member.Kind
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
    func everyRow() {
        let paths = Set(Self.rows.compactMap(\.path))
        var described: [RangedKey: [[String]]] = [:]
        for (path, kind) in Member.Kind.object(Configuration.members).ranged() {
            described[RangedKey(name: path.last ?? "", kind: kind), default: []].append(path)
        }
        #expect(described.count > 50)
        let missing = described.values.filter { $0.allSatisfy { !paths.contains($0) } }
        #expect(missing.map { $0[0].joined(separator: ".") }.sorted() == [])
    }
}

extension Member.Kind {
    /// The paths and kinds of all values with a range. Lengths of lists and texts do not count.
    fileprivate func ranged(at path: [String] = []) -> [(path: [String], kind: Self)] {
        let here = hasRange ? [(path: path, kind: self)] : []
        switch self {
        case .object(let members), .objectOfAny(let members):
            return here + members.flatMap { $0.kind.ranged(at: path + [$0.name]) }
        // An entry has no name of its own.
        case .list(let kind, _), .map(let kind, _): return kind.hasRange ? [] : kind.ranged(at: path)
        case .either(let kinds): return here + kinds.filter { !$0.hasRange }.flatMap { $0.ranged(at: path) }
        default: return here
        }
    }

    private var hasRange: Bool {
        switch self {
        case .share, .number, .duration, .seconds, .milliseconds, .rate, .frequency: true
        case .integer(let range): range.lowerBound < range.upperBound
        case .either(let kinds): kinds.contains(where: \.hasRange)
        default: false
        }
    }
}

extension Node {
    /// The keys that lead to a text.
    fileprivate func path(to text: Text) -> [String]? {
        switch content {
        case .string(let found): return found == text ? [] : nil
        case .object(let members):
            for member in members {
                if let rest = member.value.path(to: text) { return [member.key.string] + rest }
            }
            return nil
        case .list(let items): return items.lazy.compactMap { $0.path(to: text) }.first
        default: return nil
        }
    }
}
