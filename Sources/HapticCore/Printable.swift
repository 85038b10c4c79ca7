// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
    /// Whether it may be shown as it is: it moves no cursor, ends no line, turns no direction of writing and does not hide.
    public var isPrintable: Bool {
        if isASCII { return value >= 0x20 && value != 0x7f }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        // The variants of an emoji hide nothing.
        default: (0xfe00...0xfe0f).contains(value) || !properties.isDefaultIgnorableCodePoint && value != Self.blank
        }
    }

    /// A braille pattern without a dot, which looks like a space.
    private static let blank: UInt32 = 0x2800
}

extension StringProtocol {
    /// Marks that may stand upon one letter. Text with more of them takes its time to be compared by characters.
    public static var mostMarks: Int { 64 }

    /// Whether more than `mostMarks` stand upon one letter: no writing needs so many.
    public var hasTooManyMarks: Bool {
        var marks = 0
        for scalar in unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks > Self.mostMarks { return true }
        }
        return false
    }
}

extension StringProtocol {
    /// On one line, and harmless to a terminal: whatever comes from others is written like this to terminals, logs and files. What they
    /// make up must neither look like a line of its own nor move the cursor.
    public var printable: String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return String(self) }
        guard unicodeScalars.contains(where: { !$0.isPrintable }) else { return String(self) }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where !scalar.isPrintable: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
