// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

/// Judges what one motor was sent, by its limits and nothing else: it shares no code with fitter or limiter. Times in nanoseconds.
private struct LimitJudge {
    let limits: MotorLimits
    let overdrive: MotorModel.Overdrive?
    let capabilities: ActuatorCapabilities
    let mayBrake: Bool
    private(set) var complaints: [String] = []
    private var ons: [(start: Int64, end: Int64)] = []
    private var last = (at: Int64.min / 4, drive: 0.0)
    private var overdriveLeft: Int64
    private var earliest = Int64.min / 4

    init(_ actuator: EngineActuator) {
        limits = actuator.limits
        capabilities = actuator.capabilities
        overdrive = actuator.motor?.overdrive
        mayBrake = capabilities.reverses && actuator.motor?.brake == true
        overdriveLeft = overdrive?.time.count ?? 0
    }

    var isOn: Bool { last.drive != 0 }

    mutating func take(_ drive: Double, at now: Int64) {
        require(now >= last.at, "\(now) comes after \(last.at)")
        let most = min(capabilities.mostDrive.value, overdrive?.level.value ?? 1)
        require(drive >= (mayBrake ? -1 : 0) && drive <= most, "\(drive) at \(now)")
        if !capabilities.variesIntensity { require([-1, 0, 1].contains(drive), "\(drive) at \(now), of an on/off driver") }
        judgeOverdrive(until: now)
        judgeInterval(at: now)
        if drive != 0, !isOn {
            require(drive > 0, "a brake alone at \(now)")
            if let off = ons.last?.end { require(now - off >= limits.minGap.count, "a gap of \(now - off) before \(now)") }
            ons.append((now, .max))
        } else if drive == 0, isOn {
            ons[ons.count - 1].end = now
            judgeTime(at: now)
        }
        last = (now, drive)
    }

    private mutating func judgeTime(at now: Int64) {
        if let maxOn = limits.maxOn { require(now - ons[ons.count - 1].start <= maxOn.count, "on for too long until \(now)") }
        let window: Int64 = 10_000_000_000
        let time = ons.reversed().prefix { $0.end > now - window }.reduce(0) { $0 + $1.end - max($1.start, now - window) }
        require(Double(time) <= Double(window) * limits.duty.value, "on for \(time) of 10 s until \(now)")
    }

    /// It comes back as fast as it goes.
    private mutating func judgeOverdrive(until now: Int64) {
        let time = now - last.at
        overdriveLeft = last.drive > 1 ? overdriveLeft - time : min(overdrive?.time.count ?? 0, overdriveLeft + time)
        require(overdriveLeft >= 0, "overdriven too long until \(now)")
    }

    /// n + 1 actuations take at least n − 2 intervals, one less where the motor is braked.
    private mutating func judgeInterval(at now: Int64) {
        let interval = limits.minInterval.count
        earliest = max(earliest + interval, now - (mayBrake ? 3 : 2) * interval)
        require(now >= earliest, "\(now) is too early for the interval")
    }

    private mutating func require(_ isRight: Bool, _ complaint: String) {
        if !isRight { complaints.append(complaint) }
    }
}

@Suite("Fitted motors at random")
struct FittedLimitsTests {
    /// What has been seen: a walk without it would prove nothing.
    private struct Seen {
        var brakes = 0
        var overdrives = 0
        var lengthened = 0
        var cut: Set<Reason> = []
        var merged = 0

        mutating func note(_ bench: borrowing Bench) {
            for actuation in bench.actuations {
                if actuation.drive < .zero { brakes += 1 }
                if actuation.drive > .rated { overdrives += 1 }
                // The pattern is off already.
                if actuation.drive > .zero, !actuation.level.isOn { lengthened += 1 }
            }
            for end in bench.ends { if let reason = end.reason { cut.insert(reason) } }
            for summary in bench.summaries { merged += summary.mergedByMinGap + summary.mergedByMinInterval }
        }
    }

    private static func actuator(_ model: MotorModel, using random: inout SplitMix64) -> EngineActuator {
        var model = model
        if Bool.random(using: &random) {
            let time = Nanoseconds.milliseconds(.random(in: 2...60, using: &random))
            model.overdrive = .init(
                level: Drive(clamping: .random(in: 1.1...1.5, using: &random)), time: min(time, model.rise * 2))
            model.brake = true
        }
        let capabilities = ActuatorCapabilities(
            variesIntensity: Int.random(in: 0..<4, using: &random) > 0, variesSharpness: false,
            mostDrive: model.overdrive?.level ?? .rated, reverses: Bool.random(using: &random))
        let limits = MotorLimits(
            minInterval: .milliseconds([1, 2, 7, 30].randomElement(using: &random)!),
            minGap: .milliseconds([0, 3, 9, 20, 60].randomElement(using: &random)!),
            maxOn: [nil, nil, .milliseconds(40), .milliseconds(300)].randomElement(using: &random)!,
            duty: Share(clamping: [1, 1, 0.4, 0.02].randomElement(using: &random)!))
        return EngineActuator(name: "main", capabilities: capabilities, limits: limits, motor: model)
    }

