// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("The gate of a progress source")
struct GateTests {
    /// A letter for the effect of each value: f fires, c completes, s comes too soon, - none.
    private static func outcome(_ gate: GateConfiguration, _ stream: [(at: MonotonicInstant, value: Double)]) -> String {
        var state = GateState()
        return String(
            stream.map { at, value -> Character in
                switch state.update(to: Progress(value)!, at: at, gate) {
                case .fires: "f"
                case .completes: "c"
                case .tooSoon: "s"
                case .belowStep: "-"
                }
            })
    }

    /// The press-and-hold charge of the reference: every 10 ms `progress += increment; increment += acceleration`, 160 ticks.
    private static let charge: [(at: MonotonicInstant, value: Double)] = {
        var (progress, increment) = (0.0, 0.0007)
        return (1...160).map { tick in
            progress = min(1, progress + increment)
            increment += 0.00007
            return (.ms(Int64(tick) * 10), progress)
        }
    }()

    @Test(
        "The charge fires as often as the reference says",
        arguments: [
            (0.01, GateConfiguration.Mode.relative, 77), (0.005, .relative, 122), (0.02, .relative, 43),
            (0.01, .grid, 97), (0.005, .grid, 133), (0.02, .grid, 50),
        ])
    func chargeVectors(step: Double, mode: GateConfiguration.Mode, count: Int) {
        #expect(Self.outcome(GateConfiguration(step: step, mode: mode), Self.charge).count { $0 == "f" || $0 == "c" } == count)
    }

    @Test("Values of 0.01, 0.02 … 1.00 fire 100 times in both modes", arguments: GateConfiguration.Mode.allCases)
    func hundredSteps(mode: GateConfiguration.Mode) {
        let stream = (1...100).map { (at: MonotonicInstant.ms(Int64($0)), value: Double($0) / 100) }
        let expected = String(repeating: "f", count: 99) + "c"
        #expect(Self.outcome(GateConfiguration(step: 0.01, mode: mode), stream) == expected)
    }

    /// `start` and the ten sums after it, each with the rounding of its addition.
    private static func sums(_ step: Double, from start: Double) -> [Double] {
        (0..<10).reduce(into: [start]) { sums, _ in sums.append(sums[sums.count - 1] + step) }
    }

    /// Each row has the gate, the values in order, and the effect of each. `gate-directions.trace` has the rest.
    @Test(
        "Each value fires or not as the rules say",
        arguments: [
            (
                GateConfiguration(step: 0.1, hysteresis: 0.3), [0.5, 0.3, 0.45, 0.5, 0.6], "f---f",
                "a fall within the hysteresis changes nothing"
            ),
            (GateConfiguration(step: 0.1), [0.95, 1], "fc", "reaching 1 completes even within a step"),
            (
                GateConfiguration(step: 0.1, direction: .down), [0, 0, 0.5, 1, 0.95, 0], "-----c",
                "a countdown that begins at 0 has nothing to complete; the way up is silent"
            ),
            (
                GateConfiguration(step: 0.3, mode: .grid, direction: .down), [1, 0.91, 0.89, 0.3, 0.29, 0], "--fffc",
                "the grid's lines are the same on the way down"
            ),
            (GateConfiguration(step: 0.3), [0.1, 0.2, 0.3], "--f", "0.1 + 0.2 is a step of 0.3"),
            (
                GateConfiguration(step: 0.3, direction: .down), Self.sums(-0.1, from: 1), "---f--f--fc",
                "ten times 0.1 less than 1 is 0, whatever rounding leaves"
            ),
            (
                GateConfiguration(step: 0.3), Self.sums(0.1, from: 0), "---f--f--fc",
                "ten times 0.1 is 1, whatever rounding leaves"
            ),
        ])
    func sequences(gate: GateConfiguration, values: [Double], expected: String, why: String) {
        let stream = values.enumerated().map { (at: MonotonicInstant.ms(Int64($0)), value: $1) }
        #expect(Self.outcome(gate, stream) == expected, "\(why)")
    }

    @Test("Within `minInterval` a step is put off, not lost, and a completion never waits")
    func minInterval() {
        let gate = GateConfiguration(step: 0.1, minInterval: .milliseconds(50))
        #expect(Self.outcome(gate, [(.ms(0), 0.1), (.ms(49), 0.2), (.ms(50), 0.21), (.ms(51), 1)]) == "fsfc")
    }

    @Test("Without `minInterval` no step is too soon, also at a time before the one of the last step")
    func timeGoesBack() {
        #expect(Self.outcome(GateConfiguration(step: 0.1), [(.ms(60), 0.1), (.ms(50), 0.2)]) == "ff")
    }
}
