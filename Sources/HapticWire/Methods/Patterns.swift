// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// A request for all patterns, or for one of them with its outline.
public struct PatternsParams: WireCall {
    public typealias Result = PatternsResult

    public static let method = "patterns"
    public static let summary = "all patterns by name, or one of them with its outline"

    /// `nil`: all patterns.
    public var name: String?
    /// Only the patterns after this name, if the list is too long for one answer.
    public var after: String?

    public init(name: String? = nil, after: String? = nil) { (self.name, self.after) = (name, after) }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("name", \.name, .text(), "only this pattern, with its `outline`"),
        .optional("after", \.after, .text(), "only the patterns after this name: the rest of a list with `more`"),
    ]
}

/// A pattern, for the choice of one.
public struct PatternResult: WireResult {
    public var name = ""
    public var description = ""
    public var durationMs = 0.0
    public var feltMs = 0.0
    public var peak = 0.0
    public var outline: Outline?

    public init(name: String, description: String, timeline: Timeline, outline: Outline? = nil) {
        self.name = name
        self.description = description
        self.outline = outline
        durationMs = timeline.duration.inMilliseconds
        feltMs = timeline.felt.inMilliseconds
        peak = timeline.peak.value
    }

    private init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("name", \.name, .anyText, "the name"),
        .required("description", \.description, .anyText, "the purpose; at most 256 bytes in a list"),
        .required("durationMs", \.durationMs, .amount, "the duration, including silence at the end"),
        .required("feltMs", \.feltMs, .amount, "the time until the last feedback ends"),
        .required("peak", \.peak, .amount, "the greatest intensity"),
        .optional(
            "outline", \.outline, Outline.form,
            "with `name`: points of ms, intensity and sharpness, joined by straight lines; two points at one time are a jump"),
    ]
}

extension Outline {
    /// A list of points, each a list of milliseconds, intensity and sharpness.
    fileprivate static var form: WireForm<Self> {
        let expectation: Expectation =
            "a list of at most \(mostPoints) points, each of three numbers, in the order of time"
        let point = Member.Kind.tuple([WireForm<Double>.amount.kind, .share(isOpen: false), .share(isOpen: false)])
        return WireForm(.list(of: point, count: 0...mostPoints), expectation) { node, path throws(WireError) in
            guard case .list(let items) = node.content,
                let outline = items.map({ Outline.Point($0) }).whole().flatMap({ Outline(points: $0) })
            else { throw expectation.wrong(path) }
            return outline
        } write: { outline, text in
            text.begin("[")
            for point in outline.points {
                text.next()
                text.begin("[")
                for number in [point.offset.inMilliseconds, point.level.intensity.value, point.level.sharpness.value] {
                    text.next()
                    try text.write(number)
                }
                text.end("]")
            }
            text.end("]")
        }
    }
}

extension Outline.Point {
    /// `nil` if the node is no point.
    fileprivate init?(_ node: Node) {
        guard case .list(let items) = node.content, items.count == 3 else { return nil }
        let numbers = items.compactMap { if case .number(let number) = $0.content { number } else { nil } }
        guard numbers.count == 3, let offset = Nanoseconds(seconds: numbers[0] / 1000), let intensity = Intensity(numbers[1]),
            let sharpness = Sharpness(numbers[2])
        else { return nil }
        self.init(offset: offset, level: Level(intensity: intensity, sharpness: sharpness))
    }
}

/// Patterns in the order of their names.
public struct PatternsResult: WireResult {
    public var patterns: [PatternResult]
    public var more: Bool

    public init(patterns: [PatternResult], more: Bool = false) { (self.patterns, self.more) = (patterns, more) }

    public static let blank = Self(patterns: [])

    public static let members: [WireMember<Self>] = [
        .required("patterns", \.patterns, .items(of: .object), "patterns in order of their names, at most 500"),
        .required("more", \.more, .boolean, "whether the list continues; `after` asks for the rest"),
    ]
}
