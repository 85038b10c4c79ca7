// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// The place of a member in its object.
typealias WirePlace<Object, Value> = any WritableKeyPath<Object, Value> & Sendable

/// A place by its offset: to follow a key path costs more than to write most values.
///
/// `offset(of:)` has no offset for what is computed, observed or behind a reference; those take the key path. A stored value of any type
/// lies at its offset as its own type.
private struct FoundPlace<Object, Value>: Sendable {
    private let path: WirePlace<Object, Value>
    /// In bytes; `nil` if the value is computed.
    private let offset: Int?

    var isStored: Bool { offset != nil }

    init(_ path: WirePlace<Object, Value>) {
        self.path = path
        offset = MemoryLayout<Object>.offset(of: path)
    }

    func value(in object: Object) -> Value {
        guard let offset else { return object[keyPath: path] }
        return withUnsafePointer(to: object) {
            UnsafeRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
        }
    }

    /// Calls `body` with the value in place.
    func change<Failure: Error>(in object: inout Object, _ body: (inout Value) throws(Failure) -> Void) throws(Failure) {
        guard let offset else { return try body(&object[keyPath: path]) }
        try withUnsafeMutablePointer(to: &object) { pointer throws(Failure) in
            try body(&UnsafeMutableRawPointer(pointer).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee)
        }
    }

    func set(_ value: Value, in object: inout Object) { change(in: &object) { $0 = value } }
}

/// One member of an object of the wire: its description, its place in the object, and how its value is read and written. A class, since a
/// line goes through the list several times: to copy each member costs more than to read its value.
public final class WireMember<Object>: Sendable {
    let member: Member
    /// Whether the value is stored, so that it is read and written at its offset.
    let isStored: Bool
    private let key: Text
    private let writtenKey: [UInt8]
    private let expectation: Expectation
    private let takesNull: Bool
    private let take: @Sendable (inout Object, Node, _ path: String) throws(WireError) -> Void
    /// Writes the value; `key`: written before it. Writes nothing if the value is left out.
    private let put: @Sendable (Object, _ key: [UInt8], inout JSONText) throws -> Void

    private init(
        _ member: Member, _ expectation: Expectation, takesNull: Bool, isStored: Bool,
        take: @escaping @Sendable (inout Object, Node, _ path: String) throws(WireError) -> Void,
        put: @escaping @Sendable (Object, _ key: [UInt8], inout JSONText) throws -> Void
    ) {
        (self.member, self.expectation, self.takesNull, self.isStored) = (member, expectation, takesNull, isStored)
        key = Text(member.name)
        writtenKey = JSONText.written(key: member.name)
        (self.take, self.put) = (take, put)
    }

    /// The member is always there.
    static func required<Value>(
        _ name: String, _ path: WirePlace<Object, Value>, _ form: WireForm<Value>, _ summary: String
    ) -> WireMember {
        let place = FoundPlace(path)
        return WireMember(
            Member(name, form.kind, isRequired: true, summary), form.expectation, takesNull: form.takesNull,
            isStored: place.isStored,
            take: { object, node, path throws(WireError) in place.set(try form.read(node, path), in: &object) },
            put: { object, key, text in
                text.next(written: key)
                try form.write(place.value(in: object), &text)
            })
    }

    /// Nil is left out; null counts as absent, unless it is a value.
    static func optional<Value>(
        _ name: String, _ path: WirePlace<Object, Value?>, _ form: WireForm<Value>, _ summary: String
    ) -> WireMember {
        let place = FoundPlace(path)
        return WireMember(
            Member(name, form.kind, isRequired: false, summary), form.expectation, takesNull: form.takesNull,
            isStored: place.isStored,
            take: { object, node, path throws(WireError) in place.set(try form.read(node, path), in: &object) },
            put: { object, key, text in
                guard let value = place.value(in: object) else { return }
                text.next(written: key)
                try form.write(value, &text)
            })
    }

    /// The member is always written; if it is absent, the value stays as in the blank object.
    static func defaulted<Value>(
        _ name: String, _ path: WirePlace<Object, Value>, _ form: WireForm<Value>, _ summary: String
    ) -> WireMember {
        let member = required(name, path, form, summary)
        return WireMember(
            Member(name, form.kind, isRequired: false, summary), form.expectation, takesNull: form.takesNull,
            isStored: member.isStored, take: member.take, put: member.put)
    }

    /// The member is always there; nil is null.
    static func nullable<Value>(
        _ name: String, _ path: WirePlace<Object, Value?>, _ form: WireForm<Value>, _ summary: String
    ) -> WireMember {
        let place = FoundPlace(path)
        return WireMember(
            Member(name, .either([form.kind, .null]), isRequired: true, summary), form.expectation, takesNull: true,
            isStored: place.isStored,
            take: { object, node, path throws(WireError) in
                place.set(node.content == .null ? nil : try form.read(node, path), in: &object)
            },
            put: { object, key, text in
                text.next(written: key)
                if let value = place.value(in: object) { try form.write(value, &text) } else { text.writeNull() }
            })
    }

    /// The same member of an object whose part at `part` is an `Object`: its members are flattened into the other members.
    func flattened<Whole>(from part: WirePlace<Whole, Object>) -> WireMember<Whole> {
        let place = FoundPlace(part)
        return WireMember<Whole>(
            member, expectation, takesNull: takesNull, isStored: place.isStored && isStored,
            take: { [take] whole, node, path throws(WireError) in
                try place.change(in: &whole) { object throws(WireError) in try take(&object, node, path) }
            },
            put: { [put] whole, key, text in try put(place.value(in: whole), key, &text) })
    }

    func isNamed(_ key: Text) -> Bool { self.key == key }

    private func value(in given: [Node.Member]) -> Node? {
        guard let node = given.first(where: { $0.key == key })?.value, takesNull || node.content != .null else { return nil }
        return node
    }

    /// Throws if the member must be there and is not among `given`.
    func require(in given: [Node.Member], of object: String?) throws(WireError) {
        if member.isRequired, value(in: given) == nil { throw expectation.missing(path(in: object)) }
    }

    /// Reads the value into `object` if it is among `given`.
    func read(_ given: [Node.Member], of path: String?, into object: inout Object) throws(WireError) {
        if let node = value(in: given) { try take(&object, node, self.path(in: path)) }
    }

    func write(_ object: Object, _ text: inout JSONText) throws { try put(object, writtenKey, &text) }

    private func path(in object: String?) -> String { object.map { "\($0).\(member.name)" } ?? member.name }
}
