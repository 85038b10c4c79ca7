// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import Testing

@Suite struct ActuatorConfigurationTests {
    @Test("Every backend is read")
    func backends() throws {
        let read = try configuration(
            """
            version: 1
            actuators:
              - { name: a, backend: simulated, variesIntensity: false, variesSharpness: false, faults: { failAfter: 3, recoverAfter: 1s } }
              - { name: b, backend: gpio, chip: /dev/gpiochip1, line: MOTOR, activeLow: true, motor: { kind: lra } }
              - { name: c, backend: pwm, chip: pwmchip0, channel: 1, frequency: 20kHz }
              - { name: d, backend: evdev, match: { vendor: 0x045e, product: 0x028e, path: "/dev/input/*", phys: "usb*" } }
              - { name: e, backend: led, led: "blue:status", colour: "#ff8000", minInterval: 20ms }
            """)
        let longest = MotorLimits(maxOn: .seconds(10))
        #expect(
            read.actuators == [
                ActuatorConfiguration(
                    EngineActuator(name: "a"),
                    backend: SimulatedBackend(
                        capabilities: .init(variesIntensity: false, variesSharpness: false, mostDrive: .most),
                        faults: .lost(after: 3, for: .seconds(1)))),
                ActuatorConfiguration(
                    EngineActuator(name: "b", limits: longest, motor: MotorLibrary.typical(.lra)),
                    backend: GPIOBackend(chip: "/dev/gpiochip1", line: .name("MOTOR"), activeLow: true), isMotorAssumed: false),
                ActuatorConfiguration(
                    EngineActuator(name: "c", limits: longest, motor: MotorLibrary.coin.model),
                    backend: PWMBackend(chip: "pwmchip0", channel: 1, period: .microseconds(50))),
                ActuatorConfiguration(
                    EngineActuator(name: "d", limits: .init(minInterval: .milliseconds(2), maxOn: .seconds(10))),
                    backend: EvdevBackend(.init(path: "/dev/input/*", phys: "usb*", vendor: 0x045e, product: 0x028e))),
                ActuatorConfiguration(
                    EngineActuator(name: "e", limits: .init(minInterval: .milliseconds(20), maxOn: .seconds(60))),
                    backend: LEDBackend("blue:status", colour: LEDColour(rgb: 0xff8000))),
            ])
        #expect(read.actuators.map(\.capabilities.variesIntensity) == [false, false, true, true, true])
    }

    @Test("A real output may not stay on for ever")
    func longestOn() throws {
        let read = try configuration(
            """
            version: 1
            actuators:
              - { name: sim, backend: simulated }
              - { name: line, backend: gpio, chip: gpiochip0, line: 1 }
              - { name: channel, backend: pwm, chip: pwmchip0, channel: 1, frequency: 20kHz, motor: { maxOn: 1s } }
              - { name: light, backend: led, led: red }
            """)
        #expect(read.actuators.map(\.limits.maxOn) == [nil, .seconds(10), .seconds(1), .seconds(60)])
    }
}
