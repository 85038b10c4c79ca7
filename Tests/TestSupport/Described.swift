// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

/// The names of the keys of each object in a document, by its path: `tracks[].keyframes[]`. That of the outermost is empty.
public typealias KeysByPath = [String: Set<String>]

extension Member.Kind {
    /// What is described.
    public func keys(_ notation: Notation = .units, at path: String = "") -> KeysByPath {
        switch self {
        case .object(let members), .objectOfAny(let members):
            var keys = [path: Set(members.map { $0.name(notation) })]
            for member in members {
                keys.merge(member.kind.keys(notation, at: joined(path, member.name(notation)))) { $0.union($1) }
            }
            return keys
        case .list(let kind, _): return kind.keys(notation, at: path + "[]")
        // Its own keys may be any.
        case .map(let kind, _): return kind.keys(notation, at: path + "{}").merging([path: []]) { $0.union($1) }
        case .either(let kinds): return kinds.reduce(into: [:]) { $0.merge($1.keys(notation, at: path)) { $0.union($1) } }
        default: return [:]
        }
    }

    /// A value of a member of the wire, as JSON.
    public func example(pattern: String = "\"a\"") -> String {
        switch self {
        case .share: "0.5"
        case .number(let range, _): "\(range.upperBound)"
        case .integer(let range): "\(range.lowerBound)"
        case .boolean: "true"
        case .choice(let names): "\"\(names[0])\""
        case .either(let kinds): kinds.contains(where: \.isReference) ? pattern : kinds[0].example()
        case .list(let kind, _): "[\(kind.example())]"
        case .map(let kind, _): "{\"a\":\(kind.example())}"
        case .textLike(let example, _): "\"\(example)\""
        case .null: "null"
        case .object(let members): "{" + members.map { "\"\($0.name)\":\($0.kind.example())" }.joined(separator: ",") + "}"
        default: "\"a\""
        }
    }

    private var isReference: Bool { if case .reference = self { true } else { false } }

    /// All members of all objects in it.
    public var members: [Member] {
        switch self {
        case .object(let members), .objectOfAny(let members): members + members.flatMap(\.kind.members)
        case .list(let kind, _), .map(let kind, _): kind.members
        case .either(let kinds): kinds.flatMap(\.members)
        default: []
        }
    }
}

extension Member {
    fileprivate func name(_ notation: Notation) -> String { notation == .wire ? wireName : name }
}

extension Node {
    /// What is there.
    public func keys(at path: String = "") -> KeysByPath {
        switch content {
        case .object(let members):
            var keys = [path: Set(members.map(\.key.string))]
            for member in members { keys.merge(member.value.keys(at: joined(path, member.key.string))) { $0.union($1) } }
            return keys
        case .list(let items): return items.reduce(into: [:]) { $0.merge($1.keys(at: path + "[]")) { $0.union($1) } }
        default: return [:]
        }
    }

    /// This tree with one more key in one of its objects: one tree for each of them, with its path.
    public func with(_ key: Text, at path: String = "") -> [(path: String, tree: Node)] {
        switch content {
        case .object(let members):
            let here = Node(.object(members + [Member(key: key, value: Node(.null))]))
            return [(path, here)]
                + members.indices.flatMap { index in
                    members[index].value.with(key, at: joined(path, members[index].key.string)).map { path, tree in
                        var changed = members
                        changed[index].value = tree
                        return (path, Node(.object(changed)))
                    }
                }
        case .list(let items):
            return items.indices.flatMap { index in
                items[index].with(key, at: path + "[]").map { path, tree in
                    var changed = items
                    changed[index] = tree
                    return (path, Node(.list(changed)))
                }
            }
        default: return []
        }
    }
}

extension Diagnostic {
    /// The keys that an unknown one could have been, where `message` lists them.
    public var keysThereAre: Set<String> {
        guard message.hasPrefix("unknown key") else { return [] }
        return Set(
            message.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.dropFirst()
                .map { String($0.element) })
    }
}

private func joined(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
