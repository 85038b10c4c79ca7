// SPDX-License-Identifier: MIT

/// What is made of a progress source's values.
public enum ProgressMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// Steps are felt: see `GateConfiguration.Mode`.
    case relative, grid
    /// The value itself is felt, as an intensity, as long as it comes.
    case follow

    public init(_ mode: GateConfiguration.Mode) { self = mode == .grid ? .grid : .relative }

    /// How steps are counted; nil: there are none.
    public var gate: GateConfiguration.Mode? {
        switch self {
        case .relative: .relative
        case .grid: .grid
        case .follow: nil
        }
    }
}

/// How a progress source's gate works.
public struct GateConfiguration: Hashable, Sendable, Codable {
    public enum Mode: String, CaseIterable, Hashable, Sendable, Codable {
        /// A step is counted from the value that fired last.
        case relative
        /// Steps are the multiples of `step`.
        case grid
    }

    public enum Direction: String, CaseIterable, Hashable, Sendable, Codable {
        /// `down` is a countdown: it begins silently at its first value, and is complete at 0.
        case up, down, both
    }

    /// More than 0, at most 1.
    public var step: Double
    public var mode: Mode
    public var direction: Direction
    /// How far a value must fall back before it counts as a reversal; 0…1.
    public var hysteresis: Double
    /// The least time between two fires; 0 or more.
    public var minInterval: Nanoseconds

    public init(
        step: Double, mode: Mode = .relative, direction: Direction = .up, hysteresis: Double = 0,
        minInterval: Nanoseconds = .zero
    ) {
        self.step = step
        self.mode = mode
        self.direction = direction
        self.hysteresis = hysteresis
        self.minInterval = minInterval
    }
}
