// SPDX-License-Identifier: MIT

/// An output that a daemon which was killed may have left on.
public protocol Leftover: Sendable {
    /// In the words of its user.
    var name: String { get }

    /// Switches it off, and takes nothing that it does not need for that: what is not there, or not as a daemon would have it, is
    /// not touched. No daemon uses it meanwhile. May block. Throws where it could not be switched off.
    func switchOffLeftover() throws(DriverFault)
}

extension PWMChannel: Leftover {
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

extension LEDLight: Leftover {
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

/// A line that a daemon may have left active.
public struct GPIOLeftover: Leftover {
    private let address: GPIOAddress

    public init(_ address: GPIOAddress) { self.address = address }

    public var name: String { "\(address)" }

    /// A line that another program holds is that program's.
    public func switchOffLeftover() throws(DriverFault) { try RequestedLine.switchOffLeftover(address) }
}
