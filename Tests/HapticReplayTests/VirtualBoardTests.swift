// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticEngine
import HapticFormats
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticReplay
import Testing

private let client = ClientIdentity(connection: 1, user: 0)

private func configuration(_ limits: MotorLimits = .none, actuators: [String] = ["main"]) -> EngineConfiguration {
    try! EngineConfiguration(
        actuators: actuators.map { EngineActuator(name: $0, limits: limits) },
        patterns: Dictionary(uniqueKeysWithValues: BuiltInPatterns.all.map { (Text($0.name), PlayablePattern($0)) }))
}

private func play(_ name: String, steps: Int?, id: String? = nil) -> BatchItem {
    let pattern = configuration().patterns[Text(name)]!
    let request = PlayInput(pattern: pattern, train: steps.flatMap { StepTrain(steps: $0) }, feedbackClass: .alarm)
    return .input(Input(client: client, id: id, at: .zero, kind: .play(request)))
}

extension VirtualBoard.Record {
    fileprivate var actuation: AppliedActuation? { if case .actuation(let applied) = self { applied } else { nil } }
    fileprivate var end: PlaybackEnd? { if case .playback(let end) = self { end } else { nil } }
}

@Suite("The whole board on virtual time")
struct VirtualBoardTests {
    @Test("A run pauses when as many records wait as the caller has room for, and continues from there")
    func slices() {
        var board = VirtualBoard(configuration())
        board.send([play("soft", steps: 75)])
        var (slices, actuations) = ([Int](), 0)
        while !board.runUntilIdle(records: 20) {
            let records = board.takeRecords()
            slices.append(records.count)
            actuations += records.compactMap(\.actuation).count
        }
        actuations += board.takeRecords().compactMap(\.actuation).count
        #expect(slices.count > 5)
        #expect(slices.allSatisfy { (20..<40).contains($0) })
        #expect(actuations == 150)
        board.send([play("soft", steps: 75)])
        let end = board.now + .seconds(10)
        #expect(board.run(until: end, records: 10) == false)
        #expect(board.now < end)
        _ = board.takeRecords()
        #expect(board.run(until: end) == true)
        #expect(board.now == end)
    }

    @Test("75 steps reach the motor as 75 pulses, none late, and it is off at the end")
    func steps() {
        var board = VirtualBoard(configuration())
        board.send([play("soft", steps: 75)])
        board.runUntilIdle()
        let actuations = board.takeRecords().compactMap(\.actuation)
        #expect(actuations.map(\.actuation.level.isOn) == (0..<75).flatMap { _ in [true, false] })
        #expect(actuations.allSatisfy { $0.at == $0.actuation.planned })
        #expect(board.drivers[0].output == .off)
        #expect(board.now == .zero + .milliseconds(1608))
    }

    @Test(
        "Every built-in pattern, once, 40 times in a row and cancelled in between, keeps a small motor's limits",
        arguments: BuiltInPatterns.all.map(\.name))
    func limits(name: String) {
        let limits = MotorLimits(minGap: .milliseconds(20), maxOn: .milliseconds(300), duty: Share(0.3)!)
        var board = VirtualBoard(configuration(limits))
        for steps in [nil, 40] {
            board.send([play(name, steps: steps)])
            board.runUntilIdle()
        }
        for milliseconds in stride(from: 1, to: 400, by: 7) as StrideTo<Int64> {
            board.send([play(name, steps: nil)])
            board.run(until: board.now + .milliseconds(milliseconds))
            let mode: CancelMode = milliseconds.isMultiple(of: 2) ? .graceful : .immediate
            board.send([.cancel(CancelRequest(client: client, target: .all, mode: mode))])
        }
        board.runUntilIdle()
        #expect(board.drivers[0].violations == [])
        #expect(board.drivers[0].actuationCount > 0)
        #expect(board.drivers[0].output == .off)
    }

