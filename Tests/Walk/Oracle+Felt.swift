// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What was felt, held against what was to be felt.
extension Oracle {
    mutating func judgeSilence(of actuator: Int) {
        let motor = motors[actuator]
        guard now - 1 > motor.ownedSince + motor.jitter else { return }
        for _ in 0..<2 {
            let instant = Int64.random(
                in: motor.ownedSince + motor.jitter...now - 1, using: &random)
            guard motor.level(at: instant) != 0, !motor.isDisturbed(motor.ownedSince - 300_000_000, instant) else { continue }
            fail("motor \(actuator) was on at \(instant), with nothing playing")
        }
    }

    /// Compares what the motor did with what was to be felt, at some instants.
    mutating func judge(_ id: UInt64, on actuator: Int, until end: Int64, _ ending: PlaybackEnd? = nil) {
        guard let playback = live[id], playback.isSure, let part = playback.parts.first(where: { $0.motor == actuator }),
            end > playback.since(part)
        else { return }
        let (motor, since) = (motors[actuator], playback.since(part))
        var instants = part.expectation.changes(samples, using: &random).map { playback.start + $0 + tolerance(motor, part) }
        for _ in 0..<samples { instants.append(Int64.random(in: since..<end, using: &random)) }
        // What is sent is not what is meant to be felt where it is fitted; what must not be sent is judged as it changes.
        if motor.limits.model != nil {
            instants = []
            seen.note(.fitted)
        }
        var isJudged = false
        for instant in instants where instant >= since + motor.jitter && instant < end {
            guard !motor.isDisturbed(since, instant) else { continue }
            if part.transitions.contains(where: { $0.from <= instant && instant < $0.to + motor.jitter }) { continue }
            seen.note(.judged)
            isJudged = true
            judge(playback, part, id, motor, at: instant)
            judgePower(playback, part, id, at: instant)
        }
        if isJudged { noteKind(of: part) }
        let isWhole = ending?.ending == .completed && !motor.isDisturbed(playback.start, end) && part.resumedAt == nil
        // The last one may still be on its way where the executor is late.
        if isWhole, motor.jitter == 0, let pulses = playback.pulses {
            let felt = motor.rises(from: playback.start, to: end)
            // The pulse that it took over began before it.
            let isRight = felt == pulses || (!part.transitions.isEmpty && felt + 1 == pulses)
            require(isRight, "playback \(id) had \(felt) pulses, and was to have \(pulses)")
        }
    }

    private mutating func noteKind(of part: Part) {
        let expectation = part.expectation
        if expectation.isOpen { seen.note(.openPhase) }
        if expectation.delay > 0 { seen.note(.staggered) }
        if expectation.fade != nil { seen.note(.handOver) }
        if let name = expectation.stretches.first?.shape.name {
            if name.hasPrefix("composed") { seen.note(.composed) }
            if name.hasPrefix("dense") { seen.note(.dense) }
        }
    }

    private func isFading(_ playback: Live, _ motor: Motor, at instant: Int64) -> Bool {
        playback.cancels.contains { $0 <= instant && instant <= $0 + Self.longestFade + motor.jitter }
    }

    /// How late what is to be felt may show: what was rendered, and the motor's shortest interval.
    private func tolerance(_ motor: Motor, _ part: Part) -> Int64 {
        2 * motor.limits.interval + motor.jitter + 1 + (part.expectation.glides ? 5_000_000 : 0)
    }

