// SPDX-License-Identifier: MIT

extension GPIOBackend {
    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? {
        #if GPIO
            return try accessRule(among: GPIOChip.all(for: address.chip), in: root)
        #else
            return try accessRule(among: [], in: root)
        #endif
    }

    /// A chip that is given by its path or its name need not be open to this user; of others the label has to be read.
    func accessRule(among chips: [GPIOChip], in root: SysfsRoot) throws(DriverFault) -> DeviceRule {
        let known = chips.map { chip in
            var chip = chip
            if chip.path == address.chip || chip.name == address.chip, chip.fault?.cause == .permission { chip.fault = nil }
            return chip
        }
        let chip = try GPIOSearch.chip(address.chip, among: known, device: "\(address)")
        // The path may be a link to the node that udev knows.
        let node = (resolved(chip.path) ?? chip.path).split(separator: "/").last.map(String.init) ?? ""
        guard let path = root.devicePath("bus/gpio/devices/\(node)") else {
            throw DriverFault(.absent, device: "\(chip.path) (for \(address)) in \(root.path)/bus/gpio/devices")
        }
        guard let place = DeviceRule.place(path, stem: "gpiochip", in: root) else { throw DeviceRule.oddPath(of: "\(address)") }
        let name = Self.bank(path).map { #", SYMLINK+="am335x-gpio\#($0)""# } ?? ""
        return DeviceRule(#"SUBSYSTEM=="gpio", KERNEL=="gpiochip[0-9]*", ENV{MAJOR}=="?*", \#(place)\#(name)"#, .node)
    }

    /// The banks of an AM335x, which the package's rules give names that stay; nil for other chips.
    private static func bank(_ path: String) -> Int? {
        let banks = ["44e07000.gpio", "4804c000.gpio", "481ac000.gpio", "481ae000.gpio"]
        return path.split(separator: "/").lazy.compactMap { part in banks.firstIndex { $0 == part } }.first
    }
}
