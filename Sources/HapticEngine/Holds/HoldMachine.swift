// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// One press and hold: up → pressed → charging → confirmed, and from a charge that is released → falling → up.
///
/// Pure. What is due by itself comes out of `next`, one after the other.
struct HoldMachine: Hashable, Sendable {
    /// Something that comes by itself, and when it was to come.
    struct Due: Hashable, Sendable {
        let what: Happening
        let at: MonotonicInstant
    }

    /// What comes of a hold by itself.
    enum Happening: Hashable, Sendable {
        /// The press has lasted its time: the charge begins, or goes on where it was picked up again.
        case began(Progress)
        case step(Progress)
        case confirmed
        /// It was released before that, and has fallen back to 0.
        case released
    }

    private enum Phase: Hashable, Sendable {
        case up
        case pressed(since: MonotonicInstant)
        case charging(Charge)
        case confirmed
        case falling(since: MonotonicInstant, from: Progress)
    }

    fileprivate struct Charge: Hashable, Sendable {
        let start: MonotonicInstant
        /// The tick of the curve, or a share of one, at which it began.
        let origin: Double
        /// How many of its ticks have been looked at.
        var ticks = 0
    }

    private var phase = Phase.up
    private var gate = GateState()
    /// What was due before the hand did something else, or is due because it did.
    private var pending: Due?
    /// When `next` has something; `distantFuture` where nothing comes by itself.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    var isDown: Bool {
        switch phase {
        case .pressed, .charging, .confirmed: true
        case .up, .falling: false
        }
    }

    /// It has begun, and who follows it does not yet know how it ends.
    var isShown: Bool {
        switch phase {
        case .charging, .falling: true
        case .up, .pressed, .confirmed: pending != nil
        }
    }

    /// There is nothing to remember.
    var isOver: Bool { phase == .up && pending == nil }

    /// Presses it at `instant`. It is up.
    mutating func press(at instant: MonotonicInstant, _ shape: HoldShape) {
        if case .falling = phase, value(at: instant, shape) > .zero {
            // The press was recognised when the charge began.
            let value = value(at: instant, shape)
            phase = .charging(Charge(start: instant, origin: shape.tick(at: value)))
            // What it has fallen by can be felt again.
            _ = gate.update(to: value, at: instant, shape.gate)
            pending = Due(what: .began(value), at: instant)
        } else {
            if case .falling = phase { pending = Due(what: .released, at: min(nextDeadline, instant)) }
            phase = .pressed(since: instant)
        }
        updateDeadline(shape)
    }

    /// Releases it at `instant`. It is down.
    ///
    /// `isDated`: the release happened at `instant`. Otherwise only its latest possible time is known, and it prevents any confirmation
    /// that is still pending.
    mutating func release(at instant: MonotonicInstant, isDated: Bool = true, _ shape: HoldShape) {
        // It was pressed again and released before `next` was called: nobody has to know.
        if case .began = pending?.what { pending = nil }
        switch phase {
        case .charging(let charge):
            let confirmation = shape.confirmation(of: charge)
            // By then it was confirmed, and nobody has looked.
            if isDated, instant >= confirmation {
                pending = Due(what: .confirmed, at: confirmation)
                phase = .up
            } else {
                let instant = min(instant, confirmation - Nanoseconds(1))
                phase = .falling(since: instant, from: value(at: instant, shape))
            }
        case .up, .pressed, .confirmed, .falling: phase = .up
        }
        updateDeadline(shape)
    }

    /// Another shape is in force from `now` on. How far it has come stays; from there on it goes by the new one.
    ///
    /// A press is measured from its beginning, but its charge does not begin before `now`: what nobody has felt is not confirmed.
    /// `isWaiting`: the hand may have done something by `now` that is not known yet.
    mutating func reshape(from old: HoldShape, to new: HoldShape, at now: MonotonicInstant, isWaiting: Bool = false) {
        guard old != new else { return }
        switch phase {
        case .up, .confirmed: break
        case .pressed(let start): phase = .pressed(since: max(start, now - new.press))
        case .charging(let charge) where !isWaiting && now >= old.confirmation(of: charge):
            pending = Due(what: .confirmed, at: old.confirmation(of: charge))
            phase = .confirmed
        case .charging: phase = .charging(Charge(start: now, origin: new.tick(at: value(at: now, old))))
        case .falling: phase = .falling(since: now, from: value(at: now, old))
        }
        updateDeadline(new)
    }

    /// What has come by `now`, one after the other; nil: nothing more has.
    mutating func next(by now: MonotonicInstant, _ shape: HoldShape) -> Due? {
        // Of steps that were missed this is the first.
        var at = nextDeadline
        guard at <= now else { return nil }
        if pending == nil, case .charging(let charge) = phase, shape.confirmation(of: charge) <= now {
            at = shape.confirmation(of: charge)
        }
        let happening = take(by: now, shape)
        updateDeadline(shape)
        return happening.map { Due(what: $0, at: at) }
    }

    /// When it is confirmed if the hand does nothing more; `distantFuture` if it is not.
    func confirmation(_ shape: HoldShape) -> MonotonicInstant {
        switch phase {
        case .pressed(let start): shape.confirmation(of: Charge(start: start + shape.press, origin: 0))
        case .charging(let charge): shape.confirmation(of: charge)
        case .up, .confirmed, .falling: .distantFuture
        }
    }

    /// How far it is at `now`.
    func value(at now: MonotonicInstant, _ shape: HoldShape) -> Progress {
        switch phase {
        case .up, .pressed: .zero
        case .confirmed: .one
        case .charging(let charge): shape.value(of: charge, after: shape.ticks(of: charge, by: now))
        case .falling(let start, let value):
            shape.fall > .zero
                ? Progress(clamping: value.value - Double((now - start).count) / Double(shape.fall.count)) : .zero
        }
    }

    private mutating func take(by now: MonotonicInstant, _ shape: HoldShape) -> Happening? {
        if let pending {
            self.pending = nil
            switch pending.what {
            case .began, .step: break
            case .confirmed, .released: gate = GateState()
            }
            return pending.what
        }
        switch phase {
        case .up, .confirmed: return nil
        case .pressed(let start):
            phase = .charging(Charge(start: start + shape.press, origin: 0))
            gate = GateState()
            return .began(.zero)
        case .charging(var charge):
            if now >= shape.confirmation(of: charge) {
                phase = .confirmed
                return .confirmed
            }
            // Whoever looks late sees one step, and not all of those that it has missed.
            charge.ticks = shape.ticks(of: charge, by: now)
            phase = .charging(charge)
            let value = shape.value(of: charge, after: charge.ticks)
            return gate.update(to: value, at: now, shape.gate) == .fires ? .step(value) : nil
        case .falling:
            phase = .up
            gate = GateState()
            return .released
        }
    }

    private mutating func updateDeadline(_ shape: HoldShape) {
        if let pending {
            nextDeadline = pending.at
            return
        }
        nextDeadline =
            switch phase {
            case .up, .confirmed: .distantFuture
            case .pressed(let start): start + shape.press
            case .charging(let charge): nextStep(of: charge, shape)
            case .falling(let start, let value): start + shape.fall.scaled(by: value.value)
            }
    }

    /// When the next step of a charge is felt: at most `tickCount` looks at the curve.
    private func nextStep(of charge: Charge, _ shape: HoldShape) -> MonotonicInstant {
        var gate = gate
        for tick in charge.ticks..<shape.tickCount(of: charge) where tick > charge.ticks {
            let instant = charge.start + shape.offset(ofTick: tick)
            if gate.update(to: shape.value(of: charge, after: tick), at: instant, shape.gate) == .fires { return instant }
        }
        return shape.confirmation(of: charge)
    }
}

