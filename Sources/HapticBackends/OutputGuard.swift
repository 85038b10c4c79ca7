// SPDX-License-Identifier: MIT
public import HapticCore

/// What switches outputs off where the daemon no longer can: a process of its own that shares their descriptors.
///
/// A driver whose device keeps its level when the daemon dies gives the guard a copy before the first on. Called on the
/// threads that open and close devices, several at a time; blocks.
public protocol OutputGuard: AnyObject, Sendable {
    /// Takes over what the guard of an earlier daemon still holds: to be called before outputs are requested. Throws where no
    /// guard can be had: then the output must not be used.
    func takeOver(device: String) throws(DriverFault)

    /// Returns once the guard has a copy of each of `outputs` (at most 4), and keeps them until `release`.
    func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet

    /// The driver has switched the outputs off and gives them back. Returns once the guard has closed its copies.
    func release(_ set: GuardedSet)
}

/// When the guard and the executor hear of each other.
public enum GuardTiming {
    /// From beat to beat, while an output is on or something is planned.
    @inlinable public static var beatInterval: Nanoseconds { .milliseconds(400) }
    /// An output goes off at most this long after the last beat; two beats may be missed.
    @inlinable public static var patience: Nanoseconds { beatInterval * 3 }
}

/// An output that keeps its level when the daemon dies, and the call that switches it off.
public struct GuardedOutput: Hashable, Sendable {
    /// Stays the driver's: the guard gets a copy.
    public var descriptor: Int32
    public let off: OffCall

    public init(descriptor: Int32, off: OffCall) {
        self.descriptor = descriptor
        self.off = off
    }
}

/// What one driver has given to the guard; never used twice.
public struct GuardedSet: Hashable, Sendable {
    public let number: UInt32

    public init(_ number: UInt32) { self.number = number }
}
