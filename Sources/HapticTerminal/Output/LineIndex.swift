// SPDX-License-Identifier: MIT
import HapticText

/// Finds the lines and columns of a text without going through it each time: a file of one line may have errors all over it.
struct LineIndex<Bytes: RandomAccessCollection> where Bytes.Element == UInt8, Bytes.Index == Int {
    private let text: Bytes
    /// None where the text has line ends of YAML that would be missed here.
    private let lineStarts: [Int]
    /// How many scalars begin before each block.
    private let scalarsBefore: [Int]

    /// In bytes: so many are looked at to find a column.
    private static var block: Int { 256 }

    /// Looks at the whole text once. Its indices begin at 0.
    init(_ text: Bytes) {
        self.text = text
        var starts = text.isEmpty ? [] : [0]
        var blocks: [Int] = []
        var (scalars, last, beforeLast) = (0, UInt8(0), UInt8(0))
        var hasOthers = false
        for (index, byte) in text.enumerated() {
            if index % Self.block == 0 { blocks.append(scalars) }
            if byte.beginsScalar { scalars += 1 }
            if byte == UInt8(ascii: "\n") { starts.append(index + 1) }
            // A CR alone, U+0085, U+2028, U+2029.
            if last == 0x0d, byte != 0x0a { hasOthers = true }
            if last == 0xc2, byte == 0x85 { hasOthers = true }
            if beforeLast == 0xe2, last == 0x80, byte & 0xfe == 0xa8 { hasOthers = true }
            (beforeLast, last) = (last, byte)
        }
        if last == 0x0d { hasOthers = true }
        lineStarts = hasOthers ? [] : starts
        scalarsBefore = blocks
    }

    /// The bytes of the line, without its end, and which of them the column begins at; it may be just behind the line. Nil where
    /// `mark` is beyond the text.
    func place(of mark: SourceMark) -> (line: Range<Int>, place: Int)? {
        guard mark.line > 0, mark.line <= lineStarts.count, mark.column > 0 else { return nil }
        let start = lineStarts[mark.line - 1]
        let end = mark.line < lineStarts.count ? lineStarts[mark.line] - 1 : text.count
        let before = scalars(before: start)
        guard mark.column - 1 <= scalars(before: end) - before else { return nil }
        return (start..<end, min(offset(ofScalar: before + mark.column - 1), end))
    }

    private func scalars(before offset: Int) -> Int {
        let block = min(offset / Self.block, scalarsBefore.count - 1)
        return scalarsBefore[block] + text[block * Self.block..<offset].count(where: \.beginsScalar)
    }

    /// The end of the text where it has no more.
    private func offset(ofScalar number: Int) -> Int {
        var (low, high) = (0, scalarsBefore.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if scalarsBefore[middle] <= number { low = middle } else { high = middle }
        }
        var left = number - scalarsBefore[low]
        for index in low * Self.block..<text.count where text[index].beginsScalar {
            if left == 0 { return index }
            left -= 1
        }
        return text.count
    }
}

extension UInt8 {
    /// In UTF-8; else it goes on with a scalar.
    var beginsScalar: Bool { self & 0xc0 != 0x80 }
}
