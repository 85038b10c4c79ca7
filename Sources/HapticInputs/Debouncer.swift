// SPDX-License-Identifier: MIT
public import HapticCore

/// What a hand did to a key or a button.
public struct SwitchChange: Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        case edge
        /// The level was read, because edges may have been missed.
        case resync
        /// The device has gone.
        case lost
    }

    public var isDown: Bool
    /// The kernel's instant of the edge; of a level that differed at the end of the closed time, that end.
    public var at: MonotonicInstant
    public var cause: Cause

    public init(isDown: Bool, at: MonotonicInstant, cause: Cause) {
        self.isDown = isDown
        self.at = at
        self.cause = cause
    }
}

/// A switch that bounces, as the hand means it. It begins up. A button that is down when it is found (`find`) is not pressed until it has
/// been up, so one that is stuck never counts. For a switch whose found level counts, being found on is a change.
///
/// The first edge counts at once. Then the input is closed for a time, at the end of which the level last seen is compared; where that
/// differs it counts as an edge at that instant, and closes the input again. So changes are at least the closed time apart, but for the
/// one that a lost device makes. Pure, and of one size whatever comes.
public struct Debouncer: Hashable, Sendable {
    /// For how long it is closed after a change; 0: never.
    public let closedTime: Nanoseconds
    /// Whether being found down is a change.
    public let countsFoundLevel: Bool
    /// As the last change said.
    public var isDown: Bool { settled && !isFound }
    /// The level that counts.
    private var settled = false
    /// It is down since it was found. Nobody has pressed it, so letting go of it is no change.
    private var isFound = false
    /// As last seen, and by what.
    private var level = false
    private var levelCause = SwitchChange.Cause.edge
    private var closedUntil = MonotonicInstant.distantPast
    /// No later change is before this.
    private var latest = MonotonicInstant.distantPast
    /// What happened before this is known: the level was read then.
    private var knownUntil = MonotonicInstant.distantPast

    public init(closedTime: Nanoseconds, countsFoundLevel: Bool = false) {
        (self.closedTime, self.countsFoundLevel) = (closedTime, countsFoundLevel)
    }

    /// When `advance` has something; `distantFuture` where nothing comes by itself.
    public var nextDeadline: MonotonicInstant { level == settled ? .distantFuture : closedUntil }

    /// Its device is there, and this is the level that was read at `instant`.
    public mutating func find(_ isDown: Bool, at instant: MonotonicInstant) -> [SwitchChange] {
        (knownUntil, latest) = (max(knownUntil, instant), max(latest, instant))
        closedUntil = .distantPast
        guard countsFoundLevel else {
            (level, settled, isFound) = (isDown, isDown, isDown)
            return []
        }
        (level, levelCause, settled) = (isDown, .resync, false)
        return isDown ? count(at: latest) : []
    }

    /// The switch went to a level at `instant`, or was seen there. One that goes back in time counts as at the last one.
    public mutating func edge(_ isDown: Bool, at instant: MonotonicInstant) -> [SwitchChange] {
        guard instant >= knownUntil else { return [] }
        return see(isDown, at: instant, .edge)
    }

    /// Edges may have been missed, and this is the level that was read at `instant`.
    public mutating func resync(_ isDown: Bool, at instant: MonotonicInstant) -> [SwitchChange] {
        knownUntil = max(knownUntil, instant)
        return see(isDown, at: instant, .resync)
    }

    /// The device has gone, so the hand lets go: at once, also where the input is closed.
    public mutating func lost(at instant: MonotonicInstant) -> [SwitchChange] {
        var changes = advance(to: instant)
        (level, levelCause) = (false, .lost)
        if settled { changes += count(at: max(instant, latest)) }
        return changes
    }

    /// All edges before `now` have been seen.
    public mutating func advance(to now: MonotonicInstant) -> [SwitchChange] {
        nextDeadline <= now ? count(at: closedUntil) : []
    }

    private mutating func see(_ isDown: Bool, at instant: MonotonicInstant, _ cause: SwitchChange.Cause) -> [SwitchChange] {
        let instant = max(instant, latest)
        var changes = advance(to: instant)
        latest = instant
        if isDown != level { (level, levelCause) = (isDown, cause) }
        if level != settled, instant >= closedUntil { changes += count(at: instant) }
        return changes
    }

    /// The level last seen counts.
    private mutating func count(at instant: MonotonicInstant) -> [SwitchChange] {
        settled = level
        latest = max(latest, instant)
        closedUntil = instant + closedTime
        guard !isFound else {
            isFound = false
            return []
        }
        return [SwitchChange(isDown: settled, at: instant, cause: levelCause)]
    }
}
