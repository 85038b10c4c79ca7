// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import hapticctl

/// What a program prints, and what is to be read from it.
struct Sample: Sendable, CustomTestStringConvertible {
    let program: String
    let text: String
    var max = 1.0
    let values: [Double]
    var skipped = 0
    var clamped = 0

    var testDescription: String { program }

    static let all = [
        Sample(program: "pv -n", text: "0\n21\n62\n100\n", max: 100, values: [0, 0.21, 0.62, 1]),
        Sample(
            program: "pv",
            text: "\r6.00MiB 0:00:01 [60MiB/s] [=>     ] 20% ETA 0:00:04\r30.0MiB 0:00:05 [60MiB/s] [======>] 100%\n",
            values: [0.2, 1]),
        Sample(
            program: "rsync --info=progress2",
            text: "\r         32,768   0%    0.00kB/s    0:00:00  \r     22,904,832  76%   19.99MB/s    0:00:00  "
                + "\r     30,000,000 100%   20.11MB/s    0:00:01 (xfr#1, to-chk=0/1)\n",
            values: [0, 0.76, 1]),
        Sample(
            program: "rsync's bytes, without percentages", text: "\r  1,234,567  1.2MB/s\r 12,345,678  9.9MB/s\n",
            max: 12_345_678,
            values: [1_234_567.0 / 12_345_678, 1]),
        Sample(
            program: "dd status=progress",
            text:
                "31457280000 bytes (31 GB, 29 GiB) copied, 1 s, 31.4 GB/s\r62914560000 bytes (63 GB, 59 GiB) copied, 2 s, 31.4 GB/s\n",
            max: 62_914_560_000, values: [0.5, 1]),
        Sample(
            program: "curl -#", text: "\r###                                    7.5%\r######################## 100.0%\n",
            values: [0.075, 1]),
        Sample(program: "awk", text: "0.5\n5e-05\n.25\n1E+0\n", values: [0.5, 0.00005, 0.25, 1]),
        Sample(program: "a Windows program", text: "10%\r\n20%\r\n\r\n \t\n30%\r\n", values: [0.1, 0.2, 0.3]),
        Sample(program: "a program in another language", text: "42,5%\n", values: [0.425]),
        Sample(program: "the last percentage counts", text: "10% of part 2, 55% of all\n100% %\n", values: [0.55, 1]),
        Sample(program: "a percentage goes before a number", text: "7 of 9 files, 3%\n", max: 9, values: [0.03]),
        Sample(program: "words are no numbers", text: "file2.txt\nreading v1.2\nfile2 0.5\n", values: [0.5], skipped: 2),
        Sample(program: "nothing to use", text: "starting\n%\nnan\n-\n.\n", values: [], skipped: 5),
        Sample(
            program: "values beyond 0…1", text: "-0.5\n1.5\n250%\n-5%\n1e400\n", values: [0, 1, 1, 0, 1], clamped: 5),
        Sample(program: "no end of line at the end", text: "0.1\n0.9", values: [0.1, 0.9]),
        Sample(program: "numbers with commas that group nothing", text: "1,2\n3,4567\n", max: 10, values: [0.1, 0.3]),
        Sample(program: "bytes that are no text", text: "\u{0}\u{fffd}\n0.5\n", values: [0.5], skipped: 1),
    ]
}

@Suite("Progress is taken from what other programs print")
struct RecordParserTests {
    private func read(_ sample: Sample, _ pieces: [ArraySlice<UInt8>]) -> (values: [Double], counts: RecordParser.Counts) {
        var parser = RecordParser(max: sample.max)
        var values: [Progress] = []
        for piece in pieces { values += parser.take(piece) }
        if let last = parser.finish() { values.append(last) }
        return (values.map(\.value), parser.counts)
    }

    private func expect(_ sample: Sample, _ pieces: [ArraySlice<UInt8>]) {
        let (values, counts) = read(sample, pieces)
        #expect(values.count == sample.values.count, "\(values)")
        for (value, wanted) in zip(values, sample.values) { #expect(abs(value - wanted) < 1e-12) }
        #expect(counts == .init(used: sample.values.count, skipped: sample.skipped, clamped: sample.clamped))
    }

    @Test("Each program's output gives its values", arguments: Sample.all)
    func samples(sample: Sample) {
        expect(sample, [Array(sample.text.utf8)[...]])
    }

    @Test("The values are the same however the bytes are split", arguments: Sample.all)
    func splits(sample: Sample) {
        let bytes = Array(sample.text.utf8)
        for split in bytes.indices { expect(sample, [bytes[..<split], bytes[split...]]) }
        expect(sample, bytes.indices.map { bytes[$0...$0] })
    }

    @Test("A value is there as soon as its record has ended")
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
