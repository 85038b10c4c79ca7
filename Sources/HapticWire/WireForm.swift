// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// One kind of value of the wire: its description, the words of an error about it, and the code that reads and writes it.
struct WireForm<Value>: Sendable {
    let kind: Member.Kind
    let expectation: Expectation
    /// Null is a value; else it counts as not there.
    let takesNull: Bool
    let read: @Sendable (Node, _ path: String) throws(WireError) -> Value
    let write: @Sendable (Value, inout JSONText) throws -> Void

    init(
        _ kind: Member.Kind, _ expectation: Expectation, takesNull: Bool = false,
        read: @escaping @Sendable (Node, _ path: String) throws(WireError) -> Value,
        write: @escaping @Sendable (Value, inout JSONText) throws -> Void
    ) {
        (self.kind, self.expectation, self.takesNull) = (kind, expectation, takesNull)
        (self.read, self.write) = (read, write)
    }
}

/// A description of a valid value, to follow "must be".
struct Expectation: Sendable, ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    func wrong(_ path: String, isInstead: String? = nil) -> WireError {
        .invalid(path, "must be \(text)" + (isInstead.map { ", not \($0)" } ?? ""))
    }

    func missing(_ path: String) -> WireError { .invalid(path, "is missing; it must be \(text)") }
}

// MARK: Values of one form

extension WireForm where Value == String {
    /// 1 to `most` bytes without control characters.
    static func text(most: Int = WireLimit.text) -> Self {
        let expectation: Expectation = "a string of 1 to \(most) bytes without control characters"
        return Self(.text(bytes: 1...most), expectation) { node, path throws(WireError) in
            guard case .string(let text) = node.content, (1...most).contains(text.utf8.count),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
            else { throw expectation.wrong(path) }
            return try text.string.withFewMarks(path)
        } write: {
            $1.write($0)
        }
    }

    /// Any text of the daemon.
    static var anyText: Self {
        let expectation: Expectation = "a string"
        return Self(.anyText, expectation) { node, path throws(WireError) in
            guard case .string(let text) = node.content else { throw expectation.wrong(path) }
            return try text.string.withFewMarks(path)
        } write: {
            $1.write($0)
        }
    }
}

extension WireForm where Value == Bool {
    static var boolean: Self {
        let expectation: Expectation = "true or false"
        return Self(.boolean, expectation) { node, path throws(WireError) in
            guard case .bool(let flag) = node.content else { throw expectation.wrong(path) }
            return flag
        } write: {
            $1.write($0)
        }
    }
}

extension WireForm where Value == Double {
    /// More than the lower bound where `isOpen`.
    static func number(in range: ClosedRange<Double>, isOpen: Bool = false) -> Self {
        let (least, most) = (plainText(range.lowerBound), plainText(range.upperBound))
        let expectation: Expectation = isOpen ? "a number above \(least) and at most \(most)" : "a number in \(least)…\(most)"
        return Self(.number(range, isOpen: isOpen), expectation) { node, path throws(WireError) in
            guard let number = node.double else { throw expectation.wrong(path) }
            guard range.contains(number), !isOpen || number > range.lowerBound else {
                throw expectation.wrong(path, isInstead: number.isFinite ? plainText(number) : nil)
            }
            return number
        } write: {
            try $1.write($0)
        }
    }

    /// A number of the daemon, in any unit. Bounded, so that calculations with it cannot overflow.
    static var number: Self { .number(in: -NodeDecoder.greatestNumber...NodeDecoder.greatestNumber) }
    /// The same, at least 0: mostly milliseconds.
    static var amount: Self { .number(in: 0...NodeDecoder.greatestNumber) }
}

extension WireForm where Value: FixedWidthInteger & Sendable {
    static func integer(in range: ClosedRange<Value>) -> Self {
        // An upper bound that only overflow sets is nothing to tell a person.
        let isBounded = Int64(clamping: range.upperBound) < NodeDecoder.greatestInteger
        let expectation: Expectation =
            isBounded
            ? "a whole number in \(range.lowerBound)…\(range.upperBound)" : "a whole number, at least \(range.lowerBound)"
        // trap: the bounds are constants of this module, and none of them exceeds an Int64.
        let described = Int64(exactly: range.lowerBound)!...Int64(clamping: range.upperBound)
        return Self(.integer(described), expectation) { node, path throws(WireError) in
            let number: Int64? =
                switch node.content {
                case .integer(let number): number
                case .number(let number): Int64(exactly: number)
                default: nil
                }
            guard let number else { throw expectation.wrong(path) }
            guard let value = Value(exactly: number), range.contains(value) else {
                throw expectation.wrong(path, isInstead: "\(number)")
            }
            return value
        } write: {
            $1.write($0)
        }
    }

