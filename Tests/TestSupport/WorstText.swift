// SPDX-License-Identifier: MIT

/// The texts that take longest to compare by characters: long runs of combining marks, some of which a normal form reorders.
public enum WorstText {
    public static let bytes = 60_000

    /// The texts as they stand between quotation marks. They end like a time, a share and a rate, so that a reader that checks
    /// for a unit at the end reads the rest, too.
    public static let all = [
        "20" + run("\u{344}") + "ms", run("\u{334}") + "%", "s" + run("\u{344}\u{334}"),
        "1" + run("\u{345}\u{334}\u{5b0}") + "/s",
    ]

    private static func run(_ marks: String) -> String { String(repeating: marks, count: bytes / marks.utf8.count) }

    /// Returns one text for each key and each value of `json`, in which one of the worst texts replaces it. The worst texts take
    /// turns. No string in `json` may contain a `"` or a `\`.
    public static func everywhere(in json: String) -> [String] {
        let bytes = Array(json.utf8)
        return tokens(bytes).enumerated().map { index, token in
            let worst = Array("\"\(all[index % all.count])\"".utf8)
            return String(decoding: bytes[..<token.lowerBound] + worst + bytes[token.upperBound...], as: UTF8.self)
        }
    }

    /// The places of all strings, numbers and words.
    private static func tokens(_ bytes: [UInt8]) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let start = index
            if bytes[start] == UInt8(ascii: "\"") {
                repeat { index += 1 } while bytes[index] != UInt8(ascii: "\"")
                index += 1
            } else {
                while index < bytes.count, !" \n{}[]:,".utf8.contains(bytes[index]) { index += 1 }
            }
            if index > start { tokens.append(start..<index) } else { index += 1 }
        }
        return tokens
    }
}
