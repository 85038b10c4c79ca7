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
        /// Where nothing is fitted: a beat that is never driven as hard as the motor needs to start.
        case belowStart
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
        let start: Nanoseconds
        let end: Nanoseconds
        let peak: Intensity
        /// Until then what is meant does not fall, and so the motor is driven on.
        let firstTop: Nanoseconds

        init(_ frames: ArraySlice<Timeline.Frame>) {
            (start, end) = (frames[frames.startIndex].offset, frames[frames.endIndex - 1].offset)
            peak = frames.reduce(.zero) { max($0, $1.level.intensity) }
            let falls = zip(frames, frames.dropFirst()).first { $1.level.intensity < $0.level.intensity }
            firstTop = falls?.0.offset ?? start
        }
    }

    /// In the order of the rules; of each rule at most one. Nothing where the model contradicts itself. `fitted`: see `MotorCourse`.
    public static func findings(
        _ pattern: Pattern, on model: MotorModel, _ abilities: ActuatorCapabilities, fitted: Bool = true
    ) -> [Finding] {
        guard let course = MotorCourse(pattern, on: model, abilities, fitted: fitted) else { return [] }
        let beats = course.timeline.beats.map { Beat($0) }
        let isDrivenByLevel = !fitted && abilities.variesIntensity && !abilities.shapesItself
        let low = isDrivenByLevel ? beats.filter { $0.peak.value < model.start.value } : []
        let peaks = beats.indices.map { feltPeak(beats[$0], before: beats.dropFirst($0 + 1).first, course) }
        // What is meant to be felt for certain is not.
        let weak = beats.indices.filter { beats[$0].peak.value >= ImpactMeasure.felt && peaks[$0] < ImpactMeasure.felt }
        let felt = beats.indices.filter { peaks[$0] >= min(beats[$0].peak.value, ImpactMeasure.felt) }.map { beats[$0] }
        return [
            merging(felt, course), weak.first.map { finding(beats[$0], weak: weak.count, of: beats.count, course, abilities) },
            low.first.map { finding($0, low: low.count, of: beats.count, model) },
        ].compactMap { $0 }
    }

    /// `beats`: those that are felt.
    private static func merging(_ beats: [Beat], _ course: MotorCourse) -> Finding? {
        let samples = course.felt.smoothed.samples
        let merged = beats.indices.dropFirst().filter { index in
            let end = beats.dropFirst(index + 1).first?.start ?? SampledEnvelope.interval * samples.count
            return !TrainMeasure.isApart(
                samples, from: beats[index - 1].start, gap: beats[index - 1].end...beats[index].firstTop, to: end)
        }
        guard let first = merged.first else { return nil }
        let gap = beats[first].start - beats[first - 1].end
        return Finding(
            rule: .beatsMerge, at: beats[first].start,
            reason:
                "of \(beats.count) beats this motor keeps \(beats.count - merged.count) apart: the gap before this one is \(gap.words), and the motor takes \(course.model.fall.words) to run down",
            wayOut: "put the beats further apart, or use fewer; a motor with a brake keeps more of them apart")
    }

    /// The most that is felt from its start to that of the next.
    private static func feltPeak(_ beat: Beat, before next: Beat?, _ course: MotorCourse) -> Double {
        let samples = course.felt.samples
        let from = min(samples.count, Int(beat.start.count / SampledEnvelope.interval.count))
        let end = next.map { Int($0.start.count / SampledEnvelope.interval.count) } ?? samples.count
        return samples[from..<max(from, min(samples.count, end))].max() ?? 0
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

    private static func finding(_ beat: Beat, low: Int, of count: Int, _ model: MotorModel) -> Finding {
        let one = count == 1 ? "its peak" : "the peak of this beat"
        let what = low == 1 ? one : "the peak of \(low) of \(count) beats, this one first,"
        return Finding(
            rule: .belowStart, at: beat.start,
            reason:
                "\(what) is \(percent(beat.peak.value)), below the \(percent(model.start.value)) that set the motor in motion, and nothing is fitted",
            wayOut: "make it stronger, or let it be fitted to the motor, which then gets a kick to start")
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }
}
