// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import HapticGuard
import HapticMotors
import HapticRuntime
import HapticThreads
import Synchronization
import TestSupport
import Testing

@testable import HapticBoard

/// With a real executor, and everything else in the test's hands.
@Suite("The board")
struct BoardTests {
    private let loop = TestLoop()
    private let listener = TestListener()
    private let kernel = Kernel()

    /// `thread`: devices that have a thread of their own between them and the executor.
    private func plan(_ devices: String..., thread: Set<String> = []) -> BoardPlan {
        let kernel = kernel
        return BoardPlan(
            devices: devices.map { device in
                DevicePlan(name: device, device: device, isDirect: !thread.contains(device)) { _ in TestDriver(device, of: kernel)
                }
            }, executor: ExecutorConfiguration())
    }

    private func board(_ plan: BoardPlan) throws -> Board {
        let board = Board(plan, outputGuard: GuardLink(lockPath: "/nonexistent/lock"), on: loop, log: listener.log)
        board.listener = listener
        try board.start()
        return board
    }

    private func replace(_ board: Board, _ plan: BoardPlan) {
        board.plan = plan
        board.replace()
    }

    private func end(_ board: Board) throws {
        var isDone = false
        board.shutDown { isDone = true }
        try loop.run(until: "the end") { isDone }
        #expect((kernel.held, kernel.mistakes) == ([], []))
    }

    @Test("Every device is opened on a thread of its own, and the board is open once each has been tried")
    func opens() throws {
        let board = try board(plan("a", "b"))
        var isOpen = false
        board.open(within: .seconds(1)) { isOpen = true }
        #expect(listener.said == ["0: it is being opened; wait a moment", "1: it is being opened; wait a moment"])
        try loop.run(until: "both to be there") { isOpen }
        #expect(listener.missing.isEmpty)
        #expect(kernel.held == ["a", "b"])
        #expect(board.untried.isEmpty)
        try end(board)
    }

    @Test("A device that reports its motor is announced with that motor")
    func tells() throws {
        let board = try board(plan("line", "pad"))
        var isOpen = false
        board.open(within: .seconds(1)) { isOpen = true }
        try loop.run(until: "both to be there") { isOpen }
        #expect(listener.found == [1: FoundMotor(MotorLibrary.pad)])
        try end(board)
    }

    @Test("A device that hangs delays neither another one, nor a reload; it is opened for the next executor once it gets on")
    func hanging() throws {
        let board = try board(plan("a", "b"))
        loop.hanging = [0]
        var isOpen = false
        board.open(within: .seconds(1)) { isOpen = true }
        try loop.run(until: "b to be there") { listener.missing[1] == nil }
        #expect(!isOpen)
        loop.advance(.seconds(1))
        #expect(isOpen)
        #expect(listener.said.last == "still being opened: a; clients are served without for now")
        replace(board, plan("a", "b", "c"))
        try loop.run(until: "b and c to be driven by another executor") { listener.executors == 2 && kernel.held == ["b", "c"] }
        #expect(kernel.openings == ["b", "b", "c"])
        loop.advance(.seconds(2))
        #expect(listener.missing == [0: "it is being opened; wait a moment"])
        loop.hanging = []
        try loop.run(until: "a to be there") { listener.missing.isEmpty }
        #expect(kernel.openings == ["b", "b", "c", "a", "a"], "the first time for the executor of before")
        try end(board)
    }

    @Test("The outputs are off once the executor has done all that it was given and no device has anything left to do")
    func rests() throws {
        let driver = TestDriver("a", of: kernel)
        let board = try board(
            BoardPlan(
                devices: [DevicePlan(name: "a", device: "a", isDirect: true) { _ in driver }],
                executor: ExecutorConfiguration()))
        board.open(within: .seconds(1)) {}
        try loop.run(until: "it to be there") { board.untried.isEmpty }
        var answers: [Bool] = []
        func ask(_ patience: Nanoseconds) { board.awaitOff(by: loop.now + patience) { answers.append($0) } }
        func wait(for count: Int) throws {
            try loop.run(until: "the answer") {
                loop.advance(.milliseconds(1))
                return answers.count == count
            }
        }
        ask(.seconds(60))
        try wait(for: 1)
        driver.isBusy.store(true, ordering: .relaxed)
        board.apply(
            .actuate(
                Actuation(
                    planned: SystemClock.now, actuator: ActuatorIndex(0), playback: PlaybackID(1),
                    level: Level(intensity: Intensity(clamping: 1), sharpness: Sharpness(clamping: 1)))))
        board.commit()
        ask(.milliseconds(50))
        try wait(for: 2)
        driver.isBusy.store(false, ordering: .relaxed)
        board.apply(.revoke(PlaybackID(1), ActuatorIndex(0), from: .zero))
        board.commit()
        ask(.seconds(60))
        try wait(for: 3)
        #expect(answers == [true, false, true])
        try end(board)
    }

