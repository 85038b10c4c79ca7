// SPDX-License-Identifier: MIT
public import HapticCore

/// The intended curve of a pattern as straight lines from point to point: what other formats can hold of it.
public struct LevelLine: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
        public var at: Nanoseconds
        public var level: Level
    }

    /// Times never fall; two points of one time are a jump. Off before the first one and after the last.
    public let points: [Point]

    /// What is left out of `points` is at most so far from the lines, in intensity and in sharpness.
    public static let tolerance = 0.002
    /// How often a glide is looked at.
    public static let sampling = Schedule.frameInterval

    /// Samples a glide every `sampling`, as rendering does, and keeps what is needed for `tolerance`.
    /// Costs at most four times what rendering does.
    public init(_ pattern: Pattern) {
        let all = Sides.all(of: pattern)
        var sharpness = all.lazy.compactMap { $0.before.sharpness ?? $0.after.sharpness }.first ?? .zero
        // Between two jumps each.
        var runs: [[Point]] = [[]]
        for sides in all {
            // Silence that lasts keeps the sharpness before it.
            let before = sides.before.sharpness ?? sharpness
            sharpness = sides.after.sharpness ?? before
            if sides.isJump {
                let level = Level(intensity: sides.before.intensity, sharpness: before)
                runs[runs.count - 1].append(Point(at: sides.at, level: level))
                runs.append([])
            }
            let level = Level(intensity: sides.after.intensity, sharpness: sharpness)
            runs[runs.count - 1].append(Point(at: sides.at, level: level))
        }
        points = runs.flatMap(Self.thinned)
    }

    /// Drops the points that are on the line from the last one that is kept to a later one. O(points).
    private static func thinned(_ points: [Point]) -> [Point] {
        guard points.count > 2 else { return points }
        var kept = [points[0]]
        var cone = Cone(from: points[0])
        for (before, point) in zip(points.dropFirst(), points.dropFirst(2)) {
            cone.narrow(to: before)
            if cone.contains(point) { continue }
            kept.append(before)
            cone = Cone(from: before)
        }
        return kept + [points[points.count - 1]]
    }

    /// The lines from one point that pass all points after it within the tolerance.
    private struct Cone {
        private let start: Point
        private var intensity = (-Double.infinity, Double.infinity)
        private var sharpness = (-Double.infinity, Double.infinity)

        init(from start: Point) { self.start = start }

        mutating func narrow(to point: Point) {
            let time = (point.at - start.at).inSeconds
            func narrowed(_ slopes: (Double, Double), _ rise: Double) -> (Double, Double) {
                (max(slopes.0, (rise - tolerance) / time), min(slopes.1, (rise + tolerance) / time))
            }
            intensity = narrowed(intensity, point.level.intensity.value - start.level.intensity.value)
            sharpness = narrowed(sharpness, point.level.sharpness.value - start.level.sharpness.value)
        }

        func contains(_ point: Point) -> Bool {
            let time = (point.at - start.at).inSeconds
            let slope = (point.level.intensity.value - start.level.intensity.value) / time
            guard slope >= intensity.0, slope <= intensity.1 else { return false }
            let turn = (point.level.sharpness.value - start.level.sharpness.value) / time
            return turn >= sharpness.0 && turn <= sharpness.1
        }
    }
}

/// What is felt just before an instant, and from it on.
private struct Sides {
    /// The sharpness of nothing is that of what it fades from, or rises to; nil where nothing is felt beside it either.
    struct Side {
        var intensity: Intensity
        var sharpness: Sharpness?

        init(_ level: Level, neighbour: () -> Level) {
            intensity = level.intensity
            let felt = level.isOn ? level : neighbour()
            sharpness = felt.isOn ? felt.sharpness : nil
        }
    }

    var at: Nanoseconds
    var before, after: Side

    /// More than a glide does in a nanosecond.
    private static let leastJump = 1e-4
    /// So far beside an instant a glide has some strength, and no other sharpness.
    private static let sampleDistance = Nanoseconds.microseconds(1)

    var isJump: Bool {
        if abs(after.intensity.value - before.intensity.value) > Self.leastJump { return true }
        guard let from = before.sharpness, let to = after.sharpness else { return false }
        return abs(to.value - from.value) > Self.leastJump
    }

    /// At each offset where the level may change.
    static func all(of pattern: Pattern) -> [Sides] {
        var offsets: [Nanoseconds] = []
        pattern.score.forEachOffset { offsets.append($0) }
        // Each goes forward in time.
        var (cursor, other) = (Score.Cursor(pattern.score), Score.Cursor(pattern.score))
        return offsets.indices.map { index in
            let at = offsets[index]
            let (last, next) = (index > 0 ? offsets[index - 1] : nil, index + 1 < offsets.count ? offsets[index + 1] : nil)
            let before = Side(last == nil ? .off : cursor.level(at: at - Nanoseconds(1))) {
                last.map { other.level(at: at - distance($0, at)) } ?? .off
            }
            let after = Side(next == nil ? .off : cursor.level(at: at)) {
                next.map { other.level(at: at + distance(at, $0)) } ?? .off
            }
            return Sides(at: at, before: before, after: after)
        }
    }

    /// Not beyond the middle between two offsets.
    private static func distance(_ from: Nanoseconds, _ to: Nanoseconds) -> Nanoseconds {
        min(sampleDistance, Nanoseconds((to - from).count / 2))
    }
}

extension Pattern {
    /// All that is felt where it is events alone, shaped by the parameter curves; else nil.
    public var onlyEvents: [HapticEvent]? {
        var all: [HapticEvent] = []
        for track in tracks {
            guard case .events(let events) = track.content else { return nil }
            all += events
        }
        return all
    }
}
