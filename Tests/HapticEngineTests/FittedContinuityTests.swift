// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

@Suite("What is fitted goes on from what is felt, and ends as everything does")
struct FittedContinuityTests {
    private static func play(
        _ pattern: PlayablePattern, fit: Fit = .auto, id: String = "a", at now: MonotonicInstant
    ) -> BatchItem {
        .input(Input(client: Bench.ada, id: id, at: now, kind: .play(PlayInput(pattern: pattern, fit: fit))))
    }

    @Test func `a fitted glide goes on from a glide without an off or another kick`() throws {
        for fit in [Fit.auto, .off] {
            var bench = FittingTests.bench(FittingTests.all)
            bench.send(Self.play(ContinuityTests.rise, fit: fit, at: bench.now))
            bench.run(until: .ms(502))
            let before = try #require(bench.actuations.last { $0.planned <= .ms(502) })
            bench.send(Self.play(ContinuityTests.fall, id: "b", at: bench.now))
            bench.run(for: .seconds(3))
            #expect(bench.pulses().count == 1)
            let after = try #require(bench.actuations.first { $0.playback.value == 2 })
            #expect(abs(after.level.intensity.value - before.level.intensity.value) < 0.05)
            #expect(bench.ends.map(\.ending) == [.preempted, .completed])
            #expect(bench.actuations.last?.isOn == false)
            if fit == .auto {
                let start = bench.actuations.filter { $0.planned >= before.planned && $0.planned < .ms(520) }
                #expect(zip(start, start.dropFirst()).allSatisfy { abs($1.drive.value - $0.drive.value) < 0.3 })
            }
        }
    }

    @Test func `a graceful cancel of a fitted glide drives it less and less, and not at all after 50 ms`() {
        var bench = FittingTests.bench(FittingTests.all)
        bench.send(Self.play(ContinuityTests.fall, at: bench.now))
        bench.run(until: .ms(300))
        bench.send([.cancel(.all, .graceful)])
        bench.run(for: .seconds(1))
        let fade = bench.actuations.filter { $0.planned >= .ms(300) }
        #expect(fade.count > 5 && fade.allSatisfy { $0.drive >= .zero })
        #expect(zip(fade, fade.dropFirst()).allSatisfy { $0.drive >= $1.drive })
        #expect(fade.last.map { !$0.isOn && $0.planned == .ms(350) } == true)
        #expect(bench.ends.map(\.ending) == [.cancelled])
    }

    @Test func `an open phase that is released goes on fitted, and ends`() throws {
        var bench = FittingTests.bench(FittingTests.all)
        let phases = PhaseTests.phases([.init(PhaseTests.swell, until: .released), .init(PhaseTests.ring)])
        bench.send(Self.play(phases, at: bench.now))
        bench.run(until: .ms(510))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(5))
        #expect(bench.ends.map(\.ending) == [.completed])
        #expect(bench.actuations.last?.isOn == false)
        #expect(bench.actuations.contains { $0.planned > .ms(510) && $0.isOn && $0.drive != Drive($0.level.intensity) })
    }

    @Test func `whatever interrupts what, a motor is off once nothing plays: 200 random walks`() {
        var random = SplitMix64(seed: 31)
        let patterns = [
            ContinuityTests.rise, ContinuityTests.fall, PlayablePattern.bench["soft"]!, PlayablePattern.bench["long"]!,
            PhaseTests.phases([.init(PhaseTests.swell, until: .released), .init(PhaseTests.ring, until: .advanced)]),
        ]
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        for walk in 1...200 {
            let limits = MotorLimits(minGap: .milliseconds(Int64.random(in: 0...40, using: &random)))
            var bench = FittingTests.bench([FittingTests.all, .full, onOff].randomElement(using: &random)!, limits)
            for _ in 0..<8 {
                switch Int.random(in: 0...7, using: &random) {
                case 0: bench.send(.release("a", at: bench.now))
                case 1: bench.send([.cancel(.all, .advance)])
                case 2: bench.send([.cancel(.all, .graceful)])
                default:
                    let fit = Bool.random(using: &random) ? Fit.auto : .off
                    let id = Bool.random(using: &random) ? "a" : "b"
                    bench.send(Self.play(patterns.randomElement(using: &random)!, fit: fit, id: id, at: bench.now))
                }
                bench.run(for: Nanoseconds(Int64.random(in: 0...400_000_000, using: &random)))
            }
            bench.send([.cancel(.all, .graceful)])
            let end = bench.now + .milliseconds(50)
            bench.run(for: .seconds(2))
            #expect(bench.actuations.last.map { !$0.isOn && $0.planned <= end } ?? true, "walk \(walk)")
            #expect(bench.engine.nextDeadline > bench.now)
        }
    }
}
