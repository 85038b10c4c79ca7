// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import Synchronization
import TestSupport
import Testing

@testable import HapticGuard

/// Devices that only this file knows, in the hands of the real guard process: a new kind of device needs no change of the guard.
@Suite struct MadeUpDeviceTests {
    @Test("A made-up device that its driver has switched on is switched off by the guard if the daemon stands still")
    func driven() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let line = try SerialLine()
        let driver = LevelDriver(Buzzer(line), maxOn: nil, outputGuard: link)
        try driver.open(at: .zero)
        defer { driver.close(at: .zero) }
        try driver.apply(Level(intensity: .one, sharpness: .zero), planned: .zero, at: .zero)
        #expect(wait { line.received.hasPrefix("BUZZ\n") })
        link.beat()
        #expect(wait { line.received.hasPrefix("BUZZ\nHUSH\n") })
    }

    @Test("A call that may block is performed after all others, whichever comes first")
    func order() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let line = try SerialLine()
        let outputs = [("slow ", true), ("fast ", false), ("slower ", true), ("faster ", false)].map { text, mayBlock in
            GuardedOutput(
                descriptor: line.input, off: OffCall(.write(bytes: Array(text.utf8), offset: nil), mayBlock: mayBlock))
        }
        _ = try link.hold(outputs, device: "made up")
        link.beat()
        #expect(wait { line.received.hasPrefix("fast faster slow slower ") })
    }

    @Test("Bytes for an offset of a file are written there, and nothing else is changed")
    func offset() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        place.write("level 7 of 9\n")
        let off = OffCall(.write(bytes: [UInt8(ascii: "0")], offset: 6), mayBlock: true)
        _ = try link.hold([GuardedOutput(descriptor: place.output, off: off)], device: "made up")
        link.beat()
        #expect(wait { place.text == "level 0 of 9\n" })
    }

    @Test("An ioctl is performed with its argument")
    func control() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        // A terminal stands for the device, and is off if it is locked.
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        defer { close(terminal) }
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        try #require(ioctl(terminal, setLock, &unlocked) == 0)
        try #require(ioctl(terminal, getNumber, &number) == 0)
        func isLocked() -> Bool {
            let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(other) }
            return other < 0
        }
        #expect(!isLocked())
        let off = OffCall(.ioctl(request: UInt32(setLock), argument: [1, 0, 0, 0]), mayBlock: false)
        _ = try link.hold([GuardedOutput(descriptor: terminal, off: off)], device: "made up")
        link.beat()
        #expect(wait { isLocked() })
    }
}

/// Buzzes from one word to the other, also if nobody has it open.
private final class Buzzer: LevelDevice {
    let name = "buzzer"
    private let line: SerialLine

    init(_ line: SerialLine) { self.line = line }

    func open() throws(DriverFault) -> [GuardedOutput] {
        [GuardedOutput(descriptor: line.input, off: OffCall(.write(bytes: Array("HUSH\n".utf8), offset: nil), mayBlock: true))]
    }

    func show(_ drive: Drive) throws(DriverFault) { line.send(drive.isOn ? "BUZZ\n" : "HUSH\n") }
    func switchOff() { line.send("HUSH\n") }
    func close() { switchOff() }
}

/// A line to a device without offsets, and all that has arrived at its other end.
private final class SerialLine: Sendable {
    let input: Int32
    private let output: Int32
    private let text = Mutex("")

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (output, input) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(input)
        close(output)
    }

    func send(_ text: String) { _ = write(input, text, text.utf8.count) }

    var received: String {
        text.withLock { text in
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(output, &bytes, bytes.count)
            text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            return text
        }
    }
}
