// SPDX-License-Identifier: MIT
private import Glibc
package import HapticCore

/// How one actuator takes part in a playback.
package struct Entry {
    /// From the start of the playback to its own.
    package var delay: Nanoseconds
    package var crossFade: CrossFade?
    /// It may go on from what was felt before; else it cuts that. What a spring adds to a light could be a flash that nobody has counted.
    package var glides: Bool

    package init(delay: Nanoseconds = .zero, crossFade: CrossFade? = nil, glides: Bool = true) {
        (self.delay, self.crossFade, self.glides) = (delay, crossFade, glides)
    }
}

/// One side of a hand-over: constant power, so that together they are felt as strongly all the time. The shares are the cosine and the
/// sine of an angle that goes from 0 to a right one; their squares add up to 1.
package struct CrossFade {
    /// It is handed to; else it hands over, and is off from the end on.
    package let takes: Bool
    let duration: Nanoseconds
    /// So much of it was over before what plays now began.
    private(set) var over = Nanoseconds.zero

    package init(takes: Bool, duration: Nanoseconds) { (self.takes, self.duration) = (takes, duration) }

    var left: Nanoseconds { duration - over }

    /// `elapsed` after the start: it has handed over what plays, and gets no more of it.
    func hasHandedOver(after elapsed: Nanoseconds) -> Bool { !takes && elapsed >= left }

    /// The same for what begins `elapsed` after the start, before its end.
    func advanced(by elapsed: Nanoseconds) -> CrossFade {
        var remainder = self
        remainder.over = over + elapsed
        return remainder
    }

    /// Of the level, `elapsed` after the start, and how fast that changes per second.
    func share(after elapsed: Nanoseconds) -> (value: Double, rate: Double) {
        let elapsed = over + elapsed
        guard elapsed < duration else { return (takes ? 1 : 0, 0) }
        let speed = Double.pi / 2 / duration.inSeconds
        let angle = max(0, elapsed.inSeconds) * speed
        return takes ? (sin(angle), speed * cos(angle)) : (cos(angle), -speed * sin(angle))
    }
}
