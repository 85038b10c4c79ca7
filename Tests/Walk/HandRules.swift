// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// The rules that holds, sets and tasks keep to in every state.
///
/// - The value of a begun hold only rises, up to 1, until the hold is confirmed or released, once.
/// - A hold is not confirmed after its release was taken, except at that instant or when waiting holds continue; and never if
///   the release has no instant of its own.
/// - An event follows each confirmation or release at its instant, and nothing else.
/// - A part with `more` is not felt, and does not change its set. A complete set has at most the things that its parts named.
/// - Only a pending task is working, times out, or ends.
struct HandRules {
    private struct Key: Hashable {
        /// Nil for a hold of a device.
        let owner: Owner?
        let id: String
    }

    private struct Hold {
        var hasBegun = false
        var value = 0.0
        /// The instant at which the release was taken, and whether the release has an instant of its own.
        var released: (at: MonotonicInstant, isDated: Bool)?
    }

    private(set) var complaint: String?
    private(set) var seen = Sometimes()
    private var holds: [Key: Hold] = [:]
    private var tasks: Set<Key> = []
    /// The number of things that the parts of a set have named, by connection.
    private var parts: [UInt64: Int] = [:]
    /// The instant at which waiting holds continued.
    private var wentOn = MonotonicInstant.zero
    private var isWaiting = false

    private mutating func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition, complaint == nil { complaint = message() }
    }

    mutating func took(_ event: EngineEvent, at now: MonotonicInstant, _ results: [ItemResult], _ actions: [EngineAction]) {
        if isWaiting { wentOn = now }
        var itemCount = 0
        switch event {
        case .batch(let batch, _):
            itemCount = batch.count
            for case (.input(let input), .decided(let decision, _)) in zip(batch, results) { judge(decision, on: input, at: now) }
        case .refusal: return
        case .connectionClosed(let connection): if parts.removeValue(forKey: connection) != nil { seen.note("set dropped") }
        case .holdsWait(let isWaiting):
            self.isWaiting = isWaiting
            seen.note("holds waited")
        case .slept, .shutdown, .configuration, .actuator, .settings, .localTime, .time: break
        }
        for case .held(let change) in actions { judge(change) }
        for case .decided(let decision, _) in results.dropFirst(itemCount) { judgeByItself(decision, actions) }
    }

    private mutating func judge(_ decision: Decision, on input: Input, at now: MonotonicInstant) {
        let key = Key(owner: input.client.connection == 0 ? nil : input.client.owner, id: input.id ?? "")
        switch input.kind {
        case .hold(let hold):
            if hold.state == .down, decision.reason == .pressed || decision.pattern != nil {
                holds[key, default: Hold()].released = nil
            }
            if decision.reason == .released { holds[key, default: Hold()].released = (now, hold.isDated) }
        case .task(let state):
            if state == .began { tasks.insert(key) } else if decision.reason != .notPending { end(key, decision) }
        case .present(let present): judge(decision, on: present, of: input.client.connection)
        case .progress, .release, .event, .play: break
        }
    }

    private mutating func end(_ key: Key, _ decision: Decision) {
        require(tasks.remove(key) != nil, "a task ended that had not begun: \(words(decision))")
    }

    private mutating func judge(_ decision: Decision, on present: PresentInput, of connection: UInt64) {
        if decision.reason == .noRule { return }
        parts[connection, default: 0] += present.ids.count
        if present.continues {
            return require(decision.things == nil && decision.playback == nil, "half a set: \(words(decision))")
        }
        let most = parts.removeValue(forKey: connection) ?? 0
        require(decision.things.map { $0.inserted + $0.kept <= most } ?? true, "more things than were named: \(words(decision))")
    }

    // MARK: What comes by itself

    private mutating func judge(_ change: HoldChange) {
        let owner = Owner(user: change.user, scope: change.scope)
        let key = Key(owner: change.origin == .device ? nil : owner, id: change.id)
        var hold = holds[key] ?? Hold()
        require(change.state == .began || hold.hasBegun, "it has not begun, or is over: \(words(change))")
        switch change.state {
        case .began: (hold.hasBegun, hold.value) = (true, change.value.value)
        case .progress:
            require(change.value.value > hold.value, "it goes back from \(hold.value): \(words(change))")
            hold.value = change.value.value
        case .confirmed:
            seen.note("hold confirmed")
            let isInTime = hold.released.map { $0.isDated && change.at <= max($0.at, wentOn) } ?? true
            require(isInTime, "confirmed after its release: \(words(change))")
            require(change.value == .one, "confirmed before its end: \(words(change))")
            hold = Hold()
        case .released:
            seen.note("hold released")
            hold = Hold()
        }
        holds[key] = hold
    }

    private mutating func judgeByItself(_ decision: Decision, _ actions: [EngineAction]) {
        let key = Key(owner: decision.owner, id: decision.source ?? "")
        switch decision.input {
        case .hold: break
        case .event:
            let isFollowing = actions.contains {
                if case .held(let change) = $0 { decision.name == "\(change.id).\(change.state.rawValue)" } else { false }
            }
            require(isFollowing, "an event of nobody: \(words(decision))")
        case .task where decision.value == .string("failed"):
            seen.note("task late")
            end(key, decision)
        case .task:
            seen.note("task working")
            require(tasks.contains(key), "no such task has begun: \(words(decision))")
        case .progress, .release, .play, .present: require(false, "nothing of this comes by itself: \(words(decision))")
        }
    }
}
