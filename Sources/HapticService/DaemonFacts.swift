// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticWire

/// What the service knows of the daemon that it runs in.
public struct DaemonFacts {
    let version: String
    let startedAt: MonotonicInstant
    /// It ends: new requests are refused.
    public internal(set) var isStopping = false
    /// What the executor asked the kernel for, and was given.
    public var realtime = StatusResult.Realtime()
    /// The keys, buttons and switches that the daemon reads itself, and which of them cannot be read.
    public var inputs: [StatusResult.Input] = []

    init(version: String, startedAt: MonotonicInstant) { (self.version, self.startedAt) = (version, startedAt) }
}
