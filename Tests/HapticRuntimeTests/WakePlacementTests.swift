// SPDX-License-Identifier: MIT
import CLinux
import FoundationEssentials
import Glibc
import HapticBackends
import HapticCore
import HapticRuntime
import HapticThreads
import Synchronization
import Testing

/// Notes where the executor's thread is while it drives.
final class NotingDriver: ActuatorDriver {
    struct Note: Equatable {
        var cpu: Int32
        var allowed: [Int32]
    }

    let thread = Atomic<Int32>(0)
    let notes = Mutex<[Note]>([])
    let capabilities = ActuatorCapabilities.full
    let devicePath: String? = nil
    let nextDeadline = MonotonicInstant.distantFuture

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) {
        thread.store(clinux_thread_number(), ordering: .relaxed)
        let note = Note(cpu: clinux_thread_cpu(), allowed: processors(of: 0))
        notes.withLock { $0.append(note) }
    }

    func advance(to now: MonotonicInstant) -> AdvanceResult { .kept }
    func switchOff(at now: MonotonicInstant) {}
    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) -> [Readiness] { [] }
    func open(at now: MonotonicInstant) {}
    func close(at now: MonotonicInstant) {}
}

/// Where the thread (0: the calling one) may run.
private func processors(of thread: Int32) -> [Int32] {
    var cpus = clinux_cpus()
    guard clinux_thread_get_cpus(thread, &cpus) == 0 else { return [] }
    return withUnsafeBytes(of: cpus) { bytes in
        (0..<Int32(bytes.count * 8)).filter { bytes[Int($0) / 8] >> UInt8($0 % 8) & 1 == 1 }
    }
}

func isAsleep(_ thread: Int32) -> Bool {
    guard let line = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8) else { return false }
    // The name, in brackets, may have any letters in it.
    return line.split(separator: ")").last?.dropFirst().first == "S"
}

/// An executor with one driver, woken from where the calling thread is.
final class WokenExecutor {
    let driver = NotingDriver()
    let executor: Executor
    private let patience = SystemClock.now + .seconds(60)
    private var isOn = false

    init(_ configuration: ExecutorConfiguration) throws {
        executor = try Executor(drivers: [driver], configuration: configuration)
        // Also tells who it is.
        wake()
        wake()
    }

    /// Plays a change now, and waits until the thread has made it and sleeps. What its driver noted; nil where that has not come.
    @discardableResult
    func wake() -> NotingDriver.Note? {
        let before = driver.notes.withLock { $0.count }
        play()
        return waitForSleep(after: before + 1) ? driver.notes.withLock { $0[before] } : nil
    }

    func play() {
        isOn.toggle()
        let level = isOn ? Level(intensity: .one, sharpness: .zero) : .off
        _ = executor.actuate(
            Actuation(planned: SystemClock.now, actuator: ActuatorIndex(0), playback: PlaybackID(1), level: level))
    }

    /// Whether there are so many notes and the thread sleeps.
    func waitForSleep(after count: Int) -> Bool {
        while driver.notes.withLock({ $0.count }) < count || !isAsleep {
            guard SystemClock.now < patience else { return false }
            while executor.nextReport() != nil {}
            sched_yield()
        }
        return true
    }

    var isAsleep: Bool { HapticRuntimeTests.isAsleep(driver.thread.load(ordering: .relaxed)) }

    /// Where its thread may run.
    var home: [Int32] { processors(of: driver.thread.load(ordering: .relaxed)) }
}

private let hasTwoProcessors = processors(of: 0).count > 1
private let mayBeRealTime =
    (try? Executor(drivers: [NotingDriver()], configuration: .init(priority: 1)))?.realtimeState.scheduling == .granted

/// On a thread of its own, for it is confined on the way.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let errand = Errand {
        let made = Result(catching: body)
        result.withLock { $0 = made }
    }
    guard errand.isDone(by: SystemClock.now + .seconds(120)) else { throw CancellationError() }
    return try #require(result.withLock { $0 }).get()
}

@Suite(.serialized, .enabled(if: hasTwoProcessors, "needs two processors")) struct WakePlacementTests {
    private let home = processors(of: 0)

    /// The body runs on a thread of its own, which makes an executor while it is confined to the first processor.
    private func confined(
        _ configuration: ExecutorConfiguration, _ body: @escaping @Sendable (WokenExecutor, [Int32]) throws -> Void
    ) throws {
        try onThread { [home] in
            #expect(clinux_thread_confine(0, home[0]) == 0)
            try body(try WokenExecutor(configuration), home)
        }
    }

    @Test(
        "The thread wakes on the processor of whoever wakes it, and then may run where it might before",
        .enabled(if: mayBeRealTime, "needs real-time priority"))
    func follows() throws {
        try onThread { [home] in
            let woken = try WokenExecutor(.init(priority: 1))
            for round in 0..<8 {
                #expect(clinux_thread_confine(0, home[round / 2 % 2]) == 0)
                #expect(woken.wake()?.cpu == home[round / 2 % 2])
                #expect(woken.home == home)
            }
        }
    }

    @Test(
        "However often the thread is woken while it is awake, or wakes alone, its processors are restored in the end",
        .enabled(if: mayBeRealTime, "needs real-time priority"))
    func isLetGo() throws {
        try onThread { [home] in
            let woken = try WokenExecutor(.init(priority: 1))
            for round in 0..<500 {
                #expect(clinux_thread_confine(0, home[round % 2]) == 0)
                woken.play()
                // Deadlines of its own, so that it also wakes without being woken.
                _ = woken.executor.actuate(soon(.microseconds(Int64(round % 50)), .off, playback: 2))
                while woken.executor.nextReport() != nil {}
            }
            #expect(woken.waitForSleep(after: 1))
            #expect(woken.home == home)
        }
    }

    @Test(
        "A confined thread wakes on the processor of its waker, and then is confined as before",
        .enabled(if: mayBeRealTime, "needs real-time priority"))
    func keepsItsHome() throws {
        try confined(.init(priority: 1)) { woken, home in
            #expect(clinux_thread_confine(0, home[1]) == 0)
            #expect(woken.wake()?.cpu == home[1])
            #expect(woken.home == [home[0]])
        }
    }

    @Test("A thread that was given a processor stays there", .enabled(if: mayBeRealTime, "needs real-time priority"))
    func staysWherePinned() throws {
        try confined(.init(priority: 1, cpu: Int(home[0]))) { woken, home in
            for round in 0..<4 {
                #expect(clinux_thread_confine(0, home[round % 2]) == 0)
                #expect(woken.wake() == .init(cpu: home[0], allowed: [home[0]]))
            }
        }
    }

    @Test(
        "An actuation that is planned ahead leaves the thread where it is",
        .enabled(if: mayBeRealTime, "needs real-time priority"))
    func staysForWhatIsPlanned() throws {
        try confined(.init(priority: 1)) { woken, home in
            #expect(clinux_thread_confine(0, home[1]) == 0)
            let before = woken.driver.notes.withLock { $0.count }
            _ = woken.executor.actuate(soon(.milliseconds(100), on, playback: 3))
            #expect(woken.waitForSleep(after: before + 1))
            #expect(woken.driver.notes.withLock { $0[before].cpu } == home[0])
        }
    }

    @Test("Without real-time priority the thread is never confined: the kernel chooses")
    func isLeftAlone() throws {
        try onThread { [home] in
            let woken = try WokenExecutor(.init())
            for round in 0..<4 {
                #expect(clinux_thread_confine(0, home[round % 2]) == 0)
                #expect(woken.wake()?.allowed == home)
            }
        }
    }
}
