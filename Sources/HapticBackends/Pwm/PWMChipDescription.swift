// SPDX-License-Identifier: MIT

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

extension PWMChipDescription {
    /// All PWM chips, by number.
    static func all(in root: SysfsRoot) -> [PWMChipDescription] {
        PWMChip.names(in: root.pwmFolder).compactMap { name in
            let path = "\(root.pwmFolder)/\(name)"
            // One that went away since it was listed has none.
            guard let count = try? Sysfs.number("\(path)/npwm") else { return nil }
            let chip = PWMChip(folder: path, channelCount: count)
            return PWMChipDescription(
                name: name, path: path, devicePath: resolved("\(path)/device"),
                channels: (0..<count).map { channel($0, of: chip) })
        }
    }

    private static func channel(_ number: Int, of chip: PWMChip) -> Channel {
        let folder = chip.channelFolder(number)
        let isExported = Sysfs.exists(folder)
        let files = isExported ? ["period", "duty_cycle", "enable"].map { "\(folder)/\($0)" } : ["\(chip.folder)/export"]
        return Channel(
            number: number, isExported: isExported, isEnabled: (try? Sysfs.number("\(folder)/enable")) == 1,
            fault: Sysfs.fault(ofWriting: files))
    }
}
