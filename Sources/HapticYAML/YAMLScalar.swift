// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticText

/// What an unquoted scalar means by the core schema of YAML 1.2 (section 10.3.2): `yes` and `0660` are no surprises here.
package func coreSchemaContent(ofPlain text: Text) -> Node.Content {
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

private func wholeNumber(_ digits: Substring.UTF8View, radix: Int) -> Double? {
    guard let first = digits.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else { return nil }
    return UInt64(Substring(digits), radix: radix).map { Double($0) }
}
