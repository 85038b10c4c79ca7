// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns

/// What is felt of any pattern, as events and parameter curves: AHAP has no keyframes.
///
/// What stays at one level is an event. What glides is an event of full intensity, which the controls take to where it should be; after it
/// they are set back.
struct AhapApproximation {
    private(set) var events: [HapticEvent] = []
    private(set) var curves: [ParameterCurve] = []

    /// A straight line of what is felt; something is felt in it.
    private struct Segment {
        var start, end: LevelLine.Point

        var intensities: (start: Double, end: Double) { (short(start.level.intensity.value), short(end.level.intensity.value)) }

        var sharpnesses: (start: Double, end: Double) { (short(start.level.sharpness.value), short(end.level.sharpness.value)) }

        var isConstant: Bool { intensities.start == intensities.end && sharpnesses.start == sharpnesses.end }
    }

    init(_ pattern: Pattern) {
        let stretches = Self.stretches(LevelLine(pattern))
        for (index, stretch) in stretches.enumerated() {
            if stretch.allSatisfy(\.isConstant) {
                events += stretch.map { Self.event($0, isAlone: stretch.count == 1) }
            } else {
                glide(stretch, isLast: index + 1 == stretches.count)
            }
        }
        keepSilence(until: pattern.duration)
    }

    /// What is felt between two silences each.
    private static func stretches(_ line: LevelLine) -> [[Segment]] {
        zip(line.points, line.points.dropFirst()).reduce(into: []) { stretches, pair in
            guard pair.0.at < pair.1.at, pair.0.level.isOn || pair.1.level.isOn else { return }
            let segment = Segment(start: pair.0, end: pair.1)
            if stretches.last?.last?.end.at == segment.start.at {
                stretches[stretches.count - 1].append(segment)
            } else {
                stretches.append([segment])
            }
        }
    }

    private static func event(_ segment: Segment, isAlone: Bool) -> HapticEvent {
        let duration = segment.end.at - segment.start.at
        let isTap = isAlone && duration == HapticEvent.transientDuration
        return HapticEvent(
            at: segment.start.at, kind: isTap ? .transient : .continuous(duration: duration, sustained: true),
            intensity: Intensity(clamping: segment.intensities.start), sharpness: Sharpness(clamping: segment.sharpnesses.start))
    }

    private mutating func glide(_ stretch: [Segment], isLast: Bool) {
        let (start, end) = (stretch[0].start.at, stretch[stretch.count - 1].end.at)
        let sharpness = stretch[0].sharpnesses.start
        let isAsSharp = stretch.allSatisfy { $0.sharpnesses == (sharpness, sharpness) }
        events.append(
            HapticEvent(
                at: start, kind: .continuous(duration: end - start, sustained: true), intensity: .one,
                sharpness: isAsSharp ? Sharpness(clamping: sharpness) : .zero))
        addCurves(.intensity, stretch, \.intensities, resting: isLast ? nil : 1)
        if !isAsSharp { addCurves(.sharpness, stretch, \.sharpnesses, resting: isLast ? nil : 0) }
    }

    /// A curve from jump to jump. `resting`: what the control is set to at the end.
    private mutating func addCurves(
        _ parameter: ParameterCurve.Parameter, _ stretch: [Segment], _ values: KeyPath<Segment, (start: Double, end: Double)>,
        resting: Double?
    ) {
        var parts: [[ParameterCurve.Point]] = []
        for segment in stretch {
            let (start, end) = segment[keyPath: values]
            if parts.last?.last?.value != start { parts.append([.init(at: segment.start.at, value: start)]) }
            parts[parts.count - 1].append(.init(at: segment.end.at, value: end))
        }
        if let resting { parts.append([.init(at: stretch[stretch.count - 1].end.at, value: resting)]) }
        curves += parts.map { ParameterCurve(parameter: parameter, points: $0) }
    }

    /// A pattern of AHAP ends with its last event, so silence at the end is one that is not felt.
    private mutating func keepSilence(until end: Nanoseconds) {
        let last = events.map(\.end).max() ?? .zero
        guard last < end else { return }
        events.append(
            HapticEvent(at: last, kind: .continuous(duration: end - last, sustained: true), intensity: .zero, sharpness: .zero))
    }
}

/// To a ten-thousandth, which nobody feels and everybody can read.
private func short(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
