// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticFormats

/// Reads the members of one method's params and checks each; every error names its member.
struct ParamsReader {
    private let container: KeyedDecodingContainer<MemberKey>?

    /// Params that are not there are empty ones. Throws on the first member that is not in `members`.
    init(_ container: KeyedDecodingContainer<MemberKey>?, accepting members: [Member]) throws(WireError) {
        self.container = container
        for key in container?.allKeys ?? [] where !members.contains(where: { $0.name == key.stringValue }) {
            let name = String(key.stringValue.prefix(WireLimit.text))
            throw .invalid(name, "is not a member of these params", didYouMean: closestMatch(to: name, in: members.map(\.name)))
        }
    }

    /// Null counts as not there.
    func has(_ name: String) -> Bool {
        guard let container else { return false }
        let key = MemberKey(stringValue: name)
        return container.contains(key) && (try? container.decodeNil(forKey: key)) == false
    }

    /// True also where the member is null.
    func names(_ name: String) -> Bool { container?.contains(MemberKey(stringValue: name)) ?? false }

    func text(_ name: String) throws(WireError) -> String? {
        guard let value = try value(String.self, name, .text) else { return nil }
        return try Self.checked(value, path: name)
    }

    func share<Meaning>(_ name: String, as _: UnitValue<Meaning>.Type = UnitValue<Meaning>.self) throws(WireError) -> UnitValue<
        Meaning
    >? {
        guard let number = try value(Double.self, name, .share) else { return nil }
        guard let share = UnitValue<Meaning>(number) else { throw Self.wrong(name, .share, isInstead: "\(number)") }
        return share
    }

    func number(_ name: String, in range: ClosedRange<Double>, isOpen: Bool = false) throws(WireError) -> Double? {
        let kind = Member.Kind.number(range, isOpen: isOpen)
        guard let number = try value(Double.self, name, kind) else { return nil }
        guard range.contains(number), !isOpen || number > range.lowerBound else {
            throw Self.wrong(name, kind, isInstead: "\(number)")
        }
        return number
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(WireError) -> Int64? {
        guard let number = try value(Int64.self, name, .integer(range)) else { return nil }
        guard range.contains(number) else { throw Self.wrong(name, .integer(range), isInstead: "\(number)") }
        return number
    }

    func boolean(_ name: String) throws(WireError) -> Bool? { try value(Bool.self, name, .boolean) }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, as _: Choice.Type = Choice.self
    ) throws(WireError) -> Choice? {
        guard let text = try value(String.self, name, .choice(of: Choice.self)) else { return nil }
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
        for (index, text) in texts.enumerated() { _ = try Self.checked(text, path: "\(name)[\(index)]") }
        return texts
    }

    /// Reads `name` as `Value`; `kind` is what an error says it must be. Nil where it is not there or null.
    func value<Value: Decodable>(_: Value.Type, _ name: String, _ kind: Member.Kind) throws(WireError) -> Value? {
        guard let container else { return nil }
        do {
            return try container.decodeIfPresent(Value.self, forKey: MemberKey(stringValue: name))
        } catch let error as WireError {
            throw error
        } catch {
            throw Self.wrong(name, kind)
        }
    }

    private func list(_ name: String, _ kind: Member.Kind) throws(WireError) -> [String]? {
        guard let texts = try value([String].self, name, kind) else { return nil }
        guard texts.count <= WireLimit.listItems else { throw Self.wrong(name, kind, isInstead: "\(texts.count) values") }
        return texts
    }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ text: String, path: String
    ) throws(WireError) -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        throw .invalid(
            path, "must be \(Member.Kind.choice(of: Choice.self).expectation)",
            didYouMean: closestMatch(to: text, in: Choice.allCases.map(\.rawValue)))
    }

    static func checked(_ text: String, path: String) throws(WireError) -> String {
        let bytes = text.utf8
        guard (1...WireLimit.text).contains(bytes.count), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw wrong(path, .text)
        }
        return text
    }

    static func wrong(_ path: String, _ kind: Member.Kind, isInstead: String? = nil) -> WireError {
        .invalid(path, "must be \(kind.expectation)" + (isInstead.map { ", not \($0)" } ?? ""))
    }

    static func missing(_ name: String, _ kind: Member.Kind) -> WireError {
        .invalid(name, "is missing; it must be \(kind.expectation)")
    }
}
