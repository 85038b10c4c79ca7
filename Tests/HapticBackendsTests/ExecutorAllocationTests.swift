// SPDX-License-Identifier: MIT
import CAllocations
import Glibc
import HapticCore
import HapticRuntime
import HapticThreads
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends

/// A driver on an executor with its real thread, where every call of the allocator on that thread is counted.
private final class CountedExecutor {
    /// On the executor's thread, up to the end of its work: what the end of the thread frees is none of it.
    private final class Made: Sendable {
        let count = Atomic<Int>(0)
    }

    private let executor: Executor
    private let made = Made()
    private var sent = 0
    private(set) var actuated = 0
    /// What must not happen here.
    private(set) var mishaps: [ExecutorReport] = []

    init(_ driver: any ActuatorDriver, allocates: Bool = false) throws {
        let drivers: [any ActuatorDriver] = [driver, Marker(allocates: allocates)]
        executor = try Executor(drivers: drivers, configuration: ExecutorConfiguration(orderCapacity: 4096)) { [made] signal in
            if signal == .idle { made.count.store(callocations_of_this_thread(), ordering: .relaxed) }
        }
    }

    /// Has all that follows counted, once everything has been done a few times.
    func warmUp(burst: Int, repeats: Int, settle: () -> Void) throws {
        while sent < Marker.warmUp { try play(actuated + 1, burst: burst, repeats: repeats, settle: settle) }
        actuated = 0
    }

    /// Plays at least `count` levels, `burst` at a time and each `repeats` times; `settle` is called between two bursts.
    func play(_ count: Int, burst: Int, repeats: Int = 1, settle: () -> Void) throws {
        while actuated < count, mishaps.isEmpty {
            let (start, id) = (SystemClock.now, PlaybackID(UInt64(sent)))
            for index in 0..<burst { try send(level: index / repeats, planned: start + Nanoseconds(Int64(index)), id) }
            // Now and then a playback is taken back, too late for what was felt of it.
            if sent % 8 == 0 { try submit(.planned(.revoke(id, ActuatorIndex(0), from: start))) }
            if sent % 1024 == 0 { try submit(.allOff) }
            sent += 1
            let last = start + Nanoseconds(Int64(burst))
            try actuate(Actuation(planned: last, actuator: ActuatorIndex(1), playback: id, level: level(1, 0)))
            try readReports(until: id)
            settle()
        }
    }

    /// On at ever other levels, now and then overdriven, lengthened or braked as what is fitted is, and off every 16th time.
    private func send(level index: Int, planned: MonotonicInstant, _ id: PlaybackID) throws {
        let place = index % 16
        let wanted = place < 13 ? level(Double(1 + (sent + index) % 90) / 100, Double(index % 5) / 5) : Level.off
        let drive: Drive? =
            switch place {
            case 3: Drive(1.2)
            case 7: Drive(Double(1 + (sent + index) % 100) / 100)
            case 13: .rated
            case 14: Drive(-0.5)
            default: nil
            }
        let run = place == 0 ? RunIndex(sent % 4) : nil
        try actuate(Actuation(planned: planned, actuator: ActuatorIndex(0), playback: id, level: wanted, drive: drive, run: run))
    }

    private func actuate(_ actuation: Actuation) throws { try submit(.planned(.actuate(actuation))) }

    private func submit(_ order: ExecutorOrder) throws {
        guard executor.submit(order) else { throw Stuck(what: "the ring of orders is full") }
    }

    /// Until the marker of this burst has been reported, by whatever has become of it.
    private func readReports(until id: PlaybackID) throws {
        while true {
            while let report = executor.nextReport() {
                switch report {
                case .actuated(let actuation, _), .missed(let actuation, _):
                    if case .actuated = report, actuation.actuator == ActuatorIndex(0) { actuated += 1 }
                    if actuation.actuator == ActuatorIndex(1), actuation.playback == id, actuation.level.isOn { return }
                case .abandoned: break
                case .cutOff, .faulted, .restored, .refused: mishaps.append(report)
                }
            }
            guard mishaps.isEmpty else { return }
            var descriptor = pollfd(fd: executor.reportDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 30_000) == 1 else { throw Stuck(what: "nothing is reported any more") }
        }
    }

    /// Ends the thread. Returns the calls of the allocator that were counted on it.
    func stop() -> Int {
        executor.stop()
        return made.count.load(ordering: .relaxed)
    }

    struct Stuck: Error { let what: String }
}

/// Tells by its report that all before it has been done, and lets the thread that it is called on be counted.
private final class Marker: ActuatorDriver {
    /// So many bursts are not counted: a debug build makes the runtime's descriptions of generic types when it first meets them.
    static let warmUp = 100

    let capabilities = ActuatorCapabilities.full
    let devicePath: String? = nil
    let nextDeadline = MonotonicInstant.distantFuture
    private let allocates: Bool
    private let applied = Atomic<Int>(0)

