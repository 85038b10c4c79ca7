// SPDX-License-Identifier: MIT

/// What a motor is driven with: 1 is its rated drive, more is overdrive, less than 0 drives it backwards. A value outside
/// −1…1.5 cannot be made.
///
/// An `Intensity` says what is meant to be felt, a `Drive` what is sent for it.
public struct Drive: Hashable, Comparable, Sendable {
    public static let range = -1.0...1.5

    public let value: Double

    /// Nil where `value` is outside `range` or not a number.
    @inlinable public init?(_ value: Double) {
        guard value >= -1, value <= 1.5 else { return nil }
        self.value = value
    }

    /// The nearest value in `range`; 0 where `value` is not a number.
    @inlinable public init(clamping value: Double) {
        self.value = value.isNaN ? 0 : min(max(value, -1), 1.5)
    }

    /// As much as is meant to be felt.
    @inlinable public init(_ intensity: Intensity) { value = intensity.value }

    @inlinable public static var zero: Drive { Drive(clamping: 0) }
    @inlinable public static var rated: Drive { Drive(clamping: 1) }
    @inlinable public static var most: Drive { Drive(clamping: 1.5) }
    /// The motor is driven, forwards or backwards.
    @inlinable public var isOn: Bool { value != 0 }

    @inlinable public static func < (a: Drive, b: Drive) -> Bool { a.value < b.value }
}

/// Whether what is intended is fitted to the motor that it is played on.
public enum Fit: String, CaseIterable, Hashable, Sendable, Codable {
    /// Where the motor is known.
    case auto
    /// The curve as it is.
    case off
}

/// What an actuator gets from one instant on: what is meant to be felt, and what is sent for it.
public struct DrivenLevel: Hashable, Sendable {
    public var level: Level
    /// Whether the actuator is on goes by this. Where it is 0 the level is off as well.
    public var drive: Drive

    /// `drive`: nil is as much as is meant to be felt.
    @inlinable public init(_ level: Level, drive: Drive? = nil) {
        self.level = level
        self.drive = drive ?? Drive(level.intensity)
    }

    @inlinable public static var off: DrivenLevel { DrivenLevel(.off) }

    @inlinable public var isOn: Bool { drive.isOn }
    /// It is driven backwards.
    @inlinable public var isBrake: Bool { drive < .zero }
}
