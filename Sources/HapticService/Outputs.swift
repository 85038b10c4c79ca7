// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// What the last calls of the service have led to, until it is taken: for subscribers, for the log, for who keeps records. Its memory is
/// kept.
public struct Outputs {
    /// In order.
    public private(set) var all: [Output] = []
    /// What `ServiceState` says has changed, or may have: not once an event.
    public private(set) var hasStateChanged = false
    /// Every decision and every ending is to come out as a record, too.
    var keepsRecords = false
    var subscriptions = Subscriptions()
    private(set) var refusals = Refusals()
    private var shiftedSets = ShiftedSets()

    mutating func append(_ output: Output) { all.append(output) }

    mutating func noteState() { hasStateChanged = true }

    mutating func removeAll() {
        if !all.isEmpty { all.removeAll(keepingCapacity: true) }
        hasStateChanged = false
    }

    /// Whether anyone has subscribed to `topic`.
    func wants(_ topic: Topic) -> Bool { subscriptions.topics.contains(topic) }

    /// Notifies the subscribers of `topic`. `notice` is only made where there is one.
    mutating func publish(_ topic: Topic, _ notice: () -> Notice) { if wants(topic) { append(.notice(notice())) } }

    // MARK: The engine

    mutating func decided(_ decision: Decision) {
        publish(.decisions) { .decision(DecisionResult(decision)) }
        if keepsRecords { append(.record(.decision(decision))) }
        if let notice = shiftedSets.notice(of: decision) { append(.shifted(notice)) }
    }

    mutating func ended(_ end: PlaybackEnd) {
        if keepsRecords { append(.record(.ending(end))) }
        publish(.playbacks) { .playback(EndingResult(end)) }
    }

    // MARK: What is refused

    /// Counts `refusal`, has it logged where it is news, and returns it as an error.
    @discardableResult
    mutating func refused(_ refusal: Refusal, to user: UInt32, at now: MonotonicInstant) -> WireError {
        append(refusals.refused(refusal, to: user, at: now))
        return refusal.error(user: user)
    }

    /// It is later: has the sums of former refusals logged.
    mutating func advance(to now: MonotonicInstant) { append(refusals.advance(to: now)) }

    private mutating func append(_ notices: [RefusalNotice]) { for notice in notices { all.append(.refusal(notice)) } }
}

/// Which clients are notified, and of what.
struct Subscriptions {
    /// In the order in which they became that: few, where the clients are many.
    private(set) var clients: [Client] = []
    /// What any of them is notified of.
    private(set) var topics: Set<Topic> = []
    /// The subscribers of each topic.
    private var counts: [Topic: Int] = [:]

    mutating func subscribe(_ client: Client, to topics: Set<Topic>) {
        if topics.isEmpty {
            clients.removeAll { $0 === client }
        } else if client.topics.isEmpty {
            clients.append(client)
        }
        for topic in topics.symmetricDifference(client.topics) {
            let count = (counts[topic] ?? 0) + (topics.contains(topic) ? 1 : -1)
            counts[topic] = count
            if count > 0 { self.topics.insert(topic) } else { self.topics.remove(topic) }
        }
        client.topics = topics
    }

    /// `client` has gone.
    mutating func end(_ client: Client) { if !client.topics.isEmpty { subscribe(client, to: []) } }
}
