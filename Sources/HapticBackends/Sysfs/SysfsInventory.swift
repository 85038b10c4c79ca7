// SPDX-License-Identifier: MIT
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
            number: number, isExported: isExported, isEnabled: (try? Sysfs.number("\(folder)/enable")) == 1, fault: refusal(files)
        )
    }
}

extension LEDDescription {
    /// All lights, by name.
    static func all(in root: SysfsRoot) -> [LEDDescription] {
        Sysfs.names(in: root.ledFolder).sorted().compactMap { name in
            let path = "\(root.ledFolder)/\(name)"
            guard let maximum = try? Sysfs.number("\(path)/max_brightness") else { return nil }
            let trigger = (try? Sysfs.text("\(path)/trigger")).flatMap(LEDTrigger.current)
            let isTriggered = trigger != nil && trigger != LEDTrigger.none
            // Those that a driver would write, and that are there.
            let files =
                ["brightness"] + (isTriggered ? ["trigger"] : [])
                + (Sysfs.exists("\(path)/multi_intensity") ? ["multi_intensity"] : [])
            return LEDDescription(
                name: name, path: path, maximum: maximum,
                colours: (try? Sysfs.text("\(path)/multi_index")).map(LEDColour.words) ?? [],
                trigger: isTriggered ? trigger : nil, isLit: ((try? Sysfs.number("\(path)/brightness")) ?? 0) > 0,
                fault: refusal(files.map { "\(path)/\($0)" }))
        }
    }
}

/// Why this process could not write all of these files; nil where it could.
private func refusal(_ paths: [String]) -> DriverFault? {
    for path in paths {
        guard let refusal = Sysfs.refusal(of: path) else { continue }
        return refusal.isPermission ? DriverFault(.permission, device: path) : DriverFault(errno: refusal.errno, device: path)
    }
    return nil
}
