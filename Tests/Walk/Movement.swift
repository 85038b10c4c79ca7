// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// A pattern of phases one after another, some of which last until something ends them.
struct Movement: Sendable {
    enum Until: Sendable {
        case released, advanced
    }

    struct Phase: Sendable {
        let shape: Shape
        /// Nil: it is played once.
        var until: Until?
        /// An open one ends after this at the latest; nanoseconds.
        var upTo: Int64 = 0

        /// From one round to the next: a millisecond at least for each level of it.
        var period: Int64 {
            let values = shape.points.map(\.value)
            let changes = zip(values, values.dropFirst()).count { $0 != $1 } + (values[0] > 0 ? 1 : 0)
            return max(shape.length, 1_000_000 * Int64(changes))
        }

        /// Whether that can be said of it: of what glides quickly only rendering knows how many levels it comes to.
        static func isUsable(_ shape: Shape) -> Bool {
            shape.length <= 3_000_000_000 && (!shape.glides || shape.length >= 1_000_000 * Int64(shape.points.count + 1))
        }
    }

    let name: String
    let phases: [Phase]

    var peak: Double { phases.reduce(0) { max($0, $1.shape.peak) } }

    var pattern: Pattern {
        let phases = phases.map { phase in
            let until: Pattern.Phase.Until =
                switch phase.until {
                case nil: .end
                case .released: .released
                case .advanced: .advanced
                }
            return Pattern.Phase(
                phase.shape.pattern, until: until,
                upTo: phase.until == nil ? Pattern.Phase.defaultUpTo : Nanoseconds(phase.upTo))
        }
        return try! Pattern(name: name, phases: phases)
    }

    /// At least one phase is open.
    static func random(_ name: String, of shapes: [Shape], using random: inout some RandomNumberGenerator) -> Movement {
        let count = Int.random(in: 1...4, using: &random)
        let open = Int.random(in: 0..<count, using: &random)
        let phases = (0..<count).map { index in
            var phase = Phase(shape: shapes.randomElement(using: &random)!)
            let isOpen = Bool.random(using: &random) || index == open
            guard isOpen else { return phase }
            phase.until = Bool.random(using: &random) ? .released : .advanced
            let longest = [5, 300, 4000, 30_000].randomElement(using: &random)! * 1_000_000 as Int64
            phase.upTo = Int64.random(in: 1...longest, using: &random)
            return phase
        }
        return Movement(name: name, phases: phases)
    }
}

/// Phases that end before their time.
extension Expectation {
    /// The number of the open phase that ends with what it lasts `until`: that at `offset`, or else the next one that waits for it.
    func phase(endedBy until: Movement.Until, at offset: Int64) -> Int? {
        guard let present = presentStretch(at: offset), !isHandedOver(at: offset) else { return nil }
        return stretches[present...].first { $0.until == until }?.number
    }

    enum Shortened {
        case nothing
        /// It was to begin later, and is left out.
        case skipped
        /// It has ended, and the next one begins.
        case entered
        /// It has ended, and nothing follows.
        case over
    }

    /// Leaves out the open phases up to `number` that last `until` this, as far as they are not over at `offset`.
    mutating func end(_ until: Movement.Until, through number: Int, at offset: Int64) -> Shortened {
        guard let present = presentStretch(at: offset), !isHandedOver(at: offset) else { return .nothing }
        let ends = { (stretch: Stretch) in stretch.until == until && stretch.number <= number }
        guard let first = stretches[present...].firstIndex(where: ends) else { return .nothing }
        var rest = stretches[first...].filter { !ends($0) }
        let isPresent = first == present && delay + stretches[first].at <= offset
        var start = isPresent ? offset - delay : stretches[first].at
        var past = Array(stretches[..<first])
        // What has been felt of it. There is always one stretch, and it may be empty.
        var cut = stretches[first]
        (cut.length, cut.until) = (start - cut.at, nil)
        if cut.length > 0 || past.isEmpty && rest.isEmpty { past.append(cut) }
        for index in rest.indices {
            rest[index].at = start
            start = rest[index].end
        }
        stretches = past + rest
        shortenedAt = offset
        guard isPresent else { return .skipped }
        isFadingOut = rest.isEmpty
        return rest.isEmpty ? .over : .entered
    }

    private func presentStretch(at offset: Int64) -> Int? { stretches.firstIndex { offset - delay < $0.end && $0.length > 0 } }

    private func isHandedOver(at offset: Int64) -> Bool {
        guard let fade, !fade.takes else { return false }
        return offset >= fade.length
    }
}
