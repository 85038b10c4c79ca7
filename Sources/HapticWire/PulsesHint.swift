// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Errors that name the short form of patterns, for clients that try plain pulses.
public enum PulsesHint {
    /// Words that people try as the name of a pattern, of a method or of a member.
    private static let words: [Text] = ["pulse", "pulses", "vibrate", "vibration", "buzz", "rumble"]

    public static func isMeant(by word: Text) -> Bool { words.contains(word) }

    /// The pattern object to write, to go on after a semicolon.
    public static let pattern = text("[100, 50, 100]")

    /// The same, with the lengths that were given if these are few.
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
