// SPDX-License-Identifier: MIT

/// What takes longest to be compared by characters: long runs of combining marks, some of which a normal form puts into another order.
public enum WorstText {
    public static let bytes = 60_000

    /// As they stand between quotation marks. They end as a time, a share and a rate do, so that whoever looks there first finds something.
    public static let all = [
        "20" + run("\u{344}") + "ms", run("\u{334}") + "%", "s" + run("\u{344}\u{334}"),
        "1" + run("\u{345}\u{334}\u{5b0}") + "/s",
    ]

    private static func run(_ marks: String) -> String { String(repeating: marks, count: bytes / marks.utf8.count) }

    /// The texts that come of `json`, in which no text has a `"` or a `\` in it, with one of the worst texts in place of each of its
    /// keys and values in turn. The worst texts take turns.
    public static func everywhere(in json: String) -> [String] {
        let bytes = Array(json.utf8)
        return tokens(bytes).enumerated().map { index, token in
            let worst = Array("\"\(all[index % all.count])\"".utf8)
            return String(decoding: bytes[..<token.lowerBound] + worst + bytes[token.upperBound...], as: UTF8.self)
        }
    }

    /// Strings, numbers and words.
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
