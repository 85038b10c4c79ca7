// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns

/// Looks for what one motor does not make of a pattern.
public enum MotorLint {
    public enum Rule: String, CaseIterable, Sendable {
        /// Beats that the motor does not keep apart.
        case beatsMerge
        /// A beat that is meant to be felt, and that the motor is too slow or too hard to start for.
        case tooWeak
    }

    public struct Finding: Hashable, Sendable {
        public let rule: Rule
        /// Which beat it is about: when that begins.
        public let at: Nanoseconds
        /// What is wrong, with its number.
        public let reason: String
        /// What to do.
        public let wayOut: String
    }

    /// A stretch without silence in it.
    private struct Beat {
        var start: Nanoseconds
        var end: Nanoseconds
        var peak: Intensity
    }

    /// In the order of the rules; of each rule at most one. Nothing where the model contradicts itself. `fitted`: see `MotorCourse`.
    public static func findings(
        _ pattern: Pattern, on model: MotorModel, _ abilities: ActuatorCapabilities, fitted: Bool = true
    ) -> [Finding] {
        guard let course = MotorCourse(pattern, on: model, abilities, fitted: fitted) else { return [] }
        let beats = beats(of: course.timeline)
        let weak = beats.indices.filter { isTooWeak(beats[$0], before: beats.dropFirst($0 + 1).first, course) }
        let merged = merging(beats, apart: beats.count - weak.count, course)
        let first = weak.first.map { finding(beats[$0], weak: weak.count, of: beats.count, course, abilities) }
        return [merged, first].compactMap { $0 }
    }

    private static func beats(of timeline: Timeline) -> [Beat] {
        var beats: [Beat] = []
        var isOn = false
        for frame in timeline.frames {
            let intensity = frame.level.intensity
            if intensity > .zero {
                if !isOn { beats.append(Beat(start: frame.offset, end: timeline.duration, peak: .zero)) }
                beats[beats.count - 1].peak = max(beats[beats.count - 1].peak, intensity)
            } else if isOn {
                beats[beats.count - 1].end = frame.offset
            }
            isOn = intensity > .zero
        }
        return beats
    }

    /// `wanted`: as many as are felt at all.
    private static func merging(_ beats: [Beat], apart wanted: Int, _ course: MotorCourse) -> Finding? {
        let apart = TrainMeasure.pulsesApart(course.felt)
        let gaps = zip(beats, beats.dropFirst()).map { (at: $1.start, length: $1.start - $0.end) }
        guard wanted > 1, apart < wanted, let shortest = gaps.min(by: { $0.length < $1.length }) else { return nil }
        return Finding(
            rule: .beatsMerge, at: shortest.at,
            reason:
                "of \(wanted) beats this motor keeps \(max(1, apart)) apart: the gap before this one is \(shortest.length.words), and the motor takes \(course.model.fall.words) to run down",
            wayOut: "put the beats further apart, or use fewer; a motor with a brake keeps more of them apart")
    }

    /// What is meant to be felt for certain is not.
    private static func isTooWeak(_ beat: Beat, before next: Beat?, _ course: MotorCourse) -> Bool {
        guard beat.peak.value >= ImpactMeasure.felt else { return false }
        let samples = course.felt.samples
        let from = min(samples.count, Int(beat.start.count / FeltCurve.interval.count))
        let end = next.map { Int($0.start.count / FeltCurve.interval.count) } ?? samples.count
        let peak = samples[from..<max(from, min(samples.count, end))].max() ?? 0
        return peak < ImpactMeasure.felt
    }

    private static func finding(
        _ beat: Beat, weak: Int, of count: Int, _ course: MotorCourse, _ abilities: ActuatorCapabilities
    ) -> Finding {
        let what = count == 1 ? "it is" : weak == 1 ? "this beat is" : "\(weak) of \(count) beats, this one first, are"
        let peak = percent(beat.peak.value)
        if !abilities.variesIntensity, beat.peak.value < ActuatorCapabilities.onOffThreshold {
            return Finding(
                rule: .tooWeak, at: beat.start,
                reason:
                    "\(what) not felt: the peak is \(peak), and an actuator that is on or off leaves out what is below \(percent(ActuatorCapabilities.onOffThreshold))",
                wayOut: "make it stronger where it has to be felt on such an actuator")
        }
        return Finding(
            rule: .tooWeak, at: beat.start,
            reason:
                "\(what) not felt: the peak is \(peak) for \((beat.end - beat.start).words), and the motor starts at \(percent(course.model.start.value)) and takes \(course.model.rise.words) to its strength",
            wayOut: "make it longer or stronger, or leave more time before what comes next")
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }
}
