// SPDX-License-Identifier: MIT
internal import HapticCore
package import HapticText

/// An object of the wire. One list of members reads it, writes it and describes it.
public protocol WireObject: Sendable {
    /// The start of reading: the required members replace its values.
    static var blank: Self { get }
    static var members: [WireMember<Self>] { get }
    /// Whether members outside the list are ignored. A client ignores those of a newer daemon; the daemon refuses unknown params.
    static var ignoresUnknownMembers: Bool { get }
    /// Throws if members that are valid alone contradict each other.
    mutating func check() throws(WireError)
}

/// An object that the daemon sends: a result, a notice, or a part of one.
///
/// It is `Codable`, so that other values may contain it.
public protocol WireResult: WireObject, Codable, Hashable {}

extension WireResult {
    public static var ignoresUnknownMembers: Bool { true }
}

extension WireObject {
    public static var ignoresUnknownMembers: Bool { false }
    public func check() throws(WireError) {}

    /// The description of the members.
    package static var description: [Member] { members.map(\.member) }

    /// An absent node is an empty object. Every error names its member: first an unknown one, then a missing one.
    ///
    /// - Parameters:
    ///   - node: The object.
    ///   - object: The path of the object; `nil` for params as a whole.
    init(_ node: Node?, of object: String? = nil) throws(WireError) {
        self = Self.blank
        try Self.members.read(node, of: object, into: &self, ignoresUnknown: Self.ignoresUnknownMembers)
        try check()
    }

    func write(_ text: inout JSONText) throws { try Self.members.write(self, &text) }
}

extension Array {
    /// Reads `node` into `target`; see `WireObject.init`.
    func read<Object>(
        _ node: Node?, of object: String?, into target: inout Object, ignoresUnknown: Bool
    ) throws(WireError) where Element == WireMember<Object> {
        var given: [Node.Member] = []
        switch node?.content {
        case nil: break
        case .object(let members): given = members
        default:
            if let object { throw .invalid(object, "must be an object") }
            throw WireError(.invalidParams, "`params` must be an object: params are by name", data: .init(path: "params"))
        }
        if !ignoresUnknown { try refuseUnknown(given, of: object) }
        for member in self { try member.require(in: given, of: object) }
        for member in self { try member.read(given, of: object, into: &target) }
    }

    func write<Object>(_ object: Object, _ text: inout JSONText) throws where Element == WireMember<Object> {
        text.begin("{")
        for member in self { try member.write(object, &text) }
        text.end("}")
    }

    private func refuseUnknown<Object>(_ given: [Node.Member], of object: String?) throws(WireError)
    where Element == WireMember<Object> {
        for member in given where !contains(where: { $0.isNamed(member.key) }) {
            if object == nil, PulsesHint.isMeant(by: member.key), contains(where: { $0.isNamed("pattern") }) {
                throw .invalid(
                    member.key.string, "is not a member of these params; \(PulsesHint.pattern)", didYouMean: "pattern")
            }
            throw unknown(member.key, of: object, besides: given)
        }
    }

    /// The suggestion is an absent member. At most 64 members are compared.
    private func unknown<Object>(_ key: Text, of object: String?, besides given: [Node.Member]) -> WireError
    where Element == WireMember<Object> {
        let absent = filter { member in !given.prefix(64).contains { member.isNamed($0.key) } }.map(\.member.name)
        let name = key.prefix(bytes: WireLimit.text)
        let meant = closestMatch(to: name, in: absent)
        let all = absent.isEmpty || meant != nil ? "" : "; there is \(absent.map { "`\($0)`" }.joined(separator: ", "))"
        return .invalid(
            object.map { "\($0).\(name)" } ?? name, "is not a member of these params\(all)", didYouMean: meant)
    }
}

extension WireResult {
    public init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        let node = try (decoder as? NodeDecoder)?.node ?? Node(json: JSONValue(from: decoder))
        try self.init(node, of: path.isEmpty ? "result" : path)
    }

    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? LineEncoder { return try encoder.value { try write(&$0) } }
        var text = JSONText()
        try write(&text)
        try JSONValue(JSONReader.node(text.bytes)).encode(to: encoder)
    }
}
