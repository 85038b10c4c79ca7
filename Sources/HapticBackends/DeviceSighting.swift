// SPDX-License-Identifier: MIT

/// What can be seen of a device without taking it: for `hapticctl doctor`.
public struct DeviceSighting: Hashable, Sendable {
    /// The files that its driver opens, as far as they are there.
    public var files: [String]
    /// Of a chip with lines, the one that is meant; nil where the file is all of it.
    public var line: Int?
    /// Why this process, by its own rights, could not use it now; nil where nothing is in the way. The daemon has other rights.
    public var fault: DriverFault?

    public init(files: [String] = [], line: Int? = nil, fault: DriverFault? = nil) {
        self.files = files
        self.line = line
        self.fault = fault
    }
}

extension Backend {
    public func sighting() -> DeviceSighting { DeviceSighting() }
}
