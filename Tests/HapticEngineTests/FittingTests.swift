// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import TestSupport
import Testing

@testable import HapticEngine

@Suite("What is intended is fitted to the motor, within its limits")
struct FittingTests {
    /// A fast coin motor that may be overdriven and braked.
    static let model = MotorModel(
        kind: .erm, rise: .milliseconds(89), fall: .milliseconds(35), start: Share(0.4)!, hold: Share(0.2)!,
        minPulse: .milliseconds(30), overdrive: .init(level: Drive(1.2)!, time: .milliseconds(50)), brake: true)
    static let all = ActuatorCapabilities(variesIntensity: true, variesSharpness: true, mostDrive: Drive(1.2)!, reverses: true)

    static func bench(
        _ capabilities: ActuatorCapabilities = .full, _ limits: MotorLimits = .none, model: MotorModel? = model
    ) -> Bench {
        Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: capabilities, limits: limits, motor: model)]))
    }

    private static func play(_ pattern: String, fit: Fit?, at now: MonotonicInstant) -> BatchItem {
        let input = PlayInput(pattern: PlayablePattern.bench[pattern]!, fit: fit)
        return .input(Input(client: Bench.ada, at: now, kind: .play(input)))
    }

    @Test func `without a model the drive is the intensity`() {
        var bench = Self.bench(model: nil)
        bench.play("soft", steps: 20)
        bench.run(for: .seconds(2))
        #expect(bench.actuations.count == 40)
        #expect(bench.actuations.allSatisfy { $0.drive == Drive($0.level.intensity) })
    }

    @Test func `a weak level begins with a kick, and is held at the root of its intensity`() throws {
        var bench = Self.bench()
        bench.play("long")
        bench.run(for: .seconds(2))
        #expect(bench.actuations.first?.drive == .rated)
        let held = try #require(bench.actuations.dropFirst().first)
        #expect(abs(held.drive.value - 0.8.squareRoot()) < 1e-9 && held.level.intensity == Intensity(0.8))
        #expect(bench.actuations.last?.isOn == false)
    }

    @Test func `a fit of off plays the curve as it is`() {
        for fit in [Fit.off, .auto, nil] {
            var bench = Self.bench()
            bench.send(Self.play("long", fit: fit, at: bench.now))
            bench.run(for: .seconds(2))
            #expect((bench.actuations.map(\.drive.value) == [0.8, 0]) == (fit == .off))
        }
    }

    @Test func `a short touch is lengthened, and the playback ends with it`() throws {
        var bench = Self.bench()
        bench.play("soft")
        bench.run(for: .seconds(1))
        let pulse = try #require(bench.pulses().first)
        #expect(pulse.end - pulse.start >= Self.model.minPulse)
        #expect(bench.ends.map(\.at) == [pulse.end] && bench.ends.first?.ending == .completed)
    }

    @Test func `what is lengthened or braked stays as sharp as it was meant`() {
        // It reaches its level, and then is lengthened until it is felt.
        let weak = PlayablePattern.pulse("weak", 20, intensity: 0.1)
        for capabilities in [Self.all, .full] {
            var bench = Self.bench(capabilities)
            bench.send(PlanningTests.play(weak, at: bench.now))
            bench.run(for: .seconds(1))
            let pulse = bench.actuations.dropLast()
            #expect(pulse.contains { !$0.level.isOn && $0.drive > .zero })
            #expect(pulse.contains { $0.drive < .zero } == (capabilities == Self.all))
            #expect(pulse.allSatisfy { $0.level.sharpness == Sharpness(0.5) })
            #expect(bench.actuations.last?.driven == .off)
        }
    }

    @Test func `a train has as many pulses as the decision says, however they are lengthened`() {
        for minGap in [0, 9, 20] as [Int64] {
            for levels in [true, false] {
                let capabilities = ActuatorCapabilities(variesIntensity: levels, variesSharpness: false)
                var bench = Self.bench(capabilities, MotorLimits(minGap: .milliseconds(minGap)))
                bench.play("soft", steps: 30)
                bench.run(for: .seconds(3))
                let pulses = bench.pulses()
                #expect(bench.summaries.map(\.pulses) == [pulses.count])
                #expect(pulses.count == 30)
                #expect(zip(pulses, pulses.dropFirst()).allSatisfy { $1.start - $0.end >= .milliseconds(minGap) })
            }
        }
    }

    @Test func `a last pulse counts that waits for the interval and is lengthened past the pattern's end`() {
        var bench = Self.bench(.full, MotorLimits(minInterval: .milliseconds(1)))
        let pattern = PlanningTests.steps(
            "two", [(.zero, 0.5), (Nanoseconds(9), 0), (Nanoseconds(20), 0.5), (Nanoseconds(90), 0)])
        bench.send(PlanningTests.play(pattern, at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.summaries.map(\.pulses) == [2] && bench.pulses().count == 2)
    }

    @Test func `a pulse that would be over within the gap is played where it is lengthened past it`() throws {
        var bench = Self.bench(.full, MotorLimits(minGap: .milliseconds(9)))
        bench.play("soft")
        bench.run(for: .milliseconds(200))
        let off = try #require(bench.pulses().first).end
        bench = Self.bench(.full, MotorLimits(minGap: .milliseconds(9)))
        bench.play("soft")
        bench.run(until: off + Nanoseconds(1))
        let second = bench.play("soft")
        bench.run(for: .seconds(1))
        #expect(second.outcome == .played)
        #expect(bench.summaries.map(\.pulses) == [1, 1] && bench.pulses().count == 2)
    }

    @Test func `off at once waits for no fitting`() {
        var bench = Self.bench(Self.all)
        bench.play("soft", id: "a")
        bench.run(for: .milliseconds(3))
        bench.send([.cancel(.source(id: "a"))])
        bench.run(for: .seconds(1))
        #expect(bench.actuations.last.map { $0.planned == .ms(3) && !$0.isOn } == true)
    }

    @Test func `a graceful cancel ends within 50 ms, whatever was being fitted`() {
        for time in stride(from: 1 as Int64, through: 40, by: 3) {
            var bench = Self.bench(Self.all)
            bench.play("long", id: "a")
            bench.run(for: .milliseconds(time))
            bench.send([.cancel(.source(id: "a"), .graceful)])
            bench.run(for: .seconds(1))
            let last = bench.actuations.last
            #expect(last?.isOn == false && last.map { $0.planned <= .ms(time + 50) } == true)
            #expect(bench.ends.count == 1)
        }
    }

    @Test func `the longest time on holds for what is sent`() throws {
        var bench = Self.bench(Self.all, MotorLimits(maxOn: .milliseconds(20)))
        bench.play("soft")
        bench.run(for: .seconds(1))
        let pulse = try #require(bench.pulses().first)
        #expect(pulse.end - pulse.start == .milliseconds(20))
        #expect(bench.ends.first?.reason == .maxOn)
    }

    @Test func `a stop in the middle of a brake is off at once`() throws {
        var bench = Self.bench(Self.all)
        bench.play("success", id: "a")
        bench.run(for: .milliseconds(400))
        let brake = try #require(bench.actuations.first { $0.drive < .zero })
        bench = Self.bench(Self.all)
        bench.play("success", id: "a")
        bench.run(until: brake.planned + .milliseconds(2))
        bench.send([.cancel(.source(id: "a"), .graceful)])
        bench.run(for: .seconds(1))
        #expect(bench.actuations.last.map { $0.planned == brake.planned + .milliseconds(2) && !$0.isOn } == true)
    }

    @Test func `what a device would play by itself does not go with what is fitted`() throws {
        for model in [Self.model, nil] {
            var bench = Self.bench(model: model)
            bench.send(.event("payment.succeeded", at: bench.now))
            bench.play("soft")
            bench.run(for: .seconds(1))
            #expect(bench.actuations.contains { $0.run != nil } == (model == nil))
        }
    }

    @Test func `a device that tells its motor is fitted to from then on, and again as another one comes`() {
        var bench = Self.bench(model: nil)
        /// Whether anything was driven otherwise than it is meant.
        func isFitted() -> Bool {
            let before = bench.actuations.count
            bench.play("soft")
            bench.run(for: .seconds(1))
            return bench.actuations.dropFirst(before).contains { $0.drive != Drive($0.level.intensity) }
        }
        func set(_ isAvailable: Bool, _ found: FoundMotor? = nil) {
            bench.take(.actuator(ActuatorIndex(0), isAvailable: isAvailable, found: found))
        }
        #expect(!isFitted())
        set(true, FoundMotor(MotorLibrary.pad))
        #expect(isFitted())
        // The same again takes nothing away from what plays.
        bench.play("long", id: "a")
        set(true, FoundMotor(MotorLibrary.pad))
        #expect(bench.engine.playbackCount == 1)
        // Another one does: it was fitted to the former.
        set(true, FoundMotor(MotorLibrary.closedLoopLRA))
        #expect(bench.engine.playbackCount == 0)
        #expect(!isFitted())
        set(false)
        set(true, FoundMotor(MotorLibrary.coin))
        #expect(isFitted())
        set(true)
        #expect(!isFitted())
    }

    @Test func `what a device tells does not count against a motor that is known, but for what its driver does`() {
        let known = EngineActuator(name: "a", motor: MotorLibrary.coin.model)
        let chip = known.with(FoundMotor(model: nil, shapesItself: true))
        #expect(chip.motor == known.motor && chip.capabilities.shapesItself)
        #expect(known.with(nil) == known)
    }

    @Test func `a driver that shapes by itself gets the levels as they are meant, and plays its runs`() throws {
        func actuations(shapesItself: Bool, model: MotorModel?) -> [Actuation] {
            let capabilities = ActuatorCapabilities(
                variesIntensity: true, variesSharpness: true, mostDrive: Drive(1.2)!, reverses: true, shapesItself: shapesItself)
            var bench = Self.bench(capabilities, model: model)
            bench.send(.event("payment.succeeded", at: bench.now))
            bench.run(for: .seconds(1))
            bench.play("soft", steps: 5)
            bench.run(for: .seconds(2))
            bench.play("long", id: "a")
            bench.run(for: .milliseconds(300))
            bench.send([.cancel(.source(id: "a"), .graceful)])
            bench.run(for: .seconds(1))
            return bench.actuations
        }
        let chip = actuations(shapesItself: true, model: Self.model)
        #expect(chip.allSatisfy { $0.drive == Drive($0.level.intensity) })
        #expect(chip.contains { $0.run != nil })
        #expect(chip == actuations(shapesItself: true, model: nil))
        #expect(chip != actuations(shapesItself: false, model: Self.model))
    }

    @Test func `a motor that was overdriven before a reload is fitted with what is left of that`() {
        var model = Self.model
        model.rise = .milliseconds(300)
        model.overdrive?.time = .milliseconds(140)
        let actuator = EngineActuator(name: "main", capabilities: Self.all, motor: model)
        let pulse = PlanningTests.steps("pulse", [(.zero, 0.8), (.milliseconds(200), 0)])
        func changes(reloads: Bool, after start: MonotonicInstant) -> [[Double]] {
            var bench = Bench(.bench(actuators: [actuator]))
            bench.send(PlanningTests.play(pulse, at: bench.now))
            // It is at rest then, and has not had its rest from the overdrive.
            bench.run(until: .ms(250))
            if reloads { bench.take(.configuration(.bench(actuators: [actuator, EngineActuator(name: "other")]))) }
            bench.send(PlanningTests.play(pulse, at: bench.now))
            bench.run(for: .seconds(1))
            return bench.actuations.filter { $0.actuator.value == 0 && $0.planned >= start }.map {
                [($0.planned - start).inSeconds, $0.drive.value]
            }
        }
        let again = changes(reloads: false, after: .ms(250))
        #expect(again != changes(reloads: false, after: .zero).filter { $0[0] < 0.25 })
        #expect(changes(reloads: true, after: .ms(250)) == again)
    }

    @Test func `an overdrive lasts no longer than its time, which comes back as fast as it went`() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let time = Nanoseconds.milliseconds(Int64.random(in: 2...60, using: &random))
            let interval = Nanoseconds.milliseconds(Int64.random(in: 1...7, using: &random))
            var limiter = MotorLimiter(MotorLimits(minInterval: interval), overdrive: time)
            var changes: [(at: MonotonicInstant, drive: Double)] = []
            func note(_ driven: DrivenLevel?, _ at: MonotonicInstant) {
                if let driven { changes.append((at, driven.drive.value)) }
            }
            var now = MonotonicInstant.zero
            for _ in 0..<200 {
                now = now + .microseconds(Int64.random(in: 0...20_000, using: &random))
                while case let own = limiter.nextEvent, own < now { note(limiter.elapse(at: own), own) }
                let drive = Drive(clamping: [0, 0.5, 1.1, 1.3, 1.5].randomElement(using: &random)!)
                let level = Level(intensity: .one, sharpness: .zero)
                note(limiter.request(drive.isOn ? DrivenLevel(level, drive: drive) : .off, at: now), now)
            }
            while case let own = limiter.nextEvent, own < .distantFuture { note(limiter.elapse(at: own), own) }
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
}
