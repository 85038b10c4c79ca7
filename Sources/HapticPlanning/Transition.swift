// SPDX-License-Identifier: MIT
import HapticCore

/// What is left of the motion before, while what is intended goes over to a new curve: a displacement from that, which a spring
/// takes back to nothing. Of intensity and sharpness.
struct Transition {
    /// Where the spring is slower what is left of the displacement is dropped then.
    static let longest = Nanoseconds.seconds(1)
    /// A displacement that stays below this is nothing.
    static let settled = 0.005
    /// Of the motion before no more is taken over, per second: 15 % from one frame to the next, which leaves room for the spring's pull.
    static let fastestBefore = 30.0
    /// Of the new curve no more is made up for, per second: 20 % from one frame to the next.
    static let fastestAfter = 40.0

    let start: MonotonicInstant
    /// From here on there is nothing left of it.
    let end: MonotonicInstant
    private let spring: Spring
    private let intensity: Spring.State
    private let sharpness: Spring.State
    /// The sharpness that it goes over to while the new curve is off.
    let targetSharpness: Double

    /// From `before` to `after` at `now`. `runEnd`: when the run that it goes over to ends; all of it ends there.
    init(from before: Motion, to after: Motion, _ spring: Spring, at now: MonotonicInstant, runEnd: MonotonicInstant) {
        start = now
        self.spring = spring
        intensity = Spring.State(
            displacement: before.level.intensity.value - after.level.intensity.value,
            velocity: Self.clamped(before.intensityRate, Self.fastestBefore)
                - Self.clamped(after.intensityRate, Self.fastestAfter))
        sharpness = Spring.State(
            displacement: before.level.sharpness.value - after.level.sharpness.value,
            velocity: Self.clamped(before.sharpnessRate, Self.fastestBefore)
                - Self.clamped(after.sharpnessRate, Self.fastestAfter))
        targetSharpness = after.level.sharpness.value
        // Later than now in any case: what is on now is given another level at its end.
        end = max(now + Nanoseconds(1), min(now + Self.timeToSettle(spring, intensity), runEnd))
    }

    /// What has to be added to intensity and sharpness at `now`; nothing from `end` on.
    func displacement(at now: MonotonicInstant) -> (intensity: Spring.State, sharpness: Spring.State) {
        guard now < end else { return (.none, .none) }
        let elapsed = now - start
        return (spring.state(after: elapsed, from: intensity), spring.state(after: elapsed, from: sharpness))
    }

    /// In whole frames. The energy of a spring never grows, so what it can still reach is known at any time: a search by halves.
    private static func timeToSettle(_ spring: Spring, _ initial: Spring.State) -> Nanoseconds {
        let omega = 2 * Double.pi / spring.response.inSeconds
        var (low, high) = (0, Int(longest.count / Course.tick.count))
        while low < high {
            let middle = (low + high) / 2
            let state = spring.state(after: Course.tick * middle, from: initial)
            let velocity = state.velocity / omega
            let isSettled = state.displacement * state.displacement + velocity * velocity < settled * settled
            if isSettled { high = middle } else { low = middle + 1 }
        }
        return Course.tick * low
    }

    private static func clamped(_ rate: Double, _ most: Double) -> Double { min(max(rate, -most), most) }
}

extension Spring.State {
    fileprivate static let none = Spring.State(displacement: 0, velocity: 0)
}
