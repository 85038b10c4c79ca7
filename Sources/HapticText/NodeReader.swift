// SPDX-License-Identifier: MIT
public import HapticCore

/// How times are written in a document.
public enum Notation: Hashable, Sendable {
    /// In files: `at: 20ms`.
    case units
    /// On the wire: `"atMs": 20`.
    case wire
}

/// Reads one value of a document. Each getter gives nil where the value is not usable and has then reported why.
public struct NodeReader {
    public let node: Node
    public let path: String
    public let notation: Notation
    private let report: DocumentReport
    /// `none` would be right, too, which messages name.
    private var takesNone = false
    /// One of its keys is a typo, so what is said of the value as a whole may only follow from that.
    package internal(set) var hasTypo = false

    public init(_ node: Node, path: String = "", notation: Notation = .units, report: DocumentReport) {
        self.node = node
        self.path = path
        self.notation = notation
        self.report = report
    }

    /// Reports `message` about this value; not where one of its keys has been reported as a typo.
    public func fail(_ message: @autoclosure () -> String) {
        if !hasTypo { report.add(message(), at: node.mark, path: path) }
    }

    /// `message` about this value, which is valid.
    public func note(_ message: String) -> Diagnostic {
        Diagnostic(file: report.file, mark: node.mark, path: path, message: message)
    }

    /// Reports that `member` is none of the keys in `asked`, of which `absent` are not there; gives the key that was meant, or the one
    /// that `member` belongs into.
    func failUnknown(_ member: Node.Member, asked: [String], absent: [String], homes: [MemberHome]) -> String? {
        // Nobody sees the suggestion any more, and thousands of them are work that a client could make us do.
        guard !report.isFull else {
            report.add("", at: nil)
            return nil
        }
        // A key that is there already is not what was meant; someone who writes `at` on the wire forgot its unit.
        let meant = absent.first { Text($0) == "\(member.key)Ms" } ?? closestMatch(to: member.key.string, in: absent)
        let path = joined(path, member.key)
        if let key = fileKey(of: member, absent), notation == .units {
            let value = if case .number(let number) = member.value.content { "\(shown(number, of: member.value))ms" } else { "…" }
            let remedy = "in a file a time has its unit: write `\(key): \(value)`"
            report.add("unknown key \(quoted(member.key.string)); \(remedy)", at: member.keyMark, path: path, didYouMean: key)
            return key
        }
        let isTypo = meant.map { abs($0.utf8.count - member.key.utf8.count) <= 2 } ?? false
        if !isTypo, let home = homes.first(where: { $0.holds(member.key) }) {
            let place = home.place(of: member, notation, in: node)
            report.add("unknown key \(quoted(member.key.string)); \(place)", at: member.keyMark, path: path)
            return home.key
        }
        let message = unknownMessage("key", member.key.string, candidates: meant == nil ? asked : [], meant: meant)
        report.add(message, at: member.keyMark, path: path, didYouMean: meant)
        return meant
    }

    /// The key of a file for the time that `member` has on the wire: `for` for `forMs`.
    private func fileKey(of member: Node.Member, _ absent: [String]) -> String? {
        absent.first { Text("\($0)Ms") == member.key }
    }

    /// Reports that this value is of the wrong kind.
    ///
    /// - Parameters:
    ///   - wanted: The right kind, such as `a number`.
    ///   - didYouMean: The value that was probably meant.
    public func failExpected(_ wanted: String, didYouMean: String? = nil) {
        let wanted = allowed(wanted)
        switch node.content {
        case .invalid: return
        case .null where path.isEmpty: fail("there is nothing in it; write \(wanted), or name another file")
        case .null: fail("expected \(wanted), found nothing; give it a value or leave the key out")
        case .bool, .number, .integer, .string, .list, .object:
            fail("expected \(wanted), found \(found)\(didYouMean.map { "; did you mean \(quoted($0))?" } ?? "")")
        }
    }

