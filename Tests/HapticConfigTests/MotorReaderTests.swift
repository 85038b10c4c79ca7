// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import Testing

struct MotorReaderTests {
    private func actuator(_ rest: String, backend: String = "simulated") throws -> ActuatorConfiguration {
        try configuration("version: 1\nactuators: [{ name: a, backend: \(backend), \(rest) }]").actuators[0]
    }

    private let pwm = "pwm, chip: c, channel: 0, frequency: 20kHz"

    @Test("A known motor is fitted to, and by its name alone never overdriven")
    func knownMotor() throws {
        for named in MotorLibrary.motors {
            let actuator = try actuator("motor: \(named.name)", backend: pwm)
            var model = named.model
            model.overdrive = nil
            #expect(actuator.fittedMotor == model)
            #expect(actuator.capabilities.mostDrive == .rated)
        }
    }

    @Test("A block may override values of a named motor")
    func blockChange() throws {
        let actuator = try actuator("motor: { model: precision-310-103, maxOn: 2s, start: 50%, rise: 200ms }")
        let known = try #require(MotorLibrary.motor(named: "precision-310-103")).model
        let model = try #require(actuator.fittedMotor)
        #expect(actuator.limits.maxOn == .seconds(2))
        #expect((model.start, model.hold) == (Share(clamping: 0.5), Share(clamping: 0.25)))
        #expect((model.rise, model.fall) == (.milliseconds(200), Nanoseconds.milliseconds(200).scaled(by: 1.15 / 2.97)))
        #expect((model.kind, model.minPulse) == (known.kind, known.minPulse))
    }

