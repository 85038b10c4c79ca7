// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticJSON

/// The line of a text that an error is in, with a caret below its column.
enum Excerpt {
    /// Of a longer line that many characters around the error are shown.
    static let width = 72

    /// Two lines; none where `mark` is beyond the text.
    static func lines(of text: [UInt8], at mark: SourceMark) -> [String] {
        guard mark.line > 0, !text.isEmpty else { return [] }
        let all = text.split(separator: UInt8(ascii: "\n"), maxSplits: mark.line, omittingEmptySubsequences: false)
        guard mark.line <= all.count else { return [] }
        // YAML ends lines in other ways, too; then it would be another line.
        let others: Set<Unicode.Scalar> = ["\r", "\u{85}", "\u{2028}", "\u{2029}"]
        let whole = String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
        guard !whole.unicodeScalars.contains(where: others.contains) else { return [] }
        // One character for each scalar, as columns are counted; what a terminal is not given, and a tab, is a space.
        let scalars = String(decoding: all[mark.line - 1], as: UTF8.self).unicodeScalars.map {
            $0.isPrintable && !$0.properties.isWhitespace ? $0 : " "
        }
        guard mark.column > 0, mark.column <= scalars.count + 1 else { return [] }
        let start = max(0, min(mark.column - 1 - width / 2, scalars.count - width))
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars[start...].prefix(width))
        let number = "\(mark.line)"
        let margin = String(repeating: " ", count: number.count)
        let caret = String(repeating: " ", count: mark.column - 1 - start) + "^"
        return ["  \(number) | \(String(line))", "  \(margin) | \(caret)"]
    }

    /// Each error with its excerpt. `texts`: of files that cannot be read again, such as standard input; the others are read.
    static func lines(for diagnostics: [Diagnostic], texts: [String: [UInt8]] = [:]) -> [String] {
        var texts = texts
        return diagnostics.flatMap { diagnostic in
            guard let file = diagnostic.file, let mark = diagnostic.mark else { return [diagnostic.description] }
            let text = texts[file] ?? (try? FileAccess.disk.read(file, YAML.Limit.bytes)) ?? []
            texts[file] = text
            return [diagnostic.description] + lines(of: text, at: mark)
        }
    }
}
