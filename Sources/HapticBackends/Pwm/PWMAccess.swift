// SPDX-License-Identifier: MIT

extension PWMBackend {
    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? {
        let device = "PWM channel \(channel) of \(chip)"
        let found = try PWMChip.find(chip, in: root, device: device)
        guard let path = root.devicePath(of: found.folder) else {
            throw DriverFault(.absent, device: "\(found.folder) (for \(device)) in \(root.path)")
        }
        guard let place = DeviceRule.place(path, stem: "pwmchip", in: root) else { throw DeviceRule.oddPath(of: device) }
        return DeviceRule(#"SUBSYSTEM=="pwm", KERNEL=="pwmchip[0-9]*", \#(place)"#, Self.grant)
    }

    /// Of the chip, and of its channels in folders of their own.
    static let grant = DeviceRule.Grant.files(
        ["export", "unexport", "period", "duty_cycle", "enable", "polarity"], depth: 2, mark: name)
}
