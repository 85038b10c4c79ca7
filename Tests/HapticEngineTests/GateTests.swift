// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// The press-and-hold charge of the reference: every 10 ms `progress += increment; increment += acceleration`, 160 ticks.
private let charge: [(at: MonotonicInstant, value: Double)] = {
    var (progress, increment) = (0.0, 0.0007)
    return (1...160).map { tick in
        progress = min(1, progress + increment)
        increment += 0.00007
        return (.ms(Int64(tick) * 10), progress)
    }
}()

private func fires(of gate: GateConfiguration, _ stream: [(at: MonotonicInstant, value: Double)]) -> [MonotonicInstant] {
    var state = GateState()
    return stream.compactMap { at, value in
        switch state.update(to: Progress(value)!, at: at, gate) {
        case .fires, .completes: at
        case .belowStep, .tooSoon: nil
        }
    }
}

@Suite("The gate of a progress source")
struct GateTests {
    /// `start`, and what it is after each of ten steps, with their rounding.
    private static func sums(_ step: Double, from start: Double) -> [Double] {
        var sums = [start]
        for _ in 0..<10 { sums.append(sums[sums.count - 1] + step) }
        return sums
    }

    @Test(
        "The charge fires as often as the reference says",
        arguments: [
            (0.01, GateConfiguration.Mode.relative, 77), (0.005, .relative, 122), (0.02, .relative, 43),
            (0.01, .grid, 97), (0.005, .grid, 133), (0.02, .grid, 50),
        ])
    func chargeVectors(step: Double, mode: GateConfiguration.Mode, count: Int) {
        #expect(fires(of: GateConfiguration(step: step, mode: mode), charge).count == count)
    }

    @Test("The charge fires first at 0.10, 0.17, 0.22, 0.27, 0.31, 0.35 s and last at 1.57 to 1.60 s")
    func chargeInstants() {
        let times = fires(of: GateConfiguration(step: 0.01), charge)
        #expect(times.prefix(6) == [.ms(100), .ms(170), .ms(220), .ms(270), .ms(310), .ms(350)])
        #expect(times.suffix(4) == [.ms(1570), .ms(1580), .ms(1590), .ms(1600)])
    }

    @Test("The gaps between the 77 pulses of the charge are 27 of 10 ms, 35 of 20 ms and 14 longer ones")
    func chargeGaps() {
        let times = fires(of: GateConfiguration(step: 0.01), charge)
        let gaps = zip(times, times.dropFirst()).map { ($1 - $0).count / 1_000_000 }
        #expect(gaps.count { $0 == 10 } == 27)
        #expect(gaps.count { $0 == 20 } == 35)
        #expect(gaps.count { $0 > 20 } == 14)
    }

    @Test("Values of 0.01, 0.02 … 1.00 fire 100 times in both modes", arguments: GateConfiguration.Mode.allCases)
    func hundredSteps(mode: GateConfiguration.Mode) {
        let stream = (1...100).map { (at: MonotonicInstant.ms(Int64($0)), value: Double($0) / 100) }
        #expect(fires(of: GateConfiguration(step: 0.01, mode: mode), stream).count == 100)
    }

