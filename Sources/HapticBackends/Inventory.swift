// SPDX-License-Identifier: MIT

/// What this machine has that could be an actuator, and whether this user may use it.
public struct Inventory: Hashable, Sendable {
    /// Nil where this build cannot list them.
    public var gpioChips: [GPIOChip]?
    public var pwmChips: [PWMChipDescription]
    public var forceFeedback: [ForceFeedbackDescription]
    public var leds: [LEDDescription]

    public init(
        gpioChips: [GPIOChip]? = nil, pwmChips: [PWMChipDescription] = [], forceFeedback: [ForceFeedbackDescription] = [],
        leds: [LEDDescription] = []
    ) {
        self.gpioChips = gpioChips
        self.pwmChips = pwmChips
        self.forceFeedback = forceFeedback
        self.leds = leds
    }

    /// Looks at everything, and changes nothing. Blocks; any thread.
    public static func scan(_ root: SysfsRoot = .system) -> Inventory {
        Inventory(
            gpioChips: GPIOChip.all(), pwmChips: PWMChipDescription.all(in: root), forceFeedback: ForceFeedbackDescription.all(in: root),
            leds: LEDDescription.all(in: root))
    }
}

/// A PWM chip and its channels.
public struct PWMChipDescription: Hashable, Sendable {
    public struct Channel: Hashable, Sendable {
        public var number: Int
        /// A program has asked for it, and may use it.
        public var isExported: Bool
        public var isEnabled: Bool
        /// Why this user could not use it; nil where they could.
        public var fault: DriverFault?

        public init(number: Int, isExported: Bool = false, isEnabled: Bool = false, fault: DriverFault? = nil) {
            self.number = number
            self.isExported = isExported
            self.isEnabled = isEnabled
            self.fault = fault
        }
    }

    /// `pwmchip0`; the number may be another one after the next start.
    public var name: String
    public var path: String
    /// The folder of its device, which stays the same; nil where there is none.
    public var devicePath: String?
    public var channels: [Channel]

    public init(name: String, path: String, devicePath: String? = nil, channels: [Channel] = []) {
        self.name = name
        self.path = path
        self.devicePath = devicePath
        self.channels = channels
    }
}

/// An input device with force feedback.
public struct ForceFeedbackDescription: Hashable, Sendable {
    public var path: String
    public var name: String
    /// Where it is plugged in; empty where it does not say.
    public var phys: String
    /// USB and Bluetooth ids, 0…0xffff.
    public var vendor: Int
    public var product: Int
    public var effects: Set<ForceFeedbackKind>
    /// Why this user could not use it; nil where they could.
    public var fault: DriverFault?

    public init(
        path: String, name: String, phys: String = "", vendor: Int = 0, product: Int = 0, effects: Set<ForceFeedbackKind> = [],
        fault: DriverFault? = nil
    ) {
        self.path = path
        self.name = name
        self.phys = phys
        self.vendor = vendor
        self.product = product
        self.effects = effects
        self.fault = fault
    }
}

/// What a force-feedback device can do, by the kernel's codes (`FF_…` of linux/input-event-codes.h).
public enum ForceFeedbackKind: Int, CaseIterable, Hashable, Sendable {
    case rumble = 0x50
    case periodic, constant, spring, friction, damper, inertia, ramp
    case square, triangle, sine, sawUp, sawDown, customWaveform
    case gain = 0x60
    case autocenter
}

/// A light under `/sys/class/leds`.
public struct LEDDescription: Hashable, Sendable {
    public var name: String
    public var path: String
    /// 1 where it is only on or off.
    public var maximum: Int
    /// Of a light with several channels; empty where it has one.
    public var colours: [String]
    /// What makes it shine by itself; nil where nothing does.
    public var trigger: String?
    public var isLit: Bool
    /// Why this user could not use it; nil where they could.
    public var fault: DriverFault?

    public init(
        name: String, path: String, maximum: Int = 1, colours: [String] = [], trigger: String? = nil, isLit: Bool = false,
        fault: DriverFault? = nil
    ) {
        self.name = name
        self.path = path
        self.maximum = maximum
        self.colours = colours
        self.trigger = trigger
        self.isLit = isLit
        self.fault = fault
    }

    /// Whether nobody seems to use it: it is dark, and nothing makes it shine.
    public var looksFree: Bool { trigger == nil && !isLit }
}
