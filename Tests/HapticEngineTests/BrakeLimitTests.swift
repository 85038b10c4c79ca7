// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("A brake is the end of its pulse, within the limits too")
struct BrakeLimitTests {
    private static func driven(_ drive: Double) -> DrivenLevel {
        drive == 0 ? .off : DrivenLevel(Level(intensity: .one, sharpness: .zero), drive: Drive(clamping: drive))
    }

    /// A limiter, and what has come of what it was asked for.
    private struct Asked {
        var limiter: MotorLimiter
        var got: [[Double]] = []

        init(_ limits: MotorLimits) { limiter = MotorLimiter(limits) }

        /// Of (ms, drive): what the motor gets, as [ms, drive].
        mutating func ask(_ requests: [(Int64, Double)]) {
            for (time, drive) in requests {
                run(until: .ms(time))
                note(limiter.request(driven(drive), at: .ms(time)), at: .ms(time))
            }
            run(until: .distantFuture)
        }

        private mutating func run(until end: MonotonicInstant) {
            while case let own = limiter.nextEvent, own < end { note(limiter.elapse(at: own), at: own) }
        }

        private mutating func note(_ driven: DrivenLevel?, at now: MonotonicInstant) {
            if let driven { got.append([(now - .zero).inSeconds * 1000, driven.drive.value]) }
        }
    }

    private static func got(_ limits: MotorLimits, _ requests: [(Int64, Double)]) -> ([[Double]], MotorLimiter.Counts) {
        var asked = Asked(limits)
        asked.ask(requests)
        return (asked.got, asked.limiter.counts)
    }

    @Test func `a brake waits for no interval, and is no pulse`() {
        let (got, counts) = Self.got(
            MotorLimits(minInterval: .milliseconds(100)), [(0, 1), (1, 0.5), (2, 0.8), (3, -1), (9, 0), (10, 1), (600, 0)])
        #expect(got == [[0, 1], [1, 0.5], [3, -1], [9, 0], [300, 1], [600, 0]])
        #expect(counts.pulses == 2 && counts.mergedByInterval == 1)
    }

    @Test func `the brake of a pulse that still waits for the gap is none`() {
        let (got, counts) = Self.got(
            MotorLimits(minGap: .milliseconds(20)), [(0, 1), (5, 0), (6, 1), (8, -1), (30, 0), (40, 1), (50, 0)])
        #expect(got == [[0, 1], [5, 0], [40, 1], [50, 0]])
        #expect(counts.pulses == 2 && counts.mergedByGap == 1)
    }

    @Test func `a cut pulse is not braked, and stays off until it is over`() {
        let (got, counts) = Self.got(
            MotorLimits(maxOn: .milliseconds(5)), [(0, 1), (8, -1), (9, 1), (10, -1), (12, 0), (13, 1), (14, 0)])
        #expect(got == [[0, 1], [5, 0], [13, 1], [14, 0]])
        #expect(counts.pulses == 2 && counts.cutReason == .maxOn)
    }

    @Test func `a brake is on, and cut, as the rest of its pulse is`() {
        let (got, counts) = Self.got(MotorLimits(maxOn: .milliseconds(5)), [(0, 1), (4, -1), (6, 0), (9, 1), (12, 0)])
        #expect(got == [[0, 1], [4, -1], [5, 0], [9, 1], [12, 0]])
        #expect(counts.pulses == 2)
    }

    @Test func `one brake after another comes as levels do`() {
        let (got, _) = Self.got(
            MotorLimits(minInterval: .milliseconds(10)), [(0, 1), (1, 0.5), (2, -0.5), (3, -1), (4, -0.7), (50, 0)])
        #expect(got == [[0, 1], [1, 0.5], [2, -0.5], [20, -0.7], [50, 0]])
    }

    @Test func `what is due is done at once, whatever is asked for`() {
        var random = SplitMix64(seed: 21)
        for walk in 1...300 {
            let limits = MotorLimits(
                minInterval: .milliseconds([1, 7, 30].randomElement(using: &random)!),
                minGap: .milliseconds([0, 9, 60].randomElement(using: &random)!),
                maxOn: [nil, .milliseconds(5), .milliseconds(40)].randomElement(using: &random)!,
                duty: Share(clamping: [1, 0.02].randomElement(using: &random)!))
            var limiter = MotorLimiter(limits, overdrive: .milliseconds(.random(in: 1...50, using: &random)))
            var now = MonotonicInstant.zero
            for _ in 0..<100 {
                now = now + .microseconds(.random(in: 0...20_000, using: &random))
                while case let own = limiter.nextEvent, own < now {
                    _ = limiter.elapse(at: own)
                    guard limiter.nextEvent > own else {
                        Issue.record("walk \(walk): at \(own) it is due again")
                        return
                    }
                }
                let drive = [0, 0.01, 0.5, 1, 1.3, -0.2, -1].randomElement(using: &random)!
                _ = limiter.request(Self.driven(drive), at: now)
            }
        }
    }
}
