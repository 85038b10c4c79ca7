// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("The instants of inputs") struct InputInstantTests {
    private static let now = MonotonicInstant.zero + .seconds(50_000)
    private static let hold = Input.Kind.hold(HoldInput(.down))
    private static let remedy = ": send `time.monotonic_ns()` of Python, or leave it out"

    private func message(_ nanoseconds: Int64, of kind: Input.Kind) -> String? {
        do throws(WireError) {
            let instant = try InputInstant(nanoseconds, of: kind, readAt: Self.now).instant
            #expect(instant.nanoseconds == nanoseconds)
            return nil
        } catch {
            #expect(error.data?.path == "atNs")
            return error.message
        }
    }

    @Test(
        "An instant in another unit is explained, for holds and for other inputs",
        arguments: [
            (50_000_000, "milliseconds"), (49_990_500, "milliseconds"), (50_000_000_000, "microseconds"), (50_000, "seconds"),
        ])
    func unit(nanoseconds: Int64, unit: String) {
        for kind in [Self.hold, .release] {
            let message = message(nanoseconds, of: kind)
            #expect(message?.hasPrefix("`atNs` is 13 h 5") == true)
            #expect(message?.hasSuffix("and this one is probably in \(unit)\(Self.remedy)") == true, "\(message ?? "")")
        }
    }

    @Test("A hold is an hour old at most, and other inputs have any age")
    func age() {
        let old = (Self.now - .seconds(3601)).nanoseconds
        #expect(
            message(old, of: Self.hold)
                == "`atNs` is 1 h old, too old for a hold; it counts nanoseconds of CLOCK_MONOTONIC, not of another clock\(Self.remedy)"
        )
        #expect(message(old, of: .release) == nil)
        #expect(message((Self.now - .seconds(3600)).nanoseconds, of: Self.hold) == nil)
        #expect(message(0, of: .release) == nil)
    }

    @Test("An instant more than a second ahead is of another clock; just after the start none is taken for another unit")
    func ahead() {
        let wall = message(1_795_748_600_000_000_000, of: .release)
        #expect(wall?.hasSuffix("it counts nanoseconds of CLOCK_MONOTONIC, not of the wall clock\(Self.remedy)") == true)
        #expect(message((Self.now + .seconds(1)).nanoseconds, of: Self.hold) == nil)
        #expect(throws: Never.self) { try InputInstant(5000, of: Self.hold, readAt: .zero + .seconds(5)) }
    }
}
