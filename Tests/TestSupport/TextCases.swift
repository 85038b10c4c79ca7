// SPDX-License-Identifier: MIT
import Glibc

/// Texts, and what comes of each: the files of `Tests/fixtures/mistakes` and `Tests/fixtures/scripts`.
///
/// A case begins with `=== ` and its title. Then come the text and, each behind `=> `, the lines that are made of it. A `…` in such a line stands
/// for anything.
public enum TextCases {
    struct Case {
        var title: String
        var text: [Substring] = []
        var messages: [String] = []
    }

    /// The cases of a file of which something else comes than is written there, each with what is found.
    public static func differences(
        in name: String, sourceFile: String = #filePath, _ found: (_ text: String) throws -> [String]
    ) rethrows -> [String] {
        let cases = read(name, sourceFile)
        guard !cases.isEmpty else { return ["\(name) has no cases"] }
        var differences: [String] = []
        for one in cases {
            let said = try found(one.text.joined(separator: "\n"))
            let isSame = said.count == one.messages.count && zip(said, one.messages).allSatisfy { matches($0, $1) }
            if !isSame { differences.append("\(name), \(one.title):\n\(said.map { "=> \($0)" }.joined(separator: "\n"))") }
        }
        return differences
    }

    /// Whether `text` is `pattern`, with anything for each `…`.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        // trap: the flags are valid.
        fnmatch(
            pattern.map { $0 == "…" ? "*" : "[]*?\\".contains($0) ? "\\\($0)" : "\($0)" }.joined(), text, 0) == 0
    }

    private static func read(_ name: String, _ sourceFile: String) -> [Case] {
        let tests = sourceFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        guard let text = contents(of: "\(tests)/fixtures/\(name).txt") else { return [] }
        var cases: [Case] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("=== ") {
                cases.append(Case(title: String(line.dropFirst(4))))
            } else if line.hasPrefix("=> "), !cases.isEmpty {
                cases[cases.count - 1].messages.append(String(line.dropFirst(3)))
            } else if !cases.isEmpty, cases[cases.count - 1].messages.isEmpty {
                cases[cases.count - 1].text.append(line)
            }
        }
        return cases
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
