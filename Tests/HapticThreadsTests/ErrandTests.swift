// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import HapticCore
import HapticThreads
import Synchronization
import TestSupport
import Testing

@Suite struct ErrandQueueTests {
    private final class Notes: Sendable {
        private let notes = Mutex<[Int]>([])
        func add(_ note: Int) { notes.withLock { $0.append(note) } }
        var all: [Int] { notes.withLock { $0 } }
    }

    @Test("Errands are done in order, one at a time, also those that an errand adds")
    func order() throws {
        let (queue, notes) = (ErrandQueue(), Notes())
        for number in 0..<100 {
            queue.add {
                notes.add(number)
                if number == 50 { queue.add { notes.add(1000) } }
            }
        }
        try wait(for: "all of it") { notes.all.count == 101 }
        #expect(notes.all.filter { $0 < 1000 } == Array(0..<100))
        #expect(notes.all.contains(1000))
    }

    @Test("An errand that hangs holds up those behind it, and no other queue")
    func hangs() throws {
        let (first, second, notes) = (ErrandQueue(), ErrandQueue(), Notes())
        let gate = Gate()
        first.add { gate.waitUntilOpen() }
        first.add { notes.add(1) }
        second.add { notes.add(2) }
        try wait(for: "the other queue") { notes.all == [2] }
        gate.open()
        try wait(for: "what was behind it") { notes.all == [2, 1] }
    }

    @Test("A standing thread does everything on itself, and answers")
    func standing() throws {
        let thread = try #require(StandingThread(name: "hapticd-test"))
        let names = (0..<10).map { _ in thread.perform { currentThread() } }
        #expect(Set(names).count == 1)
        #expect(names[0] != currentThread())
    }
}

/// The name of the calling thread in /proc, which it keeps as long as it lives.
private func currentThread() -> String {
    var target = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/thread-self", &target, target.count)
    return String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

@Suite struct ErrandTests {
    @Test("An errand that hangs is abandoned at the deadline, continues, and counts as done when it has ended")
    func hangs() {
        let gate = Gate()
        let errand = Errand { gate.waitUntilOpen() }
        #expect(!errand.isDone(by: SystemClock.now + .milliseconds(20)))
        gate.open()
        #expect(errand.isDone(by: SystemClock.now + .seconds(60)))
        // Again, and after the deadline.
        #expect(errand.isDone(by: .zero))
    }
}

/// Opened once.
private final class Gate: Sendable {
    private let bell = Doorbell()
    func open() { bell.ring() }
    func waitUntilOpen() { while bell.count == 0 { bell.wait(after: 0, until: .distantFuture) } }
}

@Suite struct SpawnTests {
    @Test("A program is not started with more descriptors than it can be given")
    func programThatIsToGet() {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        let descriptors = [Int32](repeating: 0, count: 5)
        for count: Int32 in [5, -1] {
            let process = clinux_spawn_session("/bin/true", &arguments, descriptors, count)
            #expect(process == -EINVAL)
            if process > 0 { waitpid(process, nil, 0) }
        }
    }
}

struct SystemClockTests {
    private func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test("The time asleep is the difference of two clocks, and never too high")
    func suspended() {
        let readings = (0..<100).map { _ in SystemClock.suspended }
        let awake = read(CLOCK_MONOTONIC)
        let most = Nanoseconds(read(CLOCK_BOOTTIME) - awake)
        #expect(readings.allSatisfy { $0 <= most })
        // A machine of which every reading was interrupted for a minute runs no tests.
        #expect(readings.contains { $0 > most - .seconds(60) })
    }
}
