// SPDX-License-Identifier: MIT
import HapticJSON
import HapticService
import HapticWire

/// The tables of docs/protocol.md: lists of methods, notifications and errors, and one table for each object of the wire.
struct Tables {
    /// The params of a method, the result of one, or a notification.
    struct Subject {
        /// The name of its part in the page.
        let name: String
        /// The start of the titles of its nested objects.
        let title: String
        let members: [Member]

        init(_ name: String, title: String? = nil, _ members: [Member]) {
            (self.name, self.title, self.members) = (name, title ?? name, members)
        }
    }

    private let subjects: [Subject]

    static var all: Tables {
        let notices = Notice.Kind.allCases.map { Subject("notice.\($0.rawValue)", title: $0.rawValue, $0.content.description) }
        let others =
            [Subject("inputs", Self.common)] + Methods.calls.flatMap(subjects) + [Subject("error", WireError.description)]
        // A notification may have the content of a result, which then needs no table of its own.
        let own = others.filter { subject in
            !subject.members.isEmpty && !notices.contains { $0.members == subject.members }
        }
        return Tables(subjects: own + notices)
    }

    /// The members that every input has.
    private static let common = ReleaseParams.description

    private static func subjects(of call: any WireCall.Type) -> [Subject] {
        let params = call.description.filter { !(call is any InputParams.Type) || !common.contains($0) }
        let results = call.answer.alternatives.enumerated().map { index, kind in
            Subject(index == 0 ? "\(call.method).result" : "\(call.method).result.\(index + 1)", title: call.method, kind.members)
        }
        return [Subject("\(call.method).params", title: call.method, params)] + results
    }

    /// The texts of the parts of a page, in their order.
    ///
    /// - Throws: A `Failure` if a table has no part, or a part no table.
    func texts(for parts: [Page.Part]) throws -> [String] {
        let lists = [
            "methods": Self.methods(linkedTo: parts), "notices": Self.notices(linkedTo: parts), "errors": Self.errors,
        ]
        let named = Dictionary(uniqueKeysWithValues: subjects.map { ($0.name, $0) })
        let places = parts.map(\.name)
        for name in subjects.map(\.name) + lists.keys.sorted() where !places.contains(name) {
            throw Failure("the page has no line `<!-- generated: \(name) -->`; add it, and `<!-- end -->` after it")
        }
        var layout = Layout()
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

    // MARK: Lists

    private static func methods(linkedTo parts: [Page.Part]) -> String {
        let rows = Methods.calls.map { call in
            // An input without members of its own has those of every input.
            let isPlain = call.description == common
            return [
                link(call.method, to: parts) { isPlain ? $0 == "inputs" : $0.hasPrefix("\(call.method).") }, call.summary,
            ]
        }
        return table(["method", "meaning"], rows)
    }

    private static func notices(linkedTo parts: [Page.Part]) -> String {
        let rows = Notice.Kind.allCases.map { kind in
            [
                link(kind.rawValue, to: parts) { $0 == "notice.\(kind.rawValue)" },
                kind.topic.map { "`\($0.rawValue)`" } ?? "any", kind.summary,
            ]
        }
        return table(["notification", "topic", "meaning"], rows)
    }

    private static let errors = table(["code", "meaning"], ErrorCode.allCases.map { ["\($0.rawValue)", $0.summary] })

    /// The name as code, linked to the heading of the first part whose name fits.
    private static func link(_ name: String, to parts: [Page.Part], where fits: (String) -> Bool) -> String {
        parts.first { fits($0.name) }.map { "[`\(name)`](#\($0.anchor))" } ?? "`\(name)`"
    }

    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
