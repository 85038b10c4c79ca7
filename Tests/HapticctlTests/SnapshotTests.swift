// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@Suite("Snapshots of what hapticctl writes")
struct SnapshotTests {
    @Test("Each snapshot is named by a test")
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
}
