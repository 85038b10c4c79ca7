// SPDX-License-Identifier: MIT

/// An open force-feedback device: what the kernel offers, no more. Used on one thread; each call may block.
protocol FFPort: AnyObject {
    /// In the words of its user: name, path, phys.
    var device: String { get }
    /// The one that the kernel gives it.
    var name: String { get }
    var abilities: FFAbilities { get }
    /// Of its node in /dev; nil where it has none.
    var path: String? { get }

    /// Gives it `effect`, to a new slot or in place of what is in slot `id`; returns its slot. ENOSPC: no slot is free.
    func upload(_ effect: FFEffect, replacing id: Int16?) throws(FFPortError) -> Int16
    /// Stops the effect in a slot and frees that.
    func erase(_ id: Int16) throws(FFPortError)
    /// Starts an effect and stops another one, in this order and at once; nil: leaves that out.
    func play(_ id: Int16?, stopping other: Int16?) throws(FFPortError)
    /// Gives the device back, which stops and erases all effects. Once.
    func close()
}

/// What the kernel has refused with.
struct FFPortError: Error, Hashable, Sendable {
    var errno: Int32
}
