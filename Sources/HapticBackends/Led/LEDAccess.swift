// SPDX-License-Identifier: MIT

extension LEDBackend {
    public func accessRule(in root: SysfsRoot) throws(DriverFault) -> DeviceRule? {
        // Its name is one of the list: no path of a configuration is followed.
        guard Sysfs.names(in: root.ledFolder).contains(led), let path = root.devicePath("class/leds/\(led)") else {
            throw DriverFault(.absent, device: "LED \(led)")
        }
        guard let plain = DeviceRule.plain(path) else { throw DeviceRule.oddPath(of: "LED \(led)") }
        return DeviceRule(#"SUBSYSTEM=="leds", DEVPATH=="\#(plain)""#, Self.grant)
    }

    static let grant = DeviceRule.Grant.files(["brightness", "trigger", "multi_intensity"], depth: 1, mark: name)
}
