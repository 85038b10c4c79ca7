// SPDX-License-Identifier: MIT
import Glibc

/// Texts, and what comes of each: the files of `Tests/fixtures/mistakes` and `Tests/fixtures/scripts`.
///
/// A case begins with `=== ` and its title. Then come the text and, each behind `=> `, the lines that are made of it. A `…` in such a line stands
/// for anything, and as a line for any lines. With `HAPTICD_REWRITE_TRACES` in the environment what is made of a text is written into its file; review it as a diff.
public enum TextCases {
    private struct Case {
        var title: String
        var text: [String] = []
        var lines: [String] = []
    }

    /// The cases of a file of which something else comes than is written there, each with what is found.
    public static func differences(
        in name: String, sourceFile: String = #filePath, _ found: (_ text: String) throws -> [String]
    ) rethrows -> [String] {
        let tests = sourceFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        let path = "\(tests)/fixtures/\(name).txt"
        var (head, cases) = read(path)
        guard !cases.isEmpty else { return ["\(name) has no cases"] }
        var differences: [String] = []
        for index in cases.indices {
            let one = cases[index]
            let said = try found(one.text.joined(separator: "\n"))
            if matches(said[...], one.lines[...]) { continue }
            differences.append("\(name), \(one.title):\n\(said.map { "=> \($0)" }.joined(separator: "\n"))")
            cases[index].lines = said
        }
        if !differences.isEmpty, getenv("HAPTICD_REWRITE_TRACES") != nil {
            for one in cases { head += ["=== \(one.title)"] + one.text + one.lines.map { "=> \($0)" } + [""] }
            write(head.dropLast().joined(separator: "\n") + "\n", to: path)
        }
        return differences
    }

    private static func matches(_ said: ArraySlice<String>, _ lines: ArraySlice<String>) -> Bool {
        guard let line = lines.first else { return said.isEmpty }
        if line == "…" { return matches(said, lines.dropFirst()) || (!said.isEmpty && matches(said.dropFirst(), lines)) }
        guard let first = said.first, matches(first, line) else { return false }
        return matches(said.dropFirst(), lines.dropFirst())
    }

    /// Whether `text` is `pattern`, with anything for each `…`.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let escaped = pattern.map { $0 == "…" ? "*" : "[]*?\\".contains($0) ? "\\\($0)" : "\($0)" }
        return fnmatch(escaped.joined(), text, 0) == 0
    }

    private static func read(_ path: String) -> (head: [String], cases: [Case]) {
        var (head, cases) = ([String](), [Case]())
        for line in contents(of: path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("=== ") {
                cases.append(Case(title: String(line.dropFirst(4))))
            } else if cases.isEmpty {
                head.append(line)
            } else if line.hasPrefix("=> ") {
                cases[cases.count - 1].lines.append(String(line.dropFirst(3)))
            } else if cases[cases.count - 1].lines.isEmpty {
                cases[cases.count - 1].text.append(line)
            }
        }
        // Between a case that nothing is made of and the next one there is an empty line, too.
        for index in cases.indices where cases[index].lines.isEmpty && cases[index].text.last == "" {
            cases[index].text.removeLast()
        }
        return (head, cases)
    }

    private static func contents(of path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "we") else { return }
        fputs(text, file)
        fclose(file)
    }
}