    /// A count, an id or a time of the daemon: at least 0. Bounded, so that sums of a few cannot overflow.
    static var whole: Self { .integer(in: 0...greatest) }

    /// Nanoseconds of the daemon, of either sign; bounded in the same way.
    static var time: Self { .integer(in: (Value.isSigned ? Value(0) - greatest : 0)...greatest) }

    private static var greatest: Value { Value(clamping: NodeDecoder.greatestInteger) }
}

extension WireForm where Value == Scalar {
    static var scalar: Self {
        let expectation: Expectation = "a string of at most \(WireLimit.text) bytes, a number, true, false or null"
        return Self(.scalar, expectation, takesNull: true) { node, path throws(WireError) in
            guard let scalar = Scalar(node) else { throw expectation.wrong(path) }
            guard case .string(let text) = scalar else { return scalar }
            guard text.utf8.count <= WireLimit.text else { throw expectation.wrong(path, isInstead: "\(text.utf8.count) bytes") }
            _ = try text.string.withFewMarks(path)
            return scalar
        } write: { scalar, text in
            switch scalar {
            case .null: text.writeNull()
            case .bool(let flag): text.write(flag)
            case .number(let number): try text.write(number)
            case .string(let string): text.write(string.string)
            }
        }
    }
}

extension WireForm where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the raw values.
    static func choice(of _: Value.Type = Value.self) -> Self {
        let names = Value.allCases.map(\.rawValue)
        let expectation = Expectation(stringLiteral: "one of " + names.map { "`\($0)`" }.joined(separator: ", "))
        return Self(.choice(names), expectation) { node, path throws(WireError) in
            guard case .string(let text) = node.content else { throw expectation.wrong(path) }
            if let choice = Value(text: text) { return choice }
            throw .invalid(path, "must be \(expectation.text)", didYouMean: closestMatch(to: text.string, in: names))
        } write: {
            $1.write($0.rawValue)
        }
    }
}

extension WireForm {
    /// 0…1.
    static func share<Meaning>(_: UnitValue<Meaning>.Type = UnitValue<Meaning>.self) -> Self where Value == UnitValue<Meaning> {
        let expectation: Expectation = "a number in 0…1"
        return Self(.share(isOpen: false), expectation) { node, path throws(WireError) in
            if case .string(let text) = node.content, let meant = textAsShare(text.string) {
                throw .invalid(path, "must be \(expectation.text)", didYouMean: meant)
            }
            guard let number = node.double else { throw expectation.wrong(path) }
            if let share = UnitValue<Meaning>(number) { return share }
            let meant = percentAsShare(number)
            throw .invalid(path, "must be \(expectation.text), not \(plainText(number))", didYouMean: meant)
        } write: {
            try $1.write($0.value)
        }
    }
}

// MARK: Values that hold others

extension WireForm {
    /// A list, each item of which `form` reads. `words`: in place of those of the count and of the items.
    static func list<Item>(
        of form: WireForm<Item>, count: ClosedRange<Int> = 0...WireLimit.listItems, _ words: Expectation? = nil
    ) -> Self where Value == [Item] {
        let least = count.lowerBound == 0 ? "at most" : "\(count.lowerBound) to"
        let expectation = words ?? "a list of \(least) \(count.upperBound) values, each \(form.expectation.text)"
        let holdsTexts = form.kind.isText
        return Self(.list(of: form.kind, count: count), expectation) { node, path throws(WireError) in
            guard case .list(let items) = node.content else { throw expectation.wrong(path) }
            guard count.contains(items.count) else { throw expectation.wrong(path, isInstead: "\(items.count) values") }
            if holdsTexts { for item in items { guard case .string = item.content else { throw expectation.wrong(path) } } }
            var values: [Item] = []
            values.reserveCapacity(items.count)
            for (index, item) in items.enumerated() { values.append(try form.read(item, "\(path)[\(index)]")) }
            return values
        } write: { values, text in
            text.begin("[")
            for value in values {
                text.next()
                try form.write(value, &text)
            }
            text.end("]")
        }
    }

