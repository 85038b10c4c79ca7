// SPDX-License-Identifier: MIT

/// A number in 0…1 whose `Meaning` keeps it from being mistaken for another one. A value outside cannot be made.
public struct UnitValue<Meaning>: Hashable, Comparable, Sendable {
    public let value: Double

    /// Nil where `value` is outside 0…1 or not a number.
    @inlinable public init?(_ value: Double) {
        guard value >= 0, value <= 1 else { return nil }
        self.value = value
    }

    /// The nearest value in 0…1; 0 where `value` is not a number.
    @inlinable public init(clamping value: Double) {
        self.value = value > 0 ? min(value, 1) : 0
    }

    @inlinable public static var zero: Self { Self(clamping: 0) }
    @inlinable public static var one: Self { Self(clamping: 1) }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    @inlinable public static func * (a: Self, b: Self) -> Self { Self(clamping: a.value * b.value) }
}

public enum IntensityMeaning: Sendable {}
public enum SharpnessMeaning: Sendable {}
public enum ProgressMeaning: Sendable {}
public enum ShareMeaning: Sendable {}

/// How strong something is felt: 0 is off, 1 the strongest the actuator can do.
public typealias Intensity = UnitValue<IntensityMeaning>
/// How crisp something is felt: 0 is dull and round, 1 is hard and precise.
public typealias Sharpness = UnitValue<SharpnessMeaning>
/// How far a source has come: 0 is the start, 1 is complete.
public typealias Progress = UnitValue<ProgressMeaning>
/// A part of a whole, such as the share of time that a motor may be on.
public typealias Share = UnitValue<ShareMeaning>

/// What an actuator should be at one instant. An intensity of 0 is "off".
public struct Level: Hashable, Sendable, Codable {
    public var intensity: Intensity
    public var sharpness: Sharpness

    @inlinable public init(intensity: Intensity, sharpness: Sharpness) {
        self.intensity = intensity
        self.sharpness = sharpness
    }

    @inlinable public static var off: Level { Level(intensity: .zero, sharpness: .zero) }
    @inlinable public var isOn: Bool { intensity.value > 0 }
}
