// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticPatterns

private func frame(_ ms: Int64, _ intensity: Double, _ sharpness: Double = 0.5, _ curve: Easing = .step) -> Keyframe {
    Keyframe(
        at: .milliseconds(ms), intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness), curve: curve)
}

private func pattern(_ frames: [Keyframe], isCall: Bool = false) throws -> Pattern {
    try Pattern(name: "x", tracks: [.keyframes(frames)], isCall: isCall)
}

private func rules(_ pattern: Pattern) -> [String] { PatternLint.findings(pattern).map { "\($0.rule) \($0.path)" } }

@Suite("The lint of patterns")
struct LintTests {
    @Test("A pattern of more than half a second is too long, except for a call")
    func tooLong() throws {
        let fading = [frame(0, 1), frame(500, 0, 0.5, .easeOut)]
        #expect(rules(try pattern(fading)) == [])
        let long = [frame(0, 1), frame(510, 0, 0.5, .linear), frame(900, 0)]
        #expect(rules(try pattern(long)) == ["tooLong "])
        #expect(PatternLint.findings(try pattern(long))[0].reason.hasPrefix("it is felt for 510 ms;"))
        #expect(rules(try pattern(long, isCall: true)) == [])
    }

    @Test("A pattern that cannot be felt at all has only that finding")
    func notFelt() throws {
        let silence = try pattern([frame(0, 0), frame(700, 0)])
        #expect(rules(silence) == ["notFelt "])
        #expect(rules(try Pattern(name: "y", phases: [.init(silence), .init(silence, until: .released)])) == ["notFelt "])
        let tap = try pattern([frame(0, 1), frame(9, 0)])
        #expect(rules(try Pattern(name: "y", phases: [.init(silence), .init(tap, until: .released)])) == [])
    }

    @Test("A level that is held for more than 0.3 s is named with its keyframe")
    func held() throws {
        #expect(rules(try pattern([frame(0, 1), frame(300, 0)])) == [])
        let held = [frame(0, 0.2), frame(50, 0.8), frame(360, 0.805, 0.5, .linear), frame(400, 0, 0.5, .linear)]
        #expect(rules(try pattern(held)) == ["notInterruptible tracks[0].keyframes[1]"])
        #expect(rules(try pattern(held + [frame(900, 0)], isCall: true)) == [])
        for (from, to) in [(1.0, 0.0), (0, 1)] {
            let slow = [frame(0, from), frame(60_000, to, 0.5, .linear)]
            #expect(!rules(try pattern(slow)).contains { $0.hasPrefix("notInterruptible") })
        }
        let gliding = [frame(0, 0), frame(450, 1, 0.5, .linear), frame(460, 0)]
        #expect(rules(try pattern(gliding)) == [])
    }

    @Test("Beats that take more than a second are a cascade, named at the end of that second")
    func cascade() throws {
        let tap = try pattern([frame(0, 0.5), frame(8, 0)])
        func taps(_ count: Int, every interval: Int64) throws -> Pattern {
            try Pattern(name: "y", parts: [Pattern.Part(tap, repetitions: count, interval: .milliseconds(interval))])
        }
        // Ten copies 0.1 s apart take 0.9 s and the last of them.
        #expect(rules(try taps(10, every: 100)) == ["tooLong "])
        #expect(rules(try taps(11, every: 100)) == ["tooLong ", "cascade compose[0]"])
        #expect(rules(try taps(5, every: 100)) == [])
        #expect(rules(try taps(2, every: 1500)) == ["tooLong "])
    }

    @Test("Differences of sharpness alone are named: within a beat, between two, between patterns")
    func sharpnessAlone() throws {
        let within = [frame(0, 0.6, 0.2), frame(40, 0.6, 0.9), frame(80, 0)]
        #expect(rules(try pattern(within)) == ["sharpnessAlone tracks[0].keyframes[1]"])
        func two(_ second: Double, _ sharpness: Double) throws -> Pattern {
            try pattern([frame(0, 0.6, 0.2), frame(20, 0), frame(80, second, sharpness), frame(100, 0)])
        }
        #expect(rules(try two(0.6, 0.9)) == ["sharpnessAlone tracks[0].keyframes[2]"])
        #expect(rules(try two(0.6, 0.4)) == [])
        #expect(rules(try two(0.9, 0.9)) == [])
        let dull = try Pattern(name: "dull", tracks: [.keyframes([frame(0, 0.6, 0.1), frame(20, 0)])])
        let crisp = try Pattern(name: "crisp", tracks: [.keyframes([frame(0, 0.6, 0.9), frame(20, 0), frame(90, 0)])])
        let strong = try Pattern(name: "strong", tracks: [.keyframes([frame(0, 0.9, 0.1), frame(20, 0)])])
        let found = PatternLint.sharpnessAlone(among: [strong, dull, crisp])
        #expect(found.map { "\($0.pattern) \($0.other)" } == ["crisp dull"])
    }