    @Test("A change of level followed by a steady stretch is played to its end")
    func steadyStretch() throws {
        let keyframes = [(0, 0.5), (120, 1), (500, 0)].map {
            Keyframe(
                at: .milliseconds($0.0), intensity: Intensity($0.1)!, sharpness: Sharpness(0.5)!, curve: .step)
        }
        let pattern = PlayablePattern(try Pattern(name: "hold", tracks: [.keyframes(keyframes)]))
        var board = VirtualBoard(configuration())
        let input = PlayInput(pattern: pattern, feedbackClass: .alarm)
        board.send([.input(Input(client: client, at: .zero, kind: .play(input)))])
        board.runUntilIdle()
        let records = board.takeRecords()
        #expect(records.compactMap(\.actuation).map(\.at) == [0, 120, 500].map { .zero + .milliseconds($0) })
        #expect(records.compactMap(\.end).map(\.ending) == [.completed])
        #expect(records.count == 5)
    }

    @Test("A fitted pattern is overdriven and braked, and breaks no limit of the motor")
    func fitted() throws {
        let model = MotorModel(
            kind: .erm, rise: .milliseconds(89), fall: .milliseconds(35), start: Share(clamping: 0.4), hold: Share(clamping: 0.2),
            minPulse: .milliseconds(30), overdrive: .init(level: Drive(clamping: 1.3), time: .milliseconds(40)), brake: true)
        let actuator = EngineActuator(
            name: "main",
            capabilities: ActuatorCapabilities(
                variesIntensity: true, variesSharpness: true, mostDrive: Drive(clamping: 1.3), reverses: true),
            limits: MotorLimits(minGap: .milliseconds(9), maxOn: .seconds(1), duty: Share(clamping: 0.5)), motor: model)
        let patterns = BuiltInPatterns.all.map { PlayablePattern($0) }
        var board = VirtualBoard(
            try EngineConfiguration(
                actuators: [actuator], patterns: Dictionary(uniqueKeysWithValues: patterns.map { (Text($0.name), $0) })))
        for pattern in patterns {
            let input = PlayInput(pattern: pattern, feedbackClass: .alarm)
            board.send([.input(Input(client: client, at: board.now, kind: .play(input)))])
            board.runUntilIdle()
        }
        let driver = board.drivers[0]
        #expect(driver.violations == [])
        #expect(!driver.output.isOn)
        #expect(driver.record.contains { $0.drive > .rated })
        #expect(driver.record.contains { $0.drive < .zero })
    }

    @Test("A motor that fails in mid-pattern ends its playback as failed, deviceLost")
    func fault() {
        var board = VirtualBoard(configuration(), faults: ["main": .from(apply: 5, .deviceLost, until: .never)])
        board.send([play("soft", steps: 20)])
        board.runUntilIdle()
        let records = board.takeRecords()
        #expect(records.compactMap(\.end).map(\.ending) == [.failed])
        #expect(records.compactMap(\.end).map(\.reason) == [.deviceLost])
        #expect(records.compactMap(\.actuation).count == 4)
    }

    @Test("Motors that fail together come back in their own order")
    func restoredInOrder() {
        let names = (0..<8).map { "motor\($0)" }
        let fault = FaultPlan.from(apply: 1, .deviceLost, until: .onOpen)
        var board = VirtualBoard(
            configuration(actuators: names), faults: Dictionary(uniqueKeysWithValues: names.map { ($0, fault) }))
        board.send([play("soft", steps: nil)])
        board.run(until: .zero + .seconds(2))
        let restored = board.takeRecords().compactMap { if case .actuator(let index, nil) = $0 { index.value } else { nil } }
        #expect(restored == Array(0..<8))
    }

    @Test("An hour of a tick every second is replayed without waiting")
    func hour() {
        var board = VirtualBoard(configuration())
        for second in 0..<3600 {
            board.run(until: .zero + .seconds(Int64(second)))
            board.send([play("tick", steps: nil)])
        }
        board.runUntilIdle()
        #expect(board.drivers[0].actuationCount == 2 * 3600)
    }
}
