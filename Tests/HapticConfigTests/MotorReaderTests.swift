// SPDX-License-Identifier: MIT
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

    @Test func `a known motor is fitted to, and by its name alone never overdriven`() throws {
        for named in MotorLibrary.motors {
            let actuator = try actuator("motor: \(named.name)", backend: pwm)
            var model = named.model
            model.overdrive = nil
            #expect(actuator.fittedModel == model)
            #expect(actuator.capabilities.mostDrive == .rated)
        }
    }

    @Test func `a block may change what is known of a named motor`() throws {
        let actuator = try actuator("motor: { model: precision-310-103, maxOn: 2s, start: 50%, rise: 200ms }")
        let known = try #require(MotorLibrary.motor(named: "precision-310-103")).model
        let model = try #require(actuator.fittedModel)
        #expect(actuator.motor.limits.maxOn == .seconds(2))
        #expect(model.start == Share(clamping: 0.5) && model.hold == Share(clamping: 0.25))
        #expect(model.rise == .milliseconds(200) && model.fall == Nanoseconds.milliseconds(200).scaled(by: 1.15 / 2.97))
        #expect(model.kind == known.kind && model.minPulse == known.minPulse)
    }

    @Test func `a block is fitted to where it says its start, and not otherwise`() throws {
        let rest = "kind: erm, rise: 87ms, fall: 60ms, minGap: 20ms, maxOn: 2s, duty: 40%"
        #expect(try actuator("motor: { \(rest) }").fittedModel == nil)
        let model = try #require(
            try actuator("motor: { \(rest), start: 40%, hold: 20%, minPulse: 35ms, brake: true }").fittedModel)
        #expect(
            model
                == MotorModel(
                    kind: .erm, rise: .milliseconds(87), fall: .milliseconds(60), start: Share(clamping: 0.4),
                    hold: Share(clamping: 0.2), minPulse: .milliseconds(35), brake: true))
    }

    @Test func `a linear one may be known by its resonance`() throws {
        let model = try #require(try actuator("motor: { kind: lra, resonance: 170Hz, q: 6, start: 0 }").fittedModel)
        #expect(model.resonance == 170 && model.q == 6)
        #expect(abs(model.rise.inSeconds - 2.30 * 6 / (.pi * 170)) < 1e-6 && model.fall == model.rise)
    }

    @Test func `an overdrive is what a full duty is, where the backend can`() throws {
        let motor = "motor: { overdrive: { level: 120%, for: 50ms } }"
        #expect(try actuator(motor, backend: pwm).capabilities.mostDrive == Drive(1.2))
        #expect(try actuator(motor, backend: "gpio, chip: c, line: 1, pwm: true").capabilities.mostDrive == .rated)
        let fitted = try actuator("motor: { model: fast-erm, overdrive: { level: 1.3, for: 40ms } }", backend: pwm)
        #expect(fitted.fittedModel?.overdrive == .init(level: Drive(clamping: 1.3), time: .milliseconds(40)))
        #expect(
            try configuration("version: 1\nactuators: [{ name: a, backend: \(pwm) }]").engineConfiguration().actuators[0].motor
                == nil)
    }

    @Test func `an actuator may leave the curve as it is`() throws {
        let read = try configuration(
            """
            version: 1
            actuators:
              - { name: a, backend: simulated, motor: slow-erm, fit: off }
              - { name: b, backend: simulated, motor: slow-erm, fit: auto }
            """)
        #expect(try read.engineConfiguration().actuators.map { $0.motor == nil } == [true, false])
    }

    @Test func `a haptic chip shapes by itself, a pad does not`() throws {
        #expect(try actuator(#"match: { name: "drv260x:haptics" }"#, backend: "evdev").capabilities.shapesItself)
        #expect(try !actuator(#"match: { name: "*Controller*" }"#, backend: "evdev").capabilities.shapesItself)
    }

    @Test(arguments: [
        ("name: \"drv260x:haptics\"", true), ("name: \"drv26*\", path: /dev/input/event3", true),
        ("name: \"*Controller*\"", false),
        ("vendor: 0x045e", false), ("name: \"*\", product: 0x028e", false),
    ])
    func `a device to whose motor patterns are fitted is known to be a haptic chip or none`(_ match: String, _ isChip: Bool)
        throws
    {
        let read = try actuator("match: { \(match) }, motor: slow-erm", backend: "evdev")
        #expect(read.fittedModel != nil && read.capabilities.shapesItself == isChip)
    }

    @Test(arguments: [
        "path: /dev/input/event3", "name: \"*haptics\"", "name: \"*\"", "phys: \"*\"", "name: \"drv2*\", vendor: 0",
    ])
    func `where its match fits a haptic chip and others a motor is refused that would be fitted to, with what to write`(
        _ match: String
    ) throws {
        let entry = "{ name: a, backend: evdev, match: { \(match) }"
        let found = mistakes(whole: "version: 1\nactuators: [\n\(entry), motor: { kind: erm, rise: 50ms, start: 40% } }]")
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.hasPrefix("3:1: actuators[0]:") && $0.contains("or write `fit: off`") }, "\(found)")
        for motor in ["motor: { kind: erm, rise: 50ms, maxOn: 2s }", "motor: slow-erm, fit: off"] {
            #expect(mistakes(whole: "version: 1\nactuators: [\n\(entry), \(motor) }]").isEmpty)
        }
    }

    @Test(
        arguments: [
            ("precision-310", "unknown motor `precision-310`; there is `fast-erm`"),
            ("{ model: slow }", "unknown motor `slow`"),
            ("{ start: 40% }", "`start` says that patterns are fitted to this motor, which needs its `rise`"),
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
            ("{ model: slow-erm, kind: lra }", "`kind: lra` contradicts `model`, which is an `erm`; leave one of them out"),
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
    func `a motor that contradicts itself is refused, with its place and what to do`(_ motor: String, _ reason: String) {
        let found = mistakes(whole: "version: 1\nactuators: [\n{ name: a, backend: simulated, motor: \(motor) }]")
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.hasPrefix("3:") && $0.contains("actuators[0].motor") && $0.contains(reason) }, "\(found)")
    }

    @Test func `an empty thermal is what is usual for its kind, and each key of it changes that`() throws {
        #expect(try actuator("motor: { kind: erm }").motor.thermal == nil && actuator("motor: slow-erm").motor.thermal == nil)
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

    @Test func `what is just possible is taken`() throws {
        let motors = [
            "{ start: 40%, hold: 40%, rise: 50ms, overdrive: { level: 120%, for: 150ms } }", "{ model: pinephone, maxOn: 70ms }",
            "{ start: 100%, rise: 50ms, hold: 99% }", "{ overdrive: { level: 120%, for: 1s } }",
        ]
        for motor in motors { _ = try actuator("motor: \(motor)") }
    }

    @Test func `what only says what it said before fitting is as valid as it was`() throws {
        let actuator = try actuator("motor: { kind: lra, rise: 0ms, fall: 0ms }")
        #expect(actuator.fittedModel == nil)
    }
}
