// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

private func keyframe(_ milliseconds: Int64, _ intensity: Double, _ sharpness: Double = 0.5, _ curve: Easing = .linear)
    -> Keyframe
{
    Keyframe(at: .milliseconds(milliseconds), intensity: Intensity(intensity)!, sharpness: Sharpness(sharpness)!, curve: curve)
}

private func pattern(_ keyframes: Keyframe...) throws -> Pattern {
    try Pattern(name: "test", tracks: [.keyframes(keyframes)])
}

private func event(
    _ kind: HapticEvent.Kind, at: Int64 = 0, _ intensity: Double = 1, attack: Int64 = 0, decay: Int64 = 0, release: Int64 = 0
) -> HapticEvent {
    HapticEvent(
        at: .milliseconds(at), kind: kind, intensity: Intensity(intensity)!, sharpness: Sharpness(0.5)!,
        attack: .milliseconds(attack), decay: .milliseconds(decay), release: .milliseconds(release))
}

extension Pattern {
    fileprivate func intensity(at milliseconds: Int64) -> Double { level(at: .milliseconds(milliseconds)).intensity.value }
}

@Suite("Patterns over time")
struct PatternTests {
    @Test(
        "A curve leads to its keyframe",
        arguments: [
            (Easing.step, 0.0), (.linear, 0.25), (.easeIn, 0.0625), (.easeOut, 0.4375), (.easeInOut, 0.15625),
        ])
    func curves(curve: Easing, quarter: Double) throws {
        let pattern = try pattern(keyframe(0, 0), keyframe(100, 1, 0.5, curve), keyframe(200, 1))
        #expect(abs(pattern.intensity(at: 25) - quarter) < 1e-12)
        #expect(pattern.intensity(at: 100) == 1)
    }

    @Test("Intensity and sharpness move together, off before the first keyframe and from the last on")
    func pair() throws {
        let pattern = try pattern(keyframe(10, 1, 0), keyframe(20, 0.5, 1))
        #expect(pattern.level(at: .milliseconds(15)) == Level(intensity: Intensity(0.75)!, sharpness: Sharpness(0.5)!))
        #expect(pattern.level(at: .milliseconds(9)) == .off)
        #expect(pattern.level(at: .milliseconds(20)) == .off)
        #expect(pattern.duration == .milliseconds(20))
    }

    @Test("A spring is felt by its displacement to both sides, at most 1")
    func springDisplacement() throws {
        let spring = try #require(Spring(response: .milliseconds(200), dampingFraction: 0.2))
        let pattern = try pattern(keyframe(0, 1), keyframe(480, 0, 0.5, .spring(spring)))
        for milliseconds in stride(from: 0, to: 480, by: 7) as StrideTo<Int64> {
            let state = spring.state(after: .milliseconds(milliseconds), from: .init(displacement: 1, velocity: 0))
            #expect(abs(pattern.intensity(at: milliseconds) - min(1, abs(state.displacement))) < 1e-12)
        }
    }

    @Test("A spring that follows a spring starts from its present value and velocity")
    func redirected() throws {
        let spring = Spring.smooth
        let pattern = try pattern(
            keyframe(0, 0), keyframe(100, 1, 0.5, .spring(spring)), keyframe(1000, 0.2, 0.5, .spring(spring)))
        let before = spring.state(after: .milliseconds(100), from: .init(displacement: -1, velocity: 0))
        let after = spring.state(
            after: .milliseconds(30), from: .init(displacement: 1 + before.displacement - 0.2, velocity: before.velocity))
        #expect(abs(pattern.intensity(at: 130) - (0.2 + after.displacement)) < 1e-12)
        #expect(abs(pattern.intensity(at: 100) - pattern.intensity(at: 99)) < 0.02, "no jump at the redirection")
    }

    @Test("Tracks add up to 1 at most, and the stronger one sets more of the sharpness")
    func layers() throws {
        let pattern = try Pattern(
            name: "layers",
            tracks: [
                .keyframes([keyframe(0, 0.6, 0), keyframe(20, 0.6, 0)]),
                .keyframes([keyframe(10, 0.2, 1), keyframe(30, 0.2, 1)]),
            ])
        #expect(abs(pattern.intensity(at: 15) - 0.8) < 1e-12)
        #expect(abs(pattern.level(at: .milliseconds(15)).sharpness.value - 0.25) < 1e-12)
        #expect(pattern.intensity(at: 25) == 0.2)
    }

    @Test("A continuous event has attack, sustain or decay, and release")
    func envelope() throws {
        let sustained = try Pattern(
            name: "s",
            tracks: [.events([event(.continuous(duration: .milliseconds(100), sustained: true), attack: 20, release: 50)])])
        #expect([0, 10, 20, 99, 125].map { sustained.intensity(at: $0) } == [0, 0.5, 1, 1, 0.5])
        #expect(sustained.duration == .milliseconds(150))
        let decaying = try Pattern(
            name: "d",
            tracks: [.events([event(.continuous(duration: .milliseconds(100), sustained: false), attack: 20, decay: 40)])])
        #expect([10, 20, 40, 60, 80].map { decaying.intensity(at: $0) } == [0.5, 1, 0.5, 0, 0])
    }

    @Test("Events may stand in any order, and a longer release by a curve makes the pattern longer")
    func unordered() throws {
        let kind = HapticEvent.Kind.continuous(duration: .milliseconds(100), sustained: true)
        let longer = ParameterCurve(parameter: .releaseTime, points: [.init(at: .zero, value: 0.05)])
        let track = Pattern.Track.events([event(.transient, at: 300), event(kind, at: 100, 0.5), event(.transient, at: 0)])
        let pattern = try Pattern(name: "u", tracks: [track], parameterCurves: [longer])
        #expect([4, 50, 150, 225, 260, 304].map { pattern.intensity(at: $0) } == [1, 0, 0.5, 0.25, 0, 1])
        let alone = try Pattern(name: "a", tracks: [.events([event(kind, at: 100)])], parameterCurves: [longer])
        #expect(alone.duration == .milliseconds(250))
    }