    @Test("A described motor is fitted to, with typical values of its kind for missing keys")
    func blockDescribes() throws {
        let coin = MotorLibrary.coin.model
        #expect(try actuator("motor: { kind: erm, maxOn: 2s }").fittedMotor == coin)
        #expect(try actuator("motor: { brake: false }").fittedMotor == coin)
        let own = try #require(try actuator("motor: { rise: 87ms, start: 40% }").fittedMotor)
        #expect((own.fall, own.hold) == (Nanoseconds.milliseconds(87).scaled(by: 1.15 / 2.97), Share(clamping: 0.2)))
        #expect(own.minPulse == coin.minPulse)
        let linear = try #require(try actuator("motor: { kind: lra }").fittedMotor)
        #expect(linear == MotorModel(kind: .lra, rise: .milliseconds(78), fall: .milliseconds(78)))
        // A typical value never contradicts what is said.
        #expect(try actuator("motor: { hold: 75% }").fittedMotor?.start == Share(clamping: 0.75))
        #expect(try actuator("motor: { kind: erm, maxOn: 20ms }").fittedMotor?.minPulse == .milliseconds(20))
        let whole = "kind: erm, rise: 87ms, fall: 60ms, start: 40%, hold: 20%, minPulse: 35ms, brake: true"
        #expect(
            try actuator("motor: { \(whole) }").fittedMotor
                == MotorModel(
                    kind: .erm, rise: .milliseconds(87), fall: .milliseconds(60), start: Share(clamping: 0.4),
                    hold: Share(clamping: 0.2), minPulse: .milliseconds(35), brake: true))
    }

    @Test(
        "A motor that nobody describes is the commonest one of its backend",
        arguments: [
            ("gpio, chip: c, line: 1", MotorLibrary.coin, true), ("gpio, chip: c, line: 1, pwm: 100Hz", MotorLibrary.coin, true),
            ("gpio, chip: c, line: 1, pwm: false", MotorLibrary.coin, false),
            ("pwm, chip: c, channel: 0, frequency: 20kHz", MotorLibrary.coin, true),
            ("evdev, match: { name: \"drv260x:haptics\" }", MotorLibrary.closedLoopLRA, true),
            ("evdev, match: { name: \"*Controller*\" }", nil, true), ("evdev, match: { path: /dev/input/event3 }", nil, true),
            ("simulated", nil, true),
        ])
    func motorNobody(
        _ backend: String, _ motor: NamedMotor?, _ hasLevels: Bool
    ) throws {
        for rest in ["fit: auto", "motor: { maxOn: 50ms, minGap: 20ms, duty: 40%, thermal: {} }"] {
            let read = try actuator(rest, backend: backend)
            #expect(read.isMotorAssumed)
            #expect(read.fittedMotor == motor?.model)
            #expect(read.capabilities.variesIntensity == hasLevels)
            #expect(read.capabilities.shapesItself == motor?.shapesItself ?? false)
        }
        // An assumption is no limit.
        #expect(try actuator("fit: auto", backend: backend).limits.minGap == .zero)
        #expect(try actuator("fit: auto", backend: backend).limits.duty == .one)
        let named = try actuator("motor: fast-erm", backend: backend)
        #expect(!named.isMotorAssumed)
        #expect(named.fittedMotor == MotorLibrary.motor(named: "fast-erm")?.model)
    }

    @Test(
        "An actuator without a motor is not fitted to, and a line of it is on or off",
        arguments: ["none", "{ model: none }", "{ model: none, maxOn: 2s, minGap: 20ms, thermal: {} }"])
    func motorFitted(_ motor: String) throws {
        for backend in ["gpio, chip: c, line: 1", pwm, "evdev, match: { name: \"drv26*\" }", "simulated"] {
            let read = try actuator("motor: \(motor)", backend: backend)
            #expect(read.motor == nil)
            #expect(!read.isMotorAssumed)
            #expect(read.capabilities.variesIntensity == !backend.hasPrefix("gpio"))
        }
    }

    @Test("A line has software PWM for a rotating mass alone, unless the file says how it is driven")
    func lineSoftware() throws {
        func period(_ rest: String) throws -> Nanoseconds? {
            try #require(try actuator(rest, backend: "gpio, chip: c, line: 1").backend as? GPIOBackend).pwmPeriod
        }
        #expect(try (period("fit: off"), period("motor: { kind: erm }")) == (.milliseconds(5), .milliseconds(5)))
        #expect(try period("motor: pixel-lra") == nil)
        #expect(try period("motor: none") == nil)
        #expect(try period("motor: none, pwm: 100Hz") == .milliseconds(10))
        #expect(try period("motor: coin, pwm: false") == nil)
    }

    @Test("A linear motor may be described by its resonance")
    func linearKnown() throws {
        let model = try #require(try actuator("motor: { kind: lra, resonance: 170Hz, q: 6, start: 0 }").fittedMotor)
        #expect((model.resonance, model.q) == (170, 6))
        #expect(abs(model.rise.inSeconds - 2.30 * 6 / (.pi * 170)) < 1e-6)
        #expect(model.fall == model.rise)
    }

    @Test("A full duty is the overdrive on a backend that can overdrive")
    func overdriveFull() throws {
        let motor = "motor: { overdrive: { level: 120%, for: 50ms } }"
        #expect(try actuator(motor, backend: pwm).capabilities.mostDrive == Drive(1.2))
        #expect(try actuator(motor, backend: "gpio, chip: c, line: 1, pwm: true").capabilities.mostDrive == .rated)
        let fitted = try actuator("motor: { model: fast-erm, overdrive: { level: 1.3, for: 40ms } }", backend: pwm)
        #expect(fitted.fittedMotor?.overdrive == .init(level: Drive(clamping: 1.3), time: .milliseconds(40)))
        #expect(
            try configuration("version: 1\nactuators: [{ name: a, backend: \(pwm) }]").engineConfiguration().actuators[0].motor
                == MotorLibrary.coin.model)
    }

    @Test("An empty `thermal` has the usual values of its kind of motor, and each key replaces one")
    func emptyThermal() throws {
        #expect(try actuator("motor: { kind: erm }").thermal == nil)
        #expect(try actuator("motor: coin").thermal == nil)
        for (motor, kind) in [
            ("thermal: {}", MotorModel.Kind.erm), ("kind: lra, thermal: {}", .lra), ("model: pixel-lra, thermal: {}", .lra),
        ] {
            let actuator = try actuator("motor: { \(motor) }")
            #expect(actuator.thermal == .standard(kind))
            let whole = try configuration("version: 1\nactuators: [{ name: a, backend: simulated, motor: { \(motor) } }]")
            #expect(try whole.engineConfiguration().actuators[0].thermal == .standard(kind))
        }
        var model = ThermalModel.standard(.lra)
        (model.housing, model.continuous) = (.seconds(30), Share(clamping: 0.6))
        #expect(try actuator("motor: { thermal: { case: 30s, continuous: 60% }, kind: lra }").thermal == model)
        model = ThermalModel(
            winding: .milliseconds(100), housing: .seconds(1), continuous: .one, soft: Share(clamping: 0.1), floor: .one)
        let rest = "winding: 100ms, case: 1s, continuous: 1, soft: 10%, floor: 100%"
        #expect(try actuator("motor: { thermal: { \(rest) } }").thermal == model)
    }

    @Test("A motor at the limit of the possible is accepted")
    func justPossible() throws {
        let motors = [
            "{ start: 40%, hold: 40%, rise: 50ms, overdrive: { level: 120%, for: 150ms } }", "{ model: pinephone, maxOn: 70ms }",
            "{ start: 100%, rise: 50ms, hold: 99% }", "{ rise: 400ms, overdrive: { level: 120%, for: 1s } }",
            "{ kind: lra, rise: 5ms }",
        ]
        for motor in motors { _ = try actuator("motor: \(motor)") }
    }
}
