// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore
public import HapticRuntime

/// One actuator of the board, and how its device is driven.
public struct DevicePlan: Sendable {
    /// The name of the actuator.
    public var name: String
    /// What identifies the device, before a reload and after it.
    public var device: String
    /// Whether its output would keep its level when the daemon dies.
    public var isGuarded: Bool
    /// Whether opening it may take seconds.
    public var mayHang: Bool
    /// Whether its node is in one of the folders that are watched.
    public var appearsInDev: Bool
    /// Whether the executor drives it itself, without a thread of the device between them.
    public var isDirect: Bool
    /// Makes a driver that is closed.
    public var makeDriver: @Sendable (any OutputGuard) -> any ActuatorDriver

    public init(
        name: String, device: String, isGuarded: Bool = false, mayHang: Bool = false, appearsInDev: Bool = false,
        isDirect: Bool = false, makeDriver: @escaping @Sendable (any OutputGuard) -> any ActuatorDriver
    ) {
        self.name = name
        self.device = device
        self.isGuarded = isGuarded
        self.mayHang = mayHang
        self.appearsInDev = appearsInDev
        self.isDirect = isDirect
        self.makeDriver = makeDriver
    }

    /// The actuator, in the log.
    var logName: String { "the actuator `\(name)`" }
}

/// What a board is made of.
public struct BoardPlan: Sendable {
    /// An `ActuatorIndex` is an index in this list.
    public let devices: [DevicePlan]
    /// The patterns that every device is to have ready from the start, as far as it has room, the most wanted first.
    public let preparations: [Timeline]
    public let executor: ExecutorConfiguration
    /// Writes down what is driven from now on, before the first output can be on. Any thread; may block.
    public let record: @Sendable () -> Void
    /// Switches off what an earlier plan drove and this one does not, in half a second or so. Returns a sentence for each output that
    /// it could not switch off. May block.
    public let switchOffRemoved: @Sendable () -> [String]

    /// Where two actuators name one device, the second counts as another one.
    public init(
        devices: [DevicePlan], preparations: [Timeline] = [], executor: ExecutorConfiguration,
        record: @escaping @Sendable () -> Void = {}, switchOffRemoved: @escaping @Sendable () -> [String] = { [] }
    ) {
        var seen: Set<String> = []
        self.devices = devices.map { device in
            var device = device
            while !seen.insert(device.device).inserted { device.device += " again" }
            return device
        }
        self.preparations = preparations
        self.executor = executor
        self.record = record
        self.switchOffRemoved = switchOffRemoved
    }

    var isGuarded: Bool { devices.contains(where: \.isGuarded) }
}
