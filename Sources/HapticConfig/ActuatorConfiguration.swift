// SPDX-License-Identifier: MIT
public import HapticCore

/// One motor or light as the configuration has it.
public struct ActuatorConfiguration: Hashable, Sendable {
    public enum Backend: Hashable, Sendable {
        case simulated(Simulated)
        case gpio(GPIO)
        case pwm(PWM)
        case evdev(DeviceMatch)
        case led(LED)

        /// The same text for the same device, as far as the configuration says; nil where there is none.
        public var device: String? {
            switch self {
            case .simulated: nil
            case .gpio(let gpio): "gpio \(gpio.chip) \(gpio.line)"
            case .pwm(let pwm): "pwm \(pwm.chip) \(pwm.channel)"
            case .evdev(let match): "evdev \(match)"
            case .led(let led): "led \(led.name)"
            }
        }

        /// The longest time on of one whose configuration says none: nothing that is real may stay on for ever.
        public var longestOn: Nanoseconds? {
            switch self {
            case .simulated: nil
            case .gpio, .pwm, .evdev: .seconds(10)
            case .led: .seconds(60)
            }
        }

        /// The shortest interval of one whose configuration says none: a device with a thread of its own costs more.
        public var shortestInterval: Nanoseconds {
            switch self {
            case .simulated, .gpio, .pwm: .milliseconds(1)
            case .evdev, .led: .milliseconds(2)
            }
        }
    }

    /// An actuator that is not there.
    public struct Simulated: Hashable, Sendable {
        public var capabilities: ActuatorCapabilities
        public var faults: Faults?

        public init(capabilities: ActuatorCapabilities = .full, faults: Faults? = nil) {
            self.capabilities = capabilities
            self.faults = faults
        }
    }

    /// How a simulated actuator fails, to try out what happens then.
    public struct Faults: Hashable, Sendable {
        /// It fails at the actuation after this many.
        public var failAfter: Int
        /// It is there again this long after it failed; nil: never.
        public var recoverAfter: Nanoseconds?

        public init(failAfter: Int, recoverAfter: Nanoseconds? = nil) {
            self.failAfter = failAfter
            self.recoverAfter = recoverAfter
        }
    }

    public struct GPIO: Hashable, Sendable {
        public enum Line: Hashable, Sendable {
            case offset(Int)
            case name(String)
        }

        /// A path, a name or a label.
        public var chip: String
        public var line: Line
        public var activeLow: Bool
        /// The period of the software PWM that makes the intensity; nil: on or off only.
        public var pwmPeriod: Nanoseconds?

        public init(chip: String, line: Line, activeLow: Bool = false, pwmPeriod: Nanoseconds? = nil) {
            self.chip = chip
            self.line = line
            self.activeLow = activeLow
            self.pwmPeriod = pwmPeriod
        }
    }

    /// A channel of a chip under `/sys/class/pwm`.
    public struct PWM: Hashable, Sendable {
        public var chip: String
        public var channel: Int
        public var period: Nanoseconds

        public init(chip: String, channel: Int, period: Nanoseconds) {
            self.chip = chip
            self.channel = channel
            self.period = period
        }
    }

    public struct LED: Hashable, Sendable {
        /// Under `/sys/class/leds`.
        public var name: String
        /// Of a light with several channels: 0xRRGGBB; nil: white.
        public var colour: UInt32?

        public init(name: String, colour: UInt32? = nil) {
            self.name = name
            self.colour = colour
        }
    }

    /// What kind of motor it is, how fast it follows, and what it must not be asked for.
    public struct Motor: Hashable, Sendable {
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A rotating mass.
            case erm
            /// A linear resonant actuator.
            case lra
        }

        public var kind: Kind?
        /// From off to full speed.
        public var rise: Nanoseconds
        /// From full speed to rest.
        public var fall: Nanoseconds
        public var limits: MotorLimits

        public init(
            kind: Kind? = nil, rise: Nanoseconds = .zero, fall: Nanoseconds = .zero, limits: MotorLimits = .none
        ) {
            self.kind = kind
            self.rise = rise
            self.fall = fall
            self.limits = limits
        }
    }

    public var name: String
    public var backend: Backend
    public var motor: Motor
    /// What stands in for it where it is missing or a profile wants nothing of it: another one, which has no fallback itself.
    public var fallback: ActuatorIndex?

    public init(name: String, backend: Backend, motor: Motor = Motor(), fallback: ActuatorIndex? = nil) {
        self.name = name
        self.backend = backend
        self.motor = motor
        self.fallback = fallback
    }

    /// What can be known without opening the device.
    public var capabilities: ActuatorCapabilities {
        switch backend {
        case .simulated(let simulated): simulated.capabilities
        case .gpio(let gpio): ActuatorCapabilities(variesIntensity: gpio.pwmPeriod != nil, variesSharpness: false)
        case .pwm, .led: ActuatorCapabilities(variesIntensity: true, variesSharpness: false)
        // The strong and the weak motor of a pad mix to dull and sharp.
        case .evdev: .full
        }
    }
}
