// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticPlanning

@Suite("Plans of several rounds") struct PlanTests {
    private static func ms(_ count: Int) -> Nanoseconds { .milliseconds(Int64(count)) }

    /// On for `on` ms, then off for `off` ms, and so often over.
    private static func pulses(_ on: Int, off: Int = 0, _ repetitions: Int) throws -> PlaybackPlan {
        var frames = [
            Keyframe(at: .zero, intensity: .one, sharpness: .zero),
            Keyframe(at: ms(on), intensity: .zero, sharpness: .zero, curve: .step),
        ]
        if off > 0 { frames.append(Keyframe(at: ms(on + off), intensity: .zero, sharpness: .zero, curve: .step)) }
        let pattern = PlayablePattern(try Pattern(name: "pulse", tracks: [.keyframes(frames)]))
        return PlaybackPlan(pattern: pattern, train: nil, repetitions: repetitions, gain: .one, sharpness: nil)
    }

    private static func frames(_ plan: PlaybackPlan) -> [String] {
        var cursor = PlaybackPlan.Cursor(plan)
        var frames: [String] = []
        while let frame = cursor.peek(plan) {
            frames.append("\(frame.offset) \(frame.level.intensity.value)")
            cursor.advance(plan)
        }
        return frames
    }

    @Test("A repeated pattern has a third of each round off")
    func repeated() throws {
        let plan = try Self.pulses(20, 3)
        #expect(Self.frames(plan) == ["0ns 1.0", "20ms 0.0", "30ms 1.0", "50ms 0.0", "60ms 1.0", "80ms 0.0"])
        #expect(plan.length == Self.ms(80))
        #expect((plan.steps, plan.peak) == (3, .one))
    }

    @Test("A round ends with the silence of its pattern")
    func silence() throws {
        #expect(Self.frames(try Self.pulses(10, off: 40, 2)) == ["0ns 1.0", "10ms 0.0", "50ms 1.0", "60ms 0.0"])
    }

    @Test("Each round has the motion of the pattern, and there is none after the last one")
    func motion() throws {
        let plan = try Self.pulses(200, 2)
        let intended = [100, 250, 400, 650].map { plan.motion(at: Self.ms($0))?.level.intensity.value }
        #expect(intended == [1, nil, 1, nil])
    }

    @Test("A preview reads at most the frames that the plan counts")
    func previewedFrames() throws {
        let plan = try Self.pulses(3, 7)
        #expect((plan.frameCount / 2...plan.frameCount).contains(Self.frames(plan).count))
    }
}
