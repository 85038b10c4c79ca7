// SPDX-License-Identifier: MIT
public import HapticCore

/// How a value is followed.
public struct FollowShape: Hashable, Sendable, Codable {
    public static let responses = Nanoseconds.milliseconds(10) ... .milliseconds(500)
    public static let dampingFractions = 0.1...10.0
    public static let mostDetents = 100
    // trap: a spring with these numbers can be made.
    public static let standardSpring = Spring(response: .milliseconds(100), dampingFraction: 1)!

    /// For values that a client follows without a `follow` of the rule.
    static let standard = FollowShape()

    /// What is felt gets to the value through this one.
    public var spring: Spring
    /// Each is felt when the value passes it. Ascending, between 0 and 1, `mostDetents` at most.
    public var detents: [Progress]
    /// How far a value has to leave a detent or an end before that is felt again; 0…1.
    public var hysteresis: Double
    /// The pattern in which the ends, 0 and 1, are felt; nil: they are not.
    public var endStop: String?

    /// `hysteresis`: nil is 2 %, or a quarter of the way between two detents where that is less.
    public init(
        spring: Spring = Self.standardSpring, detents: [Progress] = [], hysteresis: Double? = nil, endStop: String? = nil
    ) {
        self.spring = spring
        self.detents = detents
        self.hysteresis = hysteresis ?? min(0.02, Self.shortestWay(detents) / 4)
        self.endStop = endStop
    }

    /// So many detents, evenly between the ends.
    public static func even(_ count: Int) -> [Progress] {
        (0..<count).map { Progress(clamping: Double($0 + 1) / Double(count + 1)) }
    }

    /// From one detent, or end, to the next.
    private static func shortestWay(_ detents: [Progress]) -> Double {
        let stops = [Progress.zero] + detents + [.one]
        return zip(stops, stops.dropFirst()).reduce(1) { min($0, $1.1.value - $1.0.value) }
    }
}
