// SPDX-License-Identifier: MIT

/// Whether a hold is pressed.
public enum HoldState: String, CaseIterable, Hashable, Sendable, Codable {
    case down, up
}

/// The use of a key, button or switch that the daemon reads itself.
public enum InputPurpose: Hashable, Sendable {
    /// Pressing it presses the hold of this name.
    case hold(Text)
    /// The condition of this name is asserted while it is on.
    case condition(Text)

    /// The name of the hold or of the condition.
    public var name: String {
        switch self {
        case .hold(let name), .condition(let name): name.string
        }
    }
}

extension InputPurpose: CustomStringConvertible {
    /// As in: the hold `power`.
    public var description: String {
        switch self {
        case .hold(let name): "the hold `\(name.string)`"
        case .condition(let name): "the condition `\(name.string)`"
        }
    }
}

/// What a task comes to.
public enum TaskState: String, CaseIterable, Hashable, Sendable, Codable {
    case began, succeeded, failed, cancelled
}

/// How a hold goes on, for who follows it.
public struct HoldChange: Hashable, Sendable, Encodable {
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        case began, progress, confirmed, released
    }

    public var id: String
    public var origin: Decision.Origin
    /// Whose it is.
    public var user: UInt32
    /// The scope of that user; nil: none.
    public var scope: UInt32?
    public var state: State
    public var value: Progress
    public var at: MonotonicInstant

    public init(
        id: String, origin: Decision.Origin, user: UInt32, scope: UInt32? = nil, state: State, value: Progress,
        at: MonotonicInstant
    ) {
        self.id = id
        self.origin = origin
        self.user = user
        self.scope = scope
        self.state = state
        self.value = value
        self.at = at
    }
}