    /// A row: the gate, the values in order, and what each of them does (f fires, c completes, - nothing).
    @Test(
        "Each value fires or not as the rules say",
        arguments: [
            (GateConfiguration(step: 0.1), [0.05, 0.1, 0.15, 0.55, 0.6], "-f-f-", "several steps at once fire once"),
            (GateConfiguration(step: 0.1), [0.5, 0.45, 0.5, 0.55, 0.6], "f---f", "a small fall changes nothing"),
            (GateConfiguration(step: 0.1), [0.5, 0.3, 0.35, 0.4], "f--f", "a fall of more than a step starts from there"),
            (
                GateConfiguration(step: 0.1, hysteresis: 0.3), [0.5, 0.3, 0.45, 0.5, 0.6], "f---f",
                "a fall within the hysteresis changes nothing"
            ),
            (GateConfiguration(step: 0.1), [1, 1, 0.95, 1, 0.85, 1], "c----c", "complete until re-armed below 1 - step"),
            (GateConfiguration(step: 0.1), [0.95, 1], "fc", "reaching 1 completes even within a step"),
            (
                GateConfiguration(step: 0.1, direction: .down), [0.9, 0.85, 0.8, 0.5, 0.6], "--ff-",
                "a countdown fires on the way down"
            ),
            (GateConfiguration(step: 0.1, direction: .both), [0.1, 0.2, 0.1, 0.05], "fff-", "both ways"),
            (
                GateConfiguration(step: 0.1, direction: .both, hysteresis: 0.15), [0.3, 0.2, 0.15, 0.05], "f-ff",
                "a reversal must overcome the hysteresis, what follows it only the step"
            ),
            (
                GateConfiguration(step: 0.1, direction: .down), [1, 0.9, 0.85, 0.8], "-f-f",
                "the start of a countdown is silent, and its first step is felt"
            ),
            (
                GateConfiguration(step: 0.1, direction: .down), [0.3, 0.25, 0.05, 0, 0, 0.05, 0, 0.2, 0], "--fc----c",
                "a countdown is complete at 0, until it is re-armed above the step"
            ),
            (
                GateConfiguration(step: 0.1, direction: .down), [0, 0, 0.5, 1, 0.95, 0], "-----c",
                "a countdown that begins at 0 has nothing to complete; the way up is silent"
            ),
            (
                GateConfiguration(step: 0.3, mode: .grid, direction: .down), [1, 0.91, 0.89, 0.3, 0.29, 0], "--fffc",
                "the grid's lines are the same on the way down"
            ),
            (
                GateConfiguration(step: 0.1, direction: .both), [1, 0.9, 1, 0.8, 1], "cfffc",
                "back at 1 within a step is a step, and complete only once re-armed"
            ),
            (GateConfiguration(step: 0.1, mode: .grid), [0.09, 0.11, 0.19, 0.21], "-f-f", "the grid's lines are fixed"),
            (GateConfiguration(step: 0.3), [0.1, 0.2, 0.3], "--f", "0.1 + 0.2 is a step of 0.3"),
            (
                GateConfiguration(step: 0.3, direction: .down), Self.sums(-0.1, from: 1),
                "---f--f--fc", "ten times 0.1 less than 1 is 0, whatever rounding leaves"
            ),
            (
                GateConfiguration(step: 0.3), Self.sums(0.1, from: 0), "---f--f--fc",
                "ten times 0.1 is 1, whatever rounding leaves"
            ),
        ])
    func sequences(gate: GateConfiguration, values: [Double], expected: String, why: String) {
        var state = GateState()
        let outcome = values.enumerated().map { index, value -> Character in
            switch state.update(to: Progress(value)!, at: .ms(Int64(index)), gate) {
            case .fires: "f"
            case .completes: "c"
            case .belowStep, .tooSoon: "-"
            }
        }
        #expect(String(outcome) == expected, "\(why)")
    }

    @Test("Within `minInterval` a step is put off, not lost")
    func minInterval() {
        var state = GateState()
        let gate = GateConfiguration(step: 0.1, minInterval: .milliseconds(50))
        #expect(state.update(to: Progress(0.1)!, at: .ms(0), gate) == .fires)
        #expect(state.update(to: Progress(0.2)!, at: .ms(49), gate) == .tooSoon)
        #expect(state.update(to: Progress(0.21)!, at: .ms(50), gate) == .fires)
        #expect(state.update(to: Progress(1)!, at: .ms(51), gate) == .completes)
    }

    @Test("Without `minInterval` no step is too soon, also at a time before the one of the last step")
    func timeGoesBack() {
        var state = GateState()
        let gate = GateConfiguration(step: 0.1)
        #expect(state.update(to: Progress(0.1)!, at: .ms(60), gate) == .fires)
        #expect(state.update(to: Progress(0.2)!, at: .ms(50), gate) == .fires)
    }
}
