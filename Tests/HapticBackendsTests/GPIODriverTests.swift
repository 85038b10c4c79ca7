// SPDX-License-Identifier: MIT
import Foundation
import FoundationEssentials
import Glibc
import HapticCore
import HapticThreads
import Synchronization
import Testing

@testable import HapticBackends

/// A line of no chip: what a wire at its end would carry.
private final class Wire: OutputLine {
    let chipPath: String? = nil
    private(set) var isActive = false
    private(set) var edges = 0
    var fault: DriverFault?

    func set(_ isActive: Bool) throws(DriverFault) {
        if let fault { throw fault }
        if isActive != self.isActive { edges += 1 }
        self.isActive = isActive
    }

    /// The kernel lets go of it; what drives it then is not known here.
    func release() { isActive = false }
}

@Suite struct GPIODriverTests {
    private func ms(_ count: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: count * 1_000_000) }
    private let maxOn = Nanoseconds.seconds(2)

    @Test("A line that is on or off passes the conformance suite")
    func conformance() {
        let violations = DriverConformance.violations {
            let wire = Wire()
            let driver = GPIODriver(name: "wire", pwmPeriod: nil, maxOn: maxOn) { () throws(DriverFault) -> any OutputLine in
                wire.fault = nil
                return wire
            }
            try driver.open(at: .zero)
            return DriverUnderTest(
                driver: driver, output: { wire.isActive ? Level(intensity: .one, sharpness: .zero) : .off }, maxOn: maxOn,
                breakDevice: {
                    // A line that cannot be set has lost its chip, and with it its level.
                    wire.release()
                    wire.fault = DriverFault(.deviceLost, device: "wire")
                })
        }
        #expect(violations == [])
    }

    @Test("At half intensity the line is on for half of each period, and still at the end")
    func modulation() throws {
        let wire = Wire()
        let driver = GPIODriver(name: "wire", pwmPeriod: .milliseconds(5), maxOn: nil) { wire }
        try driver.open(at: .zero)
        try driver.apply(Level(intensity: Intensity(clamping: 0.5), sharpness: .zero), planned: ms(10), at: ms(10))
        var (on, last) = (Nanoseconds.zero, ms(10))
        while driver.nextDeadline <= ms(110) {
            let now = driver.nextDeadline
            if wire.isActive { on += now - last }
            last = now
            #expect(try driver.advance(to: now) == .kept)
        }
        #expect(on == .milliseconds(50))
        try driver.apply(.off, planned: ms(110), at: ms(110))
        #expect(!wire.isActive)
        #expect(driver.nextDeadline == .distantFuture)
    }

    @Test("The longest on-time holds for a modulated line, too")
    func cutOff() throws {
        let wire = Wire()
        let driver = GPIODriver(name: "wire", pwmPeriod: .milliseconds(5), maxOn: .milliseconds(52)) { wire }
        try driver.open(at: .zero)
        try driver.apply(Level(intensity: Intensity(clamping: 0.5), sharpness: .zero), planned: ms(0), at: ms(0))
        var result = AdvanceResult.kept
        while result == .kept, driver.nextDeadline < .distantFuture { result = try driver.advance(to: driver.nextDeadline) }
        #expect(result == .cutOff)
        #expect(!wire.isActive)
        #expect(driver.nextDeadline == .distantFuture)
    }
}

@Suite struct GPIOSearchTests {
    private let chips = [
        GPIOChip(
            path: "/dev/gpiochip0", name: "gpiochip0", label: "pinctrl-bcm2711",
            lines: [
                .init(offset: 0, name: "ID_SDA"), .init(offset: 1, name: "MOTOR"), .init(offset: 2, name: "-"),
                .init(offset: 3, name: "-"),
            ]),
        GPIOChip(path: "/dev/gpiochip1", name: "gpiochip1", label: "expander", lines: [.init(offset: 0)]),
        GPIOChip(path: "/dev/gpiochip2", name: "gpiochip2", label: "expander", lines: [.init(offset: 0)]),
    ]
    private let locked = GPIOChip(
        path: "/dev/gpiochip3", name: "gpiochip3", fault: DriverFault(.permission, device: "/dev/gpiochip3"))

    @Test("A chip is found by its path, its name or its label", arguments: ["/dev/gpiochip0", "gpiochip0", "pinctrl-bcm2711"])
    func chip(text: String) throws {
        #expect(try GPIOSearch.chip(text, among: chips + [locked], device: "line").path == "/dev/gpiochip0")
    }

