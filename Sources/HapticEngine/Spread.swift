// SPDX-License-Identifier: MIT
public import HapticCore

/// How a playback is spread over its actuators, where it is not the same on all of them at once.
public enum Spread: Hashable, Sendable, Codable {
    case stagger(Stagger)
    case handOver(HandOver)
}

/// From one actuator to the next it begins so much later.
public struct Stagger: Hashable, Sendable, Codable {
    /// From the first start to the last one, at most.
    public static let longest = Nanoseconds.seconds(1)

    /// More than 0.
    public var interval: Nanoseconds
    public var origin: StaggerOrigin

    public init(interval: Nanoseconds, origin: StaggerOrigin = .first) {
        self.interval = interval
        self.origin = origin
    }

    /// From the first start to that on the actuator at `position`, from 0, of `count`.
    public func delay(at position: Int, of count: Int) -> Nanoseconds {
        switch origin {
        case .first: interval * position
        case .last: interval * (count - 1 - position)
        case .center: interval * (abs(2 * position - (count - 1)) / 2)
        }
    }

    /// From the first start to the last one, over `count` actuators.
    public func length(over count: Int) -> Nanoseconds {
        count > 0 ? max(delay(at: 0, of: count), delay(at: count - 1, of: count)) : .zero
    }
}

/// What begins on its actuators goes over to another one: a cross-fade, which begins with it.
public struct HandOver: Hashable, Sendable, Codable {
    /// The longest that it may take.
    public static let longest = Nanoseconds.seconds(10)

    public var to: ActuatorIndex
    /// More than 0, at most `longest`.
    public var duration: Nanoseconds

    /// Where nobody says how long.
    public static let standardDuration = Nanoseconds.milliseconds(200)

    public init(to: ActuatorIndex, duration: Nanoseconds) {
        self.to = to
        self.duration = duration
    }
}
