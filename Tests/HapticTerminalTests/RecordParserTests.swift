// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Progress in the output of other programs")
struct RecordParserTests {
    /// The values of the pieces, in lines, and the counts.
    private func read(_ pieces: [ArraySlice<UInt8>], max: Double) -> [String] {
        var parser = RecordParser(max: max)
        var values: [Progress] = []
        for piece in pieces { values += parser.take(piece) }
        if let last = parser.finish() { values.append(last) }
        let counts = parser.counts
        return values.map { "\($0.value)" } + ["\(counts.used) used, \(counts.skipped) skipped, \(counts.clamped) clamped"]
    }

    @Test("Each program's output gives its values, however its bytes are split")
    func samples() throws {
        var cases = SnapshotCases()
        // `NAME, --max NUMBER: TEXT`.
        for heading in try snapshotHeadings("records") {
            let parts = try #require(heading.wholeMatch(of: /.*, --max ([0-9]+): (.*)/)).output
            let escapes = ["\\n": "\n", "\\r": "\r", "\\t": "\t", "\\0": "\0"]
            let text = escapes.reduce(String(parts.2)) { $0.replacing($1.key, with: $1.value) }
            let (bytes, max) = (Array(text.utf8), try #require(Double(parts.1)))
            let whole = read([bytes[...]], max: max)
            for split in bytes.indices { #expect(read([bytes[..<split], bytes[split...]], max: max) == whole) }
            #expect(read(bytes.indices.map { bytes[$0...$0] }, max: max) == whole)
            cases.add(heading, whole)
        }
        try expectSnapshot(of: cases.text, "records")
    }

    @Test("A value is reported as soon as its record has ended")
    func live() {
        var parser = RecordParser(max: 1)
        #expect(parser.take("0.".utf8).isEmpty)
        #expect(parser.take("25".utf8).isEmpty)
        #expect(parser.take("\r".utf8) == [Progress(clamping: 0.25)])
        #expect(parser.finish() == nil)
    }

    @Test("An endless record is skipped and costs no memory, and the next one is read")
    func bounds() {
        var parser = RecordParser(max: 1)
        for _ in 0..<64 { #expect(parser.take(repeatElement(UInt8(ascii: "7"), count: 16_384)).isEmpty) }
        #expect(parser.take("\n0.5\n".utf8) == [Progress(clamping: 0.5)])
        #expect(parser.counts == .init(used: 1, skipped: 1, clamped: 0))
    }

    @Test("A record of just the greatest length is read")
    func longest() {
        var parser = RecordParser(max: 1)
        let blanks = repeatElement(UInt8(ascii: " "), count: RecordParser.longestRecord - 3)
        #expect(parser.take(Array(blanks) + Array("40%\n".utf8)) == [Progress(clamping: 0.4)])
        #expect(parser.take(Array(blanks) + Array(" 40%\n".utf8)) == [])
    }
}
