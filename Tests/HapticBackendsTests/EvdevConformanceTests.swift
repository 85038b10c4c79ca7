// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import Synchronization
import TestSupport
import Testing

#if Evdev
    private let isBoard = getenv("HAPTICD_BOARD") != nil
#else
    private let isBoard = false
#endif

private func at(_ ms: Int64) -> MonotonicInstant { .zero + .milliseconds(1000 + ms) }

/// On a real kernel; on the virtual board where the machine itself has no uinput.
@Suite("The evdev driver on the kernel's own devices", .serialized, .enabled(if: isBoard))
struct EvdevConformanceTests {
    static let rumble: [UInt16] = [0x50]
    static let periodic: [UInt16] = [0x51, 0x58, 0x59, 0x5a]
    static let gain: UInt16 = 0x60
    static let gained = periodic + [gain]
    private static let names = Atomic<Int>(0)

    private func pad(_ codes: [UInt16], slots: UInt32) throws -> UinputPad {
        let number = Self.names.add(1, ordering: .relaxed).newValue
        return try UinputPad(name: "Conformance Pad \(number)", codes: codes, slots: slots)
    }

    private func driver(_ pad: UinputPad, maxOn: Nanoseconds? = nil) -> EvdevDriver {
        EvdevDriver(
            DeviceMatch(name: pad.name), runs: [Examples.soft, Examples.heavy, Examples.success].flatMap(\.runs), maxOn: maxOn)
    }

    @Test(
        "The driver keeps the contract, judged by the pad",
        arguments: [(rumble, 16), (periodic, 16), (gained, 16), (periodic, 1), (rumble, 1), (periodic, 4)] as [([UInt16], UInt32)]
    )
    func conforms(codes: [UInt16], slots: UInt32) throws {
        var mistakes: [String] = []
        var last: UinputPad?
        let violations = DriverConformance.violations(startingAt: at(0)) {
            last?.remove()
            let pad = try pad(codes, slots: slots)
            last = pad
            let driver = SettlingDriver(driver(pad, maxOn: .seconds(2)))
            try driver.open(at: at(0))
            return DriverUnderTest(
                driver: driver,
                output: {
                    let level = pad.output
                    mistakes = pad.state.withLock { $0.mistakes }
                    return level
                }, maxOn: .seconds(2), breakDevice: pad.failOnce, resolution: 0.02)
        }
        if let last, codes.contains(Self.gain) { #expect(last.state.withLock { $0.gain } == 0xffff) }
        last?.remove()
        #expect(violations == [])
        #expect(mistakes == [])
    }

    @Test("Prepared patterns need no upload while they play, and all slots are free afterwards", arguments: [rumble, periodic])
    func prepared(codes: [UInt16]) throws {
        let pad = try pad(codes, slots: 16)
        let driver = SettlingDriver(driver(pad))
        try driver.open(at: at(0))
        let patterns = [Examples.soft, Examples.heavy, Examples.success]
        #expect(try driver.prepare(patterns, at: at(0)) == patterns.map { _ in .ready(until: .distantFuture) })
        let uploads = pad.state.withLock { $0.uploads }
        for time in 0..<Int64(30) {
            let index = Int(time % 3)
            for (number, frame) in patterns[index].frames.enumerated() {
                let planned = at(time * 1000) + frame.offset
                try driver.apply(frame.level, run: number == 0 ? RunIndex(index) : nil, planned: planned, at: planned)
            }
            #expect(pad.output == .off)
        }
        #expect(pad.state.withLock { $0.uploads } == uploads)
        driver.close(at: at(100_000))
        #expect(pad.output == .off)
        #expect(pad.state.withLock { $0.effects.isEmpty && $0.mistakes.isEmpty })
        pad.remove()
    }

    @Test("A pad that is pulled out is lost, and used again when it is back")
    func unplugged() throws {
        let first = try pad(Self.periodic, slots: 16)
        let driver = SettlingDriver(driver(first))
        try driver.open(at: at(0))
        try driver.apply(level(1, 0), planned: at(1), at: at(1))
        #expect(first.output.isOn)
        first.remove()
        #expect {
            try driver.apply(level(0.5, 0), planned: at(2), at: at(2))
        } throws: { ($0 as? DriverFault)?.cause == .deviceLost }
        _ = try? driver.switchOff(at: at(3))
        #expect { try driver.open(at: at(4)) } throws: { ($0 as? DriverFault)?.cause == .absent }
        let again = try UinputPad(name: first.name, codes: Self.periodic, slots: 16)
        try driver.open(at: at(5))
        try driver.apply(level(1, 0), planned: at(6), at: at(6))
        #expect(again.output == level(1, 0))
        driver.close(at: at(7))
        again.remove()
    }

    @Test("A pad that does not answer uploads is reported as hanging, and blocks neither `open` nor `close` for long")
    func hangs() throws {
        let pad = try pad(Self.periodic, slots: 16)
        let driver = driver(pad)
        try driver.open(at: at(0))
        pad.hang(true)
        try driver.apply(level(1, 0), planned: at(1), at: at(1))
        try wait(for: "the upload to come to the pad") { pad.isStuck }
        let hanging = { (error: any Error) in (error as? DriverFault)?.cause == .hanging }
        #expect { try driver.advance(to: at(501)) } throws: { hanging($0) }
        #expect { try driver.open(at: at(502)) } throws: { hanging($0) }
        #expect { try driver.open(at: at(503)) } throws: { hanging($0) }
        pad.hang(false)
        try wait(for: "the pad to be opened again") {
            do throws(DriverFault) {
                try driver.open(at: at(600))
                return true
            } catch {
                #expect(error.cause == .hanging)
                return false
            }
        }
        try driver.apply(level(1, 0), planned: at(601), at: at(601))
        #expect(pad.output == level(1, 0))
        driver.close(at: at(602))
        #expect(pad.output == .off)
        pad.remove()
    }

    @Test("A name that fits two pads names both; the inventory shows them with what they can do")
    func ambiguous() throws {
        let pads = try (0..<2).map { _ in try pad(Self.rumble + [Self.gain], slots: 5) }
        let driver = EvdevDriver(DeviceMatch(name: "Conformance Pad *", vendor: 0x045e), runs: [], maxOn: nil)
        #expect {
            try driver.open(at: at(0))
        } throws: { error in
            let text = "\(error)"
            return text.contains("fits 2 devices") && pads.allSatisfy { text.contains("\"\($0.name)\" (/dev/input/event") }
        }
        let listed = FFDevice.all().filter { $0.name.hasPrefix("Conformance Pad") }
        #expect(listed.map(\.name) == pads.map(\.name))
        let abilities = FFAbilities(rumble: true, gain: true, effectCount: 5, isVirtual: true)
        #expect(listed.allSatisfy { $0.vendor == 0x045e && $0.product == 0x028e && $0.abilities == .success(abilities) })
        let byPath = EvdevDriver(DeviceMatch(path: listed[1].path), runs: [], maxOn: nil)
        try byPath.open(at: at(1))
        byPath.close(at: at(2))
        for pad in pads { pad.remove() }
    }
}