    init(allocates: Bool) { self.allocates = allocates }

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) throws(DriverFault) {
        callocations_count_this_thread(applied.add(1, ordering: .relaxed).newValue >= Self.warmUp)
        if allocates { free(malloc(1)) }
    }

    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult { .kept }
    func switchOff(at now: MonotonicInstant) throws(DriverFault) {}
    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] { [] }
    func open(at now: MonotonicInstant) throws(DriverFault) {}
    func close(at now: MonotonicInstant) {}
}

/// A line that leads nowhere, by a real system call.
private final class NullLine: OutputLine {
    let chipPath: String? = nil
    private let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    private(set) var edges = 0

    func set(_ isActive: Bool) throws(DriverFault) {
        edges += 1
        var byte: UInt8 = isActive ? 1 : 0
        write(descriptor, &byte, 1)
    }

    func release() { close(descriptor) }
}

/// Serialised: each keeps a processor busy.
@Suite(.serialized, .enabled(if: callocations_can_count(), "a sanitizer has its own allocator"))
struct ExecutorAllocationTests {
    private let enough = 20_000
    /// What the runtime of a debug build may have to describe once in a process, in calls of the allocator.
    private let mostOnce = 100

    /// Counts the calls of the allocator on the executor's thread while it plays thousands of levels on `driver`. After a few
    /// calls a second round decides: a busy host may take a path late, and in a debug build the runtime describes the types of
    /// that path once in a process.
    private func allocations(
        of driver: any ActuatorDriver, repeats: Int = 4, settle: () -> Void = {}
    ) throws -> Int {
        let first = try allocationsOfMany(driver, repeats, settle)
        return first == 0 || first > mostOnce ? first : try allocationsOfMany(driver, repeats, settle)
    }

    private func allocationsOfMany(_ driver: any ActuatorDriver, _ repeats: Int, _ settle: () -> Void) throws -> Int {
        let counted = try CountedExecutor(driver)
        // No more levels at a time than a device's thread has room for.
        let burst = repeats * 48
        try counted.warmUp(burst: burst, repeats: repeats, settle: settle)
        try counted.play(enough, burst: burst, repeats: repeats, settle: settle)
        let made = counted.stop()
        #expect(counted.mishaps == [])
        #expect(counted.actuated >= enough)
        return made
    }

    @Test("An allocation on the executor's thread is counted: this suite can fail")
    func counts() throws {
        let counted = try CountedExecutor(SimulatedDriver(name: "main"), allocates: true)
        try counted.warmUp(burst: 1, repeats: 1) {}
        try counted.play(10, burst: 1) {}
        let made = counted.stop()
        #expect(made >= 20, "a malloc and a free with each of ten")
    }

    @Test("Actuations of a simulated motor allocate nothing")
    func simulated() throws {
        let all = ActuatorCapabilities(variesIntensity: true, variesSharpness: true, mostDrive: .most, reverses: true)
        let driver = SimulatedDriver(name: "main", capabilities: all, limits: MotorLimits(minGap: .zero, maxOn: .seconds(60)))
        #expect(try allocations(of: driver) == 0)
        #expect(driver.record.contains { $0.drive > .rated })
        #expect(driver.record.contains { $0.drive < .zero })
    }

    @Test("Actuations and the edges of a GPIO line's software PWM between them allocate nothing")
    func gpio() throws {
        let line = NullLine()
        let driver = GPIODriver(name: "line", pwmPeriod: .microseconds(100), maxOn: .seconds(60)) { line }
        try driver.open(at: SystemClock.now)
        #expect(try allocations(of: driver) == 0)
        #expect(line.edges > 1000)
        driver.close(at: SystemClock.now)
    }

    @Test("Actuations of a light, written by a thread of its own, allocate nothing on the executor's")
    func light() throws {
        let sysfs = try SysfsImitation()
        try sysfs.makeLED("lamp")
        let driver = LevelDriver(LEDLight("lamp", root: sysfs.root), maxOn: .seconds(60), outputGuard: nil)
        try driver.open(at: SystemClock.now)
        #expect(try allocations(of: driver, repeats: 16) { try? wait(for: "the device's thread") { driver.hasFollowed } } == 0)
        driver.close(at: SystemClock.now)
    }

    @Test(
        "Actuations of a pad, some of runs that it plays by itself, allocate nothing on the executor's thread",
        arguments: [Pads.memoryless, Pads.rumble])
    func pad(abilities: FFAbilities) throws {
        let pad = ModelPad(abilities)
        let runs = [Examples.success, Examples.heavy].flatMap(\.runs)
        let driver = EvdevDriver(device: "pad", runs: runs, maxOn: .seconds(60)) { () throws(DriverFault) in pad }
        try driver.open(at: SystemClock.now)
        #expect(try allocations(of: driver, repeats: 32) { try? wait(for: "the device's thread") { driver.hasFollowed } } == 0)
        driver.close(at: SystemClock.now)
    }
}
