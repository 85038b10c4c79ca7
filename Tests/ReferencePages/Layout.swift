// SPDX-License-Identifier: MIT
import HapticText

/// The place of each object's table in the page. An object has one table, and every other place links to that.
struct Layout {
    /// A table with its heading; without one, it follows the text above.
    struct Titled {
        let title: String?
        let members: [Member]
    }

    let notation: Notation
    private var anchors: [[Member]: String] = [:]

    init(notation: Notation) { self.notation = notation }

    /// Places the table of `members` under the heading of `anchor`.
    mutating func place(_ members: [Member], at anchor: String) throws {
        guard anchors.updateValue(anchor, forKey: members) == nil else {
            throw Failure("two parts of the page have the same table, one under #\(anchor)")
        }
    }

    /// The table of `subject`, and behind it a table for each nested object that has none yet.
    mutating func placeNested(in subject: Tables.Subject) throws -> [Titled] {
        [Titled(title: nil, members: subject.members)] + (try nested(in: subject.members, title: subject.title))
    }

    private mutating func nested(in members: [Member], title: String) throws -> [Titled] {
        var tables: [Titled] = []
        for member in members.requiredFirst {
            let objects = member.kind.objects.filter { anchors[$0] == nil }
            for (index, object) in objects.enumerated() {
                let own = (title.isEmpty ? "" : "\(title).") + member.name + (index == 0 ? "" : ".\(index + 1)")
                let anchor = Page.anchor(own)
                guard !anchors.values.contains(anchor) else { throw Failure("two tables of the page have the title \(own)") }
                anchors[object] = anchor
                tables += [Titled(title: own, members: object)] + (try nested(in: object, title: own))
            }
        }
        return tables
    }

    func text(of table: Titled) -> String {
        let text = notation == .wire ? wireTable(of: table.members) : fileTable(of: table.members)
        return table.title.map { "#### `\($0)`\n\n\(text)" } ?? text
    }

    private func wireTable(of members: [Member]) -> String {
        let rows = members.requiredFirst.map { member in
            [member.isRequired ? "**`\(member.name)`**" : "`\(member.name)`", words(for: member.kind), member.summary]
        }
        return Tables.table(["member", "kind", "meaning"], rows)
    }

    private func fileTable(of members: [Member]) -> String {
        let rows = members.requiredFirst.map { member in
            [
                "`\(member.name)`", member.isRequired ? "required" : member.standard ?? "none", words(for: member.kind),
                member.summary,
            ]
        }
        return Tables.table(["key", "default", "value", "meaning"], rows)
    }

    private func words(for kind: Member.Kind) -> String {
        kind.words(notation) { members in
            // trap: every object of a placed table was placed with it.
            "[object](#\(anchors[members]!))"
        }
    }
}

extension [Member] {
    fileprivate var requiredFirst: [Member] { filter(\.isRequired) + filter { !$0.isRequired } }
}
