// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticJSON

/// The lines of a text that errors are in, each with a caret below its column.
struct Excerpt {
    /// Of a longer line that many columns around the error are shown, between marks of what is left out.
    static let width = 72

    /// None where the text has line ends of YAML that would be missed here.
    private let all: [ArraySlice<UInt8>]

    /// Looks at the whole text once, however many errors it has.
    init(_ text: [UInt8]) {
        let hasOthers = text.indices.contains { index in
            let rest = text[index...].prefix(3)
            // A CR alone, U+0085, U+2028, U+2029.
            return switch text[index] {
            case 0x0d: rest.dropFirst().first != 0x0a
            case 0xc2: rest.starts(with: [0xc2, 0x85])
            case 0xe2: rest.starts(with: [0xe2, 0x80, 0xa8]) || rest.starts(with: [0xe2, 0x80, 0xa9])
            default: false
            }
        }
        let isUsable = !text.isEmpty && !hasOthers
        all = isUsable ? text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) : []
    }

    /// Two lines; none where `mark` is beyond the text.
    func lines(at mark: SourceMark) -> [String] {
        guard mark.line > 0, mark.line <= all.count else { return [] }
        // One place for each scalar, as an error counts them; what a terminal is not given, and a tab, is a space.
        let scalars = String(decoding: all[mark.line - 1], as: UTF8.self).unicodeScalars.map {
            $0.isPrintable && !$0.properties.isWhitespace ? $0 : " "
        }
        guard mark.column > 0, mark.column <= scalars.count + 1 else { return [] }
        let shown = Self.part(of: scalars, around: mark.column - 1)
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars[shown])
        let cut = (start: shown.lowerBound > 0 ? "…" : "", end: shown.upperBound < scalars.count ? "…" : "")
        let number = "\(mark.line)"
        let margin = String(repeating: " ", count: number.count)
        let before = cut.start.columns + scalars[shown].prefix(mark.column - 1 - shown.lowerBound).reduce(0) { $0 + $1.columns }
        let caret = String(repeating: " ", count: before) + "^"
        return ["  \(number) | \(cut.start)\(String(line))\(cut.end)", "  \(margin) | \(caret)"]
    }

    /// Of a line that takes more than `width` columns, those around the error at `place`; none of them is a mark without what it
    /// is put onto.
    private static func part(of line: [Unicode.Scalar], around place: Int) -> Range<Int> {
        guard line.reduce(0, { $0 + $1.columns }) > width else { return line.indices }
        var (start, end, room) = (place, place, width)
        func take(_ index: Int) -> Bool {
            guard line.indices.contains(index), line[index].columns <= room else { return false }
            room -= line[index].columns
            return true
        }
        // Half of it before the error, then what comes behind it, and what room is left before it again.
        while room > width / 2, start > 0, take(start - 1) { start -= 1 }
        while end < line.count, take(end) { end += 1 }
        while start > 0, take(start - 1) { start -= 1 }
        while start < place, line[start].columns == 0 { start += 1 }
        return start..<end
    }

    /// Each error with its excerpt. `texts`: of files that cannot be read again, such as standard input; the others are read.
    static func lines(for diagnostics: [Diagnostic], texts: [String: [UInt8]] = [:]) -> [String] {
        var excerpts = texts.mapValues(Excerpt.init)
        return diagnostics.flatMap { diagnostic in
            guard let file = diagnostic.file, let mark = diagnostic.mark else { return [diagnostic.description] }
            let excerpt = excerpts[file] ?? Excerpt((try? FileAccess.disk.read(file, YAML.Limit.bytes)) ?? [])
            excerpts[file] = excerpt
            return [diagnostic.description] + excerpt.lines(at: mark)
        }
    }
}
