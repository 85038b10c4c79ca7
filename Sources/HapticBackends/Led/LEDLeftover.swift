// SPDX-License-Identifier: MIT

extension LEDLight: Leftover {
    /// Without its colour, for dark is dark in all of them.
    public var keys: [ConfigurationKey] { [.init("led", .text(led))] }

    /// A light with a trigger is the kernel's: a daemon takes that off before it lights anything.
    public func switchOffLeftover() throws(DriverFault) {
        guard Sysfs.exists("\(folder)/brightness") else { return }
        if let trigger = (try? Sysfs.text("\(folder)/trigger")).flatMap(LEDTrigger.current), trigger != LEDTrigger.none { return }
        do throws(SystemError) {
            try Sysfs.write("0", to: "\(folder)/brightness")
        } catch {
            throw DriverFault(errno: error.errno, device: "\(folder)/brightness (for \(name))")
        }
    }
}
