// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("The ledger of flashes")
struct FlashLedgerTests {
    private static let left = ActuatorIndex(0)
    private static let right = ActuatorIndex(1)
    private static let three = [0, 400, 800].map { Nanoseconds.milliseconds($0) }
    private static let one = [Nanoseconds.zero]
    private static let close = [0, 334, 668].map { Nanoseconds.milliseconds($0) }

    @Test(
        "Beside three flashes at 0, 400 and 800 ms on the left, another has room if no second then has four visible ones",
        arguments: [
            (one, [left], 999, false), (one, [left], 1000, true),
            // At 400, 800, 1000, 1400 and 1800 ms; at 800, 1000, 1334 and 1668 ms.
            (three, [left], 1000, true), (close, [left], 1000, false),
            // A newer one cuts what is on its light: at 0, 200, 600 and 1000 ms; at 0, 150, 550 and 950 ms; at 0.
            (three, [left], 200, true), (three, [left], 150, false), (three, [left], 0, true),
            // A shape that continues on another light counts.
            (one, [right], 0, false), (one, [right], 300, false),
        ] as [([Nanoseconds], [ActuatorIndex], Int64, Bool)])
    func admits(flashes: [Nanoseconds], lights: [ActuatorIndex], at: Int64, isAdmitted: Bool) {
        var ledger = FlashLedger()
        ledger.record(Self.three, on: [Self.left], at: .ms(0))
        #expect(ledger.admits(flashes, on: lights, at: .ms(at)) == isAdmitted)
    }

    @Test("A newer flash on all lights cuts the flash of each")
    func both() {
        var ledger = FlashLedger()
        ledger.record(Self.three, on: [Self.left], at: .ms(0))
        ledger.record(Self.one, on: [Self.left, Self.right], at: .ms(300))
        #expect(ledger.admits(Self.three, on: [Self.left, Self.right], at: .ms(600)), "at 0, 300, 600, 1000 and 1400 ms")
        #expect(!ledger.admits(Self.three, on: [Self.left, Self.right], at: .ms(599)))
    }

    @Test("A shape that flashes too often by itself is never shown")
    func tooMany() {
        let four = (0..<4).map { Nanoseconds.milliseconds(300) * $0 }
        #expect(!FlashLedger().admits(four, on: [Self.left], at: .ms(0)))
        #expect(FlashBound.firstTooMany(in: four) == 3)
        #expect(FlashBound.firstTooMany(in: (0..<40).map { Nanoseconds.milliseconds(334) * $0 }) == nil)
    }
}
