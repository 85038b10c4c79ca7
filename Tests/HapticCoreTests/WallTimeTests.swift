// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Times of the wall's calendar")
struct WallTimeTests {
    /// The output of `date -u -d @… +%FT%TZ`.
    @Test(
        "A time is written as RFC 3339 has it, and read as it is written",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
            (1_795_503_600, "2026-11-24T07:00:00Z"),
            (1_835_395_199, "2028-02-28T23:59:59Z"), (1_835_395_200, "2028-02-29T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ])
    func written(seconds: Int64, text: String) {
        #expect(WallTime(seconds: seconds).description == text)
        #expect(WallTime(text)?.seconds == seconds)
    }

    @Test("Days of four hundred years are read as they are written")
    func everyDay() {
        for day in stride(from: Int64(0), to: 146_097, by: 59) {
            let time = WallTime(seconds: day * 86_400 + day % 86_400)
            #expect(WallTime(time.description) == time)
        }
    }

    @Test(
        "A text that is no such time is not read",
        arguments: [
            "", "2026-11-24", "2026-11-24T07:00:00", "2026-11-24T07:00:00+00:00", "2026-11-24t07:00:00z", "2026-11-24 07:00:00Z",
            "2026-02-29T00:00:00Z", "2026-11-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "1969-12-31T23:59:59Z",
            "02026-01-01T00:00:00Z",
            "２026-01-01T00:00Z", "2026-11-24T07:00:00.5Z",
        ])
    func notRead(text: String) { #expect(WallTime(text) == nil) }
}
