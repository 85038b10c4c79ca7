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

    /// Whether `shape`, which begins at `now` and takes `lights` from whatever they show, keeps the bound.
    func admits(_ shape: [Nanoseconds], on lights: [ActuatorIndex], at now: MonotonicInstant) -> Bool {
        let all = (left(without: lights, at: now) + shape.map { now + $0 }).sorted()
        return FlashBound.firstTooMany(in: all.map { $0 - now }) == nil
    }

    /// Counts a shape that `admits` allowed.
    mutating func record(_ shape: [Nanoseconds], on lights: [ActuatorIndex], at now: MonotonicInstant) {
        let left = left(without: lights, at: now)
        self.lights = (left.contains { $0 >= now } ? self.lights : []) + lights
        flashes = (left + shape.map { now + $0 }).sorted()
    }

    /// Those that still count. Those to come do not once all of their lights are taken from them.
    private func left(without taken: [ActuatorIndex], at now: MonotonicInstant) -> [MonotonicInstant] {
        let areCut = lights.allSatisfy(taken.contains)
        return flashes.filter { $0 < now ? now - $0 < FlashBound.window : !areCut }
    }
}