    @Test("A label that two chips have is ambiguous, and both are named")
    func ambiguous() {
        #expect(
            throws: DriverFault(.ambiguous(["/dev/gpiochip1", "/dev/gpiochip2"]), device: "the chip `expander`")
        ) { try GPIOSearch.chip("expander", among: chips, device: "line") }
    }

    @Test("A missing chip is absent, unless a chip that may not be opened could be the one")
    func absent() {
        #expect {
            try GPIOSearch.chip("pinctrl-rp1", among: chips, device: "line")
        } throws: { error in
            (error as? DriverFault)?.cause == .absent
                && "\(error)".contains("this machine has gpiochip0 (pinctrl-bcm2711), gpiochip1")
        }
        #expect(throws: DriverFault(.permission, device: "/dev/gpiochip3 (for line)")) {
            try GPIOSearch.chip("pinctrl-rp1", among: chips + [locked], device: "line")
        }
        #expect(throws: DriverFault(.permission, device: "/dev/gpiochip3 (for line)")) {
            try GPIOSearch.chip("gpiochip3", among: chips + [locked], device: "line")
        }
    }

    @Test("A line is found by its offset or its name")
    func line() throws {
        #expect(try GPIOSearch.offset(.offset(3), in: chips[0], device: "line") == 3)
        #expect(try GPIOSearch.offset(.name("MOTOR"), in: chips[0], device: "line") == 1)
        #expect(throws: DriverFault(.ambiguous(["line 2", "line 3"]), device: "line")) {
            try GPIOSearch.offset(.name("-"), in: chips[0], device: "line")
        }
    }

    @Test(
        "A line that the chip does not have is refused with those that it has",
        arguments: [.offset(4), .name("BUZZER")] as [GPIOAddress.Line])
    func noLine(line: GPIOAddress.Line) {
        #expect { try GPIOSearch.offset(line, in: chips[0], device: "line") } throws: { error in
            "\(error)".contains("/dev/gpiochip0") && "\(error)".contains("hapticctl actuators --scan")
        }
    }
}

#if GPIO
    private let board = getenv("HAPTICD_BOARD") == nil ? nil : getenv("VBOARD_SIM").map { String(cString: $0) }
#else
    private let board: String? = nil
#endif

/// Runs on the virtual board, with a simulated chip of a real kernel, which shows the level of the wire.
@Suite("The GPIO driver on the kernel's own lines", .serialized, .enabled(if: board != nil))
struct GPIOConformanceTests {
    /// The level at the end of the line's wire.
    private func isHigh(_ offset: Int) -> Bool {
        let text = try? String(contentsOfFile: "\(board ?? "")/sim_gpio\(offset)/value", encoding: .utf8)
        return text?.hasPrefix("1") ?? false
    }

    @Test("The driver keeps the contract, judged by the level of the wire", arguments: [(8, false), (9, true)])
    func conforms(offset: Int, isActiveLow: Bool) {
        let address = GPIOAddress(chip: "vboard", line: .offset(offset), isActiveLow: isActiveLow)
        let violations = DriverConformance.violations {
            let driver = GPIODriver(address, pwmPeriod: nil, maxOn: .seconds(2), outputGuard: nil)
            try driver.open(at: .zero)
            return DriverUnderTest(
                driver: driver,
                output: { isHigh(offset) == isActiveLow ? .off : Level(intensity: .one, sharpness: .zero) },
                maxOn: .seconds(2))
        }
        #expect(violations == [])
    }
}

/// With files in place of lines, whose names only this test knows.
@Suite struct LineHandlesTests {
    @Test("Threads that request and release lines at the same time each find the descriptor of their own")
    func ownDescriptors() throws {
        let folder = "/tmp/hapticd-lines-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let found = Mutex<[Bool]>([])
        let threads = (0..<8).map { number in
            Errand {
                for _ in 0..<25 {
                    let (own, descriptor) = LineHandles.opening(folder) {
                        open("\(folder)/\(number)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                    }
                    found.withLock { $0.append(descriptor == own) }
                    _ = LineHandles.changing { close(own) }
                }
            }
        }
        let end = SystemClock.now + .seconds(60)
        for thread in threads { #expect(thread.isDone(by: end), "a thread waits for its turn for ever") }
        #expect(found.withLock { $0 } == Array(repeating: true, count: 200))
    }

    @Test("A request that hangs delays no request that does not need its descriptor")
    func oneHangs() {
        let (hanging, continues) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Errand {
            LineHandles.changing {
                hanging.signal()
                continues.wait()
            }
        }
        let end = SystemClock.now + .seconds(60)
        #expect(hanging.wait(timeout: .now() + 60) == .success, "the first one does not begin")
        let second = Errand { LineHandles.changing {} }
        #expect(second.isDone(by: end), "it waits for the one that hangs")
        continues.signal()
        #expect(first.isDone(by: end))
    }
}
