// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// A member of a method's params: what is said of it, how its value is read, and where that goes. A class, for a line goes through the
/// list several times: to copy each field costs more than to read what was sent.
final class Param<Params>: Sendable {
    let member: Member
    private let key: Text
    private let expectation: Expectation
    private let takesNull: Bool
    private let take: @Sendable (inout Params, Node, _ path: String) throws(WireError) -> Void

    private init<Value>(
        _ name: String, _ form: ParamForm<Value>, isRequired: Bool, _ summary: String,
        _ take: @escaping @Sendable (inout Params, Value) -> Void
    ) {
        member = Member(name, form.kind, isRequired: isRequired, summary)
        key = Text(name)
        expectation = form.expectation
        takesNull = form.takesNull
        self.take = { params, node, path throws(WireError) in take(&params, try form.read(node, path)) }
    }

    static func required<Value>(
        _ name: String, _ form: ParamForm<Value>, _ summary: String, _ take: @escaping @Sendable (inout Params, Value) -> Void
    ) -> Param {
        Param(name, form, isRequired: true, summary, take)
    }

    static func optional<Value>(
        _ name: String, _ form: ParamForm<Value>, _ summary: String, _ take: @escaping @Sendable (inout Params, Value) -> Void
    ) -> Param {
        Param(name, form, isRequired: false, summary, take)
    }

    func isNamed(_ key: Text) -> Bool { self.key == key }

    private func value(in given: [Node.Member]) -> Node? {
        guard let node = given.first(where: { $0.key == key })?.value, takesNull || node.content != .null else { return nil }
        return node
    }

    /// Throws where it is required and not among `given`.
    func require(in given: [Node.Member], of object: String?) throws(WireError) {
        if member.isRequired, value(in: given) == nil { throw expectation.missing(path(in: object)) }
    }

    /// Reads it into `params`, where it is among `given`.
    func read(_ given: [Node.Member], of object: String?, into params: inout Params) throws(WireError) {
        if let node = value(in: given) { try take(&params, node, path(in: object)) }
    }

    private func path(in object: String?) -> String { object.map { "\($0).\(member.name)" } ?? member.name }
}

/// The params of a method: they are read and described by one list.
protocol DescribedParams {
    /// What they are read into. A member that is required takes the place of what stands here.
    static var blank: Self { get }
    static var members: [Param<Self>] { get }
    /// Throws where members that are right by themselves are not so together.
    func check() throws(WireError)
}

extension DescribedParams {
    func check() throws(WireError) {}

    /// Params that are not there are empty ones. Every error names its member: first one that is not known, then one that is missing.
    /// `object`: the member of other params that these are.
    init(_ node: Node?, of object: String? = nil) throws(WireError) {
        var given: [Node.Member] = []
        switch node?.content {
        case nil: break
        case .object(let members): given = members
        default:
            if let object { throw .invalid(object, "must be an object") }
            throw WireError(.invalidParams, "`params` must be an object: params are by name", data: .init(path: "params"))
        }
        let known = Self.members
        for member in given where !known.contains(where: { $0.isNamed(member.key) }) {
            if object == nil, PulsesHint.isMeant(by: member.key), known.contains(where: { $0.isNamed("pattern") }) {
                throw .invalid(
                    member.key.string, "is not a member of these params; \(PulsesHint.pattern)", didYouMean: "pattern")
            }
            throw Self.unknown(member.key, of: object, besides: given)
        }
        for param in known { try param.require(in: given, of: object) }
        self = Self.blank
        for param in known { try param.read(given, of: object, into: &self) }
        try check()
    }

    /// A member that is given already is not the one that was meant. At most 64 members are compared.
    private static func unknown(_ key: Text, of object: String?, besides given: [Node.Member]) -> WireError {
        let absent = members.filter { param in !given.prefix(64).contains { param.isNamed($0.key) } }.map(\.member.name)
        let name = key.prefix(bytes: WireLimit.text)
        let meant = closestMatch(to: name, in: absent)
        let all = absent.isEmpty || meant != nil ? "" : "; there is \(absent.map { "`\($0)`" }.joined(separator: ", "))"
        return .invalid(
            object.map { "\($0).\(name)" } ?? name, "is not a member of these params\(all)", didYouMean: meant)
    }
}
