// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

private func keyframe(_ milliseconds: Int64, _ intensity: Double, _ sharpness: Double = 0.5, _ curve: Easing = .linear)
    -> Keyframe
{
    Keyframe(
        at: .milliseconds(milliseconds), intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness),
        curve: curve)
}

private func tap(_ milliseconds: Int64, _ intensity: Double, _ sharpness: Double = 0.5) -> HapticEvent {
    HapticEvent(
        at: .milliseconds(milliseconds), kind: .transient, intensity: Intensity(clamping: intensity),
        sharpness: Sharpness(clamping: sharpness))
}

private func written(_ tracks: [Pattern.Track], curves: [ParameterCurve] = []) throws -> WrittenFile {
    try PatternFiles.write(Pattern(name: "inline", tracks: tracks, parameterCurves: curves), as: .haptic)
}

/// Greatest difference of the intensities of two patterns in the middle between samples of 5 ms.
private func difference(_ a: Pattern, _ b: Pattern) -> Double {
    stride(from: 2, to: Int64(max(a.duration, b.duration).inMilliseconds), by: 5).reduce(0) { greatest, at in
        let levels = [a, b].map { $0.level(at: .milliseconds(at)) }
        return max(greatest, abs(levels[0].intensity.value - levels[1].intensity.value))
    }
}

@Suite struct HapticClipWriterTests {
    /// By hand: amplitude and frequency are the squares of intensity and sharpness; an emphasis has the tap's own sharpness. The step
    /// at 100 ms is two points. The sharpness stays at 0.5 up to there, so one point of it is enough.
    @Test("Keyframes and taps are written as they are")
    func keyframesTaps() throws {
        let file = try written([
            .keyframes([keyframe(0, 0.4), keyframe(100, 0.8, 0.9, .step), keyframe(250, 0, 0.9)]), .events([tap(0, 0.7, 0.3)]),
        ])
        #expect(file.losses.isEmpty)
        #expect(file.text + "\n" == String(decoding: try fixture("written/step.haptic"), as: UTF8.self))
    }

    @Test("A file that was read is written with the same points")
    func fileWas() throws {
        let first = try PatternFiles.write(PatternFiles.read(fixture("haptic/knock.haptic"), file: nil).pattern, as: .haptic)
        #expect(first.losses.isEmpty)
        for point in [
            #""description": "two knocks over a hum""#,
            #"{ "time": 0, "amplitude": 0.04, "emphasis": { "amplitude": 0.64, "frequency": 0.7 } }"#,
            #"{ "time": 0.1, "amplitude": 0.04 }"#, #"{ "time": 0.1, "amplitude": 0.25 }"#,
            #"{ "time": 0.2, "amplitude": 0.25, "emphasis": { "amplitude": 1, "frequency": 0.3 } }"#,
            #"{ "time": 0.4, "amplitude": 0 }"#, #"{ "time": 0, "frequency": 0.36 }"#, #"{ "time": 0.3, "frequency": 0.81 }"#,
        ] {
            #expect(first.text.contains(point), "\(point)")
        }
        let second = try PatternFiles.write(imported(first.text, file: "x.haptic").pattern, as: .haptic)
        #expect(second.text == first.text)
    }

    @Test("A pattern that both formats can express comes back the same")
    func bothFormats() throws {
        var random = SplitMix64(seed: 16)
        for _ in 0..<30 {
            let pattern = try Self.sayable(&random)
            let file = try PatternFiles.write(pattern, as: .haptic)
            #expect(file.losses.isEmpty)
            let again = try imported(file.text, file: "x.haptic").pattern
            #expect(again == pattern, "\(file.text)")
            #expect(try PatternFiles.write(again, as: .haptic) == file)
        }
    }

    /// Keyframes from 0 on with straight lines and steps at any nanosecond, and taps on some of them.
    private static func sayable(_ random: inout SplitMix64) throws -> Pattern {
        var at = Nanoseconds.zero
        var keyframes: [Keyframe] = []
        var taps: [HapticEvent] = []
        for index in 0..<Int.random(in: 2...40, using: &random) {
            let curve: Easing = index > 0 && Bool.random(using: &random) ? .step : .linear
            let level = (Double.random(in: 0.001...1, using: &random), Double.random(in: 0...1, using: &random))
            keyframes.append(
                Keyframe(at: at, intensity: Intensity(clamping: level.0), sharpness: Sharpness(clamping: level.1), curve: curve))
            if Int.random(in: 0..<4, using: &random) == 0 {
                taps.append(
                    HapticEvent(
                        at: at, kind: .transient, intensity: .one,
                        sharpness: Sharpness(clamping: Double.random(in: 0...1, using: &random))))
            }
            at = at + Nanoseconds(Int64.random(in: 2...500_000_000, using: &random))
        }
        return try Pattern(
            name: "x", summary: "a \"quoted\" text\n", tracks: [.keyframes(keyframes)] + (taps.isEmpty ? [] : [.events(taps)]))
    }

