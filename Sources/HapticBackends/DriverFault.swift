// SPDX-License-Identifier: MIT
private import Glibc

/// Why a driver could not do what it was told: what happened, to what, and what to do about it.
public struct DriverFault: Error, Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// The device is not there, or not there any more.
        case deviceLost
        /// The daemon may not open or use it.
        case permission
        /// Someone else holds it; who, where the kernel tells.
        case busy(holder: String?)
        /// The kernel refused with this errno.
        case io(errno: Int32)
        /// The driver was closed and not opened again.
        case closed
    }

    public var cause: Cause
    /// The device in the words of its user: a path, a chip and line, a name.
    public var device: String

    public init(_ cause: Cause, device: String) {
        self.cause = cause
        self.device = device
    }
}

extension DriverFault: CustomStringConvertible {
    public var description: String {
        switch cause {
        case .deviceLost: "\(device) is gone; plug it in again, it is used again when it is back"
        case .permission: "\(device) may not be opened; let the group hapticd read and write it (hw/ has the udev rules)"
        case .busy(let holder?): "\(device) is held by \(holder); stop that, or choose another device in the configuration"
        case .busy(nil): "\(device) is held by another program; stop that, or choose another device in the configuration"
        case .io(let errno):
            "\(device) failed: \(String(cString: strerror(errno))) (errno \(errno)); see the kernel's log (dmesg)"
        case .closed: "\(device) is closed; open it again before it is used"
        }
    }
}
