// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import Testing

@Suite("The measure of feel")
struct FeelMeasureTests {
    private func curve(_ parts: [(Int, Double)]) -> SampledEnvelope {
        SampledEnvelope(samples: parts.flatMap { [Double](repeating: $0.1, count: $0.0) })
    }

    @Test("Smoothing takes the mean of 10 ms around, and loses nothing")
    func smoothing() {
        let smoothed = curve([(50, 0), (20, 1), (50, 0)]).smoothed.samples
        #expect(abs(smoothed.reduce(0, +) - 20) < 1e-9)
        #expect(smoothed[44] == 0)
        #expect(abs(smoothed[45] - 0.05) < 1e-9)
        #expect(abs(smoothed[60] - 1) < 1e-9)
        // As much before the step as after it.
        #expect(abs(smoothed[47] + smoothed[52] - 1) < 1e-9)
    }

    @Test("A curve that is felt as intended has the error 0, and silence has the error 1")
    func error() {
        let intended = curve([(20, 0), (200, 0.5), (100, 0)])
        #expect(SustainedMeasure.error(intended: intended, felt: intended) == 0)
        let nothing = SustainedMeasure(intended: intended, felt: curve([(320, 0)]))
        #expect(abs(nothing.error - 1) < 1e-9)
        #expect(nothing.within == 0)
        #expect(abs(SustainedMeasure.error(intended: intended, felt: curve([(20, 0), (200, 0.75), (100, 0)])) - 0.5) < 1e-9)
    }

    @Test("A late curve has an error, and none at its lag")
    func lag() {
        let measure = SustainedMeasure(
            intended: curve([(20, 0), (100, 0.5), (200, 0)]), felt: curve([(50, 0), (100, 0.5), (170, 0)]))
        #expect(measure.lag == .milliseconds(30))
        #expect(measure.error > 0.5)
        #expect(measure.errorAtLag < 1e-9)
    }

    @Test("An impact has its peak, its time to a tenth, and its ring")
    func impact() {
        let felt = SampledEnvelope(samples: [0, 0.02, 0.04, 0.08, 0.2, 0.4, 0.3, 0.2, 0.1, 0.05, 0.04, 0.01])
        let measure = ImpactMeasure(intended: Intensity(clamping: 0.5), felt: felt)
        #expect(measure.peak == 0.4)
        #expect(abs(measure.peakError + 0.2) < 1e-9)
        // 0.05 lies a quarter of the way from 0.04 at 2 ms to 0.08 at 3 ms.
        #expect(measure.timeToTenth == .microseconds(2250))
        #expect(measure.ring == .milliseconds(5))
        #expect(measure.above == .milliseconds(5))
        #expect(ImpactMeasure(intended: .one, felt: SampledEnvelope(samples: [0, 0.05, 0])).timeToTenth == nil)
    }

    @Test("Pulses stay apart if the gap falls by a fifth", arguments: [(0.75, 3), (0.85, 1), (0.1, 3)])
    func apart(gap: Double, pulses: Int) {
        let train = curve([(30, 0), (40, 1), (40, gap), (40, 1), (40, gap), (40, 1), (40, 0)])
        #expect(TrainMeasure.pulsesApart(train) == pulses)
    }

    @Test("A change that is too faint to be felt is no pulse")
    func faint() {
        #expect(TrainMeasure.pulsesApart(curve([(30, 0), (40, 0.02), (40, 0)])) == 0)
        #expect(TrainMeasure.pulsesApart(curve([(30, 0)])) == 0)
    }

    @Test("An intended curve holds each level until the next")
    func intended() {
        let level = { Level(intensity: Intensity(clamping: $0), sharpness: .zero) }
        let frames = [
            Timeline.Frame(offset: .milliseconds(2), level: level(0.5)), Timeline.Frame(offset: .milliseconds(4), level: .off),
        ]
        #expect(SampledEnvelope(intended: frames, length: .milliseconds(6)).samples == [0, 0, 0.5, 0.5, 0, 0])
    }
}
