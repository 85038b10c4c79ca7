// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import hapticctl

@Suite("Numbers for people")
struct FiguresTests {
    @Test(
        "A time that a daemon gives in milliseconds is shown, whatever number it is",
        arguments: [
            (0, "0 ms"), (-0.0, "0 ms"), (0.0001, "0 ms"), (0.0005, "0.001 ms"), (12.5, "12.5 ms"), (1040, "1.04 s"),
            (61_500, "1 min 1 s"),
            (-3, "-3 ms"), (.nan, "?"), (.infinity, "106751 d 23 h"), (-.infinity, "-106751 d 23 h"),
            (1e300, "106751 d 23 h"), (9_223_372_036_854.775, "106751 d 23 h"),
        ] as [(Double, String)])
    func times(milliseconds: Double, text: String) { #expect(Words.time(milliseconds: milliseconds) == text) }

    @Test(
        "A wait is rounded to a tenth of a second, a short one up to a millisecond",
        arguments: [
            (0, "0 ms"), (1, "1 ms"), (49_000_001, "50 ms"), (50_000_000, "100 ms"), (1_249_999_999, "1.2 s"),
            (1_250_000_000, "1.3 s"),
            (-5, "0 ms"), (.max, "106751 d 23 h"),
        ] as [(Int64, String)])
    func waits(nanoseconds: Int64, text: String) { #expect(Words.about(nanoseconds) == text) }

    @Test(
        "A share is a percentage to a tenth",
        arguments: [
            (0, "0%"), (0.5, "50%"), (0.8414, "84.1%"), (1, "100%"), (-0.25, "-25%"), (1e-9, "0%"), (.nan, "?"), (.infinity, "?"),
            (1e307, "?"),
        ] as [(Double, String)])
    func shares(share: Double, text: String) { #expect(Words.percent(share) == text) }

    @Test("Memory is in whole MiB")
    func memory() {
        #expect(Words.mebibytes(1_572_864) == "1 MiB" && Words.mebibytes(0) == "0 MiB")
        #expect(Words.mebibytes(kibibytes: 524_288) == "512 MiB" && Words.mebibytes(kibibytes: -1) == "0 MiB")
    }

    @Test("A bar's seconds are as wide from the first to the last")
    func seconds() {
        #expect(Words.seconds(.zero, of: .milliseconds(1600)) == "0.0 of 1.6 s")
        #expect(Words.seconds(.milliseconds(1049), of: .milliseconds(1600)) == "1.0 of 1.6 s")
    }
}