    /// A list of the daemon, as long as its line can be.
    static func items<Item>(of form: WireForm<Item>) -> Self where Value == [Item] {
        .list(of: form, count: 0...WireLimit.daemonLine)
    }

    /// A list that is a set in the order of the cases; an item that comes twice counts once.
    static func set<Item>(of form: WireForm<Item>, count: ClosedRange<Int> = 0...WireLimit.listItems) -> Self
    where Value == Set<Item>, Item: CaseIterable & Sendable {
        let list = WireForm<[Item]>.list(of: form, count: count)
        return Self(list.kind, list.expectation) { node, path throws(WireError) in
            Set(try list.read(node, path))
        } write: { values, text in
            try list.write(Item.allCases.filter(values.contains), &text)
        }
    }

    /// An object of at most `most` members with names of others; `key`: the form of a name, `noun`: what has the names.
    static func map<Item>(of form: WireForm<Item>, most: Int, key: WireForm<String>, _ noun: String) -> Self
    where Value == Named<Item> {
        let expectation: Expectation = "an object of at most \(most) \(noun)s, each with \(form.expectation.text)"
        return Self(.map(of: form.kind, count: most), expectation) { node, path throws(WireError) in
            guard case .object(let members) = node.content else { throw expectation.wrong(path) }
            guard members.count <= most else { throw expectation.wrong(path, isInstead: "\(members.count)") }
            var entries: [(Text, Item)] = []
            for member in members {
                do throws(WireError) {
                    _ = try key.read(Node(.string(member.key)), path)
                } catch {
                    // Where the name stands in no path.
                    throw .invalid(path, "has an \(noun) whose name is no \(key.expectation.text.dropFirst(2))")
                }
                entries.append((member.key, try form.read(member.value, "\(path).\(member.key)")))
            }
            return Named(entries)
        } write: { values, text in
            text.begin("{")
            for entry in values.entries {
                text.next(entry.name.string)
                try form.write(entry.value, &text)
            }
            text.end("}")
        }
    }

    /// The same value, always there, where the type of its place is optional.
    var optional: WireForm<Value?> {
        WireForm<Value?>(kind, expectation, takesNull: takesNull) { [read] node, path throws(WireError) in
            try read(node, path)
        } write: { [write] value, text in
            if let value { try write(value, &text) } else { text.writeNull() }
        }
    }

    /// The same value as another type has it.
    func mapped<Other>(
        _ made: @escaping @Sendable (Value) -> Other, back: @escaping @Sendable (Other) -> Value
    ) -> WireForm<Other> {
        WireForm<Other>(kind, expectation, takesNull: takesNull) { [read] node, path throws(WireError) in
            made(try read(node, path))
        } write: { [write] value, text in
            try write(back(value), &text)
        }
    }
}

extension WireForm where Value: WireObject {
    /// An object with members of its own.
    static var object: Self {
        Self(.object(Value.description), "an object") { node, path throws(WireError) in
            try Value(node, of: path)
        } write: { value, text in
            try value.write(&text)
        }
    }
}

extension WireForm {
    /// An object of these members, for a type whose members depend on others.
    static func object(of members: [WireMember<Value>], blank: Value) -> Self where Value: Sendable {
        Self(.object(members.map(\.member)), "an object") { node, path throws(WireError) in
            var value = blank
            try members.read(node, of: path, into: &value, ignoresUnknown: true)
            return value
        } write: { value, text in
            try members.write(value, &text)
        }
    }
}

extension String {
    /// The same; throws where it has more marks than a reader takes.
    func withFewMarks(_ path: String) throws(WireError) -> String {
        if hasTooManyMarks { throw .invalid(path, "has more than \(Self.mostMarks) marks on one letter; leave some out") }
        return self
    }
}

extension Member.Kind {
    /// Only texts are of this kind.
    fileprivate var isText: Bool {
        switch self {
        case .text, .anyText, .textLike, .choice: true
        default: false
        }
    }
}

extension Node {
    /// Infinite where the document says so.
    fileprivate var double: Double? {
        switch content {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}
