// SPDX-License-Identifier: MIT
public import HapticBackends

extension InputAddress {
    /// The rule by which udev lets the daemon read this input device and no other; of a line, the one for its chip, which libgpiod opens
    /// for writing, too. Changes nothing. May block; any thread. Throws where there is no such device now, or no rule can be made for it.
    public func accessRule(in root: SysfsRoot = .system) throws(InputFault) -> DeviceRule {
        do throws(DriverFault) {
            switch self {
            case .line(let address, _): return try address.accessRule(in: root)
            case .key(let match, let key):
                return try match.accessRule(for: key.use, in: root)
            }
        } catch {
            throw InputFault(error, isKey: isKey)
        }
    }

    /// What this process sees of it now; `InputFault` has better words for its fault. Takes and changes nothing. May block; any thread.
    public func sighting() -> DeviceSighting {
        switch self {
        case .line(let address, _): address.sighting()
        case .key(let match, let key): match.sighting(for: key.use)
        }
    }

    /// It is of an input device, and not a line.
    public var isKey: Bool { if case .key = self { true } else { false } }
}
