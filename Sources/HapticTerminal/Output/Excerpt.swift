// SPDX-License-Identifier: MIT
import HapticCore
package import HapticText
import HapticYAML

/// The lines of a text that errors are in, each with a caret below its column.
package struct Excerpt {
    /// Of a longer line that many columns around the error are shown, between marks of what is left out.
    static let width = 72

    /// Bytes on either side of an error that are looked at: enough for `width` columns of any script.
    static let reach = 1024

    private let text: [UInt8]
    private let index: LineIndex<[UInt8]>

    /// Looks at the whole text once, however many errors it has.
    init(_ text: [UInt8]) {
        self.text = text
        index = LineIndex(text)
    }

    /// Two lines; none where `mark` is beyond the text.
    func lines(at mark: SourceMark) -> [String] {
        guard let (bytes, at) = index.place(of: mark) else { return [] }
        var (start, end) = (max(bytes.lowerBound, at - Self.reach), min(bytes.upperBound, at + Self.reach))
        // Not within a scalar.
        while start > bytes.lowerBound, start < at, !text[start].beginsScalar { start += 1 }
        while end < bytes.upperBound, end > at, !text[end].beginsScalar { end -= 1 }
        let before = Self.shownScalars(text[start..<at])
        let scalars = before + Self.shownScalars(text[at..<end])
        let isWhole = start == bytes.lowerBound && end == bytes.upperBound
        let shown = Self.part(of: scalars, around: before.count, isWhole: isWhole)
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars[shown])
        let isCut = (
            start: start > bytes.lowerBound || shown.lowerBound > 0,
            end: end < bytes.upperBound || shown.upperBound < scalars.count
        )
        let (first, last) = (isCut.start ? "…" : "", isCut.end ? "…" : "")
        let number = "\(mark.line)"
        let margin = String(repeating: " ", count: number.count)
        let caret = String(repeating: " ", count: first.columns + before[shown.lowerBound...].columns) + "^"
        return ["  \(number) | \(first)\(String(line))\(last)", "  \(margin) | \(caret)"]
    }

    /// One place for each scalar, as an error counts them; what a terminal is not given, and a tab, is a space.
    private static func shownScalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map {
            $0.isPrintable && !$0.properties.isWhitespace ? $0 : " "
        }
    }

    /// Of a line that takes more than `width` columns, or that this is not all of, those around the error at `place`; none of them is a
    /// mark without what it is put onto.
    private static func part(of line: [Unicode.Scalar], around place: Int, isWhole: Bool) -> Range<Int> {
        guard !isWhole || line.columns > width else { return line.indices }
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
    package static func lines(for diagnostics: [Diagnostic], texts: [String: [UInt8]] = [:]) -> [String] {
        var excerpts = texts.mapValues(Excerpt.init)
        return diagnostics.flatMap { diagnostic in
            guard let file = diagnostic.file, let mark = diagnostic.mark else { return [diagnostic.description] }
            let excerpt = excerpts[file] ?? Excerpt((try? FileAccess.disk.read(file, YAML.Limit.bytes)) ?? [])
            excerpts[file] = excerpt
            return [diagnostic.description] + excerpt.lines(at: mark)
        }
    }
}
