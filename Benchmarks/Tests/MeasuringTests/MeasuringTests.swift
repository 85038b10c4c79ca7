// SPDX-License-Identifier: MIT
import Testing

@testable import Measuring

@Test(
    "The median is the one in the middle", arguments: [([3, 1, 2], 2), ([4, 1, 2, 3], 2.5), ([7], 7)] as [([Double], Double)])
func median(_ values: [Double], _ median: Double) {
    #expect(Samples(values).median == median)
}

@Test(
    "A percentile is a value that occurred",
    arguments: [(0.5, 50.0), (0.99, 99), (0.999, 100), (1, 100), (0.01, 1), (0.011, 2)])
func percentiles(_ share: Double, _ value: Double) {
    #expect(percentile(share, of: (1...100).map(Double.init).shuffled()) == value)
}

@Test("Ratios are those of neighbouring runs")
func ratios() {
    // The machine was twice as slow in the second round, and that does not show.
    let row = Row("key", "what", .microseconds, [11, 22, 12], against: "C", [10, 20, 10], wanted: .ratioAtMost(1.1))
    #expect(row.ratios.values == [1.1, 1.1, 1.2])
    #expect(row.isMet == true)
    #expect(
        Table.line(row) == "| what | 12 µs (11…22) | 10 µs (10…20) C | 1.1 (1.1…1.2) | at most 1.1 | met |")
}

@Test("A reference of nothing gives no ratio, and no verdict by it")
func noReference() {
    let row = Row("idle", "wake-ups", .perSecond, [0, 0], against: "feedbackd", [0, 0], wanted: .ratioAtMost(1))
    #expect(row.ratios.isEmpty)
    #expect(row.isMet == nil)
}

@Test("A run in which nothing came in time counts as late, one without figures as not measured")
func late() {
    let late = Row("late", "late", .microseconds, [.infinity, 1, .infinity], against: "C", [1, 1, 1], wanted: .ratioAtMost(1.1))
    #expect(late.isMet == false)
    #expect(Table.line(late) == "| late | ∞ µs (1…∞) | 1 µs C | ∞ (1…∞) | at most 1.1 | **missed** |")
    let unknown = Row("none", "none", .microseconds, [.nan, .nan], against: "C", [1, 1], wanted: .ratioAtMost(1.1))
    #expect(unknown.isMet == nil)
    #expect(Table.line(unknown) == "| none | – | 1 µs C | – | at most 1.1 |  |")
}

@Test("A row that is missed is shown with its reason")
func missed() {
    let rows = [
        Row("a", "A", .count, [2], wanted: .atMost(1)), Row("b", "B", .count, [2], wanted: .atMost(1)),
        Row("c", "C", .count, [1], wanted: .atMost(1)),
    ]
    let remarks = Table.remarks(rows, notes: ["a": "because.", "c": "never shown."])
    #expect(remarks.hasPrefix("- **A**: because.\n- **B**: no reason is known yet"))
    #expect(!remarks.contains("never shown"))
}

@Test(
    "Numbers have three digits",
    arguments: [
        (0, "0"), (0.0123, "0.012"), (1.1, "1.1"), (1.234, "1.23"), (52.96, "53"), (99.96, "100"), (150_000, "150,000"),
        (1_234_567.8, "1,234,568"), (-2, "−2"),
    ] as [(Double, String)])
func numbers(_ value: Double, _ text: String) {
    #expect(Table.number(value) == text)
}

@Test("Only the generated part of a page is replaced")
func page() {
    let page = "# Title\n\nBy hand.\n"
    let once = Document.replacing(in: page, by: "1")
    #expect(once == "# Title\n\nBy hand.\n\n\(Document.begin)\n\n1\n")
    #expect(Document.replacing(in: once, by: "2") == "# Title\n\nBy hand.\n\n\(Document.begin)\n\n2\n")
}

@Test("Rows that are measured alone take the places of those of their names, or come last, and a line says when")
func rows() {
    let table = "- effort: 1 min\n\n| what | hapticd |\n| --- | ---: |\n| one | 1 |\n| two | 2 |\n\n## Missed\n"
    let page = Document.replacing(in: "# Title\n\none | 0\n", by: table)
    let once = Document.replacing(rows: ["| two | 3 |", "| three | 4 |"], in: page, note: "- rows of `b`: today")
    let wanted =
        "- effort: 1 min\n- rows of `b`: today\n\n| what | hapticd |\n| --- | ---: |\n| one | 1 |\n| two | 3 |\n| three | 4 |\n\n## Missed\n"
    #expect(once == Document.replacing(in: "# Title\n\none | 0\n", by: wanted))
    let again = Document.replacing(rows: ["| three | 5 |"], in: once ?? "", note: "- rows of `b`: tomorrow")
    #expect(again == once?.replacing("| three | 4 |", with: "| three | 5 |").replacing("today", with: "tomorrow"))
    #expect(Document.replacing(rows: ["| two | 3 |"], in: "# Title\n\n\(Document.begin)\n", note: "- x: y") == nil)
}

@Test("Notes are found by their key")
func notes() {
    #expect(Document.notes(in: "# Notes\n\nintroduction\n\n## a\n\none\ntwo\n\n## b\nthree\n") == ["a": "one two", "b": "three"])
}
