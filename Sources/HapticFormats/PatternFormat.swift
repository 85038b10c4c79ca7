// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// The formats of pattern files.
public enum PatternFormat: String, CaseIterable, Sendable {
    /// Our own.
    case yaml
    /// Apple's, of Core Haptics.
    case ahap
    /// Lofelt's.
    case haptic

    /// How the names of its files end, without the dot; the usual one first.
    public var fileExtensions: [String] { self == .yaml ? ["yaml", "yml"] : [rawValue] }

    /// By the end of a file's name; nil where it is none of these. Capitals and small letters are the same.
    public init?(fileName: String) {
        guard let end = Self.parts(fileName)?.end.lowercased() else { return nil }  // by characters: ours have ASCII only
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains { Text($0) == Text(end) } }) else {
            return nil
        }
        self = format
    }

    /// The name of a file without its directory, and without its end where it has one.
    static func baseName(_ fileName: String) -> String { parts(fileName)?.base ?? String(Substring(lastPart(fileName))) }

    /// The name of the pattern in a file that does not name it: `baseName`, cut to the most bytes that a pattern's name may have.
    public static func patternName(_ fileName: String) -> String { cut(baseName(fileName)) }

    static func cut(_ name: some StringProtocol) -> String { Text(name).prefix(bytes: Pattern.Limit.nameLength) }

    private static func lastPart(_ fileName: String) -> Substring.UTF8View {
        fileName.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
    }

    private static func parts(_ fileName: String) -> (base: String, end: String)? {
        let name = lastPart(fileName)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        return (String(Substring(name[..<dot])), String(Substring(name[name.index(after: dot)...])))
    }

    /// By what the text says first, then by the end of the file's name; our own where neither says anything. O(bytes).
    public static func of(_ bytes: [UInt8], file: String?) -> Self {
        of(bytes) ?? file.flatMap { Self(fileName: $0) } ?? .yaml
    }

    /// A key that only this format has at the top of a file in braces.
    private static let tellingKeys: [(key: String, format: Self)] = [
        ("Pattern", .ahap), ("Event", .ahap), ("ParameterCurve", .ahap), ("signals", .haptic),
        ("tracks", .yaml), ("pulses", .yaml), ("compose", .yaml), ("phases", .yaml),
    ]

    /// Nil where the text itself does not say. It may be cut off or broken anywhere.
    private static func of(_ bytes: [UInt8]) -> Self? {
        var scanner = KeyScanner(bytes)
        // Only YAML has keys without braces.
        let telling = scanner.isInBraces ? tellingKeys : PatternReader.members.map { ($0.name, .yaml) }
        while let key = scanner.next() {
            if let known = telling.first(where: { key.elementsEqual($0.key.utf8) }) { return known.format }
        }
        return nil
    }
}

/// The keys of the outermost object of a JSON text, or of a YAML text in block style, as far as they can be seen without reading it.
private struct KeyScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    let isInBraces: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let space: [UInt8] = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
        isInBraces = bytes.first { !space.contains($0) } == UInt8(ascii: "{")
    }

    mutating func next() -> ArraySlice<UInt8>? { isInBraces ? nextInQuotes() : nextOfLine() }

    /// What is in quotes before a colon at the first level.
    private mutating func nextInQuotes() -> ArraySlice<UInt8>? {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let text = restOfString()
                if depth == 1, isFollowedByColon { return text }
            default: break
            }
        }
        return nil
    }

    private mutating func restOfString() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, bytes.count)
        position = end + 1
        return bytes[start..<end]
    }

    private var isFollowedByColon: Bool {
        let space: [UInt8] = [0x20, 0x09, 0x0a, 0x0d]
        return position <= bytes.count && bytes[position...].first { !space.contains($0) } == UInt8(ascii: ":")
    }

    /// What stands before a colon at the start of a line.
    private mutating func nextOfLine() -> ArraySlice<UInt8>? {
        while position < bytes.count {
            let line = bytes[position...].prefix { $0 != UInt8(ascii: "\n") }
            position = line.endIndex + 1
            if let colon = line.firstIndex(of: UInt8(ascii: ":")) { return line[..<colon] }
        }
        return nil
    }
}
