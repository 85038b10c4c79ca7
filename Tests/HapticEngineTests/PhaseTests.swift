// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine
@testable import HapticPlanning

@Suite("Open phases")
struct PhaseTests {
    private static func plan(_ pattern: PlayablePattern) -> PlaybackPlan {
        PlaybackPlan(pattern: pattern, train: nil, repetitions: 1, gain: .one, sharpness: nil)
    }

    @Test("On a motor that can only be on, an hour of rounds is planned as one")
    func steady() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        var bench = Bench(.bench(actuators: [EngineActuator(name: "main", capabilities: onOff)]))
        let pattern = PlayablePattern.phases([.init(.swell, until: .released, upTo: .seconds(3600))])
        bench.play(pattern, id: "a")
        #expect(bench.actuations.map(\.planned) == [.ms(0), .ms(3_600_000)])
        let plan = Self.plan(pattern)
        #expect(plan.frameCount < 100, "a preview looks at one round")
        #expect(
            plan.cost(within: .none) == WorkBudget.Cost.actuator + plan.frameCount * (WorkBudget.Cost.previewedFrame + 4),
            "the search for its one level is charged")
        bench.run(until: .ms(500))
        bench.send(.release("a", at: bench.now))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.ending) == [.completed])
    }

    @Test("However short a round is, a stretch of time has a bounded number of frames")
    func dense() {
        let round = try! Pattern(
            name: "dense",
            tracks: [
                .keyframes([
                    Keyframe(at: .zero, intensity: .one, sharpness: .zero),
                    Keyframe(at: Nanoseconds(1), intensity: .zero, sharpness: .zero, curve: .step),
                ])
            ])
        let plan = Self.plan(.phases([.init(round, until: .released, upTo: .seconds(1))]))
        var (cursor, frames) = (PlaybackPlan.Cursor(plan), 0)
        while cursor.peek(plan) != nil {
            frames += 1
            cursor.advance(plan)
        }
        #expect(frames == 1000)
    }

    @Test("A pattern with open phases is read as it was written")
    func coded() throws {
        let pattern = PlayablePattern.phases([.init(.swell), .init(.ring, until: .released, upTo: .seconds(5))])
        let written = try JSONEncoder().encode([pattern])
        #expect(try JSONDecoder().decode([PlayablePattern].self, from: written) == [pattern])
        #expect(pattern != PlayablePattern(name: pattern.name, timeline: pattern.timeline))
    }
}
