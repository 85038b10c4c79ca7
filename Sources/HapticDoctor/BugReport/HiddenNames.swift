// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticFormats
import HapticPatterns
import HapticTerminal
import HapticText
import HapticWire

/// Puts a mark in the place of each id, name and value.
struct HiddenNames {
    static let mark = "[hidden]"

    /// What was hidden, to be found again in text that is free.
    private(set) var known: Set<Text> = []
    /// There are more names than are known, so in text that is free some would be left.
    private(set) var isFull = false

    /// Adds a name that no document has, such as the user's.
    mutating func add(_ name: String) {
        let name = Text(name)
        guard Self.isDistinct(name), !Self.vocabulary.contains(name), !known.contains(name) else { return }
        if known.count < Self.mostKnown { known.insert(name) } else { isFull = true }
    }

    // MARK: Documents

    /// The same document, with a mark for each text that is none of hapticd's own words. `hasOwnKeys`: no key of it is a user's.
    mutating func hidden(_ node: Node, hasOwnKeys: Bool) -> Node {
        var node = node
        switch node.content {
        case .string(let text): node.content = .string(Text(word(text)))
        case .list(let items):
            var shown: [Node] = []
            for item in items { shown.append(self.hidden(item, hasOwnKeys: hasOwnKeys)) }
            node.content = .list(shown)
        case .object(let members):
            var shown: [Node.Member] = []
            for member in members {
                let value = self.value(member.value, of: member.key, hasOwnKeys: hasOwnKeys)
                shown.append(Node.Member(key: hasOwnKeys ? member.key : Text(word(member.key)), value: value))
            }
            node.content = .object(shown)
        case .null, .bool, .number, .integer, .invalid: break
        }
        return node
    }

    /// What is the user's own is hidden whatever it looks like: an id may be a date, a value a number or one of hapticd's words.
    private mutating func value(_ node: Node, of key: Text, hasOwnKeys: Bool) -> Node {
        let isUsersOwn = (hasOwnKeys ? Self.ownInAnswers : Self.ownInConfigurations).contains(key)
        switch node.content {
        case .string(let text) where isUsersOwn && text != "*":
            add(text.string)
            return Node(.string(Text(Self.mark)))
        case .number, .integer, .bool: return isUsersOwn ? Node(.string(Text(Self.mark))) : node
        case .string(let text) where Self.sentences.contains(key): return Node(.string(Text(self.text(text.string))))
        case .list(let items) where Self.sentences.contains(key):
            var lines: [Node] = []
            for item in items {
                if case .string(let text) = item.content { lines.append(Node(.string(Text(self.text(text.string))))) }
            }
            return Node(.list(lines))
        default: return hidden(node, hasOwnKeys: hasOwnKeys)
        }
    }

    /// One text of a document.
    mutating func word(_ text: Text) -> String {
        if text.isEmpty || Self.vocabulary.contains(text) || Self.isMeasure(text.string) || Self.isPlainPath(text.string) {
            return text.string
        }
        add(text.string)
        return Self.mark
    }

    // MARK: Text

    /// A sentence of a program: what it quotes, what is known as a name and what is in a home folder is hidden.
    func text(_ text: String) -> String {
        isFull
            ? Self.mark : names(quotes(homes(names(text) { $0.contains(" ") || $0.contains("\"") || $0.contains("`") })))
    }

