// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticText

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

    @Test(
        "A word of the same stem is suggested if it is the only one, and not if it has little in common",
        arguments: [
            ("success", "succeeded"), ("failure", "failed"), ("cancellation", "cancelled"), ("work", "working"), ("start", nil),
            ("beg", nil),
        ])
    func stems(text: String, meant: String?) {
        #expect(closestMatch(to: text, in: ["began", "succeeded", "failed", "cancelled", "working"]) == meant)
        #expect(closestMatch(to: text, in: ["succeeding", "succeeded", "failing", "failed", "workings", "workers"]) == nil)
    }

    @Test("The nearest name wins")
    func nearest() {
        #expect(closestMatch(to: "gestureEnt", in: ["gestureStart", "gestureEnd"]) == "gestureEnd")
    }

    @Test(
        "A word that newcomers write leads to ours, if that is possible at its place",
        arguments: [
            ("pin", ["chip", "line"], "line"), ("GPIO", ["chip", "line"], "line"), ("name", ["match", "pattern"], "match"),
            ("name", ["pattern", "id"], "pattern"), ("tap", ["transient", "continuous"], "transient"),
            ("tap", ["soft", "tick"], "tick"), ("failure", ["success", "error"], "error"),
            ("failure", ["began", "failed"], "failed"),
            ("done", ["succeeded", "failed"], "succeeded"), ("vibrate", ["play", "progress"], "play"),
            ("Rumble", ["transient", "continuous"], "continuous"), ("vibration", ["pattern", "name"], "pattern"),
            ("pulses", ["progress", "play"], "play"),
            ("delay", ["atMs", "intensity"], "atMs"), ("strength", ["match", "intensity"], "intensity"),
            ("pin", ["pattern"], nil),
        ] as [(String, [String], String?)])
    func synonyms(text: String, candidates: [String], meant: String?) {
        #expect(closestMatch(to: text, in: candidates) == meant)
    }

    @Test("The table of synonyms has each word once, in small letters, and leads to another word")
    func table() {
        let entries = Synonyms.pulses + Synonyms.words
        let words = entries.map(\.word)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { $0 == $0.lowercased() })
        #expect(entries.allSatisfy { !$0.meant.isEmpty && !$0.meant.contains($0.word) })
        let units = Synonyms.units.map(\.word)
        #expect(Set(units).count == units.count)
    }

    @Test(
        "A time with an odd unit is suggested with ours",
        arguments: [
            ("2sec", "2s"), ("2 s", "2s"), ("20 msec", "20ms"), ("1.5 Minutes", "1.5m"), ("250µs", "250us"), ("20MS", "20ms"),
            ("2d", nil), ("sec", nil), ("", nil), ("1.2.3s", nil),
        ] as [(String, String?)])
    func units(text: String, meant: String?) { #expect(Synonyms.duration(text) == meant) }

    @Test("If no name is near, the three nearest are named with the command that lists all")
    func nearestOfMany() {
        let names = ["alarm", "heavy", "press", "ring", "soft", "tick"]
        let message = UnknownWord(pattern: "buzzing", candidates: names).message
        #expect(
            message == "unknown pattern `buzzing`; the nearest are `ring`, `tick`, `alarm`, and `hapticctl patterns` lists all")
        #expect(UnknownWord(pattern: "", candidates: names).message.contains("the nearest are"))
        #expect(
            UnknownWord(pattern: "buzzing", candidates: ["a", "b"]).message == "unknown pattern `buzzing`; there is `a`, `b`")
        let effect = UnknownWord(pattern: "hlaf", candidates: names, orOther: ["full", "half"])
        #expect((effect.message, effect.didYouMean) == ("unknown effect or pattern `hlaf`, did you mean `half`?", "half"))
    }

    @Test("If no name is near, all are listed")
    func list() {
        #expect(unknownMessage("key", "zzz", candidates: ["a", "b"]) == "unknown key `zzz`; there is `a`, `b`")
        #expect(unknownMessage("key", "zzz", candidates: []) == "unknown key `zzz`; there is no key to name")
        let many = (100..<145).map { "\($0)" }
        #expect(unknownMessage("key", "zzz", candidates: many).hasSuffix("`139` and 5 more"))
    }
}

