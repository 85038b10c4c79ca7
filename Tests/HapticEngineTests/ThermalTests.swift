// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A motor that gets hot is driven less, and not at all at its limit")
struct ThermalTests {
    private static func share(_ value: Double) -> Share { Share(clamping: value) }

    /// At rated drive its soft limit is reached after some 0.38 s, and its limit after 0.57 s.
    private static let small = ThermalModel(
        winding: .milliseconds(500), housing: .seconds(5), continuous: share(0.5), soft: share(0.75), floor: share(0.4))

    private static func bench(
        _ thermal: ThermalModel? = small, _ capabilities: ActuatorCapabilities = .full, motor: MotorModel? = nil,
        limits: MotorLimits = .none
    ) -> Bench {
        Bench(
            .bench(actuators: [
                EngineActuator(name: "main", capabilities: capabilities, limits: limits, motor: motor, thermal: thermal)
            ]))
    }

    private static func drives(_ bench: borrowing Bench, _ playback: UInt64? = nil) -> [Double] {
        bench.actuations.filter { playback == nil || $0.playback.value == playback }.map(\.drive.value)
    }

    @Test("It is lowered step by step while it is on, and what is meant stays what it was")
    func lowered() {
        var bench = Self.bench()
        bench.send(PlanningTests.play(.pulse("p", 900, intensity: 1), at: bench.now))
        bench.run(for: .seconds(2))
        let drives = Self.drives(bench)
        #expect(drives.first == 1 && drives.last == 0 && drives.count > 4, "\(drives)")
        #expect(zip(drives, drives.dropFirst()).allSatisfy { $0 > $1 })
        #expect(zip(drives, drives.dropFirst()).dropLast().allSatisfy { $0 - $1 < 0.08 }, "gently: \(drives)")
        #expect(bench.actuations.dropLast().allSatisfy { $0.level.intensity == .one })
        #expect(bench.pulses().count == 1 && bench.ends[0].ending == .completed && bench.ends[0].reason == nil)
        let decision = bench.decisions[0]
        guard case .hot(let strength)? = decision.circumstance else {
            Issue.record("\(decision)")
            return
        }
        #expect(abs(strength - drives[drives.count - 2]) < 1e-9, "the decision knew it")
        let heat = bench.engine.heat(of: ActuatorIndex(0), at: bench.now)
        #expect(heat?.lowered == 1 && heat?.cut == 0)
    }

    @Test("At its limit it is cut, with the reason, and nothing begins until it has cooled down a little")
    func cut() {
        var bench = Self.bench(Self.small, .onOff)
        bench.play("long")
        bench.run(for: .seconds(2))
        #expect(bench.pulses().count == 1)
        let end = bench.pulses()[0].end
        #expect(end > .ms(500) && end < .ms(640), "\(end)")
        #expect((bench.ends[0].ending, bench.ends[0].reason) == (.completed, .thermal))
        #expect(bench.engine.heat(of: ActuatorIndex(0), at: bench.now)?.cut == 1)

        bench = Self.bench(Self.small, .onOff)
        bench.send(PlanningTests.play(.pulse("p", 3000, intensity: 1), at: bench.now))
        bench.run(until: .ms(650))
        let refused = bench.play("soft", .alarm)
        #expect((refused.outcome, refused.reason) == (.suppressed, .thermal))
        #expect(bench.engine.count(of: .suppressed, reason: .thermal) == 1)
        bench.run(for: .seconds(2))
        #expect(bench.play("soft", .alarm).outcome == .played)
    }

