// SPDX-License-Identifier: MIT
private import Glibc

/// Why a driver could not do what it was asked: what happened, to what, and what to do about it.
public struct DriverFault: Error, Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// There is no such device on this machine.
        case absent
        /// Several devices fit what the configuration says; these, in the words of their user.
        case ambiguous([String])
        /// The device is there and cannot do what an actuator has to; a clause that says why, and one what to do.
        case unusable(why: String, remedy: String)
        /// The device was there and is not any more.
        case deviceLost
        /// The device does not get on with what it was sent.
        case hanging
        /// The daemon may not open or use it.
        case permission
        /// Someone else holds it; who, where the kernel says.
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

extension DriverFault {
    /// What a failed system call on `device` says: the fault that fits `errno`. `isOpen`: it was there before.
    public init(errno: Int32, device: String, isOpen: Bool = false) {
        let cause: Cause =
            switch errno {
            case ENODEV, ENXIO, ENOENT: isOpen ? .deviceLost : .absent
            case EACCES, EPERM: .permission
            case EBUSY: .busy(holder: nil)
            default: .io(errno: errno)
            }
        self.init(cause, device: device)
    }

    /// Whether the device has to appear before it is worth another try.
    public var awaitsDevice: Bool {
        switch cause {
        case .absent, .deviceLost, .permission, .ambiguous: true
        case .unusable, .hanging, .busy, .io, .closed: false
        }
    }
}

extension DriverFault: CustomStringConvertible {
    public var description: String {
        switch cause {
        case .absent: "\(device) is not there; connect it, or run `hapticctl actuators --scan` and name what is there instead"
        case .ambiguous(let devices):
            "\(device) fits \(devices.count) devices: \(devices.joined(separator: ", ")); say more of the one that is meant, such as its phys or path"
        case .unusable(let why, let remedy): "\(device) cannot be used: \(why); \(remedy)"
        case .deviceLost: "\(device) is gone; plug it in again, it is used again when it is back"
        case .hanging: "\(device) hangs: it does not answer; unplug it and plug it in again"
        case .permission:
            "\(device) cannot be opened: permission denied; let the group hapticd read and write it (the package has udev rules for that, and the sources in hw/udev) and run hapticd in that group"
        case .busy(let holder?): "\(device) is held by \(holder); stop that, or choose another device in the configuration"
        case .busy(nil): "\(device) is held by another program; stop that, or choose another device in the configuration"
        case .io(let errno):
            "\(device) failed: \(String(cString: strerror(errno))) (errno \(errno)); see the kernel's log (dmesg)"
        case .closed: "\(device) is closed; open it again before it is used"
        }
    }
}
