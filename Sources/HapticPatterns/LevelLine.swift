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

    /// Samples a glide every `Schedule.frameInterval`, as rendering does, and keeps what is needed for `tolerance`.
    /// Costs twice what rendering does.
    public init(_ pattern: Pattern) {
        var cursor = Score.Cursor(pattern.score)
        // Between two jumps each.
        var runs: [[Point]] = [[]]
        pattern.score.forEachOffset { offset in
            let before = offset > .zero ? cursor.level(at: offset - Nanoseconds(1)) : .off
            let level = offset < pattern.duration ? cursor.level(at: offset) : .off
            // Silence has no sharpness.
            let isSilentOnce = !before.isOn || !level.isOn
            let isJump =
                abs(level.intensity.value - before.intensity.value) > Self.leastJump
                || !isSilentOnce && abs(level.sharpness.value - before.sharpness.value) > Self.leastJump
            if isJump {
                runs[runs.count - 1].append(Point(at: offset, level: before))
                runs.append([])
            }
            runs[runs.count - 1].append(Point(at: offset, level: level.isOn || isJump ? level : before.faded))
        }
        points = runs.flatMap(Self.thinned)
    }

    /// More than a glide does in a nanosecond.
    private static let leastJump = 1e-4

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
            // Silence has no sharpness, so any will do.
            guard start.level.isOn, point.level.isOn else { return }
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

extension Level {
    /// Silence with the sharpness that there was.
    fileprivate var faded: Level { Level(intensity: .zero, sharpness: sharpness) }
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