    /// Beats of 2 ms, every 6 ms, in as many tracks as a pattern has: each as strong as `intensity` says and as sharp as `sharpness`.
    private func beats(
        _ count: Int, _ sharpness: (Int) -> Double, _ intensity: (Int) -> Double = { _ in 0.6 }
    ) throws -> Pattern {
        let each = Pattern.Limit.entriesPerTrack / 2
        let tracks = stride(from: 0, to: count, by: each).map { start in
            Pattern.Track.keyframes(
                (start..<min(start + each, count)).flatMap { number -> [Keyframe] in
                    let at = Int64(number) * 6
                    return [frame(at, intensity(number), sharpness(number)), frame(at + 2, 0, sharpness(number))]
                })
        }
        return try Pattern(name: "many", tracks: tracks)
    }

    @Test("Each of many beats is read once, and the only one that is sharper is found")
    func manyBeats() throws {
        let count = 8192
        let pattern = try beats(count, { $0 == count - 1 ? 0.9 : 0.2 }, { 0.1 + Double($0 % 40) * 0.02 })
        let beats = Timeline(pattern).beats
        #expect(beats.count == count)
        var twins = BeatTwins()
        let found = beats.indices.filter { twins.twin(of: beats[$0]) != nil }
        #expect(found == [count - 1])
        #expect(twins.looks == Timeline(pattern).frames.count)
        let finding = PatternLint.findings(pattern).first { $0.rule == .sharpnessAlone }
        #expect(finding?.at == .milliseconds(Int64(count - 1) * 6))
    }

    @Test("If beats get sharper little by little, the first that is a quarter from the dullest is named")
    func littleByLittle() throws {
        let pattern = try beats(20, { 0.4 + ($0 % 2 == 0 ? 1 : -1) * Double($0) * 0.02 })
        // 0.4, 0.38, 0.44, 0.34, 0.48, 0.30, 0.52, 0.26: 0.26 below 0.52 at 42 ms.
        let finding = try #require(PatternLint.findings(pattern).first { $0.rule == .sharpnessAlone })
        #expect(finding.at == .milliseconds(42))
        #expect(finding.path == "tracks[0].keyframes[14]")
        #expect(finding.reason.hasPrefix("the beats at 36 ms and 42 ms differ in sharpness alone"), "\(finding.reason)")
    }

    @Test("An end that is cut off is named, also that of a spring")
    func cutOff() throws {
        #expect(rules(try pattern([frame(0, 0.5), frame(90, 0.5)])) == ["endNotSilent tracks[0].keyframes[1]"])
        let spring = try #require(Spring(response: .milliseconds(200), dampingFraction: 0.2))
        #expect(rules(try pattern([frame(0, 1), frame(480, 0, 0.5, .spring(spring))])) == [])
        let early = try pattern([frame(0, 1), frame(200, 0, 0.5, .spring(spring))])
        #expect(rules(early) == ["endNotSilent tracks[0].keyframes[1]"])
        #expect(PatternLint.findings(early)[0].reason.hasPrefix("the spring is still at 27%"))
        #expect(rules(try pattern([frame(0, 1), frame(100, 0)], isCall: true)) == ["endNotSilent "])
    }

    /// Frames at 0, 20, 80 and 100 ms; those without a curve have `linear`.
    private func pulses(_ levels: [Double], _ curves: [Easing] = [.linear, .linear, .linear, .linear]) throws -> Pattern {
        let times: [Int64] = [0, 20, 80, 100]
        return try pattern(times.indices.map { frame(times[$0], levels[$0], 0.5, curves[$0]) })
    }

