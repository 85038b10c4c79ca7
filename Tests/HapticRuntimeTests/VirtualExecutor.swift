// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticRuntime

/// A core with simulated drivers, driven by a virtual clock: now is always the deadline of what is done.
struct VirtualExecutor: ~Copyable {
    var core: ExecutorCore
    let drivers: [SimulatedDriver]
    var now = MonotonicInstant.zero
    var reports: [ExecutorReport] = []

    init(_ drivers: [SimulatedDriver] = [SimulatedDriver(name: "main")], capacity: Int = 64, minGaps: [Nanoseconds] = []) {
        self.drivers = drivers
        core = ExecutorCore(drivers: drivers, queueCapacity: capacity, minGaps: minGaps)
    }

    mutating func run(until end: Int64) {
        while core.nextDeadline <= ms(end) {
            now = max(now, core.nextDeadline)
            while core.step(at: now, report: { reports.append($0) }) {}
        }
        now = ms(end)
    }

    /// Does nothing until `end`, then all that has become due.
    mutating func stall(until end: Int64) {
        now = ms(end)
        while core.step(at: now, report: { reports.append($0) }) {}
    }

    mutating func take(_ orders: ExecutorOrder...) {
        for order in orders { core.handle(order, at: now, report: { reports.append($0) }) }
    }

    /// As a list of "time level", the first driver's record.
    var felt: [String] { drivers[0].record.map { "\($0.real) \($0.level.isOn ? "on" : "off")" } }
}
