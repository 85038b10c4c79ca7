// SPDX-License-Identifier: MIT

extension PWMChannel: Leftover {
    /// With any frequency, for a duty of 0 is 0 at all of them.
    public var keys: [ConfigurationKey] {
        [.init("chip", .text(chip)), .init("channel", .number(channel)), .init("frequency", .word("200Hz"))]
    }

    /// A channel that is not exported is nobody's. One that is stays exported, for nobody knows by whom it was, and enabled, as
    /// `close` leaves it.
    public func switchOffLeftover() throws(DriverFault) {
        guard let folder = try exportedFolder() else { return }
        let duty = "\(folder)/duty_cycle"
        do throws(SystemError) {
            // A new channel has a period of 0, where any duty is refused.
            guard try Sysfs.number("\(folder)/period") != 0 else { return }
            do throws(SystemError) {
                try Sysfs.write("0", to: duty)
            } catch  where !error.isPermission {
                try Sysfs.write("0", to: "\(folder)/enable")
            }
        } catch {
            throw DriverFault(errno: error.errno, device: "\(duty) (for \(name))")
        }
    }
}
