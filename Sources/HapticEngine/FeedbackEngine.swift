// SPDX-License-Identifier: MIT
public import HapticCore

/// The surface of the engine (bodies follow in a later commit).
public struct FeedbackEngine: ~Copyable {
    public init(_ configuration: EngineConfiguration) {}
    /// Decides `batch` in order at one instant. One `decided` (or `cancelled`, `profileSet`) action for each item, in order.
    public mutating func handle(_ batch: [Command], at now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    /// Does what is due. Called at `nextDeadline`.
    public mutating func advance(to now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    /// `distantFuture` when nothing is due.
    public var nextDeadline: MonotonicInstant { fatalError() }
    public mutating func connectionClosed(_ connection: UInt64, at now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    /// Takes a new configuration; sources stay, playbacks on actuators that changed end.
    public mutating func configure(_ configuration: EngineConfiguration, at now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    public mutating func setActuator(_ index: ActuatorIndex, isAvailable: Bool, at now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    public mutating func shutdown(at now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    /// Makes the decision `failed`, `invalidParams` on an input that was not valid.
    public mutating func refuse(_ input: Decision.InputKind, at now: MonotonicInstant, into actions: inout ActionBuffer) { fatalError() }
    public var configuration: EngineConfiguration { fatalError() }
    public var profile: Profile { fatalError() }
    public var sourceCount: Int { fatalError() }
    public var playbackCount: Int { fatalError() }
    /// How many decisions ended this way.
    public func count(of outcome: Outcome, reason: Reason?) -> UInt64 { fatalError() }
    /// The most actions that one call can make with this configuration.
    public static func actionCapacity(for configuration: EngineConfiguration) -> Int { fatalError() }
}
