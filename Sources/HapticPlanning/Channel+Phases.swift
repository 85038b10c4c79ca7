// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticPatterns

/// Open phases that end before their time.
extension Channel {
    /// The number of the open phase that ends with what it lasts `until`: that at `now`, or else the next one that waits for it.
    package func phase(endedBy until: Pattern.Phase.Until, at now: MonotonicInstant) -> Int? {
        planned.course?.phase(endedBy: until, at: now)
    }

    /// Ends the open phases up to `number` that last `until` this. The present one ends at once, and what follows begins; where that is
    /// nothing what is felt fades out. One to come is left out, and nothing before it changes.
    package mutating func advance(
        past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant, into orders: inout some OrderSink
    ) {
        guard let before = planned.course else { return }
        switch before.shortened(past: until, through: number, at: now) {
        case nil: break
        case .now(let remainder) where remainder.frameCount == 0: fade(at: now, into: &orders)
        case .now(let remainder):
            let entry = before.entry(at: now)
            let motion = interrupt(forGlide: entry.glides && remainder.opening != nil, at: now, into: &orders)
            planned.course = Course(remainder, entry, at: now, after: motion)
        case .later(let plan, let index, let offset):
            let opening = before.start + offset
            takeBack(from: opening, into: &orders)
            planned.course?.replacePlan(with: plan, from: index, at: opening)
            // Where nothing is left to play, it ends now at the earliest.
            planned.lastRequest = max(planned.lastRequest, now)
        }
    }
}
