// SPDX-License-Identifier: MIT
public import HapticBackends

/// Why a key or a button cannot be read: what happened, to what, and what to do about it.
public struct InputFault: Error, Hashable, Sendable {
    public var fault: DriverFault
    /// It is of an input device, which is read only; a chip with lines has to be written, too.
    public var isKey: Bool

    public init(_ fault: DriverFault, isKey: Bool) {
        self.fault = fault
        self.isKey = isKey
    }
}

extension InputFault: CustomStringConvertible {
    public var description: String {
        switch fault.cause {
        case .absent where isKey:
            "\(fault.device) is not there; plug it in, and it is used, or say in `match` what the one that is meant is called (/proc/bus/input/devices lists them)"
        case .permission where isKey:
            "\(fault.device) cannot be read: permission denied; `hapticctl actuators --scan --udev` prints the rule that lets the group hapticd read this device and no other (setfacl -m g:hapticd:r), and hapticd has to run in that group"
        default: "\(fault)"
        }
    }
}
