// SPDX-License-Identifier: MIT
import HapticText

extension [Member] {
    /// The same with one object in place of alternative ones, so that each value of a file has one table.
    var united: [Member] { map { $0.with($0.kind.united, $0.summary) } }

    /// The names of members that are always there.
    fileprivate var requiredNames: [String] { filter(\.isRequired).map(\.name) }

    fileprivate func named(_ name: String) -> Member? { first { $0.name == name } }
}

extension Member {
    fileprivate func with(_ kind: Kind, isRequired: Bool? = nil, default standard: String? = nil, _ summary: String) -> Member {
        Member(name, kind, isRequired: isRequired ?? self.isRequired, default: standard ?? self.standard, summary)
    }
}

extension Member.Kind {
    fileprivate var united: Member.Kind {
        switch self {
        case .list(let item, let count): .list(of: item.united, count: count)
        case .map(let value, let count): .map(of: value.united, count: count)
        case .object(let members): .object(members.united)
        case .objectOfAny(let members): .objectOfAny(members.united)
        case .either:
            if let variants = Variants(self) {
                .object(variants.shared.united)
            } else {
                Self.united(alternatives.map(\.united))
            }
        default: self
        }
    }

    private static func united(_ kinds: [Member.Kind]) -> Member.Kind {
        let objects = kinds.map(\.members).filter { !$0.isEmpty }
        guard objects.count > 1 else { return .either(kinds) }
        return .either(kinds.filter(\.members.isEmpty) + [.object(Alternatives(objects).members)])
    }
}

/// Alternative objects as one, with conditions for members that only some of them have.
private struct Alternatives {
    let objects: [[Member]]

    init(_ objects: [[Member]]) { self.objects = objects }

    var members: [Member] {
        var members: [Member] = []
        for member in objects.joined() where members.named(member.name) == nil { members.append(united(member)) }
        return members
    }

    private func united(_ member: Member) -> Member {
        let (holders, others) = (objects.filter { $0.named(member.name) != nil }, objects.filter { $0.named(member.name) == nil })
        let isRequired = holders.allSatisfy { $0.requiredNames.contains(member.name) }
        guard !others.isEmpty, let condition = condition(of: member.name, holders, others) else {
            return member.with(member.kind, isRequired: isRequired, member.summary)
        }
        return isRequired
            ? member.with(member.kind, isRequired: false, default: "required \(condition)", member.summary)
            : member.with(member.kind, "\(member.summary); only \(condition)")
    }

    /// `with `x``: a member that all objects with `name` need, and no others have; or `without `y``, perhaps one for each of the others.
    private func condition(of name: String, _ holders: [[Member]], _ others: [[Member]]) -> String? {
        func distinct(_ some: [[Member]], from rest: [[Member]]) -> String? {
            some[0].requiredNames.first { candidate in
                candidate != name && some.allSatisfy { $0.requiredNames.contains(candidate) }
                    && rest.allSatisfy { $0.named(candidate) == nil }
            }
        }
        if let member = distinct(holders, from: others) { return "with `\(member)`" }
        if let member = distinct(others, from: holders) { return "without `\(member)`" }
        let absent = others.compactMap { distinct([$0], from: holders) }.map { "`\($0)`" }
        guard absent.count == others.count, let last = absent.last else { return nil }
        return "without \(absent.dropLast().joined(separator: ", ")) or \(last)"
    }
}

/// Objects that the word of one key tells apart, as `backend` does: a table for the keys that several have, and one for each object.
struct Variants {
    private let key: String
    private let objects: [(name: String, members: [Member])]

    /// `nil` if no key tells the objects of `kind` apart.
    init?(_ kind: Member.Kind) {
        let entry = if case .list(let item, _) = kind { item } else { kind }
        let objects = entry.alternatives.map(\.members)
        guard objects.count > 1 else { return nil }
        for key in objects[0].requiredNames {
            let names = objects.compactMap { members -> String? in
                guard case .choice(let names)? = members.named(key)?.kind, names.count == 1 else { return nil }
                return names[0]
            }
            guard names.count == objects.count, Set(names).count == names.count else { continue }
            (self.key, self.objects) = (key, Array(zip(names, objects).map { (name: $0, members: $1) }))
            return
        }
        return nil
    }

    var names: [String] { objects.map(\.name) }

    /// The keys that several objects have.
    var shared: [Member] {
        var shared: [Member] = []
        for member in objects.flatMap(\.members) where isShared(member) && shared.named(member.name) == nil {
            if member.name == key {
                shared.append(member.with(.choice(names), member.summary))
            } else {
                let others = objects.filter { $0.members.named(member.name) == nil }.map { "; not for `\($0.name)`" }
                shared.append(member.with(member.kind, member.summary + others.joined()))
            }
        }
        return shared
    }

    /// The keys that only this object has.
    func own(of name: String) -> [Member] {
        objects.filter { $0.name == name }.flatMap(\.members).filter { !isShared($0) }
    }

    private func isShared(_ member: Member) -> Bool {
        member.name == key || objects.filter { $0.members.contains(member) }.count > 1
    }
}
