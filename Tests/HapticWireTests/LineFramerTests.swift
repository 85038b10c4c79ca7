// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticWire
import TestSupport
import Testing

struct LineFramerTests {
    private func lines(of chunks: [[UInt8]], limit: Int = 64) -> [LineFramer.Output] {
        var framer = LineFramer(limit: limit)
        var outputs: [LineFramer.Output] = []
        for chunk in chunks {
            framer.append(chunk)
            while let output = framer.next() { outputs.append(output) }
        }
        if let rest = framer.finish() { outputs.append(rest) }
        return outputs
    }

    private func line(_ text: String) -> LineFramer.Output { .line(Array(text.utf8)) }

    @Test("LF and CRLF end a line, also an empty one, and the last one needs no end")
    func lfAndCrlf() {
        #expect(lines(of: [Array("a\nb\r\n\n\r\nc".utf8)]) == [line("a"), line("b"), .empty, .empty, line("c")])
    }

    @Test("A line of the limit passes, with either end, and one byte more does not")
    func lineOfTheLimit() {
        let longest = String(repeating: "x", count: 64)
        #expect(lines(of: [Array("\(longest)\n\(longest)\r\na\n".utf8)]) == [line(longest), line(longest), line("a")])
        #expect(lines(of: [Array("\(longest)x\na\n".utf8)]) == [.tooLong])
        #expect(lines(of: [Array("\(longest)x".utf8)]) == [.tooLong])
    }

    @Test("After a line that is too long nothing is kept")
    func afterALine() {
        var framer = LineFramer(limit: 8)
        framer.append([UInt8](repeating: 0x20, count: 100))
        #expect(framer.next() == .tooLong)
        framer.append(Array("a\n".utf8))
        #expect(framer.next() == nil)
        #expect(framer.pendingCount == 0)
    }

    /// The seed is printed with the failure; give it as the argument to see it again.
    @Test("The lines are the same however the bytes are split", arguments: 1...20 as ClosedRange<UInt64>)
    func linesAreTheSameHowever(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("ab\r\n\u{0}{".utf8)
        let bytes = (0..<300).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int(random.next() % 12)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(lines(of: chunks) == lines(of: [bytes]))
    }
}
