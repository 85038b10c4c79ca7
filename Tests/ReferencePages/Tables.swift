// SPDX-License-Identifier: MIT
import HapticText

/// The tables of a page: lists, and one table for each object.
struct Tables {
    /// An object with a table.
    struct Subject {
        /// The name of its part in the page.
        let name: String
        /// The start of the titles of its nested objects.
        let title: String
        let members: [Member]
        /// The page has a part for it. Other objects may come behind the table of the object that holds them.
        let hasPart: Bool

        init(_ name: String, title: String? = nil, _ members: [Member], hasPart: Bool = true) {
            (self.name, self.title, self.members, self.hasPart) = (name, title ?? name, members, hasPart)
        }
    }

    let notation: Notation
    let subjects: [Subject]
    /// Parts that are no objects: their texts by name, for a page with these parts.
    let lists: ([Page.Part]) -> [String: String]

    /// The texts of the parts of a page, in their order.
    ///
    /// - Throws: A `Failure` if a table has no part, or a part no table.
    func texts(for parts: [Page.Part]) throws -> [String] {
        let lists = lists(parts)
        let named = Dictionary(uniqueKeysWithValues: subjects.map { ($0.name, $0) })
        let places = parts.map(\.name)
        for name in subjects.filter(\.hasPart).map(\.name) + lists.keys.sorted() where !places.contains(name) {
            throw Failure("the page has no line `<!-- generated: \(name) -->`; add it, and `<!-- end -->` after it")
        }
        var layout = Layout(notation: notation)
        for part in parts {
            if let subject = named[part.name] { try layout.place(subject.members, at: part.anchor) }
        }
        let titled = try parts.map { part in try named[part.name].map { try layout.placeNested(in: $0) } }
        return try zip(parts, titled).map { part, titled in
            if let list = lists[part.name] { return list }
            guard let titled else { throw Failure("there is no table `\(part.name)`; remove its part of the page") }
            return titled.map(layout.text).joined(separator: "\n\n")
        }
    }

    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
