// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Numbers for people")
struct FiguresTests {
    private func text(_ number: Double, _ what: String) -> String? {
        switch what {
        case "milliseconds": Words.time(milliseconds: number)
        case "wait": Words.about(Int64(exactly: number) ?? .max)
        case "share": Words.percent(number)
        case "bytes": Words.mebibytes(UInt64(number))
        case "KiB": Words.mebibytes(kibibytes: Int(number))
        case "of-1600-ms": Words.seconds(.milliseconds(Int64(number)), of: .milliseconds(1600))
        default: nil
        }
    }

    @Test("Times, waits, shares and memory are short texts, whatever the number")
    func numbers() throws {
        var cases = SnapshotCases()
        for heading in try snapshotHeadings("figures") {
            let words = heading.split(separator: " ").map(String.init)
            let number = try #require(Double(words[0]))
            cases.add(heading, [try #require(text(number, words[1]))])
        }
        try expectSnapshot(of: cases.text, "figures")
    }
}
