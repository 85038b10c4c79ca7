// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// Errors that name the short form of patterns, for clients that try plain pulses.
public enum PulsesHint {
    /// Returns whether `word`, tried as the name of a pattern, of a method or of a member, asks for plain pulses: `vibrate`, `Buzz`.
    public static func isMeant(by word: Text) -> Bool { Synonyms.meansPulses(word) }

    /// The second half of an error's message: the pattern object to write.
    public static let pattern = text("[100, 50, 100]")

    /// Returns the same half with `lengths` in the pattern object, if they are one to eight numbers; otherwise `pattern`.
    static func pattern(_ lengths: [Node]) -> String {
        let numbers = lengths.map { node in if case .number(let number) = node.content { plainText(number) } else { String?.none }
        }
        guard (1...8).contains(lengths.count), let numbers = numbers.whole() else { return pattern }
        return text("[\(numbers.joined(separator: ", "))]")
    }

    private static func text(_ list: String) -> String {
        "pulses and pauses in milliseconds are a pattern object, such as `{\"pulses\": \(list)}`"
    }
}
