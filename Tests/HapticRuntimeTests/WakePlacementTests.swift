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
private final class NotingDriver: ActuatorDriver {
    struct Note: Equatable {
        var cpu: Int32
        var allowed: [Int32]
    }

    let thread = Atomic<Int32>(0)
    let notes = Mutex<[Note]>([])
    let capabilities = ActuatorCapabilities.full
    let devicePath: String? = nil
    let nextDeadline = MonotonicInstant.distantFuture

    func apply(_ level: Level, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) {
        thread.store(clinux_thread_number(), ordering: .relaxed)
        let note = Note(cpu: clinux_thread_cpu(), allowed: processors(of: 0))
        notes.withLock { $0.append(note) }
    }

    func advance(to now: MonotonicInstant) -> AdvanceOutcome { .kept }
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

private func isAsleep(_ thread: Int32) -> Bool {
    guard let line = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8) else { return false }
    // The name, in brackets, may have any letters in it.
    return line.split(separator: ")").last?.dropFirst().first == "S"
}

/// Wakes an executor from each of two processors in turn, each time once it sleeps. What its driver noted, what was expected
/// where it is to follow, and where its thread may run afterwards.
private func wakeInTurn(
    _ configuration: ExecutorConfiguration, rounds: Int
) throws -> (notes: [NotingDriver.Note], wakers: [Int32], afterwards: [Int32]) {
    let driver = NotingDriver()
    let executor = try Executor(drivers: [driver], configuration: configuration)
    let home = processors(of: 0)
    let patience = SystemClock.now + .seconds(60)
    var wakers: [Int32] = []
    func play() {
        let now = SystemClock.now
        for level in [Level(intensity: .one, sharpness: .zero), .off] {
            _ = executor.actuate(Actuation(planned: now, actuator: ActuatorIndex(0), playback: PlaybackID(1), level: level))
        }
    }
    func waitForNotes(_ count: Int) {
        while driver.notes.withLock({ $0.count }) < count || !isAsleep(driver.thread.load(ordering: .relaxed)) {
            guard SystemClock.now < patience else { return }
            sched_yield()
        }
    }
    // Also tells who it is.
    play()
    waitForNotes(2)
    for round in 0..<rounds {
        let waker = home[round % 2]
        wakers.append(waker)
        #expect(clinux_thread_confine(0, waker) == 0)
        let before = driver.notes.withLock { $0.count }
        play()
        waitForNotes(before + 2)
    }
    let afterwards = processors(of: driver.thread.load(ordering: .relaxed))
    executor.stop()
    return (Array(driver.notes.withLock { $0 }.dropFirst(2)), wakers, afterwards)
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
    @Test(
        "It wakes on the processor of whoever wakes it, and then may run where it might before",
        .enabled(if: mayBeRealTime, "needs real-time priority"))
    func follows() throws {
        let home = processors(of: 0)
        let (notes, wakers, afterwards) = try onThread { try wakeInTurn(.init(priority: 1), rounds: 20) }
        // The on of each pair; the off comes from the same waker, and the thread may still be awake.
        let ons = notes.enumerated().filter { $0.offset % 2 == 0 }.map(\.element.cpu)
        #expect(ons == wakers)
        #expect(afterwards == home)
    }

    @Test("One that was given a processor stays there", .enabled(if: mayBeRealTime, "needs real-time priority"))
    func staysWherePinned() throws {
        let cpu = try #require(processors(of: 0).first)
        let (notes, _, afterwards) = try onThread { try wakeInTurn(.init(priority: 1, cpu: Int(cpu)), rounds: 10) }
        #expect(notes.count == 20)
        #expect(notes.allSatisfy { $0 == .init(cpu: cpu, allowed: [cpu]) })
        #expect(afterwards == [cpu])
    }

    @Test("Without real-time priority the kernel chooses: it is never confined")
    func isLeftAlone() throws {
        let home = processors(of: 0)
        let (notes, _, _) = try onThread { try wakeInTurn(.init(), rounds: 10) }
        #expect(notes.count == 20)
        #expect(notes.allSatisfy { $0.allowed == home })
    }
}
