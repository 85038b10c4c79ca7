// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore

/// An open input device or line: what the kernel offers, no more.
protocol InputPort: AnyObject, Sendable {
    /// To be waited for.
    var descriptor: Int32 { get }
    /// Of its device's node in /dev.
    var path: String { get }

    /// Reads what is there, up to a bound; never waits. On one thread at a time, and not during `levels`.
    func read() throws(InputPortError) -> InputReading
    /// Reads how its inputs are now. May block.
    func levels() throws(InputPortError) -> InputLevels
    /// Gives it back. Once; may block.
    func close()
}

/// What the kernel has refused with.
struct InputPortError: Error, Hashable, Sendable {
    var errno: Int32
}

struct InputEdge: Hashable, Sendable {
    /// Which of the port's inputs.
    var input: Int
    var isDown: Bool
    /// As the kernel says.
    var at: MonotonicInstant
}

struct InputReading: Hashable, Sendable {
    var edges: [InputEdge] = []
    /// Edges may have been missed, so that the levels have to be read.
    var hasGap = false
    /// There was nothing more to read.
    var isLast = true
}

/// How the inputs of a port are.
struct InputLevels: Hashable, Sendable {
    var areDown: [Bool]
    /// Just before they were read: what happened before that is in them.
    var at: MonotonicInstant
}

/// A port with some of the inputs that were to be opened.
struct OpenedPort: Sendable {
    var port: any InputPort
    /// The indices of its inputs among those that were asked for.
    var inputs: [Int]
    var levels: InputLevels
}

struct InputOpening: Sendable {
    var ports: [OpenedPort] = []
    /// Of the others, by their indices.
    var faults: [Int: InputFault] = [:]
}

/// Finds and opens devices. Any thread; may block.
protocol InputSystem: Sendable {
    /// Those of one device, or of one line. Several on one device share one port.
    func open(_ addresses: [InputAddress]) -> InputOpening
    /// Whether the node of a device is there.
    func isThere(_ path: String) -> Bool
}
