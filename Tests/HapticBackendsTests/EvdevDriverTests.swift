// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticMotors
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends

/// A driver of pads in memory: each `open` finds a new one.
private final class Bench: Sendable {
    let pads = Mutex<[ModelPad]>([])
    let abilities: FFAbilities

    init(_ abilities: FFAbilities) { self.abilities = abilities }

    var pad: ModelPad { pads.withLock { $0[$0.count - 1] } }
    var mistakes: [String] { pads.withLock { $0.flatMap { $0.state.withLock { $0.mistakes } } } }

    func driver(maxOn: Nanoseconds? = nil) -> EvdevDriver {
        EvdevDriver(
            device: "the pad", runs: [Examples.soft, Examples.heavy, Examples.success].flatMap(\.runs), maxOn: maxOn
        ) { [self] () throws(DriverFault) in
            let pad = ModelPad(abilities)
            pads.withLock { $0.append(pad) }
            return pad
        }
    }
}

@Suite("The evdev driver, its thread and a device in memory") struct EvdevDriverTests {
    @Test(
        "The driver keeps the contract, whatever the device has",
        arguments: [Pads.periodic, Pads.rumble, Pads.memoryless, Pads.holding(1), Pads.holding(2), Pads.holding(1, Pads.rumble)])
    func conforms(abilities: FFAbilities) {
        let benches = Mutex<[Bench]>([])
        let violations = DriverConformance.violations(startingAt: at(0)) {
            let bench = Bench(abilities)
            benches.withLock { $0.append(bench) }
            let driver = SettlingDriver(bench.driver(maxOn: .seconds(2)))
            try driver.open(at: at(0))
            return DriverUnderTest(
                driver: driver, output: { bench.pad.output }, maxOn: .seconds(2), breakDevice: { bench.pad.fail(ENODEV) },
                resolution: 0.02)
        }
        #expect(violations == [])
        #expect(benches.withLock { $0.flatMap(\.mistakes) } == [])
    }

    @Test(
        "An open device tells its motor: a chip by its name, a pad by its buttons, and any other is a coin motor",
        arguments: [
            ("Xbox Wireless Controller", true, MotorLibrary.pad), ("drv260x:haptics", false, MotorLibrary.closedLoopLRA),
            ("drv2667:haptics", true, MotorLibrary.closedLoopLRA), ("pm8xxx_vib", false, MotorLibrary.coin),
        ])
    func tellsItsMotor(name: String, hasButtons: Bool, motor: NamedMotor) throws {
        var abilities = Pads.rumble
        abilities.hasButtons = hasButtons
        let opened = abilities
        let driver = EvdevDriver(device: "it", runs: [], maxOn: nil) { () throws(DriverFault) in ModelPad(opened, name: name) }
        #expect(driver.foundMotor == nil)
        try driver.open(at: at(0))
        #expect(driver.foundMotor == FoundMotor(model: motor.model, shapesItself: motor.shapesItself))
        driver.close(at: at(1))
        #expect(driver.foundMotor == nil)
    }

    @Test("Prepared patterns are played without an upload, and all slots are free afterwards")
    func prepared() throws {
        for abilities in [Pads.periodic, Pads.rumble] {
            let bench = Bench(abilities)
            let driver = SettlingDriver(bench.driver())
            try driver.open(at: at(0))
            let patterns = [Examples.soft, Examples.heavy, Examples.success]
            let answers = try driver.prepare(patterns, at: at(0))
            #expect(answers == patterns.map { _ in .ready(until: .distantFuture) })
            let uploads = bench.pad.state.withLock { $0.uploads }
            #expect((1...10).contains(uploads))
            for time in 0..<Int64(30) {
                let index = Int(time % 3)
                for (number, frame) in patterns[index].frames.enumerated() {
                    let planned = at(time * 1000) + frame.offset
                    try driver.apply(frame.level, run: number == 0 ? RunIndex(index) : nil, planned: planned, at: planned)
                }
                #expect(bench.pad.playing.isEmpty)
            }
            #expect(bench.pad.state.withLock { $0.uploads } == uploads)
            driver.close(at: at(2_000_000))
            #expect(bench.pad.state.withLock { $0.slots.isEmpty })
            #expect(bench.pad.state.withLock { $0.isClosed })
            #expect(bench.mistakes == [])
        }
    }

