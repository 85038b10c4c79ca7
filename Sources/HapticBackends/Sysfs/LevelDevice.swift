// SPDX-License-Identifier: MIT
public import HapticCore

/// A device that only knows a level, and may take its time to show it. What a `LevelDriver` drives.
///
/// **Threads.** One thread at a time: `open` on a helper thread, the rest on the thread of the device. Everything may block.
public protocol LevelDevice: AnyObject, Sendable {
    /// In the words of its user.
    var name: String { get }

    /// Gets hold of the device and leaves it off. Returns by what a guard switches it off, in that order; the descriptors stay
    /// the device's. Leaves nothing open where it throws.
    func open() throws(DriverFault) -> [GuardedOutput]

    /// Brings the output to `drive`, 0…`mostDrive` of its driver; 0 is off.
    func show(_ drive: Drive) throws(DriverFault)

    /// Switches off in every way it has, one after the other until one works; also after a fault. No effect where it is closed.
    func switchOff()

    /// Switches off and gives the device back, as it was found. No effect where it is closed.
    func close()
}
