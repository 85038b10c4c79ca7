// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticTerminal
import HapticText

/// Pulses and pauses on the command line: `20,60,20` or `100`, in milliseconds or with units.
enum Pulses {
    /// Their description in help texts.
    static let help = "pulses and pauses in ms, such as `20,60,20`"

    /// The pattern object of the wire; `nil` if `text` is a name or a file. A text that begins with a digit is pulses if it has a comma, or
    /// lengths with spaces between them.
    ///
    /// - Parameter allowsOne: A length alone is a pulse, too.
    ///
    /// - Throws: If a length cannot be read, or is out of range.
    static func tree(_ text: String, allowsOne: Bool) throws(Failure) -> Node? {
        guard !PatternFile.isFile(text), let parts = parts(text, allowsOne: allowsOne) else { return nil }
        var lengths: [Node] = []
        for part in parts { lengths.append(try length(part, in: text)) }
        let tree = Node(.object([Node.Member(key: "pulses", value: Node(.list(lengths)))]))
        _ = try pattern(of: tree)
        return tree
    }

    /// The pattern of the same text, called by it.
    static func pattern(_ text: String) throws(Failure) -> Pattern? {
        guard let tree = try tree(text, allowsOne: true), case .object(var members) = tree.content else { return nil }
        if NodeReader.isName(text, limit: Pattern.Limit.nameLength) {
            members.append(Node.Member(key: "name", value: Node(.string(Text(text)))))
        }
        return try pattern(of: Node(.object(members)))
    }

    private static func pattern(of tree: Node) throws(Failure) -> Pattern {
        do throws(InvalidDocument) {
            return try PatternReader.pattern(wire: tree, path: "")
        } catch {
            throw Failure("\(error.diagnostics[0])", status: ExitStatus.usage)
        }
    }

    /// The words of the lengths; `nil` if `text` is no pulses.
    private static func parts(_ text: String, allowsOne: Bool) -> [String]? {
        let (comma, space) = (UInt8(ascii: ","), UInt8(ascii: " "))
        guard text.utf8.first.map((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ?? false else { return nil }
        if text.utf8.contains(comma) {
            return text.utf8.split(separator: comma, omittingEmptySubsequences: false).map { part in
                let words = part.split(separator: space).map { String(Substring($0)) }
                return words.joined(separator: " ")
            }
        }
        let words = text.utf8.split(separator: space).map { String(Substring($0)) }
        let areLengths = words.allSatisfy { milliseconds($0) != nil }
        return areLengths && (words.count > 1 || allowsOne) ? words : nil
    }

    private static let example = "write milliseconds, as in `hapticctl play 20,60,20`"

    private static func length(_ word: String, in text: String) throws(Failure) -> Node {
        if let milliseconds = milliseconds(word) { return Node(.number(milliseconds)) }
        let mistake =
            word.isEmpty ? "there is a comma without a length in \(quoted(text))" : "\(quoted(word)) is no length of a pulse"
        throw Failure("\(mistake); \(example)", status: ExitStatus.usage)
    }

    /// The failure of a command line with pulses that begin with a minus, which the parser takes for an option; `nil` if there are none.
    static func negative(in arguments: [String]) -> Failure? {
        let word = arguments.prefix { $0 != "--" }.first { word in
            let start = Array(word.utf8.prefix(2))
            return start.first == UInt8(ascii: "-") && start.last.map((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ?? false
                && word.utf8.contains(UInt8(ascii: ","))
        }
        return word.map {
            Failure("a pulse or a pause is not below 0, as in \(quoted($0)); \(example)", status: ExitStatus.usage)
        }
    }

    private static func milliseconds(_ text: String) -> Double? {
        decimalNumber(text) ?? Nanoseconds(unitText: text)?.inMilliseconds
    }
}
