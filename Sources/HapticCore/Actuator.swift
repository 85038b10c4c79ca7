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

/// One change of an actuator: be driven with `drive` from `planned` on.
public struct Actuation: Hashable, Sendable {
    public var planned: MonotonicInstant
    public var actuator: ActuatorIndex
    public var playback: PlaybackID
    /// What is meant to be felt.
    public var level: Level
    /// What is sent for it; 0 is off.
    public var drive: Drive
    /// The run that begins here, scaled to `level`, where the pattern has a name and nothing is fitted: a hint to devices
    /// that can play it by themselves. What is sent at any time is said by the actuations alone.
    public var run: RunIndex?

    /// `drive`: nil is as much as is meant to be felt.
    @inlinable public init(
        planned: MonotonicInstant, actuator: ActuatorIndex, playback: PlaybackID, level: Level, drive: Drive? = nil,
        run: RunIndex? = nil
    ) {
        self.planned = planned
        self.actuator = actuator
        self.playback = playback
        self.level = level
        self.drive = drive ?? Drive(level.intensity)
        self.run = run
    }

    @inlinable public var isOn: Bool { drive.isOn }
    @inlinable public var driven: DrivenLevel { DrivenLevel(level, drive: drive) }
}

/// The drive is written where it is not the level.
extension Actuation: Codable {
    private enum CodingKeys: CodingKey { case planned, actuator, playback, level, drive, run }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            planned: container.decode(MonotonicInstant.self, forKey: .planned),
            actuator: container.decode(ActuatorIndex.self, forKey: .actuator),
            playback: container.decode(PlaybackID.self, forKey: .playback),
            level: container.decode(Level.self, forKey: .level), drive: container.decodeIfPresent(Drive.self, forKey: .drive),
            run: container.decodeIfPresent(RunIndex.self, forKey: .run))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(planned, forKey: .planned)
        try container.encode(actuator, forKey: .actuator)
        try container.encode(playback, forKey: .playback)
        try container.encode(level, forKey: .level)
        if drive != Drive(level.intensity) { try container.encode(drive, forKey: .drive) }
        try container.encodeIfPresent(run, forKey: .run)
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
    /// The most that it can send, as a multiple of the rated drive; 1…1.5.
    public var mostDrive: Drive
    /// It can drive backwards, which brakes.
    public var reverses: Bool
    /// It kicks, brakes and follows the resonance by itself, as a haptic chip in closed loop does: it is sent intensities.
    public var shapesItself: Bool
    /// It is seen, not felt.
    public var isLight: Bool
    /// The least time from one change to the next of a value that is followed: a device can take more in a pattern than on and on.
    public var followInterval: Nanoseconds

    /// 200 changes a second.
    @inlinable public static var shortestFollowInterval: Nanoseconds { .milliseconds(5) }

    @inlinable public init(
        variesIntensity: Bool, variesSharpness: Bool, mostDrive: Drive = .rated, reverses: Bool = false,
        shapesItself: Bool = false, isLight: Bool = false, followInterval: Nanoseconds = Self.shortestFollowInterval
    ) {
        self.variesIntensity = variesIntensity
        self.variesSharpness = variesSharpness
        self.mostDrive = mostDrive
        self.reverses = reverses
        self.shapesItself = shapesItself
        self.isLight = isLight
        self.followInterval = followInterval
    }

    @inlinable public static var full: ActuatorCapabilities {
        ActuatorCapabilities(variesIntensity: true, variesSharpness: true)
    }
    /// As a transistor on a line can.
    @inlinable public static var onOff: ActuatorCapabilities {
        ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
    }

    @inlinable public func with(mostDrive: Drive) -> ActuatorCapabilities {
        var capabilities = self
        capabilities.mostDrive = mostDrive
        return capabilities
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

    /// `driven` as this kind of actuator can show it. What it cannot do backwards is off.
    @inlinable public func fitted(_ driven: DrivenLevel) -> DrivenLevel {
        var value = min(max(driven.drive.value, reverses ? -1 : 0), mostDrive.value)
        if !variesIntensity { value = abs(value) < Self.onOffThreshold ? 0 : value < 0 ? -1 : 1 }
        guard value != 0 else { return .off }
        return DrivenLevel(fitted(driven.level), drive: Drive(clamping: value))
    }
}

/// What a motor must not be asked for.
public struct MotorLimits: Hashable, Sendable, Codable {
    /// The window over which `duty` counts.
    @inlinable public static var dutyWindow: Nanoseconds { .seconds(10) }

    /// The least time for one actuation, on average: two may follow each other at once, a third waits. Neither an off nor a brake does.
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
