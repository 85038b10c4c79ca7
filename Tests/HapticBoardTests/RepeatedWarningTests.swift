// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBoard

@Suite("Warnings that could come with every actuation")
struct RepeatedWarningTests {
    @Test("Warnings are logged once a minute, with how often they came since")
    func rate() {
        var warning = RepeatedWarning<Int>()
        let warnings = (0...65_000).map { warning.happened(1, at: .zero + .milliseconds($0)) }
        #expect(warnings.enumerated().filter { $0.element != nil }.map(\.offset) == [0, 60_000])
        #expect((warnings[0], warnings[60_000]) == (1, 60_000))
    }

    @Test("The last warnings are logged, too, a minute after the line before")
    func last() {
        var warning = RepeatedWarning<Int>()
        _ = warning.happened(1, at: .zero)
        #expect(warning.deadline == nil)
        for second in Int64(1)...3 { #expect(warning.happened(1, times: 5, at: .zero + .seconds(second)) == nil) }
        #expect(warning.deadline == .zero + .seconds(60))
        #expect(warning.due(at: .zero + .seconds(59)).isEmpty)
        #expect(warning.due(at: .zero + .seconds(60)).map(\.count) == [15])
        #expect(warning.deadline == nil)
        #expect(warning.due(at: .zero + .seconds(200)).isEmpty)
    }

    @Test("Warnings begin again with other actuators, and those not yet logged are logged before that")
    func end() {
        var warning = RepeatedWarning<Int>()
        for kind in 1...2 { _ = warning.happened(kind, at: .zero) }
        _ = warning.happened(1, times: 7, at: .zero + .seconds(1))
        let unlogged = warning.end()
        #expect((unlogged.map(\.kind), unlogged.map(\.count)) == ([1], [7]))
        #expect(warning.deadline == nil)
        #expect(warning.end().isEmpty)
        #expect(warning.happened(2, at: .zero + .seconds(2)) == 1)
    }

    @Test("Warnings of each kind are logged by themselves")
    func kinds() {
        var warning = RepeatedWarning<Int>()
        #expect(warning.happened(1, at: .zero) == 1)
        #expect(warning.happened(2, times: 3, at: .zero) == 3)
        #expect(warning.happened(2, at: .zero + .seconds(1)) == nil)
    }
}
