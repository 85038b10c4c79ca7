// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// How a value of the wire is read: what it may be, how an error says that, and the code that sees to it.
struct ParamForm<Value>: Sendable {
    let kind: Member.Kind
    let expectation: Expectation
    /// Null is a value; else it counts as not there.
    let takesNull: Bool
    let read: @Sendable (Node, _ path: String) throws(WireError) -> Value

    init(
        _ kind: Member.Kind, _ expectation: Expectation, takesNull: Bool = false,
        _ read: @escaping @Sendable (Node, _ path: String) throws(WireError) -> Value
    ) {
        self.kind = kind
        self.expectation = expectation
        self.takesNull = takesNull
        self.read = read
    }
}

/// What a value must be, to go on after "must be".
struct Expectation: Sendable, ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    func wrong(_ path: String, isInstead: String? = nil) -> WireError {
        .invalid(path, "must be \(text)" + (isInstead.map { ", not \($0)" } ?? ""))
    }

    func missing(_ path: String) -> WireError { .invalid(path, "is missing; it must be \(text)") }
}

extension ParamForm where Value == String {
    /// 1 to `most` bytes without control characters.
    static func text(most: Int = WireLimit.text) -> Self {
        let expectation: Expectation = "a string of 1 to \(most) bytes without control characters"
        return Self(.text(bytes: 1...most), expectation) { node, path throws(WireError) in
            guard case .string(let text) = node.content, (1...most).contains(text.utf8.count),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
            else { throw expectation.wrong(path) }
            return try text.string.withFewMarks(path)
        }
    }
}

extension ParamForm where Value == Bool {
    static var boolean: Self {
        let expectation: Expectation = "true or false"
        return Self(.boolean, expectation) { node, path throws(WireError) in
            guard case .bool(let flag) = node.content else { throw expectation.wrong(path) }
            return flag
        }
    }
}

extension ParamForm where Value == Double {
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
        }
    }
}

extension ParamForm where Value == Int64 {
    static func integer(in range: ClosedRange<Int64>) -> Self {
        let expectation: Expectation =
            range.upperBound == .max
            ? "a whole number, at least \(range.lowerBound)" : "a whole number in \(range.lowerBound)…\(range.upperBound)"
        return Self(.integer(range), expectation) { node, path throws(WireError) in
            let number: Int64? =
                switch node.content {
                case .integer(let number): number
                case .number(let number): Int64(exactly: number)
                default: nil
                }
            guard let number else { throw expectation.wrong(path) }
            guard range.contains(number) else { throw expectation.wrong(path, isInstead: "\(number)") }
            return number
        }
    }
}

extension ParamForm where Value == Scalar {
    static var scalar: Self {
        let expectation: Expectation = "a string of at most \(WireLimit.text) bytes, a number, true, false or null"
        return Self(.scalar, expectation, takesNull: true) { node, path throws(WireError) in
            guard let scalar = Scalar(node) else { throw expectation.wrong(path) }
            if case .string(let text) = scalar, text.utf8.count > WireLimit.text {
                throw expectation.wrong(path, isInstead: "\(text.utf8.count) bytes")
            }
            if case .string(let text) = scalar { _ = try text.string.withFewMarks(path) }
            return scalar
        }
    }
}

extension ParamForm where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the raw values.
    static func choice(of _: Value.Type = Value.self) -> Self {
        let names = Value.allCases.map(\.rawValue)
        let expectation = Expectation(stringLiteral: "one of " + names.map { "`\($0)`" }.joined(separator: ", "))
        return Self(.choice(names), expectation) { node, path throws(WireError) in
            guard case .string(let text) = node.content else { throw expectation.wrong(path) }
            if let choice = Value(text: text) { return choice }
            throw .invalid(path, "must be \(expectation.text)", didYouMean: closestMatch(to: text.string, in: names))
        }
    }
}

extension ParamForm {
    /// 0…1.
    static func share<Meaning>(_: UnitValue<Meaning>.Type) -> Self where Value == UnitValue<Meaning> {
        let expectation: Expectation = "a number in 0…1"
        return Self(.share(isOpen: false), expectation) { node, path throws(WireError) in
            if case .string(let text) = node.content, let meant = textAsShare(text.string) {
                throw .invalid(path, "must be \(expectation.text)", didYouMean: meant)
            }
            guard let number = node.double else { throw expectation.wrong(path) }
            if let share = UnitValue<Meaning>(number) { return share }
            let meant = percentAsShare(number)
            throw .invalid(path, "must be \(expectation.text), not \(plainText(number))", didYouMean: meant)
        }
    }

    /// A list of texts, each of which `form` reads.
    static func list<Item>(of form: ParamForm<Item>, count: ClosedRange<Int> = 0...WireLimit.listItems) -> Self
    where Value == [Item] {
        let least = count.lowerBound == 0 ? "at most" : "\(count.lowerBound) to"
        let expectation: Expectation = "a list of \(least) \(count.upperBound) values, each \(form.expectation.text)"
        return Self(.list(of: form.kind, count: count), expectation) { node, path throws(WireError) in
            guard case .list(let items) = node.content else { throw expectation.wrong(path) }
            guard count.contains(items.count) else { throw expectation.wrong(path, isInstead: "\(items.count) values") }
            for item in items { guard case .string = item.content else { throw expectation.wrong(path) } }
            var values: [Item] = []
            for (index, item) in items.enumerated() { values.append(try form.read(item, "\(path)[\(index)]")) }
            return values
        }
    }
}

extension ParamForm where Value: DescribedParams & Sendable {
    /// An object with members of its own.
    static var object: Self {
        Self(.object(Value.members.map(\.member)), "an object") { node, path throws(WireError) in try Value(node, of: path) }
    }
}

extension String {
    /// The same; throws where it has more marks than a reader takes.
    fileprivate func withFewMarks(_ path: String) throws(WireError) -> String {
        if hasTooManyMarks { throw .invalid(path, "has more than \(Self.mostMarks) marks on one letter; leave some out") }
        return self
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
