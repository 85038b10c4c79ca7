// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticFormats
import HapticService
import HapticText
import HapticWire

/// The generated words in a dictionary of the fuzzer.
struct Words {
    /// The lines of the dictionary, sorted.
    private let entries: Set<String>

    /// The words of a client: methods, the members of their params, and those of a pattern object.
    static var sent: Words {
        let words = Methods.calls.map { method($0.method) } + Methods.calls.flatMap { entries(of: .object($0.description)) }
        return Words(entries: Set(words + [PatternReader.inlineSchema, PatternReader.partSchema].flatMap(entries)))
    }

    /// The words of the daemon: the members of results, notifications and errors.
    static var received: Words {
        let notices = Notice.Kind.allCases.flatMap { [method($0.rawValue)] + entries(of: .object($0.content.description)) }
        return Words(
            entries: Set(Methods.calls.flatMap { entries(of: $0.answer) } + notices + entries(of: .object(WireError.description)))
        )
    }

    static var ofConfigurations: Words { Words(file: Configuration.members) }
    static var ofPatterns: Words { Words(file: PatternReader.members) }

    private init(entries: Set<String>) { self.entries = entries }

    /// The keys and the choices of a file.
    private init(file members: [Member]) { entries = Set(Self.entries(of: .object(members), .units)) }

    private static func key(_ name: String, _ notation: Notation = .wire) -> String {
        notation == .wire ? #""\"\#(name)\":""# : #""\#(name): ""#
    }

    private static func value(_ word: String, _ notation: Notation = .wire) -> String {
        notation == .wire ? #""\"\#(word)\"""# : #""\#(word)""#
    }

    private static func method(_ name: String) -> String { #""\"method\":\"\#(name)\"""# }

    private static func entries(of kind: Member.Kind, _ notation: Notation) -> [String] {
        switch kind {
        case .choice(let names): names.map { value($0, notation) }
        case .textLike(let example, _): [value(example, notation)]
        case .object(let members), .objectOfAny(let members):
            members.flatMap { [key(notation == .wire ? $0.wireName : $0.name, notation)] + entries(of: $0.kind, notation) }
        case .list(let item, _), .map(let item, _): entries(of: item, notation)
        case .tuple(let kinds), .either(let kinds): kinds.flatMap { entries(of: $0, notation) }
        default: []
        }
    }

    private static func entries(of kind: Member.Kind) -> [String] { entries(of: kind, .wire) }

    /// The members and the choices of a JSON Schema.
    private static func entries(of schema: JSONValue) -> [String] {
        switch schema {
        case .array(let items): items.flatMap(entries)
        case .object(let members):
            members.flatMap { name, part -> [String] in
                switch (name.string, part) {
                case ("properties", .object(let own)): own.flatMap { [key($0.key.string)] + entries(of: $0.value) }
                case ("enum", .array(let words)): words.compactMap { if case .string(let word) = $0 { value(word) } else { nil } }
                default: entries(of: part)
                }
            }
        case .null, .bool, .number, .string: []
        }
    }

    /// The dictionary with new words between `# generated` and `# end`.
    func updated(dictionary text: String) throws -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(of: "# generated"), let end = lines.firstIndex(of: "# end"), start < end else {
            throw Failure("a dictionary has no lines `# generated` and `# end`; add them")
        }
        return (lines[...start] + entries.sorted() + lines[end...]).joined(separator: "\n")
    }
}
