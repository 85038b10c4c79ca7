// SPDX-License-Identifier: MIT
import FoundationEssentials
import TestSupport
import Testing

@Suite("Snapshots of what hapticctl writes")
struct SnapshotTests {
    @Test("Each snapshot belongs to a test")
    func named() throws {
        let unnamed = try unnamedSnapshots()
        #expect(unnamed == [])
    }

    @Test("A difference is shown line by line, with its place")
    func differences() {
        let found = lineDifferences(
            from: ["a", "b", "c", "e\u{301}"], to: ["a", "x", "c", "\u{e9}", "d"], of: "f", firstLine: 10)
        #expect(found == ["f:11: - b", "f:12: + x", "f:13: - e\u{301}", "f:14: + \u{e9}", "f:14: + d"])
    }

    @Test("A text without its snapshot is a difference", .disabled(if: isRewritingSnapshots))
    func missing() {
        let difference = #expect(throws: SnapshotDifference.self) { try expectSnapshot(of: "a", "no such") }
        #expect(difference?.description.contains("no such.txt:1: + a") == true)
    }

    @Test(
        "A text case that differs, and a line that belongs to none, are reported with file and line",
        .disabled(if: isRewritingSnapshots),
        arguments: [
            ("About.\n\n=== one\na\n=> A\n\n=== two\nb\n=> B\n", []),
            ("=== none\n\n\n=== one\na\nb\n=> A\n=> b\n", ["x.txt:4: one\nx.txt:8: - b\nx.txt:9: + B"]),
            ("=== one\na\n", ["x.txt:1: one\nx.txt:3: + A"]),
            ("=== one\na\n=> A…\n", ["x.txt:1: one\nx.txt:3: - A…\nx.txt:4: + A"]),
            ("=== one\na\n=> A\nb\n", ["x.txt:4: this line belongs to no case; begin one with `=== `"]),
            ("===one\na\n", ["x.txt:1: \(unmarked)", "x.txt has no cases"]), ("=== one\n=>A\n", ["x.txt:2: \(unmarked)"]),
            ("=> A\n=== one\n", ["x.txt:1: \(unmarked)"]), ("", ["x.txt has no cases"]),
        ] as [(String, [String])]) func textCases(text: String, differences: [String]) throws
    {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/fixtures", withIntermediateDirectories: false)
            try text.write(toFile: "\(folder)/fixtures/x.txt", atomically: false, encoding: .utf8)
            let found = TextCases.differences(in: "x", sourceFile: "\(folder)/HapticctlTests/SnapshotTests.swift") {
                $0.isEmpty ? [] : $0.split(separator: "\n").map { $0.uppercased() }
            }
            #expect(found == differences)
        }
    }

    private static let unmarked =
        "expected a heading, which begins with `=== `, or behind one what is made of its text, with `=> `"
}
