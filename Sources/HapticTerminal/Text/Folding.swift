// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

/// Folds the steps of one source, one after the other, into one line: a train.
///
/// A train ends as soon as another line is shown, so lines stay in the order in which they began. It also ends after `pause` without a
/// step, and after `longest`.
package struct Folding {
    /// In nanoseconds, as all times here.
    static let pause: Int64 = 1_000_000_000
    static let longest: Int64 = 10_000_000_000
    /// The sources whose trains are open at one time.
    static let mostOpen = 64

    /// In the order in which they began.
    private var trains: [Train] = []

    package init() {}

    /// When the next train ends; `nil` if none is open.
    package var due: Int64? { trains.map(\.due).min() }

    /// The line of the train that grew last; `nil` if none is open.
    package var growing: Watch.Line? { trains.max { $0.lastAt < $1.lastAt }?.line }

    /// Returns the lines to show now: none if `line` is a step, else the trains that it ends and the line itself.
    package mutating func add(_ line: Watch.Line, at now: Int64) -> [Watch.Line] {
        guard let step = line.step else { return end() + [line] }
        if let index = trains.firstIndex(where: { $0.admits(step) }) {
            trains[index].add(step, line, at: now)
            return []
        }
        let ended = trains.lastIndex { $0.first.origin == step.origin } ?? (trains.count == Self.mostOpen ? 0 : nil)
        let lines = ended.map { end(through: $0) } ?? []
        trains.append(Train(step, line, at: now))
        return lines
    }

    /// Ends the trains that are due, and those that began before.
    package mutating func end(at now: Int64) -> [Watch.Line] {
        trains.lastIndex { $0.due <= now }.map { end(through: $0) } ?? []
    }

    /// Ends all trains.
    package mutating func end() -> [Watch.Line] { end(through: trains.count - 1) }

    private mutating func end(through index: Int) -> [Watch.Line] {
        let lines = trains[...index].map(\.line)
        trains.removeFirst(index + 1)
        return lines
    }
}

/// One source of inputs, as a decision shows it.
struct DecisionOrigin: Hashable {
    private var user: UInt32?
    private var source: String?
    private var process: Int32?
    private var input: Decision.InputKind?
    private var name: String?

    /// An id belongs to its user. Without one, the program and the kind of input stand for the connection.
    init(_ decision: DecisionResult) {
        (user, source) = (decision.user, decision.source)
        guard source == nil else { return }
        (process, input, name) = (decision.process, decision.input, decision.name)
    }
}

/// A value of a progress or of a hold, below the last one, which has a line of its own.
struct Step {
    let decision: DecisionResult
    let origin: DecisionOrigin
    /// Its sender without the process, which may be another one for each step.
    let sender: String?

    /// `nil` if the decision is not about such a value.
    init?(_ decision: DecisionResult, sender: String?) {
        let kind = decision.input
        guard kind == .progress || kind == .hold else { return nil }
        switch decision.value {
        case .number(let value) where value < 1: break
        case nil where Self.isMaskedStep(decision, kind): break
        default: return nil
        }
        self.decision = decision
        self.sender = sender
        origin = DecisionOrigin(decision)
    }

    var isFelt: Bool { decision.isFelt }

    /// Whether another user's decision, without its value, is on a value, by its outcome and its reason.
    private static func isMaskedStep(_ decision: DecisionResult, _ kind: Decision.InputKind) -> Bool {
        guard let reason = decision.reason else { return decision.outcome == .played }
        if decision.outcome == .merged { return true }
        return kind == .progress ? reason != .released : reasonsOfSteps.contains(reason)
    }

    /// Why a step of a hold may not be felt. Of presses and releases only a press with a pattern can have these reasons.
    private static let reasonsOfSteps: Set<Reason> = [
        .belowStep, .rateLimited, .stale, .profile, .off, .quietHours, .strength, .feedbackOff, .lowerPriority, .minGap,
        .minInterval, .maxOn, .dutyLimit, .thermal, .tooSubtle, .silent, .noActuator, .deviceLost,
    ]

    /// Too little to count, or part of the pulse before: such steps belong to any train of their source.
    fileprivate var isMinor: Bool {
        decision.outcome == .merged || decision.reason == .belowStep
    }

    /// Whether both had the same result, apart from the strength.
    fileprivate func isLike(_ other: Step) -> Bool {
        let (one, other) = (decision, other.decision)
        return one.outcome == other.outcome && one.reason == other.reason && one.pattern == other.pattern
            && one.actuators == other.actuators && one.felt == other.felt
    }
}

/// Steps of one source with the same result.
private struct Train {
    let first: Step
    /// The result of all, unless it is minor.
    private var major: Step?
    private var last: DecisionResult
    private var tally = Tally()
    /// The strengths of those that were felt.
    private var intensities: ClosedRange<Double>?
    private let firstLine: Watch.Line
    private var sender: String?
    private let beganAt: Int64
    private(set) var lastAt: Int64

    init(_ step: Step, _ line: Watch.Line, at now: Int64) {
        (first, last, firstLine, sender) = (step, step.decision, line, line.sender)
        (beganAt, lastAt) = (now, now)
        add(step, line, at: now)
    }

    var due: Int64 { min(lastAt + Folding.pause, beganAt + Folding.longest) }

    func admits(_ step: Step) -> Bool {
        guard step.origin == first.origin, step.decision.input == last.input, step.decision.app == last.app else { return false }
        return step.isMinor || major.map(step.isLike) ?? true
    }

    mutating func add(_ step: Step, _ line: Watch.Line, at now: Int64) {
        if !step.isMinor, major == nil { major = step }
        last = step.decision
        lastAt = now
        tally.count(step.decision)
        if line.sender != sender { sender = step.sender }
        guard step.isFelt, let intensity = step.decision.intensity else { return }
        intensities = min(intensities?.lowerBound ?? intensity, intensity)...max(intensities?.upperBound ?? intensity, intensity)
    }

    /// `#2 to #78 hold pay 1% to 99%: felt 77 times in 1.49 s: soft at 50% on main; not felt: 83 belowStep`.
    var line: Watch.Line {
        guard tally.count > 1 else { return firstLine }
        var line = firstLine
        let input = Words.input(first.decision) + (Words.share(last).map { " to \($0)" } ?? "")
        line.text = "#\(first.decision.seq) to #\(last.seq) \(input): \(result)"
        if let major { line.colour = Watch.colour(of: major.decision) }
        line.sender = sender
        return line
    }

    private var result: String {
        let milliseconds = (last.atNs - first.decision.atNs + 500_000) / 1_000_000
        let time = Nanoseconds.milliseconds(milliseconds).words
        guard tally.felt > 0, let major else {
            let times = "not felt \(tally.count) times in \(time)"
            return tally.reasonCount > 1 ? "\(times): \(tally.reasons)" : "\(times): \(Words.becauseOf(last))"
        }
        let times = tally.felt == 1 ? "once" : "\(tally.felt) times"
        let rest = tally.reasonCount > 0 ? "; not felt: \(tally.reasons)" : ""
        return "felt \(times) in \(time): \(Words.felt(major.decision, intensities: intensities))\(rest)"
    }
}
