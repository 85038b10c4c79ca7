// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

/// What the monitor has seen, and how it says it.
struct Watch {
    struct Line {
        var atNs: Int64
        var text: String
        var colour: Console.Colour?
        /// An end as every playback should have it: shown only to those who ask for it.
        var isRoutine = false
    }

    let shown: Set<Topic>
    private(set) var felt = FeltRecord()
    /// Playbacks.
    private(set) var ended = 0
    /// When the last end was shown, on CLOCK_MONOTONIC.
    private(set) var lastEnd: Int64 = 0
    private var on: Set<String> = []
    private var start: Int64?

    init(shown: Set<Topic>) { self.shown = shown }

    /// Whether any actuator is on, as far as is known.
    var isOn: Bool { !on.isEmpty }

    /// Takes note of it, and returns it in words.
    mutating func take(_ notice: Notice, now: Int64) -> Line {
        switch notice {
        case .decision(let decision):
            let isFelt = decision.outcome == "played"
            if isFelt { felt.begin(at: MonotonicInstant(nanoseconds: decision.atNs)) }
            let playback = decision.playback.map { " (playback \($0))" } ?? ""
            let what = isFelt ? "felt: \(Words.felt(decision))\(playback)" : Words.whyNotFelt(decision)
            let colour: Console.Colour? = isFelt ? .green : decision.outcome == "failed" ? .red : .dim
            return Line(atNs: decision.atNs, text: "\(Words.input(decision)): \(what)", colour: colour)
        case .playback(let ending):
            ended += 1
            lastEnd = now
            let colour: Console.Colour? = ending.ended == "completed" ? nil : ending.ended == "failed" ? .red : .yellow
            return Line(
                atNs: ending.atNs, text: "playback \(ending.playback): \(Words.ending(ending))", colour: colour,
                isRoutine: ending.ended == "completed" && ending.reason == nil)
        case .actuation(let actuation):
            if actuation.intensity > 0 { on.insert(actuation.actuator) } else { on.remove(actuation.actuator) }
            felt.add(
                actuator: actuation.actuator, intensity: actuation.intensity, at: MonotonicInstant(nanoseconds: actuation.atNs))
            let level =
                actuation.intensity > 0
                ? "on at \(Words.percent(actuation.intensity)), sharpness \(Words.percent(actuation.sharpness))" : "off"
            let late = Words.plain(Double((actuation.atNs - actuation.plannedNs) / 1000) / 1000)
            return Line(atNs: actuation.atNs, text: "\(actuation.actuator): \(level), \(late) ms late", colour: .dim)
        case .actuator(let actuator):
            let state = actuator.available ? "is there" : "has gone\(actuator.error.map { ": \($0)" } ?? "")"
            return Line(atNs: now, text: "actuator \(actuator.actuator) \(state)", colour: actuator.available ? .green : .red)
        case .missed(let missed):
            return Line(atNs: now, text: "\(missed.count) notifications missed: they were not read fast enough", colour: .yellow)
        }
    }

    /// The daemon has gone, and what was on is off: its guard sees to that. Nobody will say so.
    mutating func connectionLost(at now: Int64) {
        for actuator in on.sorted() { felt.add(actuator: actuator, intensity: 0, at: MonotonicInstant(nanoseconds: now)) }
        on.removeAll()
    }

    /// Seconds since the first line, to a millisecond.
    mutating func clock(_ atNs: Int64) -> String {
        let start = start ?? atNs
        self.start = start
        let milliseconds = max(0, atNs - start) / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let text = "\(milliseconds / 1000).\(fraction)s"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
