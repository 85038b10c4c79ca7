// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Lights together keep to three flashes in a second")
struct FlashLedgerTests {
    private let left = ActuatorIndex(0)
    private let right = ActuatorIndex(1)
    private let three = [0, 400, 800].map { Nanoseconds.milliseconds($0) }
    private let one = [Nanoseconds.zero]

    @Test("Three flashes are shown, and a fourth only a second after the first")
    func fourth() {
        var ledger = FlashLedger()
        ledger.record(three, on: [left], at: .ms(0))
        #expect(!ledger.admits(one, on: [left], at: .ms(999)))
        #expect(ledger.admits(one, on: [left], at: .ms(1000)))
        #expect(ledger.admits(three, on: [left], at: .ms(1000)), "at 400, 800, 1000, 1400 and 1800 ms")
        let flashes = (0..<3).map { Nanoseconds.milliseconds(334) * $0 }
        #expect(!ledger.admits(flashes, on: [left], at: .ms(1000)), "at 800, 1000, 1334 and 1668 ms")
    }

    @Test("What a newer shape cuts does not count, what was seen of it does")
    func cut() {
        var ledger = FlashLedger()
        ledger.record(three, on: [left], at: .ms(0))
        #expect(ledger.admits(three, on: [left], at: .ms(200)), "at 0, 200, 600 and 1000 ms")
        #expect(!ledger.admits(three, on: [left], at: .ms(150)), "at 0, 150, 550 and 950 ms")
        #expect(ledger.admits(three, on: [left], at: .ms(0)), "nobody has seen the first one")
    }

    @Test("What goes on on another light counts")
    func two() {
        var ledger = FlashLedger()
        ledger.record(three, on: [left], at: .ms(0))
        #expect(!ledger.admits(one, on: [right], at: .ms(0)))
        #expect(!ledger.admits(one, on: [right], at: .ms(300)))
        ledger.record(one, on: [left, right], at: .ms(300))
        #expect(ledger.admits(three, on: [left, right], at: .ms(600)), "at 0, 300, 600, 1000 and 1400 ms")
        #expect(!ledger.admits(three, on: [left, right], at: .ms(599)))
    }

    @Test("A shape that flashes too often by itself is never shown")
    func tooMany() {
        let four = (0..<4).map { Nanoseconds.milliseconds(300) * $0 }
        #expect(!FlashLedger().admits(four, on: [left], at: .ms(0)))
        #expect(FlashBound.firstTooMany(in: four) == 3)
        #expect(FlashBound.firstTooMany(in: (0..<40).map { Nanoseconds.milliseconds(334) * $0 }) == nil)
    }
}
