// SPDX-License-Identifier: MIT
public import HapticCore

extension Nanoseconds {
    /// Reads `20ms`, `1.6s`, `250us`, `40ns`, `10m` (minutes) or `1h`; nil for anything else, beyond ±100 years included.
    public init?(unitText text: String) {
        let units: [(name: String, factor: Double)] = [
            ("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1), ("m", 60), ("h", 3600),
        ]
        guard let (number, seconds) = split(text, units) else { return nil }
        self.init(seconds: number * seconds)
    }

    /// As a person writes it in a file: `0s`, `20ms`, `168h`.
    package var unitText: String {
        let hour = Nanoseconds.seconds(3600).count
        if self == .zero { return "0s" }
        return count % hour == 0 ? "\(count / hour)h" : description
    }

    /// Reads a frequency, `200Hz` or `20kHz`, as its period; nil for anything else and for 0.
    public init?(periodOfFrequency text: String) {
        guard let (number, hertz) = split(text, [("kHz", 1000), ("Hz", 1)]), number > 0 else { return nil }
        self.init(seconds: 1 / (number * hertz))
    }
}

extension UnitValue {
    /// Reads a share: `0.4` or `40%`; nil for anything else and outside 0…1.
    public init?(shareText text: String) {
        if let number = decimalNumber(text) {
            self.init(number)
        } else if let (number, one) = split(text, [("%", 0.01)]) {
            self.init(number * one)
        } else {
            return nil
        }
    }
}

extension Drive {
    /// Reads a multiple of the rated drive: `1.2` or `120%`; nil for anything else and outside `range`.
    public init?(driveText text: String) {
        if let number = decimalNumber(text) {
            self.init(number)
        } else if let (number, one) = split(text, [("%", 0.01)]) {
            self.init(number * one)
        } else {
            return nil
        }
    }
}

extension Strength {
    /// Reads `80%`; nil for anything else and outside 0 %…150 %.
    public init?(percentText text: String) {
        guard let (number, one) = split(text, [("%", 0.01)]) else { return nil }
        self.init(number * one)
    }
}

private func split(_ text: String, _ units: [(name: String, factor: Double)]) -> (number: Double, factor: Double)? {
    for unit in units {
        if let number = text.without(end: unit.name) { return decimalNumber(number).map { ($0, unit.factor) } }
    }
    return nil
}

/// The share that someone means who writes a percentage: `0.42` for 42; `nil` unless it is a whole number from 2 to 100.
package func percentAsShare(_ number: Double) -> String? {
    (2...100).contains(number) && number == number.rounded() ? plainText(number / 100) : nil
}

/// The share that someone means who writes a text for a number: `0.42` for `42%`, `0.42` or `42`; `nil` if it means none.
package func textAsShare(_ text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    if let percent = text.without(end: "%") {
        return decimalNumber(percent).flatMap { (0...100).contains($0) ? plainText($0 / 100) : nil }
    }
    return decimalNumber(text).flatMap { (0...1).contains($0) ? plainText($0) : percentAsShare($0) }
}

/// As a person writes it: `1`, not `1.0`.
package func plainText(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : number.description
}

/// The number that `text` is in decimal notation, as YAML's core schema and the command line write it; infinite where it is
/// too large. Nil where it is none: `Double(_:)` alone would also read `0x1p3`, `inf` and `nan`.
package func decimalNumber(_ text: some StringProtocol) -> Double? {
    var rest = Substring(text).utf8
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
    func skipDigits() -> Int {
        let digits = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(digits)
        return digits
    }
    if let first = rest.first, isSign(first) { rest = rest.dropFirst() }
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        digits += skipDigits()
    }
    guard digits > 0 else { return nil }
    if let first = rest.first, first == UInt8(ascii: "e") || first == UInt8(ascii: "E") {
        rest = rest.dropFirst()
        if let sign = rest.first, isSign(sign) { rest = rest.dropFirst() }
        guard skipDigits() > 0 else { return nil }
    }
    return rest.isEmpty ? Double(String(text)) : nil
}
