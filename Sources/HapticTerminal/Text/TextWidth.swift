// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
    /// How many columns of a terminal it takes: 2 for the wide ones of East Asia and for emoji, 0 for what is put onto the character
    /// before it.
    var columns: Int {
        guard value >= 0x300 else { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// W and F of Unicode's EastAsianWidth, by blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3,
        0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x1_7000...0x1_8cff,
        0x1_b000...0x1_b2fb, 0x1_f200...0x1_f265, 0x2_0000...0x3_fffd,
    ]
}

extension Sequence<Unicode.Scalar> {
    /// How many columns of a terminal they take.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension StringProtocol {
    /// How many columns of a terminal it takes.
    var columns: Int { unicodeScalars.columns }
}
