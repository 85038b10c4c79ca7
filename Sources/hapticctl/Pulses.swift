// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticJSON

/// Pulses and pauses on the command line: `20,60,20` or `100`, in milliseconds or with units.
enum Pulses {
    /// Their description in help texts.
    static let help = "pulses and pauses in ms, such as `20,60,20`"

    /// The pattern object of the wire; `nil` if `text` is a name or a file. A text that begins with a digit and has a comma is pulses.
    ///
    /// - Parameter allowsOne: A length alone is a pulse, too.
    ///
    /// - Throws: If a length cannot be read, or is out of range.
    static func tree(_ text: String, allowsOne: Bool) throws(Failure) -> Node? {
        let (digits, comma) = (UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ","))
        guard !PatternFile.isFile(text), text.utf8.first.map(digits.contains) ?? false,
            text.utf8.contains(comma) || allowsOne && milliseconds(text) != nil
        else { return nil }
        var lengths: [Node] = []
        for part in text.utf8.split(separator: comma, omittingEmptySubsequences: false) {
            lengths.append(try length(String(Substring(part.drop { $0 == UInt8(ascii: " ") }))))
        }
        let tree = Node(.object([Node.Member(key: "pulses", value: Node(.list(lengths)))]))
        do throws(InvalidDocument) {
            _ = try PatternReader.pattern(wire: tree, path: "")
        } catch {
            throw Failure("\(error.diagnostics[0])", status: ExitStatus.usage)
        }
        return tree
    }

    private static func length(_ text: String) throws(Failure) -> Node {
        if let milliseconds = milliseconds(text) { return Node(.number(milliseconds)) }
        throw Failure(
            "\(quoted(text)) is no length of a pulse; write milliseconds, as in `hapticctl play 20,60,20`",
            status: ExitStatus.usage)
    }

    private static func milliseconds(_ text: String) -> Double? {
        decimalNumber(text) ?? Nanoseconds(unitText: text)?.inMilliseconds
    }
}
