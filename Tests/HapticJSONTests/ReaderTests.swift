// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticJSON

@Suite struct ClosestMatchTests {
    @Test(
        "A mistyped name has the right one as its suggestion",
        arguments: [
            ("patern", "pattern"), ("sofft", "soft"), ("tikc", "tick"), ("SUCCESS", "success"), ("heavi", "heavy"),
            ("succes", "success"),
            ("sucess", "success"), ("tck", "tick"),
        ])
    func typos(text: String, meant: String) {
        #expect(closestMatch(to: text, in: ["pattern", "soft", "tick", "success", "heavy", "release"]) == meant)
    }

    @Test(
        "A text that is far from everything has no suggestion",
        arguments: ["", "xyz", "progress", String(repeating: "a", count: 10_000)])
    func farTexts(text: String) {
        #expect(closestMatch(to: text, in: ["pattern", "soft", "tick", ""]) == nil)
    }

    @Test("The nearest name wins")
    func nearest() {
        #expect(closestMatch(to: "gestureEnt", in: ["gestureStart", "gestureEnd"]) == "gestureEnd")
    }

    @Test("Where no name is near all are listed")
    func list() {
        #expect(unknownMessage("key", "zzz", candidates: ["a", "b"]) == "unknown key `zzz`; there is `a`, `b`")
        #expect(unknownMessage("key", "zzz", candidates: []) == "unknown key `zzz`; there is no key to name")
        let many = (100..<145).map { "\($0)" }
        #expect(unknownMessage("key", "zzz", candidates: many).hasSuffix("`139` and 5 more"))
    }
}

@Suite struct UnitTests {
    @Test(
        "A duration is read with its unit",
        arguments: [
            ("20ms", 20_000_000), ("1.6s", 1_600_000_000), ("250us", 250_000), ("40ns", 40), ("0s", 0), ("-5ms", -5_000_000),
            (".5s", 500_000_000), ("1e3ms", 1_000_000_000), ("0.1ns", 0),
        ])
    func durations(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(unitText: text) == Nanoseconds(nanoseconds))
    }

    @Test(
        "A text that is no duration is not read",
        arguments: ["20", "ms", "", "20 ms", "20m", "1.6", "infs", "nans", "1e400s", "0x10ms", "20msms", "４ms", "1e18s"])
    func noDurations(text: String) { #expect(Nanoseconds(unitText: text) == nil) }

    @Test(
        "A frequency is read as its period",
        arguments: [("200Hz", 5_000_000 as Int64), ("20kHz", 50_000), ("0.5Hz", 2_000_000_000)])
    func frequencies(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(periodOfFrequency: text) == Nanoseconds(nanoseconds))
    }

    @Test(
        "A text that is no frequency is not read",
        arguments: ["0Hz", "-1Hz", "200", "Hz", "200hz", "1e-300Hz"])
    func noFrequencies(text: String) { #expect(Nanoseconds(periodOfFrequency: text) == nil) }

    @Test(
        "A share is read as a number or in percent",
        arguments: [("0.4", 0.4), ("40%", 0.4), ("100%", 1), ("0", 0), ("7%", 0.07)])
    func shares(text: String, value: Double) {
        #expect(Share(shareText: text)?.value == value)
    }

    @Test(
        "A text that is no share is not read",
        arguments: ["1.1", "101%", "-1%", "%", "", "nan", "40 %"])
    func noShares(text: String) { #expect(Share(shareText: text) == nil) }
}
