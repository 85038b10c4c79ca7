// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport
import Testing

@Suite("A budget of requests a second") struct RequestBudgetTests {
    private static let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    /// How many of `asked` at one instant are in order.
    private func taken(_ budget: inout RequestBudget, of rate: Int, asked: Int, at now: MonotonicInstant) -> Int {
        (0..<asked).count { _ in
            guard budget.wait(for: rate, at: now) == nil else { return false }
            budget.take(of: rate, at: now)
            return true
        }
    }

    @Test(
        "A full budget has exactly as many as the rate, also if a second does not divide",
        arguments: [1, 2, 3, 7, 1000, 31_623, 44_721, 99_999, 1_000_000])
    func atOnce(rate: Int) {
        var budget = RequestBudget()
        #expect(taken(&budget, of: rate, asked: rate + 10, at: Self.start) == rate)
    }

    @Test("A budget has exactly one again after the wait that it returns", arguments: [1, 3, 500, 44_721])
    func wait(rate: Int) throws {
        var budget = RequestBudget()
        _ = taken(&budget, of: rate, asked: rate, at: Self.start)
        let wait = try #require(budget.wait(for: rate, at: Self.start))
        #expect(budget.wait(for: rate, at: Self.start + wait - Nanoseconds(1)) != nil)
        #expect(taken(&budget, of: rate, asked: 5, at: Self.start + wait) == 1)
    }

    @Test("A budget is full a second after it was empty, and no fuller later")
    func refilled() {
        var budget = RequestBudget()
        _ = taken(&budget, of: 100, asked: 100, at: Self.start)
        #expect(!budget.isFull(at: Self.start + .milliseconds(999)))
        #expect(budget.isFull(at: Self.start + .seconds(1)))
        #expect(taken(&budget, of: 100, asked: 1000, at: Self.start + .seconds(3600)) == 100)
    }

    @Test("A budget never gives more than its filling and its rate in any second")
    func everyWindow() {
        var random = SplitMix64(seed: 7)
        for rate in [3, 50, 700] {
            var (budget, now, times) = (RequestBudget(), Self.start, [MonotonicInstant]())
            for _ in 0..<5000 {
                now = now + Nanoseconds(Int64.random(in: 0...(2_000_000_000 / Int64(rate)), using: &random))
                if taken(&budget, of: rate, asked: 1, at: now) == 1 { times.append(now) }
            }
            for (index, first) in times.enumerated() {
                guard index + 2 * rate < times.count else { break }
                // The filling and a second's rate: one more has to wait for longer than a second.
                #expect(times[index + 2 * rate] - first >= .seconds(1))
            }
            #expect(times.count > 2 * rate)
        }
    }

    @Test("After a change of the rate nobody waits longer than a second")
    func otherRate() throws {
        var budget = RequestBudget()
        _ = taken(&budget, of: 1000, asked: 1000, at: Self.start)
        #expect(try #require(budget.wait(for: 1, at: Self.start)) <= .seconds(1))
        #expect(try #require(budget.wait(for: 10, at: Self.start)) <= .milliseconds(100))
    }
}
