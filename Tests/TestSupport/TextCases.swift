// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Texts with the lines that are expected for each: the files of `Tests/fixtures/mistakes` and `Tests/fixtures/scripts`.
///
/// A case begins with `=== ` and its title. The text follows, and then the expected lines, each behind `=> `. The found lines have to
/// equal them, byte by byte. `make snapshots` writes the lines that were found into the file; review them as a diff.
public enum TextCases {
    private struct Case {
        var title: String
        /// The line of its heading, from 1.
        var line: Int
        var text: [String] = []
        var lines: [String] = []
    }

    /// Returns the cases for which other lines were found than expected, and the lines of the file that belong to no case, each with its
    /// place.
    ///
    /// - Parameter isRecorded: Whether `make snapshots` may write the file: not if its lines are derived by hand.
    public static func differences(
        in name: String, isRecorded: Bool = true, sourceFile: String = #filePath, _ found: (_ text: String) throws -> [String]
    ) rethrows -> [String] {
        let file = URL(filePath: sourceFile).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "fixtures/\(name).txt")
        var (head, cases, differences) = read(file, name)
        guard differences.isEmpty else { return differences }
        for index in cases.indices {
            let one = cases[index]
            let lines = try found(one.text.joined(separator: "\n")).flatMap {
                $0.split(separator: "\n", omittingEmptySubsequences: false)
            }
            .map(String.init)
            let changes = lineDifferences(from: one.lines, to: lines, of: "\(name).txt", firstLine: one.line + 1 + one.text.count)
            if changes.isEmpty { continue }
            differences.append((["\(name).txt:\(one.line): \(one.title)"] + changes).joined(separator: "\n"))
            cases[index].lines = lines
        }
        guard isRewritingSnapshots, !differences.isEmpty else { return differences }
        guard isRecorded else { return differences + ["\(name).txt is written by hand: `make snapshots` leaves it as it is"] }
        for one in cases { head += ["=== \(one.title)"] + one.text + one.lines.map { "=> \($0)" } + [""] }
        do {
            try (head.dropLast().joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
            return []
        } catch {
            return ["\(name).txt: \(error)"]
        }
    }

    private static func read(_ file: URL, _ name: String) -> (head: [String], cases: [Case], mistakes: [String]) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return ([], [], ["\(name).txt cannot be read"]) }
        var (head, cases, mistakes) = ([String](), [Case](), [String]())
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
            let last = cases.count - 1
            if line.hasPrefix("=== ") {
                cases.append(Case(title: String(line.dropFirst(4)), line: index + 1))
            } else if line.hasPrefix("==") || line.hasPrefix("=>") && (cases.isEmpty || !line.hasPrefix("=> ")) {
                mistakes.append(
                    "\(name).txt:\(index + 1): expected a heading, which begins with `=== `, or behind one what is made of its text, with `=> `"
                )
            } else if cases.isEmpty {
                head.append(line)
            } else if line.hasPrefix("=> ") {
                cases[last].lines.append(String(line.dropFirst(3)))
            } else if cases[last].lines.isEmpty {
                cases[last].text.append(line)
            } else if !line.isEmpty {
                mistakes.append("\(name).txt:\(index + 1): this line belongs to no case; begin one with `=== `")
            }
        }
        // A case without expected lines ends with an empty line, too, which is not part of its text.
        for index in cases.indices where cases[index].lines.isEmpty && cases[index].text.last == "" {
            cases[index].text.removeLast()
        }
        return (head, cases, cases.isEmpty ? mistakes + ["\(name).txt has no cases"] : mistakes)
    }
}
