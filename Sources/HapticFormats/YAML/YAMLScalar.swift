// SPDX-License-Identifier: MIT
internal import HapticCore

/// What an unquoted scalar means by the core schema of YAML 1.2 (section 10.3.2): `yes` and `0660` are no surprises here.
func coreSchemaContent(ofPlain text: Text) -> Node.Content {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return .number(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .number(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .number(-.infinity)
    default: break
    }
    for (start, radix) in [("0x", 16), ("0o", 8)] as [(StaticString, Int)] where text.string.begins(with: start) {
        if let value = wholeNumber(text.utf8.dropFirst(2), radix: radix) { return .number(value) }
    }
    if let value = decimalNumber(text.string) { return .number(value) }
    return .string(text)
}

/// The number that `text` is in decimal notation, as YAML's core schema and the command line write it; infinite where it is
/// too large. Nil where it is none: `Double(_:)` alone would also read `0x1p3`, `inf` and `nan`.
func decimalNumber(_ text: some StringProtocol) -> Double? {
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

private func wholeNumber(_ digits: Substring.UTF8View, radix: Int) -> Double? {
    guard let first = digits.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else { return nil }
    return UInt64(Substring(digits), radix: radix).map { Double($0) }
}
