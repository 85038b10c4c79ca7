// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@Suite("Snapshots of what the doctor finds")
struct SnapshotTests {
    @Test("Each snapshot belongs to a test")
    func named() throws {
        let unnamed = try unnamedSnapshots()
        #expect(unnamed == [])
    }
}
