// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticWire

/// What a hand does, and which things it is about.
///
/// How a hold goes on comes to `onNotice`, once it is subscribed to:
///
///     client.onNotice = { if case .hold(let hold) = $0 { print(hold.id ?? "?", hold.state, hold.value ?? 0) } }
///     _ = try client.call(SubscribeParams(topics: [.holds]))
///     let pressed = try client.hold("pay", .down)
///     try client.receiveNotices(timeout: 3) { false }
extension HapticClient {
    /// Says which things of a set exist now, in as many lines as that takes; returns what was decided once the last one was read.
    ///
    /// Nothing of the set changes before that. Where the daemon allows only so many requests a second, this waits until each line is in
    /// order. `timeout`: seconds that the answer to a line may take; nil: for ever. After an error the connection may have a part of the
    /// set: close it, and the part is dropped; else the next lines of this set would go on with it.
    public func present(_ set: PresentParams, timeout: Double? = patience) throws(ClientError) -> DecisionResult {
        let parts = set.parts()
        // trap: a set has one part at least.
        var last = parts.last!
        for part in parts.dropLast() {
            let decision = try patiently(part, as: DecisionResult.self, timeout: timeout)
            guard decision.reason == .incomplete else {
                // It is refused up to its last line, so nothing else of it matters.
                last.ids = []
                break
            }
        }
        return try patiently(last, as: DecisionResult.self, timeout: timeout)
    }

    /// The same of a set of this name: `ids` are all that there is of it, in any order.
    public func present(_ name: String, _ ids: [String]) throws(ClientError) -> DecisionResult {
        try present(PresentParams(name: name, ids: ids))
    }

    /// Reports a press or a release. Feedback plays during the press; closing the connection releases.
    ///
    /// `leaseMs`: the press ends after this time unless it is repeated; `WireLimit.leaseMilliseconds`.
    public func hold(_ id: String, _ state: HoldState, leaseMs: Double? = nil) throws(ClientError) -> DecisionResult {
        var params = HoldParams(id: id, state: state)
        params.leaseMs = leaseMs
        return try call(params)
    }

    /// Says that an action that takes time has begun, or how it has ended. It outlives the connection.
    public func task(_ id: String, _ state: TaskState) throws(ClientError) -> DecisionResult {
        try call(TaskParams(id: id, state: state))
    }

    /// Sends `input` again after the pause that a refusal for its rate asks for.
    func patiently<Answer: WireResult>(
        _ input: some InputParams, as _: Answer.Type, timeout: Double?
    ) throws(ClientError) -> Answer {
        while true {
            do throws(ClientError) {
                let id = try request(stamp(input))
                defer { giveUp(id) }
                return try answer(to: id, as: Answer.self, timeout: timeout)
            } catch {
                guard let pause = error.retryAfter else { throw error }
                try ClientSocket.pause(until: MonotonicClock.now + pause, interrupt: interruptDescriptor)
            }
        }
    }
}