    /// Impacts, levels, trains and glides, some of them faint.
    private static func pattern(using random: inout SplitMix64) -> PlayablePattern {
        func intensity() -> Double { Double.random(in: Bool.random(using: &random) ? 0.02...0.2 : 0.2...1, using: &random) }
        if Bool.random(using: &random) {
            var (points, end) = ([(ms: Int64, intensity: Double)](), Int64(0))
            for _ in 0...Int.random(in: 1...3, using: &random) {
                points.append((end, intensity()))
                end += Int64.random(in: 20...400, using: &random)
            }
            return .glide(points + [(end, 0)])
        }
        var (levels, end) = ([(at: Nanoseconds, intensity: Double)](), Nanoseconds.zero)
        for _ in 0...Int.random(in: 0...5, using: &random) {
            levels.append((end, intensity()))
            end = end + .microseconds(Int64.random(in: 2_000...(Bool.random(using: &random) ? 30_000 : 500_000), using: &random))
            levels.append((end, 0))
            end = end + .microseconds(Int64.random(in: 1_000...120_000, using: &random))
        }
        return .levels(levels)
    }

    @Test("Limits hold whatever is played and whatever interrupts it", arguments: MotorLibrary.motors)
    func limits(motor: NamedMotor) {
        // Each motor has walks of its own, which are always the same.
        var random = SplitMix64(seed: motor.name.utf8.reduce(16) { $0 &* 31 &+ UInt64($1) })
        var seen = Seen()
        for walk in 1...40 {
            let actuator = Self.actuator(motor.model, using: &random)
            var bench = Bench(.bench(actuators: [actuator]))
            for _ in 0..<16 {
                switch Int.random(in: 0...9, using: &random) {
                case 0: bench.send([.cancel(.all, .immediate)])
                case 1: bench.send([.cancel(.all, .graceful)])
                case 2: bench.play("soft", .alarm, steps: Int.random(in: 2...60, using: &random))
                default:
                    let pattern = Self.pattern(using: &random)
                    let times = Int.random(in: 1...2, using: &random)
                    bench.play(PlayInput(pattern: pattern, feedbackClass: .alarm, repetitions: times))
                }
                bench.run(for: .microseconds(.random(in: 0...(Bool.random(using: &random) ? 60_000 : 900_000), using: &random)))
            }
            bench.run(for: .seconds(10))
            var judge = LimitJudge(actuator)
            for actuation in bench.actuations { judge.take(actuation.drive.value, at: actuation.planned.nanoseconds) }
            #expect(judge.complaints == [], "walk \(walk)")
            #expect(!judge.isOn, "walk \(walk)")
            seen.note(bench)
        }
        #expect(min(seen.brakes, seen.overdrives, seen.lengthened, seen.merged) > 10, "\(seen)")
        #expect(seen.cut.isSuperset(of: [.maxOn, .dutyLimit]), "\(seen)")
    }

    @Test("A fitted motor is off once nothing plays, whatever interrupts what: 200 random walks")
    func off() {
        var random = SplitMix64(seed: 31)
        let patterns: [PlayablePattern] = [
            .rise, .fall, .bench["soft"]!, .bench["long"]!,
            .phases([.init(.swell, until: .released), .init(.ring, until: .advanced)]),
        ]
        for walk in 1...200 {
            let limits = MotorLimits(minGap: .milliseconds(Int64.random(in: 0...40, using: &random)))
            let capabilities = [ActuatorCapabilities.bridge, .full, .onOff].randomElement(using: &random)!
            let motor = EngineActuator(name: "main", capabilities: capabilities, limits: limits, motor: .fast)
            var bench = Bench(.bench(actuators: [motor]))
            for _ in 0..<8 {
                switch Int.random(in: 0...7, using: &random) {
                case 0: bench.send(.release("a", at: bench.now))
                case 1: bench.send([.cancel(.all, .advance)])
                case 2: bench.send([.cancel(.all, .graceful)])
                default:
                    let fit = Bool.random(using: &random) ? Fit.auto : .off
                    let id = Bool.random(using: &random) ? "a" : "b"
                    bench.play(PlayInput(pattern: patterns.randomElement(using: &random)!, fit: fit), id: id)
                }
                bench.run(for: Nanoseconds(Int64.random(in: 0...400_000_000, using: &random)))
            }
            bench.send([.cancel(.all, .graceful)])
            let end = bench.now + .milliseconds(50)
            bench.run(for: .seconds(2))
            #expect(bench.actuations.last?.isOn != true, "walk \(walk)")
            #expect(bench.actuations.last.map { $0.planned <= end } != false, "walk \(walk)")
            #expect(bench.engine.nextDeadline > bench.now)
        }
    }

    @Test("A train has as many pulses as its decision says, however they are lengthened", arguments: [0, 9, 20] as [Int64])
    func train(minGap: Int64) {
        let limits = MotorLimits(minGap: .milliseconds(minGap))
        for variesIntensity in [true, false] {
            let capabilities = ActuatorCapabilities(variesIntensity: variesIntensity, variesSharpness: false)
            let motor = EngineActuator(name: "main", capabilities: capabilities, limits: limits, motor: .fast)
            var bench = Bench(.bench(actuators: [motor]))
            bench.play("soft", steps: 30)
            bench.run(for: .seconds(3))
            let pulses = bench.pulses()
            #expect(bench.summaries.map(\.pulses) == [30])
            #expect(pulses.count == 30)
            #expect(zip(pulses, pulses.dropFirst()).allSatisfy { $1.start - $0.end >= limits.minGap })
        }
    }

    @Test("A motor that the device reports does not replace a known one, but the driver's abilities count")
    func known() {
        let known = EngineActuator(name: "a", motor: MotorLibrary.coin.model)
        let chip = known.with(FoundMotor(model: nil, shapesItself: true))
        #expect(chip.motor == known.motor)
        #expect(chip.capabilities.shapesItself)
        #expect(known.with(nil) == known)
    }
}
