// SPDX-License-Identifier: MIT
package import HapticCore

/// Takes progress out of what other programs print: bytes in, values out, as they come.
///
/// Records end at CR or LF. The last `N%` of a record counts, else its first number divided by `max`. A record without a
/// number is skipped and counted, as is one that is longer than `longestRecord`; blank ones are no records.
package struct RecordParser {
    /// In bytes. What is longer is no line for people, and must not fill the memory.
    static let longestRecord = 64 * 1024

    package struct Counts: Hashable, Sendable {
        /// That gave a value.
        package var used = 0
        package var skipped = 0
        /// Of those used: beyond 0…1 and cut to it.
        package var clamped = 0
    }

    package private(set) var counts = Counts()
    private let max: Double
    private var record: [UInt8] = []
    private var isTooLong = false

    /// `max`: what a plain number is divided by; more than 0.
    package init(max: Double) { self.max = max }

    /// The values of the records that `bytes` complete, in order.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Progress] {
        var values: [Progress] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if let value = endRecord() { values.append(value) }
            } else if record.count < Self.longestRecord {
                record.append(byte)
            } else {
                isTooLong = true
            }
        }
        return values
    }

    /// The end of the stream ends the last record.
    package mutating func finish() -> Progress? { endRecord() }

    private mutating func endRecord() -> Progress? {
        defer {
            record.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        guard record.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return nil }
        guard !isTooLong, let value = lastPercentage(in: record) ?? firstNumber(in: record).map({ $0 / max }) else {
            counts.skipped += 1
            return nil
        }
        counts.used += 1
        if !(0...1).contains(value) { counts.clamped += 1 }
        return Progress(clamping: value)
    }
}

/// As a share: 0.42 for `42%`.
private func lastPercentage(in record: [UInt8]) -> Double? {
    for end in record.indices.reversed() where record[end] == UInt8(ascii: "%") {
        var start = end
        // Some languages write a comma before the decimals.
        while start > 0, record[start - 1].isDigit || record[start - 1].isPoint || record[start - 1].isComma { start -= 1 }
        if start > 0, record[start - 1] == UInt8(ascii: "-") { start -= 1 }
        let text = record[start..<end].map { $0.isComma ? UInt8(ascii: ".") : $0 }
        if let number = Double(String(decoding: text, as: UTF8.self)) { return number / 100 }
    }
    return nil
}

/// The first number that is not the end of a word, such as the 2 of `file2`.
private func firstNumber(in record: [UInt8]) -> Double? {
    var index = 0
    while index < record.count {
        let isFirstOfWord = index == 0 || !record[index - 1].isPartOfWord
        if isFirstOfWord, let number = number(in: record[index...]) { return number }
        index += 1
    }
    return nil
}

/// The number that `text` begins with: `-1`, `.5`, `1,234,567`, `5e-05`.
private func number(in text: ArraySlice<UInt8>) -> Double? {
    var digits: [UInt8] = []
    var rest = text
    func next(_ offset: Int = 0) -> UInt8 {
        let index = rest.startIndex + offset
        return index < rest.endIndex ? rest[index] : 0
    }
    func takeOne() { digits.append(rest.removeFirst()) }
    func takeDigits() { while next().isDigit { takeOne() } }

    if next() == UInt8(ascii: "-") { takeOne() }
    guard next().isDigit || (next().isPoint && next(1).isDigit) else { return nil }
    takeDigits()
    while next().isComma, (1...3).allSatisfy({ next($0).isDigit }), !next(4).isDigit {
        rest.removeFirst()
        takeDigits()
    }
    if next().isPoint, next(1).isDigit {
        takeOne()
        takeDigits()
    }
    if next() | 0x20 == UInt8(ascii: "e") {
        let hasSign = next(1) == UInt8(ascii: "-") || next(1) == UInt8(ascii: "+")
        if next(hasSign ? 2 : 1).isDigit {
            takeOne()
            if hasSign { takeOne() }
            takeDigits()
        }
    }
    return Double(String(decoding: digits, as: UTF8.self))
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    fileprivate var isPoint: Bool { self == UInt8(ascii: ".") }
    fileprivate var isComma: Bool { self == UInt8(ascii: ",") }
    fileprivate var isPartOfWord: Bool {
        let lower = self | 0x20
        return isDigit || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")) || self == UInt8(ascii: "_") || self >= 0x80
            || isPoint || self == UInt8(ascii: "-")
    }
}
