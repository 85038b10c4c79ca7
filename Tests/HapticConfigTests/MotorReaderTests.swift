// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
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
            #expect(actuator.fittedModel == model)
            #expect(actuator.capabilities.mostDrive == .rated)
        }
    }

    @Test("A block may change what is known of a named motor")
    func blockChange() throws {
        let actuator = try actuator("motor: { model: precision-310-103, maxOn: 2s, start: 50%, rise: 200ms }")
        let known = try #require(MotorLibrary.motor(named: "precision-310-103")).model
        let model = try #require(actuator.fittedModel)
        #expect(actuator.motor.limits.maxOn == .seconds(2))
        #expect((model.start, model.hold) == (Share(clamping: 0.5), Share(clamping: 0.25)))
        #expect((model.rise, model.fall) == (.milliseconds(200), Nanoseconds.milliseconds(200).scaled(by: 1.15 / 2.97)))
        #expect((model.kind, model.minPulse) == (known.kind, known.minPulse))
    }

    @Test("A block that describes a motor is fitted to, with what is typical of its kind where it says nothing")
    func blockDescribes() throws {
        let coin = MotorLibrary.coin.model
        #expect(try actuator("motor: { kind: erm, maxOn: 2s }").fittedModel == coin)
        #expect(try actuator("motor: { brake: false }").fittedModel == coin)
        let own = try #require(try actuator("motor: { rise: 87ms, start: 40% }").fittedModel)
        #expect((own.fall, own.hold) == (Nanoseconds.milliseconds(87).scaled(by: 1.15 / 2.97), Share(clamping: 0.2)))
        #expect(own.minPulse == coin.minPulse)
        let linear = try #require(try actuator("motor: { kind: lra }").fittedModel)
        #expect(linear == MotorModel(kind: .lra, rise: .milliseconds(78), fall: .milliseconds(78)))
        // A typical value never contradicts what is said.
        #expect(try actuator("motor: { hold: 75% }").fittedModel?.start == Share(clamping: 0.75))
        #expect(try actuator("motor: { kind: erm, maxOn: 20ms }").fittedModel?.minPulse == .milliseconds(20))
        let whole = "kind: erm, rise: 87ms, fall: 60ms, start: 40%, hold: 20%, minPulse: 35ms, brake: true"
        #expect(
            try actuator("motor: { \(whole) }").fittedModel
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
            #expect(read.motor.isAssumed)
            #expect(read.fittedModel == motor?.model)
            #expect(read.capabilities.variesIntensity == hasLevels)
            #expect(read.capabilities.shapesItself == motor?.shapesItself ?? false)
        }
        // An assumption is no limit.
        #expect(try actuator("fit: auto", backend: backend).motor.limits.minGap == .zero)
        #expect(try actuator("fit: auto", backend: backend).motor.limits.duty == .one)
        let named = try actuator("motor: fast-erm", backend: backend)
        #expect(!named.motor.isAssumed)
        #expect(named.fittedModel == MotorLibrary.motor(named: "fast-erm")?.model)
    }

    @Test(
        "What is no motor is not fitted to, and a line of it is on or off",
        arguments: ["none", "{ model: none }", "{ model: none, maxOn: 2s, minGap: 20ms, thermal: {} }"])
    func motorFitted(_ motor: String) throws {
        for backend in ["gpio, chip: c, line: 1", pwm, "evdev, match: { name: \"drv26*\" }", "simulated"] {
            let read = try actuator("motor: \(motor)", backend: backend)
            #expect(read.motor.model == nil)
            #expect(!read.motor.isAssumed)
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

    @Test("A linear one may be known by its resonance")
    func linearKnown() throws {
        let model = try #require(try actuator("motor: { kind: lra, resonance: 170Hz, q: 6, start: 0 }").fittedModel)
        #expect((model.resonance, model.q) == (170, 6))
        #expect(abs(model.rise.inSeconds - 2.30 * 6 / (.pi * 170)) < 1e-6)
        #expect(model.fall == model.rise)
    }

    @Test("An overdrive is what a full duty is, where the backend can")
    func overdriveFull() throws {
        let motor = "motor: { overdrive: { level: 120%, for: 50ms } }"
        #expect(try actuator(motor, backend: pwm).capabilities.mostDrive == Drive(1.2))
        #expect(try actuator(motor, backend: "gpio, chip: c, line: 1, pwm: true").capabilities.mostDrive == .rated)
        let fitted = try actuator("motor: { model: fast-erm, overdrive: { level: 1.3, for: 40ms } }", backend: pwm)
        #expect(fitted.fittedModel?.overdrive == .init(level: Drive(clamping: 1.3), time: .milliseconds(40)))
        #expect(
            try configuration("version: 1\nactuators: [{ name: a, backend: \(pwm) }]").engineConfiguration().actuators[0].motor
                == MotorLibrary.coin.model)
    }

    @Test("An actuator may leave the curve as it is")
    func actuatorLeave() throws {
        let read = try configuration(
            """
            version: 1
            actuators:
              - { name: a, backend: simulated, motor: coin, fit: off }
              - { name: b, backend: simulated, motor: coin, fit: auto }
            """)
        #expect(try read.engineConfiguration().actuators.map(\.isFitted) == [false, true])
    }

    @Test("A haptic chip shapes by itself, a pad does not")
    func hapticChip() throws {
        #expect(try actuator(#"match: { name: "drv260x:haptics" }"#, backend: "evdev").capabilities.shapesItself)
        #expect(try !actuator(#"match: { name: "*Controller*" }"#, backend: "evdev").capabilities.shapesItself)
    }

    @Test(
        "A motor that contradicts itself is refused, with its place and what to do",
        arguments: [
            ("precision-310", "unknown motor `precision-310`; "),
            ("{ model: slow }", "unknown motor `slow`"),
            ("{ model: none, rise: 50ms }", "`model: none` is no motor, so only limits belong beside it"),
            ("{ overdrive: { level: 120%, for: 600ms } }", "`overdrive.for` (600ms) is more than 3 times `rise` (193.05ms)"),
            ("{ start: 40%, hold: 50%, rise: 50ms }", "`hold` (0.5) is above `start` (0.4)"),
            ("{ rise: 0ms, fall: 50ms, start: 40% }", "`rise` must be more than 0"),
            ("{ kind: erm, q: 5 }", "an `erm` has no `q`"),
            ("{ kind: erm, resonance: 170Hz }", "an `erm` has no `resonance`"),
            ("{ kind: lra, q: 5 }", "`q` says nothing without `resonance`"),
            ("{ kind: lra, q: 20, resonance: 100Hz, rise: 10ms, start: 0 }", "`rise` (10ms) contradicts `q` and `resonance`"),
            ("{ start: 100%, hold: 100%, rise: 50ms }", "a `hold` of 1 keeps the motor in motion at its rated drive only"),
            ("{ hold: 100% }", "a `hold` of 1 keeps the motor in motion at its rated drive only"),
            ("{ model: fast-erm, hold: 41% }", "`hold` (0.41) is above `start` (0.4)"),
            ("{ rise: 0ms, hold: 20% }", "`rise` must be more than 0"),
            ("{ minPulse: 51ms, maxOn: 50ms }", "`minPulse` (51ms) is above `maxOn` (50ms)"),
            ("{ model: pinephone, maxOn: 69ms }", "`minPulse` (70ms) is above `maxOn` (69ms)"),
            (
                "{ start: 40%, rise: 89100us, overdrive: { level: 120%, for: 268ms } }",
                "`overdrive.for` (268ms) is more than 3 times `rise` (89.1ms): the motor is at its full speed after 54ms"
            ),
            ("{ overdrive: { level: 160%, for: 50ms } }", "expected more than 1 and at most 1.5 times the rated drive"),
            ("{ overdrive: { level: 1, for: 50ms } }", "expected more than 1 and at most 1.5 times the rated drive"),
            ("{ overdrive: { level: 1.2 } }", "the key `for` is missing"),
            ("{ kind: lra, resonance: 170Hz, q: 5, fall: 1ms }", "`fall` (1ms) contradicts `q` and `resonance`, which make it"),
            ("{ model: coin, kind: lra }", "`kind: lra` contradicts `model`, which is an `erm`; leave one of them out"),
            ("{ kind: erm, rise: 50s, start: 0.4 }", ".rise: `50s` is out of range; write a duration from 0s to 10s"),
            ("{ start: 40%, fall: 0ms, rise: 50ms }", ".fall: `fall` must be more than 0 and at most 10s"),
            ("{ thermal: { winding: 50ms } }", ".thermal.winding: `50ms` is out of range; write a duration from 100ms to 60s"),
            ("{ thermal: { winding: 50s, case: 50s } }", ".thermal: `winding` (50s) must be shorter than `case` (50s)"),
            ("{ kind: lra, thermal: { winding: 50s } }", ".thermal: `winding` (50s) must be shorter than `case` (45s)"),
            ("{ thermal: { soft: 100% } }", ".thermal: a `soft` of 1 leaves nothing to lower the strength in"),
            ("{ thermal: { floor: 9% } }", ".thermal: `floor` (0.09) must be 0.1 to 1"),
            ("{ thermal: { continuous: 0 } }", ".thermal.continuous: a share of 0 would keep the motor off"),
            ("{ thermal: { coil: 1s } }", "unknown key `coil`"),
        ])
    func motorContradicts(_ motor: String, _ reason: String) {
        let found = mistakes(whole: "version: 1\nactuators: [\n{ name: a, backend: simulated, motor: \(motor) }]")
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.hasPrefix("3:") && $0.contains("actuators[0].motor") && $0.contains(reason) }, "\(found)")
    }

    @Test("An empty thermal is what is usual for its kind, and each key of it changes that")
    func emptyThermal() throws {
        #expect(try actuator("motor: { kind: erm }").motor.thermal == nil)
        #expect(try actuator("motor: coin").motor.thermal == nil)
        for (motor, kind) in [
            ("thermal: {}", MotorModel.Kind.erm), ("kind: lra, thermal: {}", .lra), ("model: pixel-lra, thermal: {}", .lra),
        ] {
            let actuator = try actuator("motor: { \(motor) }")
            #expect(actuator.motor.thermal == .standard(kind))
            let whole = try configuration("version: 1\nactuators: [{ name: a, backend: simulated, motor: { \(motor) } }]")
            #expect(try whole.engineConfiguration().actuators[0].thermal == .standard(kind))
        }
        var model = ThermalModel.standard(.lra)
        (model.housing, model.continuous) = (.seconds(30), Share(clamping: 0.6))
        #expect(try actuator("motor: { thermal: { case: 30s, continuous: 60% }, kind: lra }").motor.thermal == model)
        model = ThermalModel(
            winding: .milliseconds(100), housing: .seconds(1), continuous: .one, soft: Share(clamping: 0.1), floor: .one)
        let rest = "winding: 100ms, case: 1s, continuous: 1, soft: 10%, floor: 100%"
        #expect(try actuator("motor: { thermal: { \(rest) } }").motor.thermal == model)
    }

    @Test("What is just possible is taken")
    func justPossible() throws {
        let motors = [
            "{ start: 40%, hold: 40%, rise: 50ms, overdrive: { level: 120%, for: 150ms } }", "{ model: pinephone, maxOn: 70ms }",
            "{ start: 100%, rise: 50ms, hold: 99% }", "{ rise: 400ms, overdrive: { level: 120%, for: 1s } }",
            "{ kind: lra, rise: 5ms }",
        ]
        for motor in motors { _ = try actuator("motor: \(motor)") }
    }
}
