// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// What people have set, as it is stored: `off` ends by the clock on the wall, for it outlasts the end of the daemon.
public struct StoredSettings: Hashable, Sendable {
    public enum Off: Hashable, Sendable {
        case forGood
        case until(WallTime)
    }

    /// Without `off`.
    public private(set) var settings: Settings
    public private(set) var off: Off?
    /// When these were stored; nil: nobody says.
    public private(set) var written: WallTime?

    init(_ settings: Settings = Settings(), off: Off? = nil, written: WallTime? = nil) {
        self.settings = settings
        self.settings.off = nil
        self.off = off
        self.written = written
    }

    /// `settings` at `now`, when the clock on the wall shows `wall`.
    public init(_ settings: Settings, at now: MonotonicInstant, wall: WallTime) {
        let off: Off? =
            switch settings.off {
            case nil: nil
            case .forGood: .forGood
            case .until(let end): end > now ? .until(wall + min(end - now, Settings.Limit.off)) : nil
            }
        self.init(settings, off: off, written: wall)
    }

    /// The same, where the clock on the wall shows `wall` at `now`. `off` ends when the wall's clock says so, but never later than
    /// what was left of it when it was stored. Where that clock was or is clearly wrong, nobody knows how much of that has passed, so
    /// all of it counts: a wrong clock can neither undo `off` nor have it last for longer than it was meant to from now on.
    public func settings(at now: MonotonicInstant, wall: WallTime) -> Settings {
        var settings = settings
        switch off {
        case nil: break
        case .forGood: settings.off = .forGood
        case .until(let end): settings.off = left(until: end, wall).map { .until(now + $0) }
        }
        return settings
    }

    /// Nil: it is over.
    private func left(until end: WallTime, _ wall: WallTime) -> Nanoseconds? {
        var start = wall
        if let written, written < .first || wall < written { start = written }
        let seconds = min(end.seconds - start.seconds, Settings.Limit.off.count / 1_000_000_000)
        return seconds > 0 ? .seconds(seconds) : nil
    }
}
