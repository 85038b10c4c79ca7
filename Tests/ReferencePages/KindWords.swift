// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticText
import HapticWire

extension Member.Kind {
    /// The kinds of which a value has one.
    var alternatives: [Member.Kind] { if case .either(let kinds) = self { kinds.flatMap(\.alternatives) } else { [self] } }

    /// The members of an object; empty for other kinds.
    var members: [Member] {
        switch self {
        case .object(let members), .objectOfAny(let members): members
        default: []
        }
    }

    /// The objects in a value, each by its members.
    var objects: [[Member]] {
        switch self {
        case .object(let members), .objectOfAny(let members): [members]
        case .list(let item, _): item.objects
        case .map(let value, _): value.objects
        case .tuple(let kinds), .either(let kinds): kinds.flatMap(\.objects)
        default: []
        }
    }

    /// The kind in words for a table; `link`: the words for an object.
    func words(_ notation: Notation, _ link: ([Member]) -> String) -> String {
        // Several kinds in a list or a map come last, because the words after them would seem to belong to them.
        let ordered = alternatives.filter { !$0.holdsSeveral } + alternatives.filter(\.holdsSeveral)
        var words: [String] = []
        for word in ordered.flatMap({ $0.choices(notation, link) }) where !words.contains(word) { words.append(word) }
        return words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or \(words[words.count - 1])"
    }

    private var holdsSeveral: Bool {
        switch self {
        case .list(let kind, _), .map(let kind, _): kind.choices(.wire) { _ in "" }.count > 1
        default: false
        }
    }

    /// The words of a kind, of which a choice has several.
    private func choices(_ notation: Notation, _ link: ([Member]) -> String) -> [String] {
        switch self {
        case .null: ["null"]
        case .boolean: ["true", "false"]
        case .text(let bytes): ["text (\(bytes.lowerBound)…\(bytes.upperBound) bytes)"]
        case .anyText: ["text"]
        case .textLike(let example, _): ["text such as `\(example)`"]
        case .choice(let names): Self.vocabularies[names] ?? names.map { "`\($0)`" }
        case .scalar: ["text", "number", "true", "false", "null"]
        case .number(let range, let isOpen):
            [number("number", range.lowerBound, range.upperBound, most: NodeDecoder.greatestNumber, isOpen: isOpen)]
        case .integer(let range):
            range.lowerBound == range.upperBound
                ? ["`\(range.lowerBound)`"]
                : [number("whole number", Double(range.lowerBound), Double(range.upperBound), most: Double(Int32.max))]
        case .share, .duration, .milliseconds, .seconds, .rate, .frequency:
            [notation == .wire ? numberWithoutUnit : numberWithUnit]
        case .anyObject: ["object"]
        case .reference(let place): ["[\(place.split(separator: "/").last ?? "") object](#pattern-objects)"]
        case .list(let item, let count): ["list\(Self.bound(count)) of \(item.words(notation, link))"]
        case .tuple(let kinds): ["[\(kinds.map { $0.words(notation, link) }.joined(separator: ", "))]"]
        case .map(let value, let count): ["object (at most \(count) names) of \(value.words(notation, link))"]
        case .object(let members), .objectOfAny(let members): [link(members)]
        case .either: alternatives.flatMap { $0.choices(notation, link) }
        }
    }

    /// The choices that have a table of their own, with a link to it.
    private static let vocabularies = [
        Outcome.allCases.map(\.rawValue): ["[outcome](#outcomes)"], Reason.allCases.map(\.rawValue): ["[reason](#reasons)"],
        MotorLibrary.motors.map(\.name) + ["none"]: ["[known motor](motors.md#name-your-motor)", "`none`"],
    ]

    private static func bound(_ count: ClosedRange<Int>) -> String {
        if count.upperBound >= WireLimit.clientLine / 2 { return "" }
        return count.lowerBound == 0 ? " (at most \(count.upperBound))" : " (\(count.lowerBound)…\(count.upperBound))"
    }

    // MARK: Numbers

    /// `most`: the upper bound that counts as none.
    private func number(
        _ noun: String, _ least: Double, _ upper: Double, most: Double = .infinity, isOpen: Bool = false
    ) -> String {
        let (first, last) = (plainText(least), plainText(upper))
        if upper < most { return isOpen ? "\(noun) (above \(first), at most \(last))" : "\(noun) (\(first)…\(last))" }
        if least < 0 { return "\(noun) (any sign)" }
        return least == 0 ? noun : "\(noun) (\(first) or more)"
    }

    private var numberWithoutUnit: String {
        switch self {
        case .share(let isOpen): number("number", 0, 1, isOpen: isOpen)
        case .duration(let range), .milliseconds(let range):
            number("number", range.lowerBound.inMilliseconds, range.upperBound.inMilliseconds)
        case .seconds(let range): number("number", range.lowerBound.inSeconds, range.upperBound.inSeconds)
        default: numberWithUnit
        }
    }

    private var numberWithUnit: String {
        switch self {
        case .share(let isOpen): number("share", 0, 1, isOpen: isOpen)
        case .duration(let range), .milliseconds(let range), .seconds(let range):
            "duration (\(Self.words(for: range.lowerBound))…\(Self.words(for: range.upperBound)))"
        case .rate(let range): "rate (\(range.lowerBound)/s…\(range.upperBound)/s)"
        case .frequency(let range): "frequency (\(range.lowerBound)Hz…\(range.upperBound)Hz)"
        default: "number"
        }
    }

    /// A time as in a file; hours from a day on.
    private static func words(for time: Nanoseconds) -> String {
        let hour = Nanoseconds.seconds(3600)
        if time == .zero { return "0" }
        return time.count % hour.count == 0 && time >= .seconds(86_400) ? "\(time.count / hour.count)h" : "\(time)"
    }
}
