// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Times and values with units")
struct TimeTests {
    @Test(
        "A length of time is written in its largest fitting unit",
        arguments: [
            (0, "0ns"), (1, "1ns"), (8_000_000, "8ms"), (1_600_000_000, "1.6s"), (250_000, "250us"), (1_500, "1.5us"),
            (-20_000_000, "-20ms"), (1_000_050_000, "1000.05ms"), (11_302_184, "11302.184us"), (1_000_000_001, "1000000.001us"),
        ] as [(Int64, String)])
    func description(count: Int64, text: String) {
        #expect(Nanoseconds(count).description == text)
    }

    @Test("Seconds are rounded to nanoseconds, and a number that is no time is refused")
    func seconds() {
        #expect(Nanoseconds(seconds: 0.1) == .milliseconds(100))
        #expect(Nanoseconds(seconds: .nan) == nil)
        #expect(Nanoseconds(seconds: 1e300) == nil)
        #expect(Nanoseconds(seconds: -.infinity) == nil)
    }

    @Test("A unit value is within 0…1 or is not made", arguments: [-0.001, 1.001, .nan, .infinity])
    func unitValue(value: Double) {
        #expect(Intensity(value) == nil)
        #expect((0...1).contains(Intensity(clamping: value).value))
    }
}
