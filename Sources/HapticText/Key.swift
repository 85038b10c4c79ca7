// SPDX-License-Identifier: MIT

/// A key of an object of a document: what is said of it, how its value is read, and where that goes. An object's keys are one list, by
/// which it is read and described. A class, so that going through the list copies nothing.
public final class Key<Target>: Sendable {
    public let member: Member
    @usableFromInline let wireName: String
    /// `nil` if its value holds no keys.
    @usableFromInline let home: MemberHome?
    @usableFromInline let read: @Sendable (NodeReader, inout Target) -> Void

    /// `take` gets the value where it is there and usable. `standard`: the value without the key, in words, for the reference.
    @inlinable public init<Value>(
        _ name: String, _ form: Form<Value>, isRequired: Bool, default standard: String? = nil, _ summary: String,
        _ take: @escaping @Sendable (inout Target, Value) -> Void
    ) {
        member = Member(name, form.kind, isRequired: isRequired, default: standard, summary)
        wireName = member.wireName
        home = MemberHome(member)
        read = { reader, target in
            if let value = form.read(reader) { take(&target, value) }
        }
    }

    @inlinable public static func required<Value>(
        _ name: String, _ form: Form<Value>, _ summary: String, _ take: @escaping @Sendable (inout Target, Value) -> Void
    ) -> Key {
        Key(name, form, isRequired: true, summary, take)
    }

    @inlinable public static func optional<Value>(
        _ name: String, _ form: Form<Value>, default standard: String? = nil, _ summary: String,
        _ take: @escaping @Sendable (inout Target, Value) -> Void
    ) -> Key {
        Key(name, form, isRequired: false, default: standard, summary, take)
    }
}

extension FieldReader {
    /// What these keys make of `start`.
    @inlinable public mutating func read<Target>(_ keys: [Key<Target>], from start: Target) -> Target {
        var target = start
        read(keys, into: &target)
        return target
    }

    /// Reads these keys into `target`, in the order of the list.
    @inlinable public mutating func read<Target>(_ keys: [Key<Target>], into target: inout Target) {
        for key in keys {
            let name = notation == .wire ? key.wireName : key.member.name
            let value = key.member.isRequired ? required(name, example: key.member.kind.onlyValue) : optional(name)
            if let value { key.read(value, &target) }
        }
        if hasOthers { for key in keys { if let home = key.home { note(home) } } }
    }
}

extension NodeReader {
    /// Reads an object of these keys into `target`; false where it is none, which is then reported.
    @inlinable public func read<Target>(_ keys: [Key<Target>], into target: inout Target) -> Bool {
        object { fields in fields.read(keys, into: &target) } != nil
    }
}
