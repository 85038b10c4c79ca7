// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import HapticRuntime
import HapticThreads

func ms(_ count: Int64) -> MonotonicInstant { .zero + .milliseconds(count) }

let on = Level(intensity: .one, sharpness: .zero)

func actuation(_ planned: Int64, _ level: Level, actuator: Int = 0, playback: UInt64 = 1) -> Actuation {
    Actuation(planned: ms(planned), actuator: ActuatorIndex(actuator), playback: PlaybackID(playback), level: level)
}

func actuation(_ planned: Int64, driven: DrivenLevel, actuator: Int = 0, playback: UInt64 = 1) -> Actuation {
    Actuation(
        planned: ms(planned), actuator: ActuatorIndex(actuator), playback: PlaybackID(playback), level: driven.level,
        drive: driven.drive)
}

/// A core with simulated drivers on a virtual clock, which shows the deadline of each piece of work.
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

    /// The record of the first driver, as a list of "time level".
    var felt: [String] { drivers[0].record.map { "\($0.real) \($0.level.isOn ? "on" : "off")" } }
}

/// An executor on its real thread, and everything it reported.
final class RunningExecutor {
    let drivers: [SimulatedDriver]
    let executor: Executor
    private(set) var reports: [ExecutorReport] = []

    init(_ drivers: [SimulatedDriver] = [SimulatedDriver(name: "main")], configuration: ExecutorConfiguration = .init()) throws {
        self.drivers = drivers
        executor = try Executor(drivers: drivers, configuration: configuration)
    }

    /// Reads reports until there are `count`, waiting for the descriptor; gives up when nothing has come for 10 s.
    func waitForReports(_ count: Int) {
        while true {
            readReports()
            var descriptor = pollfd(fd: executor.reportDescriptor, events: Int16(POLLIN), revents: 0)
            guard reports.count < count, poll(&descriptor, 1, 10_000) == 1 else { return }
        }
    }

    func readReports() { while let report = executor.nextReport() { reports.append(report) } }

    var actuations: [Actuation] { reports.compactMap { if case .actuated(let actuation, _) = $0 { actuation } else { nil } } }
}

/// `after` from now on the real clock.
func soon(_ after: Nanoseconds, _ level: Level, actuator: Int = 0, playback: UInt64 = 1) -> Actuation {
    Actuation(
        planned: SystemClock.now + after, actuator: ActuatorIndex(actuator), playback: PlaybackID(playback), level: level)
}

extension ExecutorOrder {
    static func actuate(_ actuation: Actuation) -> ExecutorOrder { .planned(.actuate(actuation)) }

    static func revoke(
        _ playback: PlaybackID, _ actuator: ActuatorIndex, from instant: MonotonicInstant, continues: Bool = false
    ) -> ExecutorOrder {
        .planned(.revoke(playback, actuator, from: instant, continues: continues))
    }
}

extension Executor {
    func actuate(_ actuation: Actuation) -> Bool { submit(.actuate(actuation)) }
}