    @Test("A pattern without room is not ready, and nothing that was prepared gives way")
    func noRoom() throws {
        let bench = Bench(Pads.holding(3))
        let driver = SettlingDriver(bench.driver())
        try driver.open(at: at(0))
        let answers = try driver.prepare([Examples.soft, Examples.heavy, Examples.soft], at: at(0))
        #expect(answers == [.ready(until: .distantFuture), .noRoom, .ready(until: .distantFuture)])
    }

    @Test("With a single slot nothing is promised, and the first use still needs no upload")
    func oneSlot() throws {
        let bench = Bench(Pads.holding(1))
        let driver = SettlingDriver(bench.driver())
        try driver.open(at: at(0))
        #expect(try driver.prepare([Examples.soft, Examples.heavy], at: at(0)) == [.noRoom, .noRoom])
        try driver.apply(level(0.5, 0.2), planned: at(1), at: at(1))
        #expect(bench.pad.state.withLock { $0.uploads } == 1)
    }

    @Test("A device that hangs costs the executor's calls nothing; then it is reported, and no second thread is started")
    func hangs() throws {
        let bench = Bench(Pads.periodic)
        let driver = bench.driver()
        try driver.open(at: at(0))
        bench.pad.hang(true)
        try driver.apply(level(1, 0), planned: at(1), at: at(1))
        #expect(driver.nextDeadline == at(501))
        try wait(for: "the pad to hang") { bench.pad.isStuck }
        let hanging = DriverFault(.hanging, device: "the pad")
        #expect(throws: hanging) { try driver.advance(to: at(501)) }
        #expect(throws: hanging) { try driver.switchOff(at: at(501)) }
        #expect(driver.nextDeadline == .distantFuture)
        for _ in 0..<3 { #expect(throws: hanging) { try driver.open(at: at(600)) } }
        #expect(bench.pads.withLock { $0.count } == 1)
        // Once it gets on, what was sent before is no longer played, and the device can be used again.
        let stuck = bench.pad
        stuck.hang(false)
        try wait(for: "the stuck pad to be closed") { stuck.state.withLock { $0.isClosed } }
        try wait(for: "the pad to be opened again") {
            do throws(DriverFault) {
                try driver.open(at: at(700))
                return true
            } catch {
                #expect(error == hanging)
                return false
            }
        }
        #expect(bench.pads.withLock { $0.count } == 2)
        #expect(bench.mistakes == [])
        driver.close(at: at(800))
    }

    @Test("A device that falls behind leaves out levels that are over, and still begins and ends every vibration")
    func slow() throws {
        let bench = Bench(Pads.periodic)
        let driver = bench.driver()
        try driver.open(at: at(0))
        bench.pad.hang(true)
        try driver.apply(level(1, 0), planned: at(1), at: at(1))
        try wait(for: "the pad to hang") { bench.pad.isStuck }
        for (number, intensity) in [0, 0.25, 0, 0.4, 0.5, 0.6, 0.75].enumerated() {
            let now = at(2 + Int64(number))
            try driver.apply(level(intensity, 0), planned: now, at: now)
        }
        bench.pad.hang(false)
        try wait(for: "the pad to get everything") { driver.hasFollowed }
        // 1, 0.25 and, of what came without a stop between, 0.75.
        #expect(bench.pad.state.withLock { $0.uploads } == 3)
        #expect(bench.pad.output == level(24575.0 / 32767, 0))
        #expect(bench.mistakes == [])
        driver.close(at: at(20))
    }
}
