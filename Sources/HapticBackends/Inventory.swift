// SPDX-License-Identifier: MIT

/// What this machine has that could be an actuator, and whether this user may use it.
public struct Inventory: Hashable, Sendable {
    /// Nil where this build cannot list them.
    public var gpioChips: [GPIOChip]?
    public var pwmChips: [PWMChipDescription]
    public var forceFeedback: [FFDevice]
    public var leds: [LEDDescription]

    public init(
        gpioChips: [GPIOChip]? = nil, pwmChips: [PWMChipDescription] = [], forceFeedback: [FFDevice] = [],
        leds: [LEDDescription] = []
    ) {
        self.gpioChips = gpioChips
        self.pwmChips = pwmChips
        self.forceFeedback = forceFeedback
        self.leds = leds
    }

    /// Looks at everything, and changes nothing. Opens GPIO chips and input devices for a moment, so it may block; any thread.
    public static func scan(_ root: SysfsRoot = .system) -> Inventory {
        #if GPIO
            let gpioChips: [GPIOChip]? = GPIOChip.all()
        #else
            let gpioChips: [GPIOChip]? = nil
        #endif
        return Inventory(
            gpioChips: gpioChips, pwmChips: PWMChipDescription.all(in: root), forceFeedback: EvdevInventory.devices(),
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
