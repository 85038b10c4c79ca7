// SPDX-License-Identifier: MIT
public import HapticCore

/// How a value of a document is read: what it may be, and the getter of `NodeReader` that sees to that.
public struct Form<Value>: Sendable {
    public let kind: Member.Kind
    /// Nil where the value is not usable, which is then reported.
    public let read: @Sendable (NodeReader) -> Value?

    @inlinable public init(_ kind: Member.Kind, _ read: @escaping @Sendable (NodeReader) -> Value?) {
        self.kind = kind
        self.read = read
    }

    /// The same, read later by who takes it: it depends on other keys, or is looked up.
    public var unread: Form<NodeReader> { Form<NodeReader>(kind) { $0 } }

    /// The same, described by more than the list of its keys: several of them together may say more.
    @inlinable public func described(as kind: Member.Kind) -> Form { Form(kind, read) }

    /// The same; of its value `make` makes another one, or reports why not.
    @inlinable public func then<Other>(_ make: @escaping @Sendable (Value, NodeReader) -> Other?) -> Form<Other> {
        Form<Other>(kind) { [read] reader in read(reader).flatMap { make($0, reader) } }
    }
}

extension Form where Value == Text {
    /// A text of 1 to `limit` bytes without control characters.
    public static func name(limit: Int = 128) -> Self { Form(.text(bytes: 1...limit)) { $0.name(limit: limit) } }
    public static var text: Self { Form(.anyText) { $0.text() } }
}

extension Form where Value == Bool {
    public static var boolean: Self { Form(.boolean) { $0.bool() } }
}

extension Form where Value == Double {
    public static func number(in range: ClosedRange<Double>) -> Self {
        Form(.number(range, isOpen: false)) { $0.number(in: range) }
    }
}

extension Form where Value == Int {
    public static func integer(in range: ClosedRange<Int>) -> Self {
        Form(.integer(Int64(range.lowerBound)...Int64(range.upperBound))) { $0.integer(in: range) }
    }

    /// The number of the only version that is read.
    public static func version(_ version: Int) -> Self {
        Form(.integer(Int64(version)...Int64(version))) {
            $0.requireVersion(version)
            return version
        }
    }
}

extension Form where Value == Nanoseconds {
    public static func duration(in range: ClosedRange<Nanoseconds>) -> Self {
        Form(.duration(range)) { $0.duration(in: range) }
    }

    /// A frequency such as `200Hz`, as its period. `range` is of the frequency, in hertz.
    public static func period(ofFrequencyIn range: ClosedRange<Int>) -> Self {
        Form(.frequency(range)) { $0.period(ofFrequencyIn: range) }
    }

    /// A time that may also be a bare number, which is in seconds.
    public static func seconds(in range: ClosedRange<Nanoseconds>) -> Self { Form(.seconds(range)) { $0.seconds(in: range) } }

    /// A number of milliseconds; in a file also a time with its unit.
    public static func milliseconds(in range: ClosedRange<Nanoseconds>) -> Self {
        Form(.milliseconds(range)) { $0.milliseconds(in: range) }
    }
}

extension Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the raw values; `kind` names it in messages.
    @inlinable public static func choice(of _: Value.Type = Value.self, _ kind: String) -> Self {
        Form(.choice(of: Value.self)) { $0.choice(Value.self, kind: kind) }
    }
}

extension Form where Value == NodeReader {
    /// An object of these keys that is read later.
    @inlinable public static func object<Target>(of keys: [Key<Target>]) -> Self { Form(.object(keys.map(\.member))) { $0 } }
}

extension Form {
    /// An object of these keys; what is left out is as in `start`.
    @inlinable public static func object(_ keys: [Key<Value>], into start: @autoclosure @escaping @Sendable () -> Value) -> Self {
        .object(keys, into: start()) { value, _ in value }
    }

    /// An object of these keys; `make` makes the value of what they were read into, and may report the object as a whole.
    @inlinable public static func object<Draft>(
        _ keys: [Key<Draft>], into start: @autoclosure @escaping @Sendable () -> Draft,
        _ make: @escaping @Sendable (Draft, NodeReader) -> Value?
    ) -> Self {
        Form(.object(keys.map(\.member))) { reader in
            reader.object(keys, into: start(), make)
        }
    }
}

extension Form where Value == Strength {
    /// A number from 0 to 1.5; in a file also `80%`.
    public static var strength: Self {
        Form(.either([.number(0...Strength.most.value, isOpen: false), .textLike("80%", pattern: WrittenPattern.strength)])) {
            $0.strength()
        }
    }
}

extension Form {
    @inlinable public static func share<Meaning>(_: UnitValue<Meaning>.Type) -> Self where Value == UnitValue<Meaning> {
        Form(.share(isOpen: false)) { $0.unitValue() }
    }

    /// A share that must not be 0; `zero` says why.
    @inlinable public static func share<Meaning>(_: UnitValue<Meaning>.Type, zero: String) -> Self
    where Value == UnitValue<Meaning> {
        Form(.share(isOpen: true)) { reader in
            guard let share = reader.unitValue(UnitValue<Meaning>.self) else { return nil }
            if share > .zero { return share }
            reader.fail(zero)
            return nil
        }
    }

    /// The word `none`, which is read as nil, or what `form` reads.
    @inlinable public static func orNone<Wrapped>(_ form: Form<Wrapped>) -> Self where Value == Wrapped? {
        Form(.either([form.kind, .choice(["none"])])) { reader in
            reader.node.content == .string("none") ? .some(nil) : form.read(reader.orNone).map { .some($0) }
        }
    }

    /// Nil where one of the items is not usable.
    @inlinable public static func list<Item>(of form: Form<Item>, count: ClosedRange<Int>) -> Self where Value == [Item] {
        Form(.list(of: form.kind, count: count)) { $0.list(count: count)?.map(form.read).whole() }
    }

    /// A list in which nothing is twice. Nil where one of the items is not usable.
    @inlinable public static func distinct<Item: Sendable>(_ form: Form<Item>, count: ClosedRange<Int>) -> Self
    where Value == Set<Item> {
        Form(.list(of: form.kind, count: count)) { reader in
            guard let items = reader.list(count: count) else { return nil }
            var seen: Set<Item> = []
            var isWhole = true
            for item in items {
                guard let value = form.read(item) else {
                    isWhole = false
                    continue
                }
                guard !seen.insert(value).inserted else { continue }
                item.fail("it is in the list already; take one out")
                isWhole = false
            }
            return isWhole ? seen : nil
        }
    }

    /// An object of `count` entries at most, whose keys are names. Nil where one of them is not usable.
    @inlinable public static func map<Item>(of form: Form<Item>, count: Int) -> Self where Value == [Text: Item] {
        Form(.map(of: form.kind, count: count)) { reader in
            guard let entries = reader.map(count: count), case .object(let members) = reader.node.content else { return nil }
            var values: [Text: Item] = [:]
            for (key, field) in entries { values[key] = form.read(field) }
            return values.count == members.count ? values : nil
        }
    }
}

extension Array {
    /// The elements without their optionality; nil where one is nil.
    @inlinable public func whole<Value>() -> [Value]? where Element == Value? {
        let values = compactMap { $0 }
        return values.count == count ? values : nil
    }
}
