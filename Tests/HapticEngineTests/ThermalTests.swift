// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The heat of a motor")
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

    @Test("The decision on a pattern that will be lowered holds the strength at its end, and the motor counts it")
    func lowered() {
        var bench = Self.bench()
        let decision = bench.play(.pulse("p", 900, intensity: 1))
        bench.run(for: .seconds(2))
        guard case .hot(let strength)? = decision.circumstance else {
            Issue.record("\(decision)")
            return
        }
        #expect(abs(strength - bench.actuations[bench.actuations.count - 2].drive.value) < 1e-9)
        let heat = bench.engine.heat(of: ActuatorIndex(0), at: bench.now)
        #expect(heat?.lowered == 1)
        #expect(heat?.cut == 0)
    }

    @Test(
        "A pulse that was cut counts, also if it is cancelled, and one that was only to be cut does not",
        arguments: [CancelMode.immediate, .graceful])
    func cut(mode: CancelMode) {
        for (capabilities, end, cut) in [(.onOff, 650, 1), (.full, 450, 0)] as [(ActuatorCapabilities, Int64, UInt64)] {
            var bench = Self.bench(Self.small, capabilities)
            bench.play(.pulse("p", 3000, intensity: 1))
            bench.run(until: .ms(end))
            bench.send([.cancel(.all, mode)])
            bench.run(for: .milliseconds(60))
            let heat = bench.engine.heat(of: ActuatorIndex(0), at: bench.now)
            #expect(heat?.cut == cut)
            if capabilities == .full { #expect(heat?.lowered == 1) }
        }
    }

    @Test("A cold motor is driven exactly as without a model, fitted or not")
    func cold() {
        let capabilities = ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true)
        func played(_ thermal: ThermalModel?, on motor: MotorModel?) -> [Actuation] {
            var bench = Self.bench(thermal, capabilities, motor: motor)
            for name in ["soft", "success", "light", "long"] {
                for time in [0, 3, 7] as [Int64] {
                    bench.run(for: .milliseconds(time))
                    bench.play(name, .alarm, steps: 5)
                }
            }
            bench.run(for: .seconds(5))
            return bench.actuations
        }
        let model = MotorModel(kind: .erm, rise: .milliseconds(60), fall: .milliseconds(40), start: Self.share(0.4))
        for motor in [nil, model] {
            let (with, without) = (played(.standard(.erm), on: motor), played(nil, on: motor))
            #expect(with.map(\.driven) == without.map(\.driven))
            #expect(with.map(\.planned) == without.map(\.planned))
        }
    }

    @Test("Within a duty of 40 % a motor of a usual kind is never lowered", arguments: MotorModel.Kind.allCases)
    func duty(kind: MotorModel.Kind) {
        var bench = Self.bench(.standard(kind), limits: MotorLimits(duty: Self.share(0.4)))
        bench.play(.pulse("p", 60_000, intensity: 1))
        for _ in 0..<60 {
            bench.play(.pulse("p", 5000, intensity: 1))
            bench.run(for: .seconds(5))
        }
        #expect(Set(bench.actuations.map(\.drive.value)) == [0, 1])
        #expect(!bench.ends.contains { $0.reason == .thermal })
    }

    @Test("Time cools a motor, asleep or awake, and a reload does not")
    func cools() {
        func hot() -> Bench {
            var bench = Self.bench()
            bench.play(.pulse("p", 800, intensity: 1))
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
        #expect(share(awake) < 0.4)
        #expect(abs(share(awake) - share(asleep)) < 1e-6)
        let before = share(reloaded)
        reloaded.take(
            .configuration(.bench(actuators: [EngineActuator(name: "main", thermal: Self.small), EngineActuator(name: "other")])))
        #expect(share(reloaded) == before)
        #expect(reloaded.engine.heat(of: ActuatorIndex(1), at: reloaded.now) == nil)
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

    @Test("No motor is ever hotter than it may be", arguments: [ActuatorCapabilities.full, .onOff])
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
                let length = Int64.random(in: 1...900, using: &random)
                bench.play(.pulse("p", length, intensity: Double.random(in: 0.1...1, using: &random)))
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