    @Test("Curves that an envelope cannot express are sampled, and listed")
    func envelopeCannot() throws {
        let event = HapticEvent(
            at: .milliseconds(50), kind: .continuous(duration: .milliseconds(200), sustained: true),
            intensity: Intensity(clamping: 0.5),
            sharpness: .one, attack: .milliseconds(60), release: .milliseconds(80))
        let control = ParameterCurve(
            parameter: .intensity, points: [.init(at: .zero, value: 0.5), .init(at: .milliseconds(400), value: 1)])
        let tracks: [Pattern.Track] = [
            .keyframes([keyframe(0, 0), keyframe(200, 0.4, 0.5, .easeInOut), keyframe(300, 0, 0.5, .step)]),
            .events([event, tap(380, 0.8)]),
            .keyframes([keyframe(100, 0.1), keyframe(250, 0.3, 0.5, .spring(.snappy))]),
        ]
        let file = try written(tracks, curves: [control])
        #expect(
            file.losses == [
                "Events that last become an envelope, sampled every 5ms to within 0.002.",
                "Tracks that play at the same time become one envelope, sampled every 5ms to within 0.002.",
                "Eased curves and springs become straight lines, sampled every 5ms to within 0.002.",
                "Parameter curves are worked into what they shape, sampled every 5ms to within 0.002.",
            ])
        let again = try imported(file.text, file: "x.haptic").pattern
        #expect(difference(again, try Pattern(name: "x", tracks: tracks, parameterCurves: [control])) < 0.01)
        // By hand: at 380 ms the curve is at 0.5 + 0.5 · 380/400 = 0.975, and 0.8 · 0.975 = 0.78.
        #expect(rounded(events(of: again.tracks.last)) == [[380, 0.78, 0.5]])
    }

    @Test("A rise from silence has no sharpness made up for it")
    func risesSilence() throws {
        let rise = [keyframe(0, 0), keyframe(200, 1), keyframe(300, 0, 0.5, .easeOut)]
        let pattern = try Pattern(name: "x", tracks: [.keyframes(rise), .events([tap(50, 0.5)])], sum: .glow)
        let text = try PatternFiles.write(pattern, as: .haptic).text
        #expect(text.contains(#"{ "time": 0, "frequency": 0.25 }"#), "\(text)")
        #expect(!text.contains(#""frequency": 0 }"#), "\(text)")
    }

    @Test("The pause at the end of a pattern stays, however it is written")
    func pauseEnd() throws {
        let ring = try #require(BuiltInPatterns.all.first { $0.name == "ring" })
        let alarm = try #require(BuiltInPatterns.all.first { $0.name == "alarm" })
        let both = try Pattern(name: "x", parts: [.init(ring), .init(alarm, .gap(.milliseconds(300)))])
        let silent = ParameterCurve(parameter: .intensity, points: [.init(at: .milliseconds(100), value: 0)])
        let taps = try Pattern(name: "x", tracks: [.events([tap(0, 1), tap(400, 1)])], parameterCurves: [silent])
        for pattern in [ring, alarm, both, taps] {
            let file = try PatternFiles.write(pattern, as: .haptic)
            #expect(try imported(file.text, file: "x.haptic").pattern.duration == pattern.duration, "\(file.text)")
        }
    }

    @Test("Taps that have no room of their own are listed")
    func tapsHave() throws {
        let file = try written([
            .keyframes([keyframe(0, 0.9), keyframe(100, 0.9)]), .events([tap(50, 0.2), tap(80, 0.91), tap(80, 1)]),
        ])
        #expect(
            file.losses == [
                "Taps at the instant of a stronger one are left out: 1.",
                "Taps weaker than the vibration under them become as strong as it is: 1.",
            ])
        #expect(
            rounded(events(of: try imported(file.text, file: "x.haptic").pattern.tracks.last)) == [
                [50, 0.9, 0.5], [80, 1, 0.5],
            ])
    }

    @Test("Every built-in pattern can be written and read")
    func builtPattern() throws {
        for pattern in BuiltInPatterns.all {
            let again = try imported(PatternFiles.write(pattern, as: .haptic).text, file: "x.haptic").pattern
            #expect(difference(again, pattern) < 0.1, "\(pattern.name)")
        }
    }

    @Test("A pattern of more points than are read is not written")
    func patternPoints() throws {
        // 16 tracks of 1023 steps, each of which is two points.
        let tracks: [Pattern.Track] = (0..<16).map { (track: Int64) in
            .keyframes((0..<1024).map { (step: Int64) in keyframe(track * 1030 + step, Double(step % 2), 0.5, .step) })
        }
        #expect(throws: UnwritablePattern.self) { try written(tracks) }
    }
}
