// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import hapticd

@Suite("Warnings that could come with every actuation")
struct RepeatedWarningTests {
    @Test("are told once a minute, with how often it was since")
    func rate() {
        var warning = RepeatedWarning<Int>()
        let told = (0...65_000).map { warning.happened(1, at: .zero + .milliseconds($0)) }
        #expect(told.enumerated().filter { $0.element != nil }.map(\.offset) == [0, 60_000])
        #expect(told[0] == 1 && told[60_000] == 60_000)
    }

    @Test("are told of each kind by itself")
    func kinds() {
        var warning = RepeatedWarning<Int>()
        #expect(warning.happened(1, at: .zero) == 1)
        #expect(warning.happened(2, times: 3, at: .zero) == 3)
        #expect(warning.happened(2, at: .zero + .seconds(1)) == nil)
    }
}
