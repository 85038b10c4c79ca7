// SPDX-License-Identifier: MIT
import HapticText
import Testing

@testable import HapticTerminal

/// Bytes that know how often one of them was looked at.
private struct Watched: RandomAccessCollection {
    final class Looks { var count = 0 }

    let bytes: [UInt8]
    let looks = Looks()
    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }

    subscript(index: Int) -> UInt8 {
        looks.count += 1
        return bytes[index]
    }
}

@Suite("Lines and columns of a text")
struct LineIndexTests {
    @Test("Each error of a long line costs the same, wherever it is: the line is gone through once")
    func work() {
        let text = Watched(bytes: Array(String(repeating: "{\"é\": 0}, ", count: 20_000).utf8))
        let index = LineIndex(text)
        #expect(text.looks.count <= text.count)
        let before = text.looks.count
        for number in 0..<3000 {
            #expect(index.place(of: SourceMark(line: 1, column: 1 + number * 60)) != nil)
        }
        // A column needs three blocks: where the line begins and ends, and its own.
        #expect(text.looks.count - before <= 3000 * 3 * 256)
    }

    @Test("A column is a scalar, whatever it is made of and however long its line is")
    func columns() {
        let letters = ["a", "é", "漢", "🎉", "\u{301}", " "]
        // Lines of many lengths, mixed so that a column is at another byte in each.
        let rows = (0..<40).map { (row: Int) -> [String] in
            (0..<row * 97 % 701).map { (column: Int) -> String in
                let letter: Int = column * column * 7 + column / 5 + row
                return letters[letter % letters.count]
            }
        }
        let text = rows.map { $0.joined() }.joined(separator: "\n")
        let index = LineIndex(Array(text.utf8))
        var start = 0
        for (number, row) in rows.enumerated() {
            let end = start + row.reduce(0) { $0 + $1.utf8.count }
            var at = start
            for (column, letter) in (row + [""]).enumerated() {
                let found = index.place(of: SourceMark(line: number + 1, column: column + 1))
                #expect(found?.line == start..<end)
                #expect(found?.place == at)
                at += letter.utf8.count
            }
            #expect(index.place(of: SourceMark(line: number + 1, column: row.count + 2)) == nil)
            start = end + 1
        }
        #expect(index.place(of: SourceMark(line: rows.count + 1, column: 1)) == nil)
    }
}
