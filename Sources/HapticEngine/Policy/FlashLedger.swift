// SPDX-License-Identifier: MIT
import HapticCore

/// When lights have begun to flash for the profile `reduced`, and will: all of them together stay within `FlashBound`.
///
/// What is cut counts as far as it was seen; how bright it was is of no account.
struct FlashLedger {
    /// In order of time; what is older than the window does not count.
    private var flashes: [MonotonicInstant] = []
    /// Where those to come are shown.
    private var lights: [ActuatorIndex] = []

    /// Whether `shape`, which begins `wait` after `now`, when it takes `lights` from whatever they show, keeps the bound.
    func admits(
        _ shape: [Nanoseconds], after wait: Nanoseconds = .zero, on lights: [ActuatorIndex], at now: MonotonicInstant
    ) -> Bool {
        keeps(shape.map { now + wait + $0 }, with: left(without: lights, at: now), at: now)
    }

    private func keeps(_ shape: [MonotonicInstant], with left: [MonotonicInstant], at now: MonotonicInstant) -> Bool {
        FlashBound.firstTooMany(in: (left + shape).sorted().map { $0 - now }) == nil
    }

    /// The longest that a shape waits: what other lights show of a built-in one is over before, and so is the second after it.
    static let longestWait = Nanoseconds.seconds(2)
    /// How many instants are looked at before it is given up.
    private static let mostTries = 64

    /// How long `shape`, which `admits` refused, has to wait on `lights`, which it takes at `now`, to keep the bound; nil: for longer than `longestWait`.
    ///
    /// It waits for the past only, so whoever takes its place while it waits does not wait for longer.
    func wait(for shape: [Nanoseconds], on lights: [ActuatorIndex], at now: MonotonicInstant) -> Nanoseconds? {
        let left = left(without: lights, at: now)
        // A flash may come once a second is over after another one.
        let waits = shape.flatMap { flash in left.map { $0 + FlashBound.window - (now + flash) } }
        let possible = Set(waits.filter { $0 > .zero && $0 <= Self.longestWait }).sorted()
        return possible.prefix(Self.mostTries).first { wait in
            keeps(shape.map { now + wait + $0 }, with: left, at: now)
        }
    }

    /// Counts a shape that begins `wait` after `now`, when it takes the lights.
    mutating func record(
        _ shape: [Nanoseconds], after wait: Nanoseconds = .zero, on lights: [ActuatorIndex], at now: MonotonicInstant
    ) {
        let left = left(without: lights, at: now)
        self.lights = (left.contains { $0 >= now } ? self.lights : []) + lights
        flashes = (left + shape.map { now + wait + $0 }).sorted()
    }

    /// Those that still count. Those to come do not once all of their lights are taken from them.
    private func left(without taken: [ActuatorIndex], at now: MonotonicInstant) -> [MonotonicInstant] {
        let areCut = lights.allSatisfy(taken.contains)
        let forgets = Canary.is("past-flashes-forgotten")
        return flashes.filter { $0 < now ? !forgets && now - $0 < FlashBound.window : !areCut }
    }
}
