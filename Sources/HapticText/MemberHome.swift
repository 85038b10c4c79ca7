// SPDX-License-Identifier: MIT
internal import HapticCore

/// A key whose value holds keys of its own. Newcomers write the inner keys beside the outer one: `maxOn` beside
/// `motor`, `keyframes` beside `tracks`.
@usableFromInline final class MemberHome: Sendable {
    let key: String
    private let members: [Member]
    /// The value is a list of such objects.
    private let isList: Bool
    /// The key under which an object holds the text that the value may be, too: `motor: coin` is `motor: { model: coin }`.
    private let textKey: String?
    /// The texts that the value may be; empty if it may be any text, or none.
    private let texts: [String]

    /// `nil` if the member holds no keys.
    @usableFromInline init?(_ member: Member) {
        var kind = member.kind
        if case .list(let item, _) = kind { (kind, isList) = (item, true) } else { isList = false }
        let kinds = if case .either(let kinds) = kind { kinds } else { [kind] }
        members = kinds.flatMap(Self.members)
        guard !members.isEmpty else { return nil }
        key = member.name
        let textMember = members.first { kinds.contains($0.kind) }
        textKey = textMember?.name
        texts = textMember.map { Self.choices($0.kind) } ?? []
    }

    private static func choices(_ kind: Member.Kind) -> [String] { if case .choice(let texts) = kind { texts } else { [] } }

    private static func members(_ kind: Member.Kind) -> [Member] {
        switch kind {
        case .object(let members), .objectOfAny(let members): members
        default: []
        }
    }

    func holds(_ key: Text) -> Bool { members.contains { Text($0.name) == key || Text($0.wireName) == key } }

    /// Describes the place that `member`, a key of `object`, belongs into.
    func place(of member: Node.Member, _ notation: Notation, in object: Node) -> String {
        let place = isList ? "an entry of \(quoted(key))" : quoted(key)
        guard notation == .units else { return "it belongs into \(place)" }
        if let text = wholeValue(in: member) { return "write `\(key): \(text)`" }
        let entry = "\(others(in: object))\(Self.short(member.key)): \(Self.shown(member.value))"
        return "it belongs into \(place), as in `\(key): \(isList ? "[{ \(entry) }]" : "{ \(entry) }")`"
    }

    /// Returns the text of `member` if it is a whole value of the outer key, and none of the inner key: `coin` of `kind: coin`.
    private func wholeValue(in member: Node.Member) -> String? {
        guard !isList, case .string(let text) = member.value.content, let whole = texts.first(where: { Text($0) == text }) else {
            return nil
        }
        let own = members.first { Text($0.name) == member.key }.map { Self.choices($0.kind) } ?? []
        return own.isEmpty || own.contains(whole) ? nil : whole
    }

    /// The present content of the value, to write before the key that belongs into it.
    private func others(in object: Node) -> String {
        guard case .object(let siblings) = object.content, let own = siblings.first(where: { $0.key == Text(key) })?.value else {
            return ""
        }
        switch own.content {
        case .string(let text): return textKey.map { "\($0): \(Self.short(text)), " } ?? ""
        case .object(let members): return members.isEmpty ? "" : "…, "
        case .null, .bool, .number, .integer, .list, .invalid: return ""
        }
    }

    private static func shown(_ value: Node) -> String {
        switch value.content {
        case .string(let text): short(text)
        case .number(let number): number.isFinite ? plainText(number) : "…"
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .null, .list, .object, .invalid: "…"
        }
    }

    private static func short(_ text: Text) -> String { shortened(text.string) }
}