    private var found: String {
        switch node.content {
        case .null, .invalid: "nothing"
        case .bool(let flag): "\(flag)"
        case .number(let number): "the number \(shown(number))"
        case .integer(let number): "the number \(number)"
        case .string(let text): "the text \(quoted(text.string))"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// The same value where the word `none` would be right, too.
    public var orNone: NodeReader {
        var reader = self
        reader.takesNone = true
        return reader
    }

    private func failExpectedList() {
        guard case .object = node.content else { return failExpected("a list") }
        let remedy = notation == .units ? "put `- ` before each entry, or `[ ]` around them" : "put `[ ]` around it"
        fail("expected a list, found an object; \(remedy)")
    }

    private func allowed(_ wanted: String) -> String { takesNone ? "\(wanted), or `none`" : wanted }

    func child(_ node: Node, path: String) -> NodeReader {
        NodeReader(node, path: path, notation: notation, report: report)
    }

    /// Reports this value where it is not the number of the only version that is read.
    public func requireVersion(_ version: Int) {
        guard node.content != .number(Double(version)) else { return }
        failExpected("`version: \(version)`, the only one there is")
    }

    // MARK: Plain values

    /// The number that this value is, as a person writes it; one that is not finite as the document has it.
    package func shown(_ number: Double) -> String { shown(number, of: node) }

    private func shown(_ number: Double, of node: Node) -> String {
        if case .integer(let whole) = node.content { return "\(whole)" }
        return number.isFinite ? plainText(number) : node.numeral.map { shortened($0.string) } ?? plainText(number)
    }

    public func text() -> Text? {
        if case .string(let text) = node.content { return text }
        if case .number = node.content {
            failExpected("text (put it in quotes)")
        } else {
            failExpected("text")
        }
        return nil
    }

    /// A text of 1 to `limit` bytes without control characters.
    public func name(limit: Int = 128) -> Text? {
        guard let text = text() else { return nil }
        guard Self.isName(text.string, limit: limit) else {
            fail("\(quoted(text.string)) is not usable here; write 1 to \(limit) bytes of text without control characters")
            return nil
        }
        if text.string.hasTooManyMarks {
            fail("\(quoted(text.string)) has more than \(String.mostMarks) marks on one letter; leave some out")
            return nil
        }
        return text
    }

    /// Whether `name` takes it.
    public static func isName(_ text: String, limit: Int = 128) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }

    public func bool() -> Bool? {
        if case .bool(let flag) = node.content { return flag }
        failExpected("`true` or `false`")
        return nil
    }

    public func number(in range: ClosedRange<Double>) -> Double? {
        let allowed = "a number from \(plainText(range.lowerBound)) to \(plainText(range.upperBound))"
        guard case .number(let number) = node.content, number.isFinite else {
            failExpected(allowed)
            return nil
        }
        guard range.contains(number) else {
            fail("\(shown(number)) is out of range; write \(allowed)")
            return nil
        }
        return number
    }

    public func integer(in range: ClosedRange<Int>) -> Int? {
        let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let number) = node.content, let integer = Int(exactly: number) else {
            failExpected(allowed)
            return nil
        }
        guard range.contains(integer) else {
            fail("\(integer) is out of range; write \(self.allowed(allowed))")
            return nil
        }
        return integer
    }