    /// What stands between a pair of the same quotes.
    private func quotes(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "`" || $0 == "\"" }) {
            let inside = rest.index(after: open)
            guard let close = rest[inside...].firstIndex(of: rest[open]) else { break }
            result += rest[...open]
            result += quoteContent(rest[inside..<close])
            result.append(rest[close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private func quoteContent(_ quoted: Substring) -> String {
        let isOwn = Self.vocabulary.contains(Text(quoted)) || Self.isMeasure(String(quoted))
        // A command of ours in a remedy; a name in it is known, or quoted once more.
        if isOwn || quoted.begins(with: "hapticctl ") || quoted.begins(with: "hapticd ") { return String(quoted) }
        return Self.mark
    }

    /// Longer names first, so that no part of one is left. Of a name with a space `homes` would leave one, of a name with quotes `quotes`.
    private func names(_ text: String, where isWanted: (String) -> Bool = { _ in true }) -> String {
        var bytes = Array(text.utf8)
        for name in known.sorted(by: { ($1.utf8.count, $0) < ($0.utf8.count, $1) }) where isWanted(name.string) {
            bytes = replaced(name, in: bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func replaced(_ name: Text, in bytes: [UInt8]) -> [UInt8] {
        let wanted = Array(name.utf8)
        guard wanted.count <= bytes.count else { return bytes }
        var (result, index) = ([UInt8](), 0)
        while index < bytes.count {
            let end = index + wanted.count
            if end <= bytes.count, bytes[index] == wanted[0], bytes[index..<end].elementsEqual(wanted),
                index == 0 || !Self.isLetter(bytes[index - 1]), end == bytes.count || !Self.isLetter(bytes[end])
            {
                result += Array(Self.mark.utf8)
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private func homes(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            guard let start = word.firstRange(of: "/home/") ?? word.firstRange(of: "/root/") else { return String(word) }
            return word[..<start.upperBound] + Self.mark
        }.joined(separator: " ")
    }

    // MARK: What is nobody's

    /// Whether it is looked for in sentences. A number of one or two digits is hidden where it stands for itself only: it is nobody's,
    /// and counts, times and errors are full of it.
    private static func isDistinct(_ name: Text) -> Bool {
        name.string.utf8.count > 2 || name.string.utf8.contains { isLetter($0) && !(0x30...0x39).contains($0) }
    }

    /// Each is looked for in each sentence.
    static let mostKnown = 1000
    /// Members that are a user's: of the daemon's answers, and of a configuration.
    private static let (ownInAnswers, ownInConfigurations): (Set<Text>, Set<Text>) = (
        ["source", "value", "name", "app", "rule", "mistake", "condition"], ["match", "from", "to"]
    )
    /// Members whose text is a sentence of the daemon's.
    private static let sentences: Set<Text> = ["error", "problem", "remedies"]

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case 0x80...: true
        default: byte == UInt8(ascii: "_")
        }
    }

    /// `20ms`, `40%`, `200Hz`, `10/s`, `0.1.0`.
    private static func isMeasure(_ text: String) -> Bool {
        guard let last = text.utf8.lastIndex(where: { (0x30...0x39).contains($0) }) else { return false }
        let isNumber = text.utf8[...last].allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
        let unit = String(text[text.utf8.index(after: last)...])
        // A version has two points; an address has three.
        if unit.isEmpty { return isNumber && text.utf8.count <= 8 && (1...2).contains(text.utf8.count { $0 == 0x2e }) }
        return isNumber && text.utf8.count <= 12 && ["ms", "s", "%", "Hz", "kHz", "/s"].contains(unit)
    }

    /// A node of the kernel's that is called by a number.
    private static func isPlainPath(_ text: String) -> Bool {
        for prefix in ["/dev/gpiochip", "/dev/input/event", "/sys/class/pwm/pwmchip", "gpiochip", "pwmchip"] {
            guard text.utf8.starts(with: prefix.utf8) else { continue }
            return text.utf8.dropFirst(prefix.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
        }
        return false
    }

    /// What a configuration's description knows: names of members, and words to choose from.
    private struct Described {
        var members: Set<Text> = []
        var words: Set<Text> = []

        init(_ kind: Member.Kind) {
            switch kind {
            case .object(let parts):
                for part in parts {
                    members.insert(Text(part.name))
                    add(Described(part.kind))
                }
            case .list(let item, _): add(Described(item))
            case .either(let kinds): for one in kinds { add(Described(one)) }
            case .choice(let names): words = Set(names.map { Text($0) })
            default: break
            }
        }

        private mutating func add(_ other: Described) {
            members.formUnion(other.members)
            words.formUnion(other.words)
        }
    }

    private static let described = Described(.object(Configuration.members))

    /// Words with a meaning of hapticd's own.
    private static let vocabulary: Set<Text> = {
        let own =
            Outcome.allCases.map(\.rawValue) + Reason.allCases.map(\.rawValue) + Profile.allCases.map(\.rawValue)
            + FeedbackClass.allCases.map(\.rawValue) + BuiltInPatterns.all.map(\.name)
            + Decision.InputKind.allCases.map(\.rawValue) + Decision.Origin.allCases.map(\.rawValue)
            + PlaybackEnd.Ending.allCases.map(\.rawValue)
            + SettingsLayer.allCases.map(\.rawValue) + DecidingSetting.allCases.map(\.rawValue)
            + AppliedSettingResult.Kind.allCases.map(\.rawValue)
            + PolicyLink.allCases.map(\.rawValue) + ["request", "rule", "$HAPTICD_SOCKET", ConfigurationFile.standardPath]
        return described.words.union(described.members).union(own.map { Text($0) })
    }()
}
