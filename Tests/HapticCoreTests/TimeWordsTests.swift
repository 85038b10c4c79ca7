// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Times for people")
struct TimeWordsTests {
    @Test(
        "A time is in milliseconds below a second, in seconds below a minute, and then in the two greatest units",
        arguments: [
            (0, "0 ms"), (1, "0 ms"), (499, "0 ms"), (500, "0.001 ms"), (1000, "0.001 ms"), (12_345, "0.012 ms"),
            (250_000, "0.25 ms"),
            (1_000_000, "1 ms"), (12_500_000, "12.5 ms"), (122_282_499, "122.282 ms"), (999_999_499, "999.999 ms"),
            (999_999_500, "1 s"), (1_000_000_000, "1 s"), (1_600_000_000, "1.6 s"), (1_595_499_999, "1.595 s"),
            (1_060_000_000, "1.06 s"), (59_999_499_999, "59.999 s"), (59_999_500_000, "1 min"), (60_000_000_000, "1 min"),
            (125_900_000_000, "2 min 5 s"), (3_600_000_000_000, "1 h"), (3_660_000_000_000, "1 h 1 min"),
            (3_605_000_000_000, "1 h"), (86_400_000_000_000, "1 d"), (180_000_000_000_000, "2 d 2 h"),
            (-250_000, "-0.25 ms"), (-499, "0 ms"), (-1_600_000_000, "-1.6 s"), (-125_000_000_000, "-2 min 5 s"),
            (.max, "106751 d 23 h"), (.min, "-106751 d 23 h"),
        ] as [(Int64, String)])
    func words(count: Int64, words: String) { #expect(Nanoseconds(count).words == words) }

    @Test(
        "A time that is left is rounded up to the last unit",
        arguments: [
            (.min, "1 s"), (0, "1 s"), (1, "1 s"), (1_000_000_000, "1 s"), (1_000_000_001, "2 s"), (59_000_000_001, "1 min"),
            (3_599_998_900_000, "1 h"), (3_598_000_000_000, "59 min 58 s"), (3_600_000_000_000, "1 h"),
            (3_601_000_000_000, "1 h 1 min"), (7_199_000_000_000, "2 h"), (86_399_000_000_000, "1 d"),
            (86_401_000_000_000, "1 d 1 h"), (172_799_000_000_000, "2 d"), (.max, "106752 d"),
        ] as [(Int64, String)])
    func left(count: Int64, words: String) { #expect(Nanoseconds(count).wordsLeft == words) }
}
