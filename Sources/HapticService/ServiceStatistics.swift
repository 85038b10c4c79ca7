// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// What the service counts and keeps of itself. Always on: nothing here allocates once each histogram has its first time, as many
/// inputs were awaited as ever are at once, and the history is full.
struct ServiceStatistics {
    /// Of one actuator.
    struct Actuations {
        /// Real minus planned time.
        var lateness = Histogram()
        /// Left out because they came too late.
        var missed: UInt64 = 0
    }

    /// Of the inputs of one class.
    struct Inputs {
        /// From reading to the first actuation, less what the pattern itself waits, as a train of steps does.
        var latency = Histogram()
        /// Older than their deadline when they were decided.
        var stale: UInt64 = 0
        /// Felt after their deadline.
        var late: UInt64 = 0
        /// The executor left out how they begin.
        var leftOut: UInt64 = 0
    }

    /// An input that is to be felt and was not yet, as far as is known.
    private struct Awaited {
        var readAt: MonotonicInstant
        var decidedAt: MonotonicInstant
        var deadline: MonotonicInstant?
        var feedbackClass: FeedbackClass
        var isLeftOut = false
    }

    var history = History()
    private var followed = FollowedPlaybacks()
    var invalidNotifications: UInt64 = 0
    /// Notifications.
    var missed: UInt64 = 0
    var missedActuations: UInt64 = 0
    /// By the index of the actuator.
    private(set) var actuators: [Actuations]
    /// By the index of the class.
    private var inputs = [Inputs](repeating: Inputs(), count: FeedbackClass.allCases.count)
    /// No more than there are playbacks and `mostEnded` that have ended.
    private var awaited: [PlaybackID: Awaited] = [:]
    /// A ring of ended playbacks whose actuations may still be reported: playbacks without a reported first actuation, which is late in the
    /// worst cases, and playbacks of followed values.
    private var ended: [PlaybackID] = []
    private var nextEnded = 0
    static let mostEnded = 256

    init(actuators: Int) { self.actuators = Array(repeating: Actuations(), count: actuators) }

    subscript(feedbackClass: FeedbackClass) -> Inputs { inputs[feedbackClass.index] }

    /// How many inputs are to be felt and were not yet.
    var awaitedCount: Int { awaited.count }

    mutating func decided(_ decision: Decision, readAt: MonotonicInstant) {
        guard let feedbackClass = decision.feedbackClass else { return }
        if decision.reason == .stale { inputs[feedbackClass.index].stale += 1 }
        guard let playback = decision.playback else { return }
        followed.add(decision)
        awaited[playback] = Awaited(
            readAt: readAt, decidedAt: decision.at, deadline: decision.deadline, feedbackClass: feedbackClass)
    }

    /// The owner of the followed value that `actuation` reveals; see `FollowedPlaybacks.owner(of:)`.
    mutating func followedOwner(of actuation: Actuation) -> Owner? { followed.owner(of: actuation) }

    mutating func actuated(_ actuation: Actuation, at instant: MonotonicInstant) {
        let lateness = instant - actuation.planned
        actuators[actuation.actuator.value].lateness.record(lateness)
        guard actuation.level.isOn, let input = awaited.removeValue(forKey: actuation.playback) else { return }
        let felt = input.decidedAt + lateness
        let index = input.feedbackClass.index
        inputs[index].latency.record(felt - input.readAt)
        if !input.isLeftOut, let deadline = input.deadline, felt > deadline { inputs[index].late += 1 }
    }

    /// The executor has left this out.
    mutating func missed(_ actuation: Actuation) {
        guard actuation.actuator.value < actuators.count else { return }
        missedActuations += 1
        actuators[actuation.actuator.value].missed += 1
        guard actuation.level.isOn, let input = awaited[actuation.playback], !input.isLeftOut else { return }
        awaited[actuation.playback]?.isLeftOut = true
        inputs[input.feedbackClass.index].leftOut += 1
    }

    mutating func ended(_ end: PlaybackEnd) {
        history.ended(end)
        followed.ended(end)
        let playback = end.playback
        guard awaited[playback] != nil || followed.contains(playback) else { return }
        guard ended.count == Self.mostEnded else { return ended.append(playback) }
        awaited[ended[nextEnded]] = nil
        followed.remove(ended[nextEnded])
        ended[nextEnded] = playback
        nextEnded = (nextEnded + 1) % Self.mostEnded
    }

    /// An index means another actuator from now on.
    mutating func replaceActuators(count: Int) { actuators = Array(repeating: Actuations(), count: count) }
}

extension ServiceStatistics.Inputs {
    func missedDeadlines(of feedbackClass: FeedbackClass) -> StatusResult.MissedDeadlines {
        .init(feedbackClass: feedbackClass, stale: stale, late: late, leftOut: leftOut)
    }
}

extension Histogram {
    func percentiles(of name: String) -> StatusResult.Percentiles {
        func nanoseconds(_ share: Double) -> Int64 { percentile(Share(clamping: share))?.count ?? 0 }
        return StatusResult.Percentiles(
            of: name, count: count, sumNs: sum.count, p50Ns: nanoseconds(0.5), p90Ns: nanoseconds(0.9), p99Ns: nanoseconds(0.99),
            p999Ns: nanoseconds(0.999), maxNs: max.count)
    }
}
