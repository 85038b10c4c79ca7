// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// A value that is felt: one playback, which goes over to each new value.
struct Follow {
    /// What a value asks for.
    struct Target {
        var intensity: Intensity
        var spring: Spring
        /// The users' limit for value and impact together.
        var most = Intensity.one
        /// What it has passed is felt so.
        var impact: (pattern: PlayablePattern, gain: Gain)?
        /// From here on it counts.
        var saidAt: MonotonicInstant

        var peak: Intensity {
            let above = impact.map { $0.pattern.timeline.peak * $0.gain } ?? .zero
            return min(most, Intensity(clamping: intensity.value + above.value))
        }
    }

    /// What a later value has to want, too, to go on with the playback of those before.
    struct Terms: Equatable {
        let actuators: [ActuatorIndex]?
        let feedbackClass: FeedbackClass
        let priority: Int

        init(of candidate: Candidate) {
            (actuators, feedbackClass) = (candidate.actuators, candidate.feedbackClass)
            priority = candidate.priority
        }
    }

    let source: SourceKey
    let playback: PlaybackID
    let terms: Terms
    /// From one change of what is felt to the next.
    let interval: Nanoseconds
    /// What is felt, or will be once the spring has got there.
    private(set) var intensity: Intensity
    private(set) var spring: Spring
    private(set) var most: Intensity
    private var impact: FollowPlan.Impact?
    private var changedAt: MonotonicInstant
    /// When its last value was said.
    private var saidAt: MonotonicInstant
    /// The last value, where it has come too soon after a change.
    private(set) var pending: Target?

    /// A value that stays as it is counts again no more often.
    static let keepAlive = Nanoseconds.milliseconds(100)

    init(
        _ source: SourceKey, _ playback: PlaybackID, _ terms: Terms, _ target: Target, interval: Nanoseconds,
        at now: MonotonicInstant
    ) {
        (self.source, self.playback, self.terms) = (source, playback, terms)
        self.interval = interval
        (intensity, spring, most, changedAt) = (target.intensity, target.spring, target.most, now)
        saidAt = target.saidAt
        impact = target.impact.map { FollowPlan.Impact(pattern: $0.pattern, gain: $0.gain, at: now) }
    }

    /// Its last value still counts.
    func isCurrent(at now: MonotonicInstant) -> Bool { now - saidAt < FollowPlan.hold }

    func isChanged(by target: Target) -> Bool { target.intensity != intensity || target.impact != nil }

    /// `target` takes the place of what is pending; what that has passed is still to be felt.
    mutating func setPending(_ target: Target) {
        let passed = pending?.impact
        (pending, saidAt) = (target, target.saidAt)
        if target.impact == nil { pending?.impact = passed }
    }

    /// When it goes over to what is pending; `distantFuture` where nothing is.
    var due: MonotonicInstant {
        guard let pending else { return .distantFuture }
        return changedAt + (isChanged(by: pending) ? interval : Self.keepAlive)
    }

    /// What the playback goes over to at `now`; nil: nothing is pending, or it has been too late for some time.
    mutating func next(at now: MonotonicInstant) -> (plan: FollowPlan, saidAt: MonotonicInstant)? {
        guard let target = pending else { return nil }
        pending = nil
        guard now - target.saidAt < FollowPlan.length else { return nil }
        if let impact, impact.isOver(by: now) { self.impact = nil }
        if let new = target.impact { impact = FollowPlan.Impact(pattern: new.pattern, gain: new.gain, at: now) }
        (intensity, spring, most, changedAt) = (target.intensity, target.spring, target.most, now)
        let plan = FollowPlan(intensity, spring, impact, most: most, saidAt: target.saidAt, begins: false)
        return (plan, target.saidAt)
    }
}

/// The values that are felt. Each has an actuator at least, or it is forgotten; so there are no more of them than actuators.
struct FollowTable {
    private(set) var follows: [Follow] = []
    /// When the first of them goes over to what is pending; `distantFuture` where none does.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    var count: Int { follows.count }

    func index(of source: SourceKey) -> Int? { follows.firstIndex { $0.source == source } }

    subscript(index: Int) -> Follow { follows[index] }

    mutating func change<R>(_ index: Int, _ body: (inout Follow) -> R) -> R {
        defer { updateDeadline() }
        return body(&follows[index])
    }

    /// Forgets those that are not `alive`, too.
    mutating func add(_ follow: Follow, alive: (PlaybackID) -> Bool) {
        follows.removeAll { $0.source == follow.source || !alive($0.playback) }
        follows.append(follow)
        updateDeadline()
    }

    mutating func remove(_ index: Int) {
        follows.remove(at: index)
        updateDeadline()
    }

    private mutating func updateDeadline() {
        nextDeadline = .distantFuture
        for index in follows.indices { nextDeadline = min(nextDeadline, follows[index].due) }
    }
}