    private mutating func judge(_ playback: Live, _ part: Part, _ id: UInt64, _ motor: Motor, at instant: Int64) {
        let offset = instant - playback.start
        let tolerance = tolerance(motor, part)
        var (low, high) = part.expectation.range(offset - tolerance, offset)
        if isFading(playback, motor, at: instant) {
            high = max(high, part.expectation.range(offset - tolerance - Self.longestFade, offset).high)
            // What rises does so for a moment more.
            if part.expectation.mayGlide { high = min(1, high + 0.1) }
            low = 0
        }
        (low, high) = (motor.fitted(low), motor.fitted(high))
        let level = motor.level(at: instant)
        if motor.limits.thermal != nil {
            if motor.isHeatDisturbed(instant) { return }
            let strengths = motor.strengths(at: instant)
            if motor.limits.variesIntensity {
                // What goes on from a glide is known by its end.
                if motor.lastRise(before: instant) < instant - 30_000_000 - tolerance { high *= strengths.most }
                low *= strengths.least
            }
            if strengths.mayBeCut { low = 0 }
        }
        // A share of the strength that is lost where it is halved is no matter.
        if level > high + 1e-6 {
            return fail("motor \(part.motor) is at \(level), playback \(id) at most \(high), \(offset) ns after its start")
        }
        // The rest of an impact is left out.
        let isRest = part.resumedAt.map { instant <= $0 + Self.longestImpact + tolerance } ?? false
        if isRest, part.expectation.end <= Self.longestImpact { return }
        guard level < low - 1e-6, level > 0 || !isExcused(playback, part, motor, at: instant, tolerance) else { return }
        fail("motor \(part.motor) is at \(level), playback \(id) at least \(low), \(offset) ns after its start")
    }

    /// Both sides of a hand-over are together as strong as the pattern says, as long as it takes: their squares add up.
    private mutating func judgePower(_ playback: Live, _ part: Part, _ id: UInt64, at instant: Int64) {
        guard let fade = part.expectation.fade, fade.takes, playback.cancels.isEmpty, part.expectation.shortenedAt == 0,
            let giver = playback.parts.first(where: { $0.expectation.fade?.takes == false }), giver.transitions.isEmpty,
            part.transitions.isEmpty
        else { return }
        let (takes, gives) = (motors[part.motor], motors[giver.motor])
        let offset = instant - playback.start
        let late = max(tolerance(takes, part), tolerance(gives, giver))
        // Both move a little until both show it.
        let doubt = 2 * Double(late) / Double(fade.length) + 0.01
        guard takes.limits.isFree, gives.limits.isFree, offset < fade.length, doubt < 0.2,
            !gives.isDisturbed(playback.start, instant)
        else { return }
        seen.note(.constantPower)
        let (a, b) = (takes.level(at: instant), gives.level(at: instant))
        let (low, high) = part.expectation.wholeRange(offset - late, offset)
        let power = (a * a + b * b).squareRoot()
        require(
            power >= low - doubt && power <= high + doubt,
            "playback \(id) is handed over with \(b) and \(a), and is to be \(low) to \(high), \(offset) ns after its start")
    }

    /// Whether the motor's limits keep it off at `instant`.
    private func isExcused(_ playback: Live, _ part: Part, _ motor: Motor, at instant: Int64, _ tolerance: Int64) -> Bool {
        // It may never have been on before.
        let lastOff = motor.lastOff(before: instant).flatMap { $0 > .min ? $0 : nil }
        if let lastOff, instant - lastOff <= motor.limits.minGap + tolerance { return true }
        let threshold = motor.limits.variesIntensity ? 1e-9 : 0.25
        let stretch = playback.start + part.expectation.lastBelow(threshold, upTo: instant - playback.start)
        if motor.cutByMaxOn(from: stretch - tolerance, to: instant) { return true }
        guard motor.limits.duty < 1 else { return false }
        if motor.isDisturbed(stretch - 11_000_000_000, instant) { return true }
        // The engine counts in tenths of a second, and begins nothing for less than a millisecond.
        let limit = Int64(10e9 * motor.limits.duty) - 102_000_000 - tolerance
        let attempts = [stretch, instant, lastOff ?? instant, (lastOff ?? instant) + motor.limits.minGap].filter { $0 <= instant }
        return attempts.contains { motor.onTime(until: $0).on >= limit }
    }
}
