// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import TestSupport
import Testing

@testable import HapticPlanning

/// A plan that is taken up in the middle, held against one that is walked from its start.
@Suite("Plans taken up in the middle")
struct MiddleTests {
    private static func pattern(_ name: String, _ random: inout SplitMix64) -> Pattern {
        var at = Int64.random(in: 0...20, using: &random)
        var frames: [Keyframe] = []
        for number in 0..<Int.random(in: 2...8, using: &random) {
            let isOn = number == 0 || Bool.random(using: &random)
            let intensity = isOn ? Double.random(in: 0.1...1, using: &random) : 0
            let curve: Easing = Bool.random(using: &random) ? .step : .linear
            frames.append(
                Keyframe(at: .milliseconds(at), intensity: Intensity(clamping: intensity), sharpness: .zero, curve: curve))
            at += Int64.random(in: 1...90, using: &random)
        }
        frames.append(Keyframe(at: .milliseconds(at), intensity: .zero, sharpness: .zero, curve: .step))
        return try! Pattern(name: name, tracks: [.keyframes(frames)])
    }

    private static func plan(_ random: inout SplitMix64) -> PlaybackPlan {
        func steps(_ random: inout SplitMix64) -> StepPlan {
            let train =
                Bool.random(using: &random)
                ? StepTrain(
                    steps: Int.random(in: 1...9, using: &random),
                    duration: .milliseconds(Int64.random(in: 1...900, using: &random)),
                    curve: Bool.random(using: &random) ? .charge : .linear) : nil
            return StepPlan(pattern: PlayablePattern(pattern("steps", &random)), train: train, gain: .one, sharpness: nil)
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .steps(steps(&random))
        case 1: return .repeated(steps(&random), times: Int.random(in: 1...4, using: &random))
        default:
            let phases = (0..<Int.random(in: 1...4, using: &random)).map { index in
                let until = Pattern.Phase.Until.allCases.randomElement(using: &random)!
                return PlayablePattern.Phase(
                    PlayablePattern(pattern("phase\(index)", &random)), until: until,
                    upTo: .milliseconds(Int64.random(in: 1...2000, using: &random)))
            }
            let plan = PlaybackPlan.phases(PhasePlan(phases, gain: .one, sharpness: nil))
            return plan.fitted(to: Bool.random(using: &random) ? .full : .onOff)
        }
    }

    /// The frames up to 2 s, walked from the start.
    private static func frames(_ plan: PlaybackPlan, from cursor: PlaybackPlan.Cursor? = nil) -> [Timeline.Frame] {
        var cursor = cursor ?? PlaybackPlan.Cursor(plan)
        var frames: [Timeline.Frame] = []
        while let frame = cursor.peek(plan), frame.offset < .seconds(2), frames.count < 20_000 {
            frames.append(frame)
            cursor.advance(plan)
        }
        return frames
    }

    @Test("A plan taken up in the middle has the same frames and the same level from there")
    func frames() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let plan = Self.plan(&random)
            let all = Self.frames(plan)
            for _ in 0..<8 {
                let near = all.randomElement(using: &random)?.offset ?? .zero
                let any = Nanoseconds(Int64.random(in: -5_000_000...1_500_000_000, using: &random))
                let offset = Bool.random(using: &random) ? near : any
                let rest = Self.changes(Self.frames(plan, from: .init(plan, at: offset)), from: offset, all)
                let expected = Self.changes(all.filter { $0.offset >= offset }, from: offset, all)
                #expect(rest == expected, "\(plan) at \(offset)")
                let level = all.last { $0.offset <= offset }?.level ?? .off
                #expect(plan.stretch(at: offset)?.level ?? .off == level, "\(plan) at \(offset)")
                if let stretch = plan.stretch(at: offset) { #expect((stretch.start..<stretch.end).contains(offset)) }
            }
            let end = plan.feltLength
            guard end < .seconds(2) else { continue }
            #expect(all.allSatisfy { $0.offset < end || !$0.level.isOn }, "\(plan)")
            // The last round of an open phase may end in silence.
            if case .phases = plan { continue }
            #expect(all.contains { $0.offset == end && !$0.level.isOn }, "\(plan)")
        }
    }

    /// Without what changes nothing: a plan says some levels twice.
    private static func changes(
        _ frames: [Timeline.Frame], from offset: Nanoseconds, _ all: [Timeline.Frame]
    ) -> [Timeline.Frame] {
        var level = all.last { $0.offset < offset }?.level ?? .off
        return frames.filter { frame in
            defer { level = frame.level }
            return frame.level != level
        }
    }
}
