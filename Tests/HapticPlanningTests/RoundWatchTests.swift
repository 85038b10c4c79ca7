// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticPlanning

@Suite("Rounds that recur") struct RoundWatchTests {
    @Test("A preview that leaves rounds out predicts the same as one of every round, on 1,000 random motors with random pasts")
    func sameAsWhole() {
        var sweep = RoundSweep(seed: testSeed)
        for number in 1...1000 {
            if let difference = sweep.next() {
                Issue.record("HAPTICD_SEED=\(testSeed) repeats it, case \(number): \(difference)")
                return
            }
        }
        #expect(sweep.shortened > 200)
        #expect(sweep.whole > 200)
    }
}
