// SPDX-License-Identifier: MIT

/// A command line that has not been parsed: perhaps it cannot be, or is still being typed.
struct CommandWords {
    let words: [String]

    init(_ words: [String]) { self.words = words }

    /// What follows `option`, or stands behind it and a `=`.
    func value(of option: String) -> String? {
        for (index, word) in words.enumerated() {
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
            if word == option, index + 1 < words.count { return words[index + 1] }
        }
        return nil
    }
}
