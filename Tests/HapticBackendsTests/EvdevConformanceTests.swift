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

    @Test("An error about a name of two pads names both; the inventory shows them with their abilities")
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
        #expect(listed.map(\.vendor) == [0x045e, 0x045e])
        #expect(listed.map(\.product) == [0x028e, 0x028e])
        #expect(listed.allSatisfy { $0.abilities == .success(abilities) })
        let byPath = EvdevDriver(DeviceMatch(path: listed[1].path), runs: [], maxOn: nil)
        try byPath.open(at: at(1))
        byPath.close(at: at(2))
        for pad in pads { pad.remove() }
    }
}
