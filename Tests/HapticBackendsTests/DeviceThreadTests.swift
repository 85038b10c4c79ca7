// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticBackends
import HapticCore
import Synchronization
import TestSupport
import Testing

@Suite struct DeviceThreadTests {
    private func ms(_ count: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: count * 1_000_000) }

    /// A device that records, can be held up, and fails at one order.
    private final class Device: Sendable {
        let done = Mutex<[Int]>([])
        let isFinished = Atomic(false)
        let threadName = Mutex("")
        private let gate = DispatchSemaphore(value: 0)
        private let isHeld: Bool
        private let fault: Int?

        init(isHeld: Bool = false, failsAt fault: Int? = nil) {
            self.isHeld = isHeld
            self.fault = fault
        }

        func unblock() { gate.signal() }

        func thread() throws -> DeviceThread<Int> {
            try DeviceThread(
                device: "pad",
                perform: { [self] (order: Int) throws(DriverFault) in
                    if isHeld { gate.wait() }
                    if order == fault { throw DriverFault(.io(errno: 5), device: "pad") }
                    done.withLock { $0.append(order) }
                    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
                    threadName.withLock { $0 = name ?? "" }
                }, finish: { [self] in isFinished.store(true, ordering: .releasing) })
        }
    }

    @Test("Orders are done one after the other, on a thread of its own with a name, and then the device is given back")
    func order() throws {
        let device = Device()
        let thread = try device.thread()
        for order in 0..<10 { try thread.post(order, at: ms(0)) }
        #expect(thread.stop())
        #expect(device.done.withLock { $0 } == Array(0..<10))
        #expect(device.threadName.withLock { $0 } == "hapticd-device\n")
        let isFinished = device.isFinished.load(ordering: .acquiring)
        #expect(isFinished)
        #expect(thread.hasEnded)
    }

    @Test("A fault is due at once and thrown by the next call, and nothing more is done")
    func fault() throws {
        let device = Device(isHeld: true, failsAt: 1)
        let thread = try device.thread()
        for order in 0..<3 { try thread.post(order, at: ms(0)) }
        device.unblock()
        device.unblock()
        try wait(for: "nothing to be on its way") { thread.isIdle }
        #expect(thread.deadline <= ms(0))
        #expect(throws: DriverFault(.io(errno: 5), device: "pad")) { try thread.check(at: ms(1)) }
        #expect(throws: DriverFault(.io(errno: 5), device: "pad")) { try thread.post(9, at: ms(1)) }
        #expect(thread.deadline == .distantFuture)
        #expect(thread.stop())
        #expect(device.done.withLock { $0 } == [0])
    }

    @Test("A device that completes nothing for 500 ms hangs; once it continues it is waited for again")
    func hang() throws {
        let device = Device(isHeld: true)
        let thread = try device.thread()
        try thread.post(0, at: ms(100))
        try thread.post(1, at: ms(200))
        #expect(thread.deadline == ms(600))
        try thread.check(at: ms(599))
        #expect(throws: DriverFault(.hanging, device: "pad")) { try thread.check(at: ms(600)) }
        device.unblock()
        // The thread counts a order as done a moment after the device has done it; until then it hangs.
        try wait(for: "the device to get on") { (try? thread.check(at: ms(700))) != nil }
        #expect(thread.deadline == ms(1200))
        device.unblock()
        #expect(thread.stop())
    }

    @Test("The 65th pending order is refused, and the device counts as hanging")
    func full() throws {
        let device = Device(isHeld: true)
        let thread = try device.thread()
        var posted = 0
        let refusal = #expect(throws: DriverFault.self) {
            while posted < 100 {
                try thread.post(posted, at: ms(0))
                posted += 1
            }
        }
        #expect(refusal == DriverFault(.hanging, device: "pad"))
        // One may have been taken already.
        #expect((64...65).contains(posted))
        for _ in 0..<posted { device.unblock() }
        #expect(thread.stop())
        #expect(device.done.withLock { $0.count } == posted)
    }

    @Test("A device that hangs is not waited for at the end, and is given back once it no longer does")
    func stopWhileHanging() throws {
        let device = Device(isHeld: true)
        let thread = try device.thread()
        try thread.post(0, at: ms(0))
        #expect(!thread.stop())
        #expect(!thread.hasEnded)
        device.unblock()
        #expect(thread.stop())
        let isFinished = device.isFinished.load(ordering: .acquiring)
        #expect(isFinished)
    }

    @Test("Errands are done once no order waits; more than four at once are refused")
    func errands() throws {
        let device = Device(isHeld: true)
        let thread = try device.thread()
        try thread.post(0, at: ms(0))
        let accepted = (1...6).map { number in thread.submit { device.done.withLock { $0.append(-number) } } }
        #expect(accepted == [true, true, true, true, false, false])
        #expect(device.done.withLock { $0 } == [])
        device.unblock()
        #expect(thread.stop())
        #expect(device.done.withLock { $0 } == [0, -1, -2, -3, -4])
    }
}
