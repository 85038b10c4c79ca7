// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPlanning

/// What came of one item of a batch.
public enum ItemResult: Hashable, Sendable, Encodable {
    /// The decision on an input. The summary is that of a `play`.
    case decided(Decision, PlaySummary?)
    /// So many playbacks were cancelled.
    case cancelled(Int)
    /// People have set something. This is in force after it, and before the next item.
    case changed(SettingsInForce)
    /// They have not: it would have been too many apps.
    case notChanged(Settings.TooManyApps)
    /// The result of asserting or releasing a condition.
    case condition(ConditionChange)
}

/// What the engine wants done or reported.
public enum EngineAction: Hashable, Sendable {
    case ended(PlaybackEnd)
    /// Of a playback that resumes; none follows its end.
    case interruption(PlaybackInterruption)
    /// A press and hold has come this far.
    case held(HoldChange)
    /// For the executor.
    case order(ActuationOrder)
}

/// An order is written as it is: the digests of journals count on that.
extension EngineAction: Encodable {
    private enum CodingKeys: CodingKey { case ended, interruption, held }
    private struct Value<Payload: Encodable>: Encodable { let _0: Payload }

    public func encode(to encoder: any Encoder) throws {
        func write(_ payload: some Encodable, _ key: CodingKeys) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Value(_0: payload), forKey: key)
        }
        switch self {
        case .ended(let end): try write(end, .ended)
        case .interruption(let interruption): try write(interruption, .interruption)
        case .held(let change): try write(change, .held)
        case .order(let order): try order.encode(to: encoder)
        }
    }
}

/// What comes of one call into the engine. The caller owns it, reads it and empties it before the next call.
///
/// Its capacity is fixed: the engine puts off what can wait (actuations, which it plans again at `nextDeadline`) before it
/// would overflow, and everything that cannot wait is bounded by the engine's own limits, for which there is always room.
public struct ActionBuffer: Sendable, OrderSink {
    /// What came of each item of the batch, in its order, and then the decisions on what has happened by itself: a step of a hold, the
    /// event that follows it, a task that has taken too long. They come before the actions.
    public internal(set) var results: [ItemResult] = []
    /// In order.
    public private(set) var actions: [EngineAction] = []
    /// Of the actions.
    public let capacity: Int

    public init(capacity: Int) {
        self.capacity = capacity
        results.reserveCapacity(WorkBudget.mostItems)
        actions.reserveCapacity(capacity)
    }

    public var free: Int { capacity - actions.count }
    public var isEmpty: Bool { results.isEmpty && actions.isEmpty }

    package mutating func append(_ order: ActuationOrder) { append(.order(order)) }

    mutating func append(_ action: EngineAction) {
        // trap: `actionCapacity` counts what bounds and configuration let come of one call.
        precondition(actions.count < capacity, "the engine's bounds let no more than \(capacity) actions come of one call")
        actions.append(action)
    }

    /// Empties it and keeps its memory.
    public mutating func removeAll() {
        if !results.isEmpty { results.removeAll(keepingCapacity: true) }
        if !actions.isEmpty { actions.removeAll(keepingCapacity: true) }
    }
}
