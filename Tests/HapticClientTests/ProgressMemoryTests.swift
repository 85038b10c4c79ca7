// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticWire
import Testing

@Suite("A progress source after a restart of the daemon")
struct ProgressMemoryTests {
    private func input(_ value: Double, at milliseconds: Int64 = 0) -> ProgressParams {
        var params = ProgressParams(id: "copy", value: Progress(clamping: value))
        params.atNs = milliseconds * 1_000_000
        return params
    }

    private func decision(_ outcome: Outcome, _ reason: Reason? = nil, pattern: String? = "soft") -> DecisionResult {
        DecisionResult(
            Decision(sequence: 1, at: .zero, input: .progress, outcome: outcome, reason: reason, pattern: pattern))
    }

    private func values(_ inputs: [ProgressParams]) -> [Double] { inputs.map(\.value.value) }

    @Test("Nothing is restored if nothing was sent before, or no step of it was decided")
    func nothing() {
        var memory = ProgressMemory()
        memory.answered(input(0.004), decision(.suppressed, .belowStep, pattern: nil))
        #expect(memory.restoration(at: 5) == nil)
        #expect((memory.undelivered.count, memory.leftOut) == (0, 0))
    }

    @Test("The last step is restored, silently and as of now, with all params of the steps")
    func restoration() throws {
        var memory = ProgressMemory()
        var step = input(0.42)
        (step.step, step.mode, step.deadlineMs) = (0.1, .grid, 20)
        memory.answered(step, decision(.played))
        memory.answered(input(0.45), decision(.suppressed, .belowStep, pattern: nil))
        let restoration = try #require(memory.restoration(at: 99))
        #expect(restoration.value.value == 0.42)
        #expect(restoration.feedback == .off)
        #expect((restoration.atNs, restoration.deadlineMs, restoration.id) == (99, nil, "copy"))
        #expect((restoration.step, restoration.mode) == (0.1, .grid))
        // A step that the profile lets nobody feel has moved the gate as well.
        memory.answered(input(0.5), decision(.suppressed, .profile))
        #expect(memory.restoration(at: 99)?.value.value == 0.5)
    }

    @Test("The newest of the values that came meanwhile is sent with its time; the others are counted")
    func newest() {
        var memory = ProgressMemory()
        for tick in 1...50 { memory.keep(input(Double(tick) / 100, at: Int64(tick))) }
        #expect(memory.leftOut == 49)
        let sent = memory.takeUndelivered(at: 80_000_000)
        #expect(values(sent) == [0.5])
        #expect((sent[0].atNs, sent[0].feedback == nil) == (50_000_000, true))
        let rest = memory.takeUndelivered(at: 0)
        #expect((rest.count, memory.undelivered.count) == (0, 0))
    }

    @Test("A completion is never dropped for a later value, and counts as of now")
    func completion() {
        var memory = ProgressMemory()
        for value in [0.9, 1, 0.1, 0.2] { memory.keep(input(value, at: 3)) }
        #expect(memory.leftOut == 2)
        let sent = memory.takeUndelivered(at: 80_000_000)
        #expect(values(sent) == [1, 0.2])
        #expect(sent.map(\.atNs) == [80_000_000, 3_000_000])
    }

    @Test("Never more than two values are kept, however many come")
    func bound() {
        var memory = ProgressMemory()
        var most = 0
        for tick in 1...10_000 {
            memory.keep(input(Double(tick % 101) / 100))
            most = max(most, memory.undelivered.count)
        }
        #expect(most == 2)
        #expect(memory.leftOut + memory.undelivered.count == 10_000)
    }

    @Test("An input that is lost again is kept again")
    func again() {
        var memory = ProgressMemory()
        memory.answered(input(0.3), decision(.played))
        memory.keep(input(1))
        for input in memory.takeUndelivered(at: 5) { memory.keep(input) }
        #expect(values(memory.undelivered) == [1])
        #expect(memory.restoration(at: 5)?.value.value == 0.3)
    }

    @Test("A value that one decided later has overtaken is not sent any more, a completion is")
    func overtaken() {
        var memory = ProgressMemory()
        for value in [1, 0.4] { memory.keep(input(value)) }
        memory.answered(input(0.5), decision(.played))
        #expect(values(memory.undelivered) == [1])
        #expect(memory.leftOut == 1)
    }

    @Test("A released source is not restored; its completion is kept")
    func release() {
        var memory = ProgressMemory()
        memory.answered(input(0.3), decision(.played))
        for value in [1, 0.6] { memory.keep(input(value)) }
        memory.release()
        #expect(memory.restoration(at: 5) == nil)
        #expect(values(memory.undelivered) == [1])
        #expect(memory.leftOut == 1)
    }
}