    @Test("A plan that comes after a reload waits for its own device, not for another that hangs")
    func plannedMeanwhile() throws {
        let plan = plan("a", "b", thread: ["a"])
        let board = try board(plan)
        board.open(within: .seconds(1)) {}
        try loop.run(until: "both to be there") { board.untried.isEmpty }
        loop.hanging = [0]
        replace(board, plan)
        for actuator in 0...1 {
            board.apply(
                .actuate(
                    Actuation(
                        planned: SystemClock.now, actuator: ActuatorIndex(actuator), playback: PlaybackID(1),
                        level: Level(intensity: Intensity(clamping: 1), sharpness: Sharpness(clamping: 1)))))
        }
        board.commit()
        try loop.run(until: "b to be felt") { !kernel.felt.isEmpty }
        loop.hanging = []
        try loop.run(until: "a to be felt") { kernel.felt.contains("a") }
        #expect(kernel.felt.first == "b")
        try end(board)
    }

    @Test("A reload waits for the lines that the executor drove itself, and for nothing else")
    func lines() throws {
        let plan = plan("pad", "line", thread: ["pad"])
        let board = try board(plan)
        board.open(within: .seconds(1)) {}
        try loop.run(until: "both to be there") { board.untried.isEmpty }
        loop.hanging = [0, 1]
        replace(board, plan)
        for _ in 0..<10 { loop.turn() }
        #expect(listener.executors == 1, "the line has not been given back")
        loop.hanging = [0]
        try loop.run(until: "the line to be driven by another executor") { kernel.openings == ["pad", "line", "line"] }
        #expect(listener.executors == 2)
        loop.hanging = []
        try loop.run(until: "the pad to be driven by it, too") { kernel.openings.count == 4 && kernel.held == ["line", "pad"] }
        try end(board)
    }

    @Test("The last of two reloads, one during the other, counts, and there is one executor at a time")
    func reloadDuringReload() throws {
        let board = try board(plan("a"))
        board.open(within: .seconds(1)) {}
        try loop.run(until: "it to be there") { board.untried.isEmpty }
        replace(board, plan("a", "b"))
        replace(board, plan("c", "a"))
        try loop.run(until: "both to be there") { listener.executors == 2 && kernel.held == ["a", "c"] }
        #expect(!kernel.openings.contains("b"))
        replace(board, plan("b"))
        try loop.run(until: "the last one") { listener.executors == 3 && kernel.held == ["b"] }
        try end(board)
    }

    @Test("A shutdown during a reload gives everything back, and no other executor is started")
    func endDuringReload() throws {
        let board = try board(plan("a", "b"))
        board.open(within: .seconds(1)) {}
        try loop.run(until: "both to be there") { board.untried.isEmpty }
        replace(board, plan("b", "c"))
        try end(board)
        #expect((listener.executors, kernel.openings.count) == (1, 2))
        #expect(!board.hasBeaten)
    }

    @Test("The end waits for a device that hangs")
    func endWhileHanging() throws {
        let board = try board(plan("a"))
        loop.hanging = [0]
        board.open(within: .seconds(1)) {}
        var isDone = false
        board.shutDown { isDone = true }
        for _ in 0..<10 { loop.turn() }
        #expect(!isDone)
        loop.hanging = []
        try loop.run(until: "the end") { isDone }
        #expect(kernel.held == [])
    }

    @Test("Patterns are prepared on devices that are open; one that hangs is not asked")
    func preparations() throws {
        let board = try board(plan("a", "b"))
        loop.hanging = [0]
        board.open(within: .seconds(1)) {}
        try loop.run(until: "b to be there") { listener.missing[1] == nil }
        var answer: [[Bool]?]?
        board.prepare([], on: [ActuatorIndex(0), ActuatorIndex(1)]) { answer = $0 }
        try loop.run(until: "the answer") { answer != nil }
        #expect(answer == [nil, []])
        loop.hanging = []
        try end(board)
    }
}
