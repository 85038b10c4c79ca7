// SPDX-License-Identifier: MIT

extension GPIOBackend {
    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? { try address.accessRule(in: root) }

    func accessRule(among chips: [GPIOChip], in root: SysfsRoot) throws(DriverFault) -> DeviceRule {
        try address.accessRule(among: chips, in: root)
    }
}

extension GPIOAddress {
    /// What this process sees of the line now. Takes and changes nothing; may block, any thread.
    package func sighting() -> DeviceSighting {
        #if GPIO
            let chips = GPIOChip.all(for: chip)
            do throws(DriverFault) {
                let chip = try GPIOSearch.chip(self.chip, among: chips, device: "\(self)")
                let line = chip.lines[try GPIOSearch.offset(self.line, in: chip, device: "\(self)")]
                let holder = DriverFault(.busy(holder: line.consumer.map { "`\($0)`" }), device: "\(self)")
                return DeviceSighting(files: [chip.path], line: line.offset, fault: line.isUsed ? holder : nil)
            } catch {
                // Any chip that may not be opened could be the one.
                let closed = chips.filter { $0.fault?.cause == .permission }.map(\.path)
                return DeviceSighting(files: error.cause == .permission ? closed : [], fault: error)
            }
        #else
            return DeviceSighting()
        #endif
    }

    /// The rule for its chip: who may use one line of a chip may use all of them. Changes nothing; may block, any thread.
    package func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule {
        #if GPIO
            return try accessRule(among: GPIOChip.all(for: chip), in: root)
        #else
            return try accessRule(among: [], in: root)
        #endif
    }

    /// A chip that is given by its path or its name need not be open to this user; of others the label has to be read.
    func accessRule(among chips: [GPIOChip], in root: SysfsRoot) throws(DriverFault) -> DeviceRule {
        let known = chips.map { chip in
            var chip = chip
            if chip.path == self.chip || chip.name == self.chip, chip.fault?.cause == .permission { chip.fault = nil }
            return chip
        }
        let chip = try GPIOSearch.chip(self.chip, among: known, device: "\(self)")
        // The path may be a link to the node that udev knows.
        let node = (resolved(chip.path) ?? chip.path).split(separator: "/").last.map(String.init) ?? ""
        guard let path = root.devicePath("bus/gpio/devices/\(node)") else {
            throw DriverFault(.absent, device: "\(chip.path) (for \(self)) in \(root.path)/bus/gpio/devices")
        }
        guard let place = DeviceRule.place(path, stem: "gpiochip", in: root) else { throw DeviceRule.oddPath(of: "\(self)") }
        let name = Self.bank(path).map { #", SYMLINK+="am335x-gpio\#($0)""# } ?? ""
        return DeviceRule(#"SUBSYSTEM=="gpio", KERNEL=="gpiochip[0-9]*", ENV{MAJOR}=="?*", \#(place)\#(name)"#, .node)
    }

    /// The banks of an AM335x, which the package's rules give names that stay; nil for other chips.
    private static func bank(_ path: String) -> Int? {
        let banks = ["44e07000.gpio", "4804c000.gpio", "481ac000.gpio", "481ae000.gpio"]
        return path.split(separator: "/").lazy.compactMap { part in banks.firstIndex { $0 == part } }.first
    }
}
