// SPDX-License-Identifier: MIT

/// How often a light may flash: W3C's WCAG 2.3.1, three flashes in any second, below which nobody is known to be harmed.
///
/// It counts more than WCAG does: each time that a light gets brighter again after it was darker, however little.
public enum FlashBound {
    public static let most = 3
    public static let window = Nanoseconds.seconds(1)

    /// The index of the first of `flashes`, which are in order of time, that is one too many in a second; nil: none is.
    public static func firstTooMany(in flashes: [Nanoseconds]) -> Int? {
        flashes.indices.dropFirst(most).first { flashes[$0] - flashes[$0 - most] < window }
    }
}

extension Timeline {
    /// When a flash of a light that shows it begins, from the start, in order.
    public var flashes: [Nanoseconds] {
        var flashes: [Nanoseconds] = []
        var (last, rises) = (Intensity.zero, false)
        for frame in frames {
            let intensity = frame.level.intensity
            if intensity > last, !rises { flashes.append(frame.offset) }
            // Only the sharpness changes, which is not seen.
            if intensity != last { rises = intensity > last }
            last = intensity
        }
        return flashes
    }
}
