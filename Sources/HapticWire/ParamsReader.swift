// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// Reads the members of one method's params and checks each; every error names its member.
struct ParamsReader {
    private let members: [Node.Member]

    /// Params that are not there are empty ones. Throws on the first member that is not in `known`.
    init(_ params: Node?, accepting known: [Member]) throws(WireError) {
        switch params?.content {
        case nil: members = []
        case .object(let members): self.members = members
        default:
            throw WireError(.invalidParams, "`params` must be an object: params are by name", data: .init(path: "params"))
        }
        for member in members where !known.contains(where: { Text($0.name) == member.key }) {
            let name = member.key.prefix(bytes: WireLimit.text)
            throw .invalid(name, "is not a member of these params", didYouMean: closestMatch(to: name, in: known.map(\.name)))
        }
    }

    /// Nil where the member is not there; null is a value here.
    func node(_ name: String) -> Node? { members.first { $0.key == Text(name) }?.value }

    /// Null counts as not there.
    func has(_ name: String) -> Bool { value(name) != nil }

    private func value(_ name: String) -> Node? {
        guard let node = node(name), node.content != .null else { return nil }
        return node
    }

    func text(_ name: String, _ kind: Member.Kind = .text) throws(WireError) -> String? {
        guard let node = value(name) else { return nil }
        guard case .string(let text) = node.content else { throw Self.wrong(name, kind) }
        return try Self.checked(text, kind, path: name)
    }

    func share<Meaning>(_ name: String, as _: UnitValue<Meaning>.Type = UnitValue<Meaning>.self) throws(WireError) -> UnitValue<
        Meaning
    >? {
        guard let node = value(name) else { return nil }
        guard let number = node.number else { throw Self.wrong(name, .share) }
        guard let share = UnitValue<Meaning>(number) else { throw Self.wrong(name, .share, isInstead: "\(number)") }
        return share
    }

    func number(_ name: String, in range: ClosedRange<Double>, isOpen: Bool = false) throws(WireError) -> Double? {
        guard let node = value(name) else { return nil }
        guard let number = node.number else { throw Self.wrong(name, .number(range, isOpen: isOpen)) }
        guard range.contains(number), !isOpen || number > range.lowerBound else {
            throw Self.wrong(name, .number(range, isOpen: isOpen), isInstead: "\(number)")
        }
        return number
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(WireError) -> Int64? {
        guard let node = value(name) else { return nil }
        let number: Int64? =
            switch node.content {
            case .integer(let number): number
            case .number(let number): Int64(exactly: number)
            default: nil
            }
        guard let number else { throw Self.wrong(name, .integer(range)) }
        guard range.contains(number) else { throw Self.wrong(name, .integer(range), isInstead: "\(number)") }
        return number
    }

    func boolean(_ name: String) throws(WireError) -> Bool? {
        guard let node = value(name) else { return nil }
        guard case .bool(let flag) = node.content else { throw Self.wrong(name, .boolean) }
        return flag
    }

    /// Null is a value; nil where the member is not there.
    func scalar(_ name: String) throws(WireError) -> Scalar? {
        guard let node = node(name) else { return nil }
        guard let scalar = Scalar(node) else { throw Self.wrong(name, .scalar) }
        if case .string(let text) = scalar, text.utf8.count > WireLimit.text {
            throw Self.wrong(name, .scalar, isInstead: "\(text.utf8.count) bytes")
        }
        return scalar
    }

    func pattern(_ name: String) throws(WireError) -> PatternReference? {
        guard let node = value(name) else { return nil }
        return try PatternReference(node, path: name)
    }

    func feedback(_ name: String) throws(WireError) -> FeedbackReference? {
        guard let node = value(name) else { return nil }
        return try FeedbackReference(node, path: name)
    }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, as _: Choice.Type = Choice.self
    ) throws(WireError) -> Choice? {
        guard let node = value(name) else { return nil }
        guard case .string(let text) = node.content else { throw Self.wrong(name, .choice(of: Choice.self)) }
        return try Self.choice(text, path: name)
    }

    func choices<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, as _: Choice.Type = Choice.self
    ) throws(WireError) -> [Choice]? {
        let kind = Member.Kind.list(of: .choice(of: Choice.self))
        guard let texts = try list(name, kind) else { return nil }
        var choices: [Choice] = []
        for (index, text) in texts.enumerated() { choices.append(try Self.choice(text, path: "\(name)[\(index)]")) }
        return choices
    }

    func texts(_ name: String) throws(WireError) -> [String]? {
        guard let texts = try list(name, .list(of: .text)) else { return nil }
        var checked: [String] = []
        for (index, text) in texts.enumerated() { checked.append(try Self.checked(text, path: "\(name)[\(index)]")) }
        return checked
    }

    /// `kind`: what an error says that it must be.
    private func list(_ name: String, _ kind: Member.Kind) throws(WireError) -> [Text]? {
        guard let node = value(name) else { return nil }
        guard case .list(let items) = node.content else { throw Self.wrong(name, kind) }
        guard items.count <= WireLimit.listItems else { throw Self.wrong(name, kind, isInstead: "\(items.count) values") }
        var texts: [Text] = []
        for item in items {
            guard case .string(let text) = item.content else { throw Self.wrong(name, kind) }
            texts.append(text)
        }
        return texts
    }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ text: Text, path: String
    ) throws(WireError) -> Choice {
        if let choice = Choice(text: text) { return choice }
        throw .invalid(
            path, "must be \(Member.Kind.choice(of: Choice.self).expectation)",
            didYouMean: closestMatch(to: text.string, in: Choice.allCases.map(\.rawValue)))
    }

    static func checked(_ text: Text, _ kind: Member.Kind = .text, path: String) throws(WireError) -> String {
        let bytes = text.utf8
        guard (1...kind.mostBytes).contains(bytes.count), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw wrong(path, kind)
        }
        return text.string
    }

    static func wrong(_ path: String, _ kind: Member.Kind, isInstead: String? = nil) -> WireError {
        .invalid(path, "must be \(kind.expectation)" + (isInstead.map { ", not \($0)" } ?? ""))
    }

    static func missing(_ name: String, _ kind: Member.Kind) -> WireError {
        .invalid(name, "is missing; it must be \(kind.expectation)")
    }
}

extension Node {
    /// Infinite where the document says so.
    fileprivate var number: Double? {
        switch content {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}
