// SPDX-License-Identifier: MIT
import HapticCore

/// `text` as one word of a command line that a person types into bash or zsh: nothing in it is expanded, run or taken for two words.
///
/// Names of devices and all that a configuration says are made up by others. What a terminal must not be given (a line's end, a
/// control character) is written as an escape in `$'…'`.
package func shellQuoted(_ text: String) -> String {
    guard text.unicodeScalars.allSatisfy(\.isPrintable) else { return "$'\(text.utf8.map(escaped).joined())'" }
    if !text.isEmpty, text.unicodeScalars.allSatisfy(isPlain) { return text }
    return "'\(text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined())'"
}

/// A path as one such word that no program takes for an option.
package func shellQuotedPath(_ path: String) -> String { shellQuoted(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path) }

/// Means itself wherever it stands, at the beginning of a word too.
private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || "_-./:@%+,".unicodeScalars.contains(scalar)
}

private func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\\"): return "\\" + String(UnicodeScalar(byte))
    case 0x20..<0x7f: return String(UnicodeScalar(byte))
    default:
        // Three digits, so that a digit behind it is none of it.
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
}