    @Test(
        "What is cancelled counts as what it was, and what was cut rests all the same",
        arguments: [CancelMode.immediate, .graceful])
    func cancelled(mode: CancelMode) {
        var bench = Self.bench(Self.small, .onOff)
        bench.send(PlanningTests.play(.pulse("p", 3000, intensity: 1), at: bench.now))
        bench.run(until: .ms(650))
        bench.send([.cancel(.all, mode)])
        bench.run(until: .ms(710))
        #expect((bench.ends[0].ending, bench.ends[0].reason) == (.cancelled, .requested))
        #expect(bench.engine.heat(of: ActuatorIndex(0), at: bench.now)?.cut == 1)
        let refused = bench.play("soft", .alarm)
        #expect((refused.outcome, refused.reason) == (.suppressed, .thermal))

        bench = Self.bench()
        bench.send(PlanningTests.play(.pulse("p", 3000, intensity: 1), at: bench.now))
        bench.run(until: .ms(450))
        bench.send([.cancel(.all, mode)])
        bench.run(until: .ms(510))
        let heat = bench.engine.heat(of: ActuatorIndex(0), at: bench.now)
        #expect(heat?.lowered == 1 && heat?.cut == 0, "what was only planned has not been cut")
    }

    @Test("A motor that is only on or off is not lowered")
    func onOff() {
        var bench = Self.bench(Self.small, .onOff)
        bench.send(PlanningTests.play(.pulse("p", 450, intensity: 1), at: bench.now))
        bench.run(for: .seconds(2))
        #expect(Self.drives(bench) == [1, 0])
        #expect(bench.decisions[0].circumstance == nil)
    }

