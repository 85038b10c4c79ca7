// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// Notes the keys of a document that are not read. Of a key that is not read nothing within it is looked at.
struct OtherKeys {
    /// Those of the format that say nothing of what is felt.
    private let silent: Set<Text>
    /// Those of the format that a pattern has no place for.
    private let unused: Set<Text>
    private var noted: Set<Text> = []

    init(silent: Set<Text> = [], unused: Set<Text> = []) { (self.silent, self.unused) = (silent, unused) }

    /// `kind`: what is read of the value. O(members).
    mutating func note(in reader: NodeReader, than kind: Member.Kind, to notes: DocumentReport) {
        // On the wire nobody reads them.
        if !notes.isFull { note(reader.node, reader.path, kind, notes) }
    }

    private mutating func note(_ node: Node, _ path: String, _ kind: Member.Kind, _ notes: DocumentReport) {
        switch (kind, node.content) {
        case (.list(let kind, _), .list(let items)):
            for (index, item) in items.enumerated() { note(item, "\(path)[\(index)]", kind, notes) }
        case (.object(let keys), .object(let members)):
            let names = keys.map { Text($0.name) }
            for member in members {
                let key = names.firstIndex(of: member.key).map { keys[$0] }
                if unused.contains(member.key) {
                    noteUnused(member, path, notes)
                } else if let key {
                    note(member.value, joined(path, member.key), key.kind, notes)
                } else if !silent.contains(member.key) {
                    notes.add(
                        leftOut("key", member.key, candidates: names.filter { name in !members.contains { $0.key == name } }),
                        at: member.keyMark ?? node.mark, path: path)
                }
            }
        default: break
        }
    }

    /// Once each, and not where it says nothing: programs write all keys that there are.
    private mutating func noteUnused(_ member: Node.Member, _ path: String, _ notes: DocumentReport) {
        switch member.value.content {
        case .null, .number(0), .list([]), .object([]), .string(""): return
        default: break
        }
        guard noted.insert(member.key).inserted else { return }
        notes.add("left out: \(quoted(member.key.string)); a pattern has no place for it", at: member.keyMark, path: path)
    }
}

/// What to say of `text`, a `kind` that is none of those that are known.
func leftOut(_ kind: String, _ text: Text, candidates: [Text]) -> String {
    let meant = closestMatch(to: text.string, in: candidates.map(\.string)).map { ", did you mean \(quoted($0))?" } ?? ""
    return "left out: unknown \(kind) \(quoted(text.string))\(meant)"
}