    /// One of the raw values of `Choice`; `kind` names it in messages.
    public func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type, kind: String) -> Choice? {
        guard let text = text() else { return nil }
        if let choice = Choice(text: text) { return choice }
        fail(unknownMessage(kind, text.string, candidates: Choice.allCases.map(\.rawValue)))
        return nil
    }

    // MARK: Times

    /// A time as the notation has it: `20ms` in a file, a number of milliseconds on the wire.
    public func duration(in range: ClosedRange<Nanoseconds>) -> Nanoseconds? {
        switch (notation, node.content) {
        case (.units, .string(let text)):
            if let duration = Nanoseconds(unitText: text.string) { return checked(duration, in: range, as: "a duration") }
            failExpected("a duration with its unit, such as `20ms` or `1.6s`", didYouMean: Synonyms.duration(text.string))
        case (.units, .number(let number)):
            fail("\(shown(number)) has no unit; write \(allowed("a duration with its unit, such as `20ms` or `1.6s`"))")
        case (.units, _): failExpected("a duration with its unit, such as `20ms` or `1.6s`")
        case (.wire, .number(let number)): return checkedMilliseconds(number, in: range)
        case (.wire, .integer(let number)): return checkedMilliseconds(Double(number), in: range)
        case (.wire, _): failExpected("a number of milliseconds")
        }
        return nil
    }

    /// A time that may also be a bare number, which is in seconds, in either notation.
    public func seconds(in range: ClosedRange<Nanoseconds>) -> Nanoseconds? {
        var meant: String?
        switch node.content {
        case .number(let number):
            if let duration = Nanoseconds(seconds: number) { return checked(duration, in: range, as: "a time") }
        case .string(let text):
            if let duration = Nanoseconds(unitText: text.string) { return checked(duration, in: range, as: "a time") }
            meant = Synonyms.duration(text.string)
        case .null, .bool, .integer, .list, .object, .invalid: break
        }
        failExpected("a time, such as `0.2` (seconds) or `200ms`", didYouMean: meant)
        return nil
    }

    /// A number of milliseconds; in a file also a time with its unit.
    public func milliseconds(in range: ClosedRange<Nanoseconds>) -> Nanoseconds? {
        switch node.content {
        case .number(let number): return checkedMilliseconds(number, in: range)
        case .integer(let number): return checkedMilliseconds(Double(number), in: range)
        case .string(let text) where notation == .units:
            if let duration = Nanoseconds(unitText: text.string) { return checked(duration, in: range, as: "a duration") }
        case .null, .bool, .string, .list, .object, .invalid: break
        }
        failExpected(notation == .units ? "a number of milliseconds, or a duration such as `1.6s`" : "a number of milliseconds")
        return nil
    }

    /// A number too large for any time is out of range, too.
    private func checkedMilliseconds(_ number: Double, in range: ClosedRange<Nanoseconds>) -> Nanoseconds? {
        if let duration = Nanoseconds(seconds: number / 1000) {
            return checked(duration, in: range, as: "a number of milliseconds") { plainText($0.inMilliseconds) }
        }
        let (least, most) = (plainText(range.lowerBound.inMilliseconds), plainText(range.upperBound.inMilliseconds))
        fail("\(shown(number)) is out of range; write \(allowed("a number of milliseconds from \(least) to \(most)"))")
        return nil
    }

    private func checked(
        _ duration: Nanoseconds, in range: ClosedRange<Nanoseconds>, as kind: String,
        _ written: (Nanoseconds) -> String = \.unitText
    ) -> Nanoseconds? {
        if range.contains(duration) { return duration }
        let wanted = allowed("\(kind) from \(written(range.lowerBound)) to \(written(range.upperBound))")
        switch node.content {
        case .string(let text): fail("\(quoted(text.string)) is out of range; write \(wanted)")
        case .number(let number): fail("\(shown(number)) is out of range; write \(wanted)")
        case .null, .bool, .integer, .list, .object, .invalid: failExpected(wanted)
        }
        return nil
    }

    /// A frequency such as `200Hz`, as its period. `range` is of the frequency, in hertz.
    public func period(ofFrequencyIn range: ClosedRange<Int>) -> Nanoseconds? {
        let allowed = "a frequency from \(range.lowerBound)Hz to \(range.upperBound)Hz"
        switch node.content {
        case .number(let number): fail("\(shown(number)) has no unit; write \(allowed), such as `200Hz`")
        case .string(let text):
            guard let period = Nanoseconds(periodOfFrequency: text.string) else {
                failExpected("\(allowed), such as `200Hz`")
                return nil
            }
            if (Double(range.lowerBound)...Double(range.upperBound)).contains(1 / period.inSeconds) { return period }
            fail("\(quoted(text.string)) is out of range; write \(allowed)")
        case .null, .bool, .integer, .list, .object, .invalid: failExpected("\(allowed), such as `200Hz`")
        }
        return nil
    }

    // MARK: What holds other values

    /// What `read` gives; nil where it reports anything, so that nothing is concluded from what is left of a value.
    package func whole<Value>(_ read: () -> Value?) -> Value? {
        let before = report.count
        let value = read()
        return report.count == before ? value : nil
    }

    /// The items of a list of `count` items.
    public func list(count: ClosedRange<Int>) -> [NodeReader]? {
        guard case .list(let items) = node.content else {
            failExpectedList()
            return nil
        }
        guard count.contains(items.count) else {
            let found = "\(items.count) \(items.count == 1 ? "entry" : "entries")"
            fail("\(found); \(count.lowerBound) to \(count.upperBound) are allowed")
            return nil
        }
        return items.enumerated().map { child($0.element, path: "\(path)[\($0.offset)]") }
    }

    /// The entries of an object whose keys are names (`name`), `count` at most. One whose key is none is reported and left out.
    public func map(count: Int) -> [(key: Text, value: NodeReader)]? {
        guard case .object(let members) = node.content else {
            failExpected("an object with keys")
            return nil
        }
        guard members.count <= count else {
            fail("\(members.count) entries; at most \(count) are allowed")
            return nil
        }
        return members.compactMap { member in
            let path = joined(path, member.key)
            guard let key = child(Node(.string(member.key), mark: member.keyMark), path: path).name() else { return nil }
            return (key, child(member.value, path: path))
        }
    }

    /// Reads an object: `body` asks for its keys, each that it has not asked for is then reported as unknown.
    public func object<Value>(_ body: (inout FieldReader) -> Value?) -> Value? {
        // Of what is wrong on the wire only the first is reported; the rest need not be read.
        if notation == .wire, report.isFull { return nil }
        guard case .object(let members) = node.content else {
            failExpected("an object with keys")
            return nil
        }
        var fields = FieldReader(self, members: members)
        let value = body(&fields)
        fields.reportUnknownAndMissing()
        return value
    }

    /// Reads an object of these keys; `make` makes the value of what they were read into, and may report the object as a whole. `examples`:
    /// values to propose for keys that are missing, as the document would have them.
    @inlinable public func object<Draft, Value>(
        _ keys: [Key<Draft>], into start: Draft, examples: [Text: String] = [:], _ make: (Draft, NodeReader) -> Value?
    ) -> Value? {
        object { fields in
            fields.examples = examples
            let draft = fields.read(keys, from: start)
            // Before what the object as a whole is blamed for: that may come of a typo.
            fields.reportUnknownAndMissing()
            return make(draft, fields.whole)
        }
    }
}
