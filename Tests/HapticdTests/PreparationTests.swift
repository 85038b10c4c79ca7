// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticEngine
import HapticPlanning
import Testing

@testable import hapticd

@Suite("Patterns that devices have ready from the start")
struct PreparationTests {
    /// A pad has 16 slots, two of them for what nobody prepared. With the patterns for sets and tasks, too, none was left for clients.
    @Test("Without a configuration the patterns of progress, events and holds are prepared, not those of sets and tasks")
    func builtIn() throws {
        let configuration = Configuration.builtIn
        let engine = try configuration.engineConfiguration()
        let names: [Text] = ["soft", "success", "error", "warning", "tick"]
        let timelines = try names.map { try #require(engine.patterns[$0]).timeline }
        #expect(BoardConfiguration(configuration, engine).preparations == timelines)
    }
}
