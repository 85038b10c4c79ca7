// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@Suite("Snapshots of what the terminal shows")
struct SnapshotTests {
    @Test("Each snapshot belongs to a test")
    func named() throws {
        let unnamed = try unnamedSnapshots()
        #expect(unnamed == [])
    }
}