    @Test("A cold motor gets what it would get without a model, to the last digit, fitted or not")
    func cold() {
        let model = MotorModel(kind: .erm, rise: .milliseconds(60), fall: .milliseconds(40), start: Self.share(0.4))
        for motor in [nil, model] {
            let capabilities = ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true)
            var with = Self.bench(.standard(.erm), capabilities, motor: motor)
            var without = Self.bench(nil, capabilities, motor: motor)
            for name in ["soft", "success", "light", "long"] {
                for at in [0, 3, 7] as [Int64] {
                    with.run(for: .milliseconds(at))
                    without.run(for: .milliseconds(at))
                    with.play(name, .alarm, steps: 5)
                    without.play(name, .alarm, steps: 5)
                }
            }
            with.run(for: .seconds(5))
            without.run(for: .seconds(5))
            #expect(with.actuations.map(\.driven) == without.actuations.map(\.driven))
            #expect(with.actuations.map(\.planned) == without.actuations.map(\.planned))
        }
    }

    @Test("Within a duty of 40 % a motor of which only the kind is known is never lowered", arguments: MotorModel.Kind.allCases)
    func duty(kind: MotorModel.Kind) {
        var bench = Self.bench(.standard(kind), limits: MotorLimits(duty: Self.share(0.4)))
        bench.send(PlanningTests.play(.pulse("p", 60_000, intensity: 1), at: bench.now))
        for _ in 0..<60 {
            bench.send(PlanningTests.play(.pulse("p", 5000, intensity: 1), at: bench.now))
            bench.run(for: .seconds(5))
        }
        #expect(Set(Self.drives(bench)) == [0, 1])
        #expect(!bench.ends.contains { $0.reason == .thermal })
    }

    @Test("Time cools it, asleep or awake, and a reload finds it as hot as it was")
    func cools() {
        func hot() -> Bench {
            var bench = Self.bench()
            bench.send(PlanningTests.play(.pulse("p", 800, intensity: 1), at: bench.now))
            bench.run(for: .seconds(1))
            return bench
        }
        func share(_ bench: borrowing Bench) -> Double {
            bench.engine.heat(of: ActuatorIndex(0), at: bench.now)?.share ?? -1
        }
        var awake = hot()
        var asleep = hot()
        var reloaded = hot()
        #expect(share(awake) > 0.5)
        awake.run(for: .seconds(4))
        asleep.take(.slept(.seconds(4)))
        #expect(share(awake) < 0.4 && abs(share(awake) - share(asleep)) < 1e-6)
        let before = share(reloaded)
        reloaded.take(
            .configuration(.bench(actuators: [EngineActuator(name: "main", thermal: Self.small), EngineActuator(name: "other")])))
        #expect(share(reloaded) == before)
        #expect(reloaded.engine.heat(of: ActuatorIndex(1), at: reloaded.now) == nil)
    }

    @Test("A fade of what was lowered begins where it was", arguments: [false, true])
    func fade(isFitted: Bool) throws {
        let model = MotorModel(kind: .lra, rise: .milliseconds(20), fall: .milliseconds(20), start: .zero)
        var bench = Self.bench(motor: isFitted ? model : nil)
        bench.send(PlanningTests.play(ContinuityTests.glide("g", [(0, 0.9), (2000, 1), (2100, 0)]), at: bench.now))
        bench.run(until: .ms(850))
        let before = try #require(bench.actuations.last { $0.planned <= .ms(850) }).drive.value
        #expect(before < 0.9)
        bench.send([.cancel(.all, .graceful)])
        bench.run(for: .seconds(1))
        let after = bench.actuations.filter { $0.planned > .ms(850) }.map(\.drive.value)
        #expect(after.last == 0 && after.allSatisfy { $0 <= before + 0.02 }, "\(after) after \(before)")
        #expect(after[0] > before - 0.2)
    }

    @Test("An hour of it costs no more than its steps")
    func hour() {
        var bench = Self.bench(.standard(.erm))
        let hold = try! Pattern(
            name: "hold",
            tracks: [
                .keyframes([0, 100].map { Keyframe(at: .milliseconds($0), intensity: .one, sharpness: .zero, curve: .step) })
            ])
        let pattern = PlayablePattern(
            try! Pattern(name: "open", phases: [.init(hold, until: .released, upTo: .seconds(3600))]))
        bench.send(PlanningTests.play(pattern, at: bench.now))
        bench.run(for: .seconds(3700))
        let drives = Self.drives(bench)
        #expect(drives.count < 20 && drives.last == 0 && bench.ends[0].reason == nil, "\(drives)")
        #expect(zip(drives, drives.dropFirst()).allSatisfy { $0 > $1 })
        #expect(drives[drives.count - 2] > 0.7, "it comes to rest where it bears it")
    }

    /// Of all that was sent, by floating numbers: how hot it was at the most, as a share of its limit.
    private static func hottest(_ actuations: [Actuation], _ model: ThermalModel) -> Double {
        var (winding, housing, hottest) = (0.0, 0.0, 0.0)
        for (now, next) in zip(actuations, actuations.dropFirst()) {
            let (time, power) = ((next.planned - now.planned).inSeconds, now.drive.value * now.drive.value)
            winding = 0.25 * power + (winding - 0.25 * power) * exp(-time / model.winding.inSeconds)
            housing = 0.75 * power + (housing - 0.75 * power) * exp(-time / model.housing.inSeconds)
            hottest = max(hottest, (winding + housing) / (model.continuous.value * model.continuous.value))
        }
        return hottest
    }

    @Test("At random it is never hotter than it may be", arguments: [ActuatorCapabilities.full, .onOff])
    func random(capabilities: ActuatorCapabilities) {
        var random = SplitMix64(seed: 11)
        for _ in 0..<30 {
            let model = ThermalModel(
                winding: .milliseconds(Int64.random(in: 100...900, using: &random)),
                housing: .seconds(Int64.random(in: 1...9, using: &random)),
                continuous: Self.share(Double.random(in: 0.2...0.9, using: &random)),
                soft: Self.share(Double.random(in: 0.3...0.95, using: &random)),
                floor: Self.share(Double.random(in: 0.1...1, using: &random)))
            var bench = Self.bench(
                model, capabilities, limits: MotorLimits(minGap: .milliseconds(Int64.random(in: 0...20, using: &random))))
            for _ in 0..<60 {
                let pattern = PlayablePattern.pulse(
                    "p", Int64.random(in: 1...900, using: &random), intensity: Double.random(in: 0.1...1, using: &random))
                bench.send(PlanningTests.play(pattern, at: bench.now))
                bench.run(for: .milliseconds(Int64.random(in: 1...700, using: &random)))
            }
            bench.run(for: .seconds(2))
            // What comes within a look of 10 ms.
            let slack =
                0.01 * (0.25 / model.winding.inSeconds + 0.75 / model.housing.inSeconds)
                / (model.continuous.value * model.continuous.value)
            let hottest = Self.hottest(bench.actuations, model)
            #expect(hottest < 1 + slack + 0.01, "\(hottest) of \(model)")
        }
    }
}