extension HoldShape {
    /// Ticks from the beginning of `charge` to its end.
    // trap: an origin is 0…`tickCount`.
    fileprivate func tickCount(of charge: HoldMachine.Charge) -> Int { max(1, Int(ceil(Double(Self.tickCount) - charge.origin))) }

    fileprivate func confirmation(of charge: HoldMachine.Charge) -> MonotonicInstant {
        charge.start + offset(ofTick: tickCount(of: charge))
    }

    fileprivate func value(of charge: HoldMachine.Charge, after ticks: Int) -> Progress {
        value(atTick: charge.origin + Double(ticks))
    }

    /// How many ticks of `charge` have come by `now`.
    fileprivate func ticks(of charge: HoldMachine.Charge, by now: MonotonicInstant) -> Int {
        let elapsed = now - charge.start
        guard elapsed > .zero else { return 0 }
        // One less than rounding may say, and then the one that has come for sure.
        // trap: a duration is `tickCount` ns at least, so they are no more than ns have gone by.
        let ticks = max(0, Int(Double(elapsed.count) / Double(duration.count) * Double(Self.tickCount)) - 1)
        var found = min(ticks, tickCount(of: charge))
        while found < tickCount(of: charge), offset(ofTick: found + 1) <= elapsed { found += 1 }
        return found
    }
}
