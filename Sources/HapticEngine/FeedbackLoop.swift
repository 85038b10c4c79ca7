// SPDX-License-Identifier: MIT
public import HapticCore

/// The engine, and the one loop around it: an event goes in, what comes of it is carried out until nothing more is due.
///
///     loop.take(event, at: now)
///     repeat { /* carry out loop.actions */ } while loop.proceed(at: now)
///     // Come again at loop.nextDeadline, with .time.
///
/// To be used from one thread. Instants never go back.
public struct FeedbackLoop: ~Copyable {
    public internal(set) var engine: FeedbackEngine
    /// The actions that the last event, or the last `proceed`, has led to.
    public private(set) var actions: ActionBuffer
    /// Gets every event as the engine does, in order, and what has come of it; nil costs nothing.
    public var recorder: (any EngineRecorder)?

    /// `links`: fewer than all of them are for measuring what one costs.
    public init(_ configuration: EngineConfiguration, links: [PolicyLink] = PolicyLink.chain) {
        engine = FeedbackEngine(configuration, links: links)
        actions = ActionBuffer(capacity: FeedbackEngine.actionCapacity(for: configuration))
    }

    /// When there is something to do without any event but `time`; `distantFuture` where nothing is due.
    public var nextDeadline: MonotonicInstant { engine.nextDeadline }

    /// Has `event` happen at `now`. To be called once `proceed` has said that the event before it is over.
    public mutating func take(_ event: EngineEvent, at now: MonotonicInstant) {
        // trap: who carries out does so to the end before the next event; the service's one loop takes them one after the other.
        precondition(actions.isEmpty, "the actions of the event before have been carried out")
        if case .configuration(let new, _) = event {
            let capacity = FeedbackEngine.actionCapacity(for: new)
            if capacity > actions.capacity { actions = ActionBuffer(capacity: capacity) }
        }
        engine.take(event, at: now, into: &actions)
        recorder?.record(event, at: now, actions)
    }

    /// Forgets the actions, and does nothing more: who replays a journal takes the next event from there.
    package mutating func forgetActions() { actions.removeAll() }

    /// Forgets the actions, which have been carried out, and does what is due by `now`. False once that leads to no more of them:
    /// the event is over. It may take several rounds, for the buffer of actions is bounded.
    public mutating func proceed(at now: MonotonicInstant) -> Bool {
        forgetActions()
        guard engine.nextDeadline <= now else { return false }
        engine.take(.time, at: now, into: &actions)
        if !Canary.is("journal-misses-rounds") { recorder?.record(.time, at: now, actions) }
        return !actions.isEmpty
    }
}

/// Keeps what goes into an engine. On the thread of the loop; must not wait.
public protocol EngineRecorder: AnyObject {
    /// `event` has happened at `now`, and `actions` came of it.
    func record(_ event: EngineEvent, at now: MonotonicInstant, _ actions: ActionBuffer)
}