    @Test("Parameter curves shape the whole pattern, and the one that began last applies")
    func controls() throws {
        let controls = [
            ParameterCurve(
                parameter: .intensity, points: [.init(at: .zero, value: 0), .init(at: .milliseconds(100), value: 1)]),
            ParameterCurve(parameter: .intensity, points: [.init(at: .milliseconds(50), value: 0.1)]),
            ParameterCurve(parameter: .sharpness, points: [.init(at: .milliseconds(10), value: -0.5)]),
            ParameterCurve(parameter: .attackTime, points: [.init(at: .zero, value: 0.04)]),
        ]
        let track = Pattern.Track.events([event(.continuous(duration: .milliseconds(200), sustained: true))])
        let pattern = try Pattern(name: "c", tracks: [track], parameterCurves: controls)
        #expect(abs(pattern.intensity(at: 20) - 0.5 * 0.2) < 1e-12, "half of the attack, a fifth by the control")
        #expect(pattern.intensity(at: 150) == 0.1)
        #expect(pattern.level(at: .milliseconds(150)).sharpness.value == 0)
    }

    @Test(
        "A pattern that cannot be played is refused",
        arguments: [
            ([], PatternError.noTracks),
            ([.keyframes([keyframe(0, 1)])], .emptyTrack(track: 0)),
            ([.events([])], .emptyTrack(track: 0)),
            ([.keyframes([keyframe(0, 1), keyframe(0, 0)])], .time(track: 0, entry: 1)),
            ([.keyframes([keyframe(-1, 1), keyframe(5, 0)])], .time(track: 0, entry: 0)),
            ([.keyframes([keyframe(0, 1), keyframe(60_001, 0)])], .time(track: 0, entry: 1)),
            ([.events([event(.continuous(duration: .milliseconds(-1), sustained: true))])], .time(track: 0, entry: 0)),
            (
                [.events([event(.continuous(duration: .milliseconds(60_000), sustained: true), release: 1)])],
                .tooLong(.milliseconds(60_001))
            ),
            (
                Array(repeating: .events([event(.transient)]), count: 17), .tooManyTracks(17)
            ),
        ] as [([Pattern.Track], PatternError)])
    func refused(tracks: [Pattern.Track], error: PatternError) {
        #expect(throws: error) { try Pattern(name: "bad", tracks: tracks) }
        #expect(!error.description.isEmpty)
    }

    @Test("A name is 1 to 128 bytes without control characters", arguments: ["", "a\nb", String(repeating: "n", count: 129)])
    func names(name: String) {
        #expect(throws: PatternError.name(name)) { try Pattern(name: name, tracks: [.events([event(.transient)])]) }
    }

    @Test("A parameter curve outside its range is refused", arguments: [1.1, -0.1, .nan])
    func badControl(value: Double) {
        let curve = ParameterCurve(parameter: .intensity, points: [.init(at: .zero, value: value)])
        #expect(throws: PatternError.parameterCurve(index: 0)) {
            try Pattern(name: "bad", tracks: [.events([event(.transient)])], parameterCurves: [curve])
        }
    }

    @Test("A timeline has exact jumps, samples of glides, no level twice, and ends off")
    func timeline() throws {
        let pattern = try pattern(keyframe(0, 1), keyframe(8, 1), keyframe(20, 0), keyframe(40, 0))
        let timeline = Timeline(pattern)
        #expect(timeline.frames.map(\.offset) == [0, 13, 18, 20].map { .milliseconds($0) })
        #expect(timeline.frames.last?.level == .off)
        #expect(timeline.felt == .milliseconds(20))
        #expect(timeline.duration == .milliseconds(40))
        #expect(timeline.peak == .one)
    }

    @Test("A transient event lasts 8 ms")
    func transient() throws {
        let timeline = Timeline(try Pattern(name: "t", tracks: [.events([event(.transient, at: 5, 0.7)])]))
        #expect(timeline.frames.map(\.offset) == [.milliseconds(5), .milliseconds(13)])
        #expect(timeline.peak == Intensity(0.7))
    }

    @Test("Events that overlap add up in whatever order they are written")
    func overlapping() throws {
        let long = event(.continuous(duration: .milliseconds(100), sustained: true), 0.5)
        let short = event(.continuous(duration: .milliseconds(10), sustained: true), at: 20, 0.2)
        let late = event(.continuous(duration: .milliseconds(10), sustained: true), at: 60, 0.1)
        for events in [[long, short, late], [late, short, long]] {
            let pattern = try Pattern(name: "o", tracks: [.events(events)])
            let wanted = [0.5, 0.7, 0.5, 0.6, 0]
            for (milliseconds, intensity) in zip([10, 25, 40, 65, 100] as [Int64], wanted) {
                #expect(abs(pattern.intensity(at: milliseconds) - intensity) < 1e-12)
            }
        }
    }

    @Test("However many events glide at once, there is one frame for each interval and each bend")
    func frameBound() throws {
        let events = (0..<50 as Range<Int64>).map { number in
            var event = event(.continuous(duration: .milliseconds(1000), sustained: false), 0.02, attack: 500, decay: 500)
            event.at = .microseconds(number * 13)
            return event
        }
        let timeline = Timeline(try Pattern(name: "g", tracks: [.events(events)]))
        #expect(timeline.frames.count <= 200 + 5 * events.count)
        #expect(timeline.frames.count > 190)
    }
}
