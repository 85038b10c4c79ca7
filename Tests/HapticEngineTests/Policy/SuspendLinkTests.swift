// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct SuspendLinkTests {
    @Test("Nothing is felt from the beginning of a suspension up to its end, or for its longest time")
    func suspended() {
        var suspension = Suspension()
        let begin = MonotonicInstant.zero + .seconds(5)
        #expect(SuspendLink.objection(suspension, at: begin) == nil)
        suspension.begin(at: begin)
        #expect(SuspendLink.objection(suspension, at: begin) == .suspended)
        #expect(SuspendLink.objection(suspension, at: begin + Suspension.longest - Nanoseconds(1)) == .suspended)
        #expect(SuspendLink.objection(suspension, at: begin + Suspension.longest) == nil)
        suspension.end()
        #expect(SuspendLink.objection(suspension, at: begin) == nil)
    }
}
