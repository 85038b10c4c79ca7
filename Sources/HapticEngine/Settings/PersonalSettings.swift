// SPDX-License-Identifier: MIT
import HapticCore

/// What people have set, and what else there is to know to go by it.
struct PersonalSettings {
    private(set) var settings: SettingsInForce
    /// Of what people have set: whoever has seen another one looks at it again.
    private(set) var generation: UInt64 = 0
    private var clock: ClockReading?
    private var repetitions = RepetitionTable()
    private var countsRepetitions = false
    /// What a decision has of `off`, and of each of the quiet hours, that silences it: made once, for refusing shall cost little.
    private(set) var offNote: [AppliedSetting] = []
    private(set) var quietNotes: [[AppliedSetting]] = []

    init(configured: Settings) {
        settings = SettingsInForce(over: configured)
        noteQuietHours()
    }

    private mutating func noteOff() { offNote = settings.off.map { [AppliedSetting(.off($0), by: .settings)] } ?? [] }

    private mutating func noteQuietHours() {
        let layer = settings.quietHoursLayer
        quietNotes = settings.quietHours.map { [AppliedSetting(.quietHours($0, exception: nil), by: layer)] }
        countsRepetitions = settings.quietHours.contains(where: \.except.repeated)
        if !countsRepetitions { repetitions = RepetitionTable() }
    }

    // MARK: Changing

    /// People have set something.
    mutating func take(_ change: SettingsChange, at now: MonotonicInstant) throws(Settings.TooManyApps) {
        try settings.take(change)
        generation += 1
        noteOff()
        endOff(by: now)
        if change.quietHours != nil { noteQuietHours() }
    }

    /// What they had set when the daemon last ran.
    mutating func restore(_ stored: Settings, at now: MonotonicInstant) {
        settings.choose(stored)
        noteOff()
        endOff(by: now)
        noteQuietHours()
    }

    mutating func configure(_ configured: Settings) {
        settings.configure(configured)
        noteQuietHours()
    }

    // MARK: Time

    /// When `off` ends by itself.
    var offEnd: MonotonicInstant {
        guard case .until(let end) = settings.off else { return .distantFuture }
        return end
    }

    /// Feedback is on again where it was off until now.
    mutating func endOff(by now: MonotonicInstant) {
        guard now >= offEnd else { return }
        settings.endOff()
        offNote = []
        generation += 1
    }

    mutating func setClock(to time: LocalTime, at now: MonotonicInstant) { clock = ClockReading(time: time, at: now) }

    /// The machine slept for `time` just before `now`, which CLOCK_MONOTONIC has not counted.
    mutating func pass(_ time: Nanoseconds, before now: MonotonicInstant) {
        clock = clock?.later(by: time, at: now)
        settings.pass(time)
        noteOff()
        endOff(by: now)
        repetitions.age(by: time, at: now)
    }

    /// The time on the wall; nil where nobody has said what time it is.
    func localTime(at now: MonotonicInstant) -> LocalTime? { clock?.time(at: now) }

    /// The same; nil where no hours are quiet, too.
    func quietTime(at now: MonotonicInstant) -> LocalTime? { settings.quietHours.isEmpty ? nil : localTime(at: now) }

    /// When quiet hours may begin or end next, as long as nobody sets the clocks; `distantFuture` where there are none.
    func quietTurn(after now: MonotonicInstant) -> MonotonicInstant {
        guard let clock, let left = settings.timeToQuietTurn(after: clock.time(at: now)) else { return .distantFuture }
        // A clock shows whole seconds.
        return now + left - Nanoseconds((now - clock.at).count % 1_000_000_000)
    }

    /// What `isRepeated` costs.
    var repetitionCost: Int { countsRepetitions ? repetitions.cost : 0 }

    /// Whether `candidate` is an event that was there shortly before; from now on it was.
    mutating func isRepeated(_ candidate: Candidate, at now: MonotonicInstant) -> Bool {
        guard countsRepetitions, let event = RepeatedEvent(candidate) else { return false }
        return repetitions.note(event, at: now)
    }
}

/// What the clocks on the wall showed at an instant.
private struct ClockReading {
    let time: LocalTime
    let at: MonotonicInstant

    func time(at now: MonotonicInstant) -> LocalTime { time.later(by: now - at) }

    /// The same clocks, when the machine slept for `time` just before `now`, which CLOCK_MONOTONIC has not counted.
    func later(by time: Nanoseconds, at now: MonotonicInstant) -> ClockReading {
        ClockReading(time: self.time.later(by: now - at + time), at: now)
    }
}