@Suite struct FormTests {
    /// What is read of `json`, and what is said of it.
    private func read<Value>(
        _ form: Form<Value>, _ json: String, _ notation: Notation = .units
    ) throws -> (value: Value?, said: [String]) {
        let report = DocumentReport(file: nil)
        let node = try #require(JSONDocument.parse(Array(json.utf8), report: report))
        let value = form.read(NodeReader(node, notation: notation, report: report))
        return (value, report.diagnostics.map(\.description))
    }

    @Test("An object with free keys is read if each key is a name and each value is valid")
    func map() throws {
        let form = Form<[Text: Strength]>.map(of: .strength, count: 2)
        #expect(try read(form, #"{"org.a": 0.5, "b c": "80%"}"#).value == ["org.a": Strength(0.5)!, "b c": Strength(0.8)!])
        #expect(try read(form, "{}").value == [:])
        let two = try read(form, #"{"": 1, "b": 80}"#)
        #expect(two.value == nil)
        #expect(
            two.said == [
                "1:2: `` is not usable here; write 1 to 128 bytes of text without control characters",
                "1:14: b: 80 is out of range; write a strength from 0 to 1.5, such as `0.8` or `80%`; did you mean `80%`?",
            ])
        #expect(try read(form, #"{"a": 1, "b": 1, "c": 1}"#).said == ["1:1: 3 entries; at most 2 are allowed"])
        #expect(try read(form, #"{"a\u0007": 1}"#).said.count == 1)
        #expect(try read(form, "[]").said == ["1:1: expected an object with keys, found a list"])
    }

    @Test("A time out of range is quoted, and its range is written as the document has times")
    func times() throws {
        let form = Form<Nanoseconds>.duration(in: .zero ... .seconds(7200))
        #expect(try read(form, #""180m""#).said == ["1:1: `180m` is out of range; write a duration from 0s to 2h"])
        #expect(try read(form, "-1", .wire).said == ["1:1: -1 is out of range; write a number of milliseconds from 0 to 7200000"])
        let seconds = Form<Nanoseconds>.seconds(in: .milliseconds(1) ... .seconds(60))
        #expect(try read(seconds, "61").said == ["1:1: 61 is out of range; write a time from 1ms to 60s"])
    }

    @Test("A repeated entry of a list is reported at its place")
    func distinct() throws {
        let form = Form<Set<Int>>.distinct(.integer(in: 1...9), count: 1...7)
        #expect(try read(form, "[3, 1]").value == [1, 3])
        let twice = try read(form, "[3, 10, 3]")
        #expect(twice.value == nil)
        #expect(twice.said.last == "1:9: [2]: it is in the list already; take one out")
        #expect(twice.said.count == 2)
    }
}

@Suite struct UnitTests {
    @Test(
        "A duration is read with its unit",
        arguments: [
            ("20ms", 20_000_000), ("1.6s", 1_600_000_000), ("250us", 250_000), ("40ns", 40), ("0s", 0), ("-5ms", -5_000_000),
            (".5s", 500_000_000), ("1e3ms", 1_000_000_000), ("0.1ns", 0), ("10m", 600_000_000_000), ("1.5h", 5_400_000_000_000),
        ])
    func durations(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(unitText: text) == Nanoseconds(nanoseconds))
    }

    @Test(
        "A text that is no duration is not read",
        arguments: ["20", "ms", "", "20 ms", "20min", "1.6", "infs", "nans", "1e400s", "0x10ms", "20msms", "４ms", "1e18s"])
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
        "A strength is read in percent, up to 150",
        arguments: [
            ("80%", 0.8), ("0%", 0), ("150%", 1.5), ("12.5%", 0.125), ("0.5", nil), ("151%", nil), ("-1%", nil), ("%", nil),
        ])
    func strengths(text: String, value: Double?) { #expect(Strength(percentText: text)?.value == value) }

    @Test(
        "A text that is no share is not read",
        arguments: ["1.1", "101%", "-1%", "%", "", "nan", "40 %"])
    func noShares(text: String) { #expect(Share(shareText: text) == nil) }
}
