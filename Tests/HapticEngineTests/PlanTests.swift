// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine

@Suite("Plans of several parts") struct PlanTests {
    private typealias Frame = Timeline.Frame

    private static func ms(_ count: Int) -> Nanoseconds { .milliseconds(Int64(count)) }

    /// On at `intensity` for `on` ms, then off for `off` ms.
    private static func pulse(_ on: Int, off: Int = 0, _ intensity: Double = 1, sharpness: Double = 0) throws -> PlaybackPlan {
        let level = (Intensity(clamping: intensity), Sharpness(clamping: sharpness))
        let frames = [
            Keyframe(at: .zero, intensity: level.0, sharpness: level.1),
            Keyframe(at: ms(on), intensity: .zero, sharpness: .zero, curve: .step),
        ]
        let silence = [Keyframe(at: ms(on + off), intensity: .zero, sharpness: .zero, curve: .step)]
        let pattern = try Pattern(name: "pulse", tracks: [.keyframes(frames + (off > 0 ? silence : []))])
        return PlaybackPlan(pattern: PlayablePattern(pattern), train: nil, repetitions: 1, gain: .one, sharpness: nil)
    }

    private static func frames(_ plan: PlaybackPlan, most: Int = 1000) -> [Frame] {
        var cursor = PlaybackPlan.Cursor(plan)
        var frames: [Frame] = []
        while frames.count < most, let frame = cursor.peek(plan) {
            frames.append(frame)
            cursor.advance(plan)
        }
        return frames
    }

    private static func text(_ frames: [Frame]) -> [String] {
        frames.map { "\($0.offset) \($0.level.intensity.value)" }
    }

    @Test("Of a sequence each part begins where the one before ends, its silence included")
    func sequence() throws {
        let plan = PlaybackPlan.sequence([try Self.pulse(10, off: 5), .sequence([]), try Self.pulse(20, 0.5)])
        #expect(Self.text(Self.frames(plan)) == ["0ns 1.0", "10ms 0.0", "15ms 0.5", "35ms 0.0"])
        #expect(plan.length == Self.ms(35) && plan.steps == 2 && plan.peak == .one)
    }

    @Test("Of parts at the same time the levels add up, and the stronger one sets more of the sharpness")
    func together() throws {
        let (weak, strong) = (try Self.pulse(30, 0.2, sharpness: 1), try Self.pulse(10, 0.6))
        let plan = PlaybackPlan.together([weak, .sequence([try Self.pulse(5, off: 5, 0.9), strong])])
        #expect(Self.text(Self.frames(plan)) == ["0ns 1.0", "5ms 0.2", "10ms 0.8", "20ms 0.2", "30ms 0.0"])
        #expect(abs(Self.frames(plan)[2].level.sharpness.value - 0.25) < 1e-9)
        #expect(plan.length == Self.ms(30))
    }

    @Test("What is repeated comes so many times, with a third of each round off")
    func repeated() throws {
        let plan = PlaybackPlan.repeated(try Self.pulse(20), times: 3)
        #expect(Self.text(Self.frames(plan)) == ["0ns 1.0", "20ms 0.0", "30ms 1.0", "50ms 0.0", "60ms 1.0", "80ms 0.0"])
        let nested = PlaybackPlan.repeated(.sequence([plan, try Self.pulse(20)]), times: 2)
        #expect(Self.frames(nested).count == 16)
        #expect(nested.length == Self.ms(200) && nested.steps == 8)
    }

    @Test("A part without an end goes on until it is stopped, and what comes after it is never played")
    func endless() throws {
        let plan = PlaybackPlan.sequence([.repeated(try Self.pulse(20), times: nil), try Self.pulse(5)])
        let frames = Self.frames(plan, most: 1001)
        #expect(frames.count == 1001 && frames[1000].offset == Self.ms(30 * 500))

        var channel = Channel(index: ActuatorIndex(0), actuator: EngineActuator(name: "main"))
        var actions = ActionBuffer(capacity: 1000)
        var now = MonotonicInstant.zero
        #expect(channel.preview(plan, Entry(), at: now).pulses == plan.frameCount / 2, "as many frames as the plan counts")
        channel.begin(PlaybackID(1), plan, Entry(), at: now, after: nil)
        for _ in 0..<100 {
            channel.planAhead(to: now + PlanningContract.horizon, now: now, into: &actions)
            #expect(!channel.hasEnded(by: now) && channel.nextDeadline > now)
            actions.removeAll()
            now = channel.nextDeadline
        }
        #expect(now > .zero + .seconds(2))
        channel.stop(at: now, into: &actions)
        #expect(channel.nextDeadline == .distantFuture)
    }

    @Test("A round without an end takes a millisecond at least, however short its pattern is")
    func shortestRound() throws {
        let short = try Pattern(
            name: "short",
            tracks: [
                .keyframes([
                    Keyframe(at: .zero, intensity: .one, sharpness: .zero),
                    Keyframe(at: Nanoseconds(1), intensity: .zero, sharpness: .zero, curve: .step),
                ])
            ])
        let once = PlaybackPlan(pattern: PlayablePattern(short), train: nil, repetitions: 1, gain: .one, sharpness: nil)
        #expect(Self.frames(.repeated(once, times: nil), most: 11).last?.offset == Self.ms(5))
        #expect(Self.frames(.repeated(.together([]), times: nil)).isEmpty)
    }

    @Test("A preview looks at the frames that the plan counts, and at no more")
    func previewedFrames() throws {
        let part = PlaybackPlan.together([.repeated(try Self.pulse(3), times: 7), try Self.pulse(5)])
        let finite = PlaybackPlan.sequence([part, .repeated(part, times: 4)])
        let counted = finite.frameCount
        #expect((counted / 2...counted).contains(Self.frames(finite).count))
        let endless = PlaybackPlan.repeated(finite, times: nil)
        #expect(endless.frameCount == counted)
        #expect(endless.cost(within: .none) == finite.cost(within: .none))
    }
}
