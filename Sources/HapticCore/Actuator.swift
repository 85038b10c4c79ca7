// SPDX-License-Identifier: MIT

/// An actuator by its index in the configuration, from 0: small and cheap on the timing path, where its name is not needed.
public struct ActuatorIndex: Hashable, Comparable, Sendable {
    public let value: Int

    @inlinable public init(_ value: Int) { self.value = value }
    @inlinable public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}

/// One playback of one pattern; never used twice while the daemon runs, from 1.
public struct PlaybackID: Hashable, Comparable, Sendable {
    public let value: UInt64

    @inlinable public init(_ value: UInt64) { self.value = value }
    @inlinable public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}

/// One change of an actuator: be at `level` from `planned` on.
public struct Actuation: Hashable, Sendable, Codable {
    public var planned: MonotonicInstant
    public var actuator: ActuatorIndex
    public var playback: PlaybackID
    public var level: Level
    /// The run that begins here, scaled to `level`, where the pattern has a name: a hint to devices that can play it by themselves. What
    /// the level is at any time is said by the actuations alone.
    public var run: RunIndex?

    @inlinable public init(
        planned: MonotonicInstant, actuator: ActuatorIndex, playback: PlaybackID, level: Level, run: RunIndex? = nil
    ) {
        self.planned = planned
        self.actuator = actuator
        self.playback = playback
        self.level = level
        self.run = run
    }
}

/// An actuation that has happened.
public struct AppliedActuation: Hashable, Sendable {
    public var actuation: Actuation
    /// The real time; `actuation.planned` is when it should have been.
    public var at: MonotonicInstant

    public init(_ actuation: Actuation, at: MonotonicInstant) {
        self.actuation = actuation
        self.at = at
    }
}

/// What a kind of actuator can do.
public struct ActuatorCapabilities: Hashable, Sendable, Codable {
    /// False: on or off only.
    public var variesIntensity: Bool
    public var variesSharpness: Bool

    @inlinable public init(variesIntensity: Bool, variesSharpness: Bool) {
        self.variesIntensity = variesIntensity
        self.variesSharpness = variesSharpness
    }

    @inlinable public static var full: ActuatorCapabilities {
        ActuatorCapabilities(variesIntensity: true, variesSharpness: true)
    }

    /// Below this share of its strength an on/off actuator stays off: it cannot be subtle, so it is silent where it should be.
    @inlinable public static var onOffThreshold: Double { 0.25 }

    /// `level` as this kind of actuator can show it.
    @inlinable public func fitted(_ level: Level) -> Level {
        guard level.isOn else { return .off }
        var fitted = level
        if !variesIntensity { fitted.intensity = level.intensity.value >= Self.onOffThreshold ? .one : .zero }
        if !variesSharpness { fitted.sharpness = .zero }
        return fitted
    }
}

/// What a motor must not be asked for.
public struct MotorLimits: Hashable, Sendable, Codable {
    /// The window over which `duty` counts.
    @inlinable public static var dutyWindow: Nanoseconds { .seconds(10) }

    /// The least time for one actuation, on average: two may follow each other at once, a third waits. An off never does.
    public var minInterval: Nanoseconds
    /// The least time from off to the next on; 0 is none.
    public var minGap: Nanoseconds
    /// The longest time on without a break; nil is no limit.
    public var maxOn: Nanoseconds?
    /// The largest share of any `dutyWindow` that it may be on; 1 is no limit.
    public var duty: Share

    public init(
        minInterval: Nanoseconds = .milliseconds(1), minGap: Nanoseconds = .zero, maxOn: Nanoseconds? = nil, duty: Share = .one
    ) {
        self.minInterval = minInterval
        self.minGap = minGap
        self.maxOn = maxOn
        self.duty = duty
    }

    /// None but the shortest interval.
    public static let none = MotorLimits()
}

/// Why an actuator is not there.
public struct ActuatorFault: Hashable, Sendable {
    /// By which a program knows it, whatever its words are.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// There is no such device.
        case absent
        /// The device was there, and is not any more.
        case deviceLost
        /// The daemon may not open or use it.
        case permission
        /// Another program holds it.
        case busy
        case other
    }

    public var kind: Kind
    /// What happened, to what, and what to do about it.
    public var words: String

    public init(_ words: String, kind: Kind = .other) { (self.kind, self.words) = (kind, words) }
}
