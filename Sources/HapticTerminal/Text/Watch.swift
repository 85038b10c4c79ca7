// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticMotors
package import HapticWire

/// What the monitor has seen, and how it says it.
package struct Watch {
    package struct Line {
        package var atNs: Int64
        package var text: String
        package var colour: Console.Colour?
        /// Who caused it.
        package var sender: String?
        /// An end as every playback should have it: shown only to those who ask for it.
        var isRoutine = false
        /// An end of a step's playback, or one because the next playback of its source began, or a repeat that renewed a lease: shown
        /// only if nothing is folded.
        var isFolded = false
        /// If it may be part of a train.
        var step: Step?

        /// - Parameters:
        ///   - isRequested: Its topic was named, so what is routine is shown, too.
        ///   - unfolded: Nothing is folded.
        package func isShown(isRequested: Bool, unfolded: Bool) -> Bool { (isRequested || !isRoutine) && (unfolded || !isFolded) }
    }

    /// A playback that has not ended.
    private struct Begun {
        var origin: DecisionOrigin
        var isStep: Bool
        var atNs: Int64
    }

    package let shown: Set<Topic>
    private let filter: WatchFilter
    private let style: TimeStyle
    private var sender: Sender
    /// The playbacks of the decisions that the filter admits: the newest of them.
    private var admitted: Set<UInt64> = []
    private static let mostAdmitted = 4096
    private var begun: [UInt64: Begun] = [:]
    package private(set) var felt = FeltRecord()
    /// An actuator has come or gone, and may have another motor.
    package private(set) var mayHaveOtherMotors = true
    /// Playbacks.
    package private(set) var ended = 0
    /// When the last end was shown, on CLOCK_MONOTONIC.
    package private(set) var lastEnd: Int64 = 0
    private var on: Set<String> = []
    private var start: Int64?

    package init(shown: Set<Topic>, filter: WatchFilter = WatchFilter(), style: TimeStyle = .relative, sender: Sender = Sender())
    {
        (self.shown, self.filter, self.style, self.sender) = (shown, filter, style, sender)
    }

    /// Whether it is about what is watched: a decision that the filter admits, what plays for one, or what concerns everything.
    package mutating func admits(_ notice: Notice) -> Bool {
        guard !filter.isEmpty else { return true }
        switch notice {
        case .decision(let decision):
            guard filter.admits(decision) else { return false }
            if let playback = decision.playback { admitted.insert(playback) }
            if admitted.count > Self.mostAdmitted, let oldest = admitted.min() { admitted.remove(oldest) }
            return true
        case .playback(let ending): return admitted.contains(ending.playback)
        case .interruption(let interruption): return admitted.contains(interruption.playback)
        case .actuation(let actuation): return admitted.contains(actuation.playback)
        case .hold(let hold): return filter.admits(hold)
        case .actuator, .settings, .missed: return true
        }
    }

    package var isUnfiltered: Bool { filter.isEmpty }

    /// Whether any actuator is on, as far as is known.
    package var isOn: Bool { !on.isEmpty }

    /// Takes note of how the motors move. Those that are not known any more keep their last model.
    package mutating func learn(_ motors: [Text: MotorModel]) {
        felt.motors.merge(motors) { $1 }
        mayHaveOtherMotors = false
    }

    /// Takes note of it, and returns it in words.
    package mutating func take(_ notice: Notice, now: Int64) -> Line {
        switch notice {
        case .decision(let decision):
            let isFelt = decision.outcome == .played
            if isFelt { felt.begin(at: MonotonicInstant(nanoseconds: decision.atNs)) }
            let step = Step(decision, sender: sender.words(user: decision.user, process: nil, app: decision.app))
            note(decision, isStep: step != nil)
            let playback = decision.playback.map { " (playback \($0))" } ?? ""
            let what =
                isFelt ? "\(Words.tooWeak(decision) ?? "felt: \(Words.felt(decision))")\(playback)" : Words.whyNotFelt(decision)
            return Line(
                atNs: decision.atNs, text: "#\(decision.seq) \(Words.input(decision)): \(what)",
                colour: Self.colour(of: decision),
                sender: sender.words(user: decision.user, process: decision.process, app: decision.app),
                isFolded: decision.reason == .renewed, step: step)
        case .playback(let ending):
            ended += 1
            lastEnd = now
            return line(ending)
        case .interruption(let interruption):
            let what = interruption.state == .interrupted ? "interrupted, and waits" : interruption.state.rawValue
            return Line(atNs: interruption.atNs, text: "playback \(interruption.playback): \(what)", colour: .dim)
        case .hold(let hold):
            let isProgress = hold.state == .progress
            let value = isProgress ? hold.value.map { " \(Words.percent($0))" } ?? "" : ""
            return Line(
                atNs: hold.atNs, text: "hold \(hold.id.map(Words.given) ?? "of another user"): \(hold.state)\(value)",
                colour: nil,
                isRoutine: isProgress, isFolded: isProgress)
        case .actuation(let actuation):
            if actuation.drive != 0 { on.insert(actuation.actuator) } else { on.remove(actuation.actuator) }
            felt.add(
                actuator: actuation.actuator, intensity: actuation.intensity, drive: actuation.drive,
                at: MonotonicInstant(nanoseconds: actuation.atNs))
            let level =
                actuation.drive != 0
                ? "on at \(Words.percent(actuation.intensity)), sharpness \(Words.percent(actuation.sharpness))\(Self.drive(actuation))"
                : "off"
            let felt = actuation.felt.map { ", felt \(Words.percent($0))" } ?? ""
            let late = Words.time(actuation.atNs - actuation.plannedNs)
            return Line(atNs: actuation.atNs, text: "\(actuation.actuator): \(level)\(felt), \(late) late", colour: .dim)
        case .actuator(let actuator):
            mayHaveOtherMotors = true
            let state = actuator.available ? "is there" : "has gone\(actuator.error.map { ": \($0)" } ?? "")"
            return Line(atNs: now, text: "actuator \(actuator.actuator) \(state)", colour: actuator.available ? .green : .red)
        case .settings(let notice):
            return Line(
                atNs: notice.atNs, text: SettingWords.changed(notice), colour: .yellow,
                sender: sender.words(user: notice.user, process: notice.process))
        case .missed(let missed):
            return Line(atNs: now, text: "\(missed.count) notifications missed: they were not read fast enough", colour: .yellow)
        }
    }

    static func colour(of decision: DecisionResult) -> Console.Colour {
        decision.outcome == .played ? .green : decision.outcome == .failed ? .red : .dim
    }

    private mutating func note(_ decision: DecisionResult, isStep: Bool) {
        guard let playback = decision.playback else { return }
        // Nobody reports the ends of these.
        if begun.count >= Self.mostAdmitted { begun.removeAll() }
        begun[playback] = Begun(origin: DecisionOrigin(decision), isStep: isStep, atNs: decision.atNs)
    }

    private mutating func line(_ ending: EndingResult) -> Line {
        let own = begun.removeValue(forKey: ending.playback)
        let isSuperseded = ending.reason == .superseded
        // A step that its own confirmation ends is `lowerPriority`: that has another class.
        let isReplaced =
            (isSuperseded || ending.reason == .lowerPriority)
            && own.map { own in
                begun.contains {
                    $0.key > ending.playback && $0.value.origin == own.origin && (isSuperseded || $0.value.atNs == ending.atNs)
                }
            } ?? false
        let isRoutine = ending.ended == .completed && ending.reason == nil
        let colour: Console.Colour? =
            isReplaced ? .dim : ending.ended == .completed ? nil : ending.ended == .failed ? .red : .yellow
        return Line(
            atNs: ending.atNs,
            text: "playback \(ending.playback): \(isReplaced ? "replaced by the next one of its source" : Words.ending(ending))",
            colour: colour, isRoutine: isRoutine, isFolded: isReplaced || isRoutine && own?.isStep == true)
    }

    /// Where it is another than what is meant to be felt.
    private static func drive(_ actuation: ActuationNotice) -> String {
        actuation.drive == actuation.intensity ? "" : ", drive \(Words.percent(actuation.drive))"
    }

    /// The daemon has gone, and what was on is off: its guard sees to that. Nobody will say so.
    package mutating func connectionLost(at now: Int64) {
        let now = MonotonicInstant(nanoseconds: now)
        for actuator in on.sorted() { felt.add(actuator: actuator, intensity: 0, drive: 0, at: now) }
        on.removeAll()
        admitted.removeAll()
        begun.removeAll()
        mayHaveOtherMotors = true
    }

    /// Seconds since the first line, or the time of day: to a millisecond.
    package mutating func clock(_ atNs: Int64) -> String {
        if style == .clock { return TimeOfInstant.text(of: atNs) }
        let start = start ?? atNs
        self.start = start
        let milliseconds = max(0, atNs - start) / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let text = "\(milliseconds / 1000).\(fraction) s"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}
