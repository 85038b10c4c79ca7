// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends

private func ms(_ count: Int64) -> MonotonicInstant { .zero + .milliseconds(count) }
/// A device in memory that is as slow as a test wants it: each level waits at its gate.
private final class GatedDevice: LevelDevice {
    let name = "the gated light"
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    private struct State {
        var shown: [Double] = []
        var isOpen = false
        var fault: DriverFault?
    }

    var shown: [Double] { state.withLock { $0.shown } }
    var isOpen: Bool { state.withLock { $0.isOpen } }

    func fail(_ fault: DriverFault) { state.withLock { $0.fault = fault } }
    /// Lets so many levels through.
    func letThrough(_ count: Int) { for _ in 0..<count { gate.signal() } }
    /// Waits until a level stands at the gate, for a minute at most.
    func waitForArrival() { #expect(arrivals.wait(timeout: .now() + 60) == .success, "no level has come to the gate") }

    func open() throws(DriverFault) -> [GuardedOutput] {
        state.withLock { $0.isOpen = true }
        return []
    }

    func show(_ drive: Drive) throws(DriverFault) {
        arrivals.signal()
        gate.wait()
        let fault = state.withLock { state in
            if state.fault == nil { state.shown.append(drive.value) }
            return state.fault
        }
        if let fault { throw fault }
    }

    func switchOff() { state.withLock { $0.shown.append(-1) } }
    func close() { state.withLock { $0.isOpen = false } }
}

@Suite struct LevelDriverTests {
    private let device = GatedDevice()
    private let driver: LevelDriver

    init() throws {
        driver = LevelDriver(device, maxOn: nil, outputGuard: nil)
        try driver.open(at: ms(0))
    }

    private func apply(_ intensity: Double, at time: Int64) throws(DriverFault) {
        try driver.apply(level(intensity), planned: ms(time), at: ms(time))
    }

    private func settle() { try? wait(for: "the thread") { driver.hasFollowed } }

    @Test("Behind a slow device the newest level counts, and no off is left out")
    func superseded() throws {
        try apply(0.2, at: 1)
        device.waitForArrival()
        for (time, intensity) in [(2, 0.4), (3, 0), (4, 0.6), (5, 0.8)] { try apply(intensity, at: Int64(time)) }
        device.letThrough(3)
        settle()
        #expect(device.shown == [0.2, 0, 0.8])
        driver.close(at: ms(6))
    }

    @Test("A level that the device shows already is not written again")
    func unchanged() throws {
        device.letThrough(2)
        for (time, intensity) in [(1, 0.5), (2, 0.5), (3, 0), (4, 0)] { try apply(intensity, at: Int64(time)) }
        try driver.switchOff(at: ms(5))
        settle()
        #expect([[0.5, 0], [0]].contains(device.shown))
        driver.close(at: ms(6))
    }

    @Test("A device that hangs is reported at the driver's deadline, and opened again only when it has been given back")
    func hanging() throws {
        let hangs = DriverFault(.hanging, device: device.name)
        try apply(0.5, at: 1)
        device.waitForArrival()
        let deadline = driver.nextDeadline
        #expect(deadline == ms(501))
        #expect(throws: hangs) { try driver.advance(to: deadline) }
        driver.close(at: ms(502))
        #expect(throws: hangs) { try driver.open(at: ms(503)) }
        #expect(device.isOpen)
        device.letThrough(1)
        try wait(for: "the device to be closed") { !device.isOpen }
        // Between giving the device back and the end of its thread a moment passes.
        try wait(for: "the device to be opened") { (try? driver.open(at: ms(504))) != nil }
        device.letThrough(1)
        try apply(0.25, at: 505)
        settle()
        #expect(device.shown.last == 0.25)
        driver.close(at: ms(506))
    }

    @Test("A device that hangs while it is switched on goes off as soon as it continues, without another call")
    func hangingOn() throws {
        try apply(0.5, at: 1)
        device.waitForArrival()
        #expect(throws: DriverFault.self) { try driver.advance(to: ms(501)) }
        #expect(throws: DriverFault.self) { try driver.switchOff(at: ms(501)) }
        #expect(device.isOpen)
        device.letThrough(1)
        try wait(for: "the device to be closed") { !device.isOpen }
        driver.close(at: ms(502))
    }
}
