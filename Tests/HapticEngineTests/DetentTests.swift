// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Detents and ends of a followed value are felt when it passes them")
struct DetentTests {
    /// What of these values is felt, beside the first one.
    private static func passed(_ values: [Double], _ shape: FollowShape) -> [DetentState.Passed] {
        var state = DetentState()
        return Array(values.map { state.update(to: Progress($0)!, shape) }.dropFirst())
    }

    @Test(
        "A detent is felt where it is passed, up and down, of several at once one, and not where the value trembles on it",
        arguments: [
            ([0.1, 0.24, 0.25, 0.26], [.nothing, .detent, .nothing]),
            ([0.1, 0.9], [.detent]),
            ([0.9, 0.1], [.detent]),
            ([0.24, 0.26, 0.249, 0.251, 0.24, 0.26], [.detent, .nothing, .nothing, .nothing, .nothing]),
            ([0.24, 0.26, 0.2, 0.26], [.detent, .nothing, .detent]),
            ([0.24, 0.3, 0.24, 0.3], [.detent, .detent, .nothing]),
            ([0.2, 0.3, 0.2, 0.3], [.detent, .detent, .detent]),
            ([0.3, 0.3], [.nothing]),
            ([0.5, 0.6], [.nothing]),
        ] as [([Double], [DetentState.Passed])])
    func detents(values: [Double], wanted: [DetentState.Passed]) {
        #expect(Self.passed(values, FollowShape(detents: FollowShape.even(3))) == wanted)
    }

    @Test(
        "An end is felt on arriving there, in place of a detent, and again once the value has left it",
        arguments: [
            ([0.6, 1, 1, 0.99, 1, 0.9, 1], [.end, .nothing, .nothing, .nothing, .nothing, .end]),
            ([0.6, 0, 0.01, 0, 0.3, 0], [.end, .nothing, .nothing, .detent, .end]),
            ([1, 0.995, 1], [.nothing, .nothing]),
            ([0, 0], [.nothing]),
        ] as [([Double], [DetentState.Passed])])
    func ends(values: [Double], wanted: [DetentState.Passed]) {
        #expect(Self.passed(values, FollowShape(detents: FollowShape.even(3))) == wanted)
    }

    @Test("So many detents lie evenly between the ends, and tremble less the closer they are")
    func even() {
        #expect(FollowShape.even(4).map(\.value) == [0.2, 0.4, 0.6, 0.8])
        #expect(FollowShape(detents: FollowShape.even(4)).hysteresis == 0.02)
        #expect(abs(FollowShape(detents: FollowShape.even(99)).hysteresis - 0.0025) < 1e-9)
    }

    @Test("A detent is felt on top of the level, and what is left of it outlasts the next value")
    func onTop() {
        var bench = Bench(.following(detents: 3))
        bench.progress("lever", 0.2)
        bench.run(for: .milliseconds(200))
        let decision = bench.progress("lever", 0.26)
        #expect(decision.pattern == "light")
        #expect(decision.playback == PlaybackID(1))
        bench.run(for: .milliseconds(6))
        bench.progress("lever", 0.3)
        bench.run(for: .milliseconds(100))
        // It lasts 10 ms, at 60 %.
        #expect(bench.level(at: .ms(200)) > 0.79)
        #expect(bench.level(at: .ms(208)) > 0.79)
        #expect(bench.level(at: .ms(211)) < 0.3)
        bench.run(for: .seconds(1))
        #expect(bench.pulses().count == 1)
        #expect(bench.actuations.allSatisfy { $0.level.intensity <= .one })
    }

    @Test("A detent that was passed too soon after a change is felt when the value is")
    func pendingDetent() {
        var bench = Bench(.following(detents: 3))
        bench.progress("lever", 0.2)
        bench.run(for: .milliseconds(1))
        #expect(bench.progress("lever", 0.26).reason == .minInterval)
        bench.run(for: .milliseconds(1))
        bench.progress("lever", 0.3)
        bench.run(for: .milliseconds(100))
        #expect(bench.level(at: .ms(5)) > 0.6)
        #expect(bench.level(at: .ms(16)) < 0.3)
    }

    @Test("Both ends are felt in their own pattern")
    func endStops() {
        var bench = Bench(.following(endStop: "soft"))
        bench.progress("lever", 0.5)
        bench.run(for: .milliseconds(100))
        #expect(bench.progress("lever", 1).pattern == "soft")
        bench.run(for: .milliseconds(100))
        let decision = bench.progress("lever", 0)
        #expect(decision.pattern == "soft")
        bench.run(for: .seconds(1))
        #expect(bench.ends.count == 1)
    }

    @Test("A client's pattern takes the place of that of a detent")
    func replaced() {
        var bench = Bench(.following(detents: 3))
        bench.progress("lever", 0.2)
        bench.run(for: .milliseconds(50))
        let own = ProgressInput(value: Progress(0.3)!, pattern: .bench["tick"])
        #expect(
            bench.send(.input(Input(client: Bench.ada, id: "lever", at: bench.now, kind: .progress(own)))).pattern == "tick")
        bench.run(for: .milliseconds(50))
        let feedback = Input.FeedbackOverride.pattern(.bench["faint"]!)
        #expect(bench.send(.progress("lever", 0.6, at: bench.now, feedback: feedback)).pattern == "faint")
    }

    @Test("An actuator that is only on or off is on for detents and ends alone")
    func onOff() {
        let onOff = EngineActuator(name: "line", capabilities: .onOff)
        var bench = Bench(.following(actuators: [onOff], detents: 3, endStop: "soft"))
        #expect(bench.progress("lever", 0.9).reason == .tooSubtle)
        bench.run(for: .milliseconds(100))
        #expect(bench.progress("lever", 0.7).outcome == .played)
        bench.run(for: .milliseconds(100))
        #expect(bench.progress("lever", 1).outcome == .played)
        bench.run(for: .seconds(1))
        #expect(bench.pulses().map { $0.end - $0.start } == [.milliseconds(10), .milliseconds(8)])
    }

    @Test("Beside one that varies, an actuator that is only on or off is on for the detents")
    func mixed() {
        let onOff = EngineActuator(name: "line", capabilities: .onOff)
        var bench = Bench(.following(actuators: [EngineActuator(name: "main"), onOff], detents: 3))
        #expect(bench.progress("lever", 0.2).actuators == ["main"])
        bench.run(for: .milliseconds(100))
        #expect(bench.progress("lever", 0.3).actuators == ["main", "line"])
        bench.run(for: .seconds(1))
        #expect(bench.pulses(on: 0).count == 1)
        #expect(bench.pulses(on: 1).map { $0.end - $0.start } == [.milliseconds(10)])
    }
}
