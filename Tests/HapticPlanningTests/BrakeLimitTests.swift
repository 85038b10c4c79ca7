// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticPlanning

@Suite("Brakes and overdrives within the limits")
struct BrakeLimitTests {
    private static func driven(_ drive: Double) -> DrivenLevel {
        drive == 0 ? .off : DrivenLevel(Level(intensity: .one, sharpness: .zero), drive: Drive(clamping: drive))
    }

    /// Returns the drives that the motor gets for `requests`, and the counts of the limiter.
    private static func got(
        _ limiter: MotorLimiter, _ requests: [(at: MonotonicInstant, drive: Double)]
    ) -> (changes: [(at: MonotonicInstant, drive: Double)], counts: MotorLimiter.Counts) {
        var limiter = limiter
        var changes: [(at: MonotonicInstant, drive: Double)] = []
        func run(until end: MonotonicInstant) {
            while case let own = limiter.nextEvent, own < end {
                if let driven = limiter.elapse(at: own) { changes.append((own, driven.drive.value)) }
            }
        }
        for (time, drive) in requests {
            run(until: time)
            if let driven = limiter.request(driven(drive), at: time) { changes.append((time, driven.drive.value)) }
        }
        run(until: .distantFuture)
        return (changes, limiter.counts)
    }

    /// The same with drives as [ms, drive], from the start.
    private static func got(_ limits: MotorLimits, _ requests: [(Int64, Double)]) -> ([[Double]], MotorLimiter.Counts) {
        let (changes, counts) = got(MotorLimiter(limits), requests.map { (MonotonicInstant.zero + .milliseconds($0.0), $0.1) })
        return (changes.map { [($0.at - .zero).inSeconds * 1000, $0.drive] }, counts)
    }

    @Test("A brake waits for no interval, and is no pulse")
    func interval() {
        let (got, counts) = Self.got(
            MotorLimits(minInterval: .milliseconds(100)), [(0, 1), (1, 0.5), (2, 0.8), (3, -1), (9, 0), (10, 1), (600, 0)])
        #expect(got == [[0, 1], [1, 0.5], [3, -1], [9, 0], [300, 1], [600, 0]])
        #expect((counts.pulses, counts.mergedByInterval) == (2, 1))
    }

    @Test("The brake of a pulse that still waits for the gap is left out")
    func gap() {
        let (got, counts) = Self.got(
            MotorLimits(minGap: .milliseconds(20)), [(0, 1), (5, 0), (6, 1), (8, -1), (30, 0), (40, 1), (50, 0)])
        #expect(got == [[0, 1], [5, 0], [40, 1], [50, 0]])
        #expect((counts.pulses, counts.mergedByGap) == (2, 1))
    }

    @Test("A cut pulse is not braked, and stays off until it is over")
    func cut() {
        let (got, counts) = Self.got(
            MotorLimits(maxOn: .milliseconds(5)), [(0, 1), (8, -1), (9, 1), (10, -1), (12, 0), (13, 1), (14, 0)])
        #expect(got == [[0, 1], [5, 0], [13, 1], [14, 0]])
        #expect((counts.pulses, counts.cutReason) == (2, .maxOn))
    }

    @Test("A brake counts as on, and is cut as the rest of its pulse is")
    func cutBrake() {
        let (got, counts) = Self.got(MotorLimits(maxOn: .milliseconds(5)), [(0, 1), (4, -1), (6, 0), (9, 1), (12, 0)])
        #expect(got == [[0, 1], [4, -1], [5, 0], [9, 1], [12, 0]])
        #expect(counts.pulses == 2)
    }

    @Test("Successive brakes come as often as levels may")
    func brakes() {
        let (got, _) = Self.got(
            MotorLimits(minInterval: .milliseconds(10)), [(0, 1), (1, 0.5), (2, -0.5), (3, -1), (4, -0.7), (50, 0)])
        #expect(got == [[0, 1], [1, 0.5], [2, -0.5], [20, -0.7], [50, 0]])
    }

    @Test("An overdrive lasts no longer than its time, which comes back as fast as it went")
    func overdrive() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let time = Nanoseconds.milliseconds(Int64.random(in: 2...60, using: &random))
            let interval = Nanoseconds.milliseconds(Int64.random(in: 1...7, using: &random))
            var now = MonotonicInstant.zero
            let requests = (0..<200).map { _ in
                now = now + .microseconds(Int64.random(in: 0...20_000, using: &random))
                return (at: now, drive: [0, 0.5, 1.1, 1.3, 1.5].randomElement(using: &random)!)
            }
            let limiter = MotorLimiter(MotorLimits(minInterval: interval), overdrive: time)
            let changes = Self.got(limiter, requests).changes
            var left = time
            for (change, next) in zip(changes, changes.dropFirst()) {
                let length = next.at - change.at
                left = change.drive > 1 ? left - length : min(time, left + length)
                #expect(left >= .zero, "overdriven too long at \(next.at), of \(time)")
            }
            #expect(changes.contains { $0.drive > 1 })
            #expect(changes.last.map { $0.drive <= 1 } == true)
        }
    }

    @Test("A limiter has nothing left that is due, whatever is asked for")
    func due() {
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
