// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Detents and ends of a followed value")
struct DetentTests {
    /// What of these values is felt, beside the first one.
    private static func passed(_ values: [Double], _ shape: FollowShape) -> [DetentState.Passed] {
        var state = DetentState()
        return Array(values.map { state.update(to: Progress($0)!, shape) }.dropFirst())
    }

    @Test(
        "A detent is felt when it is passed, up and down; of several at once one is felt, and none if the value trembles on it",
        arguments: [
            ([0.1, 0.24, 0.25, 0.26], [.nothing, .detent, .nothing]),
            ([0.1, 0.9], [.detent]),
            ([0.9, 0.1], [.detent]),
            ([0.24, 0.26, 0.249, 0.251, 0.24, 0.26], [.detent, .nothing, .nothing, .nothing, .nothing]),
            ([0.24, 0.26, 0.2, 0.26], [.detent, .nothing, .detent]),
            ([0.24, 0.3, 0.24, 0.3], [.detent, .detent, .nothing]),
            ([0.2, 0.3, 0.2, 0.3], [.detent, .detent, .detent]),
            ([0.3, 0.3], [.nothing]),
            ([0.5, 0.6], [.nothing]),
        ] as [([Double], [DetentState.Passed])])
    func detents(values: [Double], wanted: [DetentState.Passed]) {
        #expect(Self.passed(values, FollowShape(detents: FollowShape.even(3))) == wanted)
    }

    @Test(
        "An end is felt on arriving there, in place of a detent, and again once the value has left it",
        arguments: [
            ([0.6, 1, 1, 0.99, 1, 0.9, 1], [.end, .nothing, .nothing, .nothing, .nothing, .end]),
            ([0.6, 0, 0.01, 0, 0.3, 0], [.end, .nothing, .nothing, .detent, .end]),
            ([1, 0.995, 1], [.nothing, .nothing]),
            ([0, 0], [.nothing]),
        ] as [([Double], [DetentState.Passed])])
    func ends(values: [Double], wanted: [DetentState.Passed]) {
        #expect(Self.passed(values, FollowShape(detents: FollowShape.even(3))) == wanted)
    }

    @Test("Detents lie evenly between the ends, and their hysteresis is smaller the closer they are")
    func even() {
        #expect(FollowShape.even(4).map(\.value) == [0.2, 0.4, 0.6, 0.8])
        #expect(FollowShape(detents: FollowShape.even(4)).hysteresis == 0.02)
        #expect(abs(FollowShape(detents: FollowShape.even(99)).hysteresis - 0.0025) < 1e-9)
    }
}
