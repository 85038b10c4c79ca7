// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns
public import HapticText

/// That a pattern names another one, as far as it can be seen before the pattern is read.
public struct PatternUse: Hashable, Sendable {
    public let name: Text
    /// Where the name stands, such as `compose[0].use`.
    public let path: String
    public let mark: SourceMark?
    /// How often it is played there; at most what a pattern may have.
    let repetitions: Int

    /// Of a pattern that has not been read; `path` is where it stands, empty for a file. O(lines of `compose`), whatever it holds.
    public static func uses(in pattern: Node, path: String = "") -> [PatternUse] {
        let prefix = path.isEmpty ? "" : "\(path)."
        var found = parts(of: pattern, prefix)
        for (index, phase) in items(of: pattern, "phases").prefix(Pattern.Limit.phases).enumerated() {
            let prefix = "\(prefix)phases[\(index)]."
            if let use = Self(phase, prefix) { found.append(use) }
            found += parts(of: phase, prefix)
        }
        return found
    }

    /// The names by which `pattern` uses others that are not built in, each once.
    public static func foreignNames(in pattern: Pattern) -> [String] {
        let phases = pattern.phases.flatMap { $0.isNamed ? [$0.pattern] : $0.pattern.parts.map(\.pattern) }
        let used = pattern.parts.map(\.pattern) + phases
        let names = used.filter { BuiltInPatterns.byName[Text($0.name)] != $0 }.map { Text($0.name) }
        return Set(names).sorted().map(\.string)
    }

    /// Entries of the patterns that are used, as often as each is played; of `known` ones.
    public static func entries(of uses: [PatternUse], _ known: [Text: Pattern]) -> Int {
        uses.reduce(0) { $0 + $1.repetitions * (known[$1.name]?.entryCount ?? 0) }
    }

    private static func parts(of node: Node, _ prefix: String) -> [PatternUse] {
        items(of: node, "compose").prefix(Pattern.Limit.parts).enumerated()
            .compactMap { Self($1, "\(prefix)compose[\($0)].") }
    }

    private init?(_ entry: Node, _ prefix: String) {
        guard let use = entry.member("use"), case .string(let name) = use.content else { return nil }
        var repetitions = 1
        if case .number(let number)? = entry.member("repeat")?.content, let times = Int(exactly: number) {
            repetitions = min(max(times, 1), Pattern.Limit.repetitions)
        }
        (self.name, path, mark, self.repetitions) = (name, "\(prefix)use", use.mark, repetitions)
    }

    private static func items(of node: Node, _ key: Text) -> [Node] {
        if case .list(let items)? = node.member(key)?.content { items } else { [] }
    }
}

extension Node {
    /// The value of `key`; nil where this is no object or does not have it.
    fileprivate func member(_ key: Text) -> Node? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key == key }?.value
    }
}
