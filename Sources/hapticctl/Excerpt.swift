// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticJSON

/// The lines of a text that errors are in, each with a caret below its column.
struct Excerpt {
    /// Of a longer line that many characters around the error are shown.
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
        // One character for each scalar, as columns are counted; what a terminal is not given, and a tab, is a space.
        let scalars = String(decoding: all[mark.line - 1], as: UTF8.self).unicodeScalars.map {
            $0.isPrintable && !$0.properties.isWhitespace ? $0 : " "
        }
        guard mark.column > 0, mark.column <= scalars.count + 1 else { return [] }
        let start = max(0, min(mark.column - 1 - Self.width / 2, scalars.count - Self.width))
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars[start...].prefix(Self.width))
        let number = "\(mark.line)"
        let margin = String(repeating: " ", count: number.count)
        let caret = String(repeating: " ", count: mark.column - 1 - start) + "^"
        return ["  \(number) | \(String(line))", "  \(margin) | \(caret)"]
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
