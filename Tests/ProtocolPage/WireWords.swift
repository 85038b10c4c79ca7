// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticJSON
import HapticService
import HapticWire

/// The words of the wire in a dictionary of the fuzzer.
struct WireWords {
    /// The lines of the dictionary, sorted.
    private let entries: Set<String>

    /// The words of a client: methods, the members of their params, and those of a pattern object.
    static var sent: WireWords {
        let words = Methods.calls.map { method($0.method) } + Methods.calls.flatMap { entries(of: .object($0.description)) }
        return WireWords(entries: Set(words + [PatternReader.inlineSchema, PatternReader.partSchema].flatMap(entries)))
    }

    /// The words of the daemon: the members of results, notifications and errors.
    static var received: WireWords {
        let notices = Notice.Kind.allCases.flatMap { [method($0.rawValue)] + entries(of: .object($0.content.description)) }
        return WireWords(
            entries: Set(Methods.calls.flatMap { entries(of: $0.answer) } + notices + entries(of: .object(WireError.description)))
        )
    }

    private static func key(_ name: String) -> String { #""\"\#(name)\":""# }
    private static func value(_ word: String) -> String { #""\"\#(word)\"""# }
    private static func method(_ name: String) -> String { #""\"method\":\"\#(name)\"""# }

    private static func entries(of kind: Member.Kind) -> [String] {
        switch kind {
        case .choice(let names): names.map(value)
        case .textLike(let example, _): [value(example)]
        case .object(let members), .objectOfAny(let members):
            members.flatMap { [key($0.wireName)] + entries(of: $0.kind) }
        case .list(let item, _), .map(let item, _): entries(of: item)
        case .tuple(let kinds), .either(let kinds): kinds.flatMap(entries)
        default: []
        }
    }

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