    @Test("A pause that became a ramp is named with the keyframe at its end, unless its file names the curve")
    func pauseIsRamp() throws {
        let ramp = try pulses([1, 0, 1, 0])
        #expect(rules(ramp) == ["pauseIsRamp tracks[0].keyframes[2]"])
        #expect(
            PatternLint.findings(ramp).map(\.reason) == [
                "from 20 ms to 80 ms it swells instead of pausing: a keyframe without `curve` is reached in a straight line"
            ])
        #expect(PatternLint.findings(ramp) { $0 == "tracks[0].keyframes[2]" } == [])
        #expect(rules(try pulses([1, 0, 0.5, 0], [.linear, .step, .linear, .step])) == ["pauseIsRamp tracks[0].keyframes[2]"])
        // A pause, a swell throughout, a fade to another level, and silence that lasts.
        #expect(rules(try pulses([1, 0, 1, 0], [.linear, .step, .step, .step])) == [])
        #expect(rules(try pulses([0, 1, 0, 0])) == [])
        #expect(rules(try pattern([0, 50, 100, 150, 200].map { frame($0, $0 % 100 == 0 ? 0 : 1, 0.5, .linear) })) == [])
        #expect(rules(try pulses([1, 0.1, 1, 0])) == [])
        #expect(rules(try pulses([1, 0, 0, 0])) == [])
        let phases = try Pattern(name: "y", phases: [.init(ramp, isNamed: true), .init(ramp, isNamed: false, until: .released)])
        #expect(rules(phases) == ["pauseIsRamp phases[1].tracks[0].keyframes[2]"])
    }

    @Test("An open phase may last and hold; the phases around it may not")
    func openPhase() throws {
        let hold = try pattern([frame(0, 0.3), frame(1000, 0.3)])
        let long = try pattern([frame(0, 1), frame(600, 0, 0.5, .linear)])
        let open = try Pattern(
            name: "y",
            phases: [.init(long, isNamed: false), .init(hold, isNamed: false, until: .released), .init(hold, isNamed: false)])
        #expect(
            rules(open) == [
                "tooLong phases[0]", "tooLong phases[2]", "notInterruptible phases[2].tracks[0].keyframes[0]",
                "endNotSilent phases[2].tracks[0].keyframes[1]",
            ])
        #expect(rules(try Pattern(name: "z", phases: [.init(hold, until: .advanced)])) == [])
    }

    @Test("Every finding has a reason and a way out")
    func texts() throws {
        let worst = try Pattern(
            name: "w",
            tracks: [
                .keyframes([
                    frame(0, 1, 0), frame(400, 1, 1), frame(500, 0), frame(900, 1), frame(950, 0), frame(1200, 1), frame(1300, 1),
                ])
            ])
        let findings = PatternLint.findings(worst)
        #expect(findings.map(\.rule) == [.tooLong, .notInterruptible, .cascade, .sharpnessAlone, .endNotSilent])
        for finding in findings { #expect([finding.reason, finding.wayOut].allSatisfy { !$0.isEmpty }) }
    }

    @Test("A pattern for lights may be long, and flashes three times in a second at most")
    func lights() throws {
        func blinking(every interval: Int64) throws -> Pattern {
            let frames = (0..<5).flatMap { [frame($0 * interval, 1), frame($0 * interval + 100, 0)] }
            return try Pattern(name: "x", tracks: [.keyframes(frames)], isForLights: true)
        }
        #expect(rules(try blinking(every: 334)) == [])
        #expect(rules(try blinking(every: 333)) == ["flashes tracks[0].keyframes[6]"])
        let reason = PatternLint.findings(try blinking(every: 150))[0].reason
        #expect(reason == "a light that shows it flashes 4 times from 0 ms to 450 ms; more than 3 in a second can harm")
        let held = try Pattern(name: "x", tracks: [.keyframes([frame(0, 1), frame(900, 0)])], isForLights: true)
        #expect(rules(held) == [])
    }

    @Test("A light flashes each time that it gets brighter after it was darker, however it does so")
    func flashes() throws {
        let levels = [(100, 1), (200, 0.9), (300, 1), (400, 0)] as [(Int64, Double)]
        let gliding = try pattern([frame(0, 0)] + levels.map { frame($0, $1, 0.5, .linear) })
        #expect(Timeline(gliding).flashes == [.milliseconds(5), .milliseconds(205)])
        #expect(Timeline(try pattern([frame(0, 0.5), frame(100, 1), frame(200, 0.2), frame(300, 0)])).flashes == [.zero])
    }
}
