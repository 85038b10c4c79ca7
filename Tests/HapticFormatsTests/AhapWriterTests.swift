// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

@Suite struct AhapWriterTests {
    private func again(_ pattern: Pattern) throws -> (pattern: Pattern, file: WrittenFile) {
        let file = try PatternFiles.write(pattern, as: .ahap)
        return (try PatternFiles.read(Array(file.text.utf8), file: "\(pattern.name).ahap").pattern, file)
    }

    @Test("A pattern is written as the text of the fixture")
    func text() throws {
        let pattern = try Pattern(
            name: "x", summary: "A \"knock\".",
            tracks: [
                .events([
                    HapticEvent(at: .milliseconds(5), kind: .transient, intensity: .one, sharpness: Sharpness(clamping: 0.25)),
                    HapticEvent(
                        at: .milliseconds(100), kind: .continuous(duration: .milliseconds(250), sustained: false),
                        intensity: Intensity(clamping: 0.5), sharpness: .zero, decay: .milliseconds(200)),
                ])
            ],
            parameterCurves: [
                ParameterCurve(parameter: .intensity, points: [.init(at: .milliseconds(20), value: 0.5)]),
                ParameterCurve(
                    parameter: .sharpness,
                    points: [.init(at: .milliseconds(20), value: 0), .init(at: .milliseconds(30), value: -1)]),
            ])
        let written = try PatternFiles.write(pattern, as: .ahap)
        #expect(written.losses.isEmpty)
        #expect(written.text + "\n" == String(decoding: try fixture("written/knock.ahap"), as: UTF8.self))
    }

    /// What both formats can say: events, with envelopes of a second at most, and curves.
    private func random(_ number: Int) throws -> Pattern {
        var random = SplitMix64(seed: UInt64(number))
        func time(_ most: Int64) -> Nanoseconds { Nanoseconds(Int64.random(in: 0...most * 1_000_000, using: &random)) }
        let events = (0..<Int.random(in: 1...20, using: &random)).map { _ in
            let isTap = Bool.random(using: &random)
            let kind = HapticEvent.Kind.continuous(duration: time(500), sustained: .random(using: &random))
            return HapticEvent(
                at: time(2000), kind: isTap ? .transient : kind,
                intensity: Intensity(clamping: .random(in: 0...1, using: &random)),
                sharpness: Sharpness(clamping: .random(in: 0...1, using: &random)), attack: isTap ? .zero : time(200),
                decay: isTap ? .zero : time(1000), release: isTap ? .zero : time(300))
        }
        let parameters: [ParameterCurve.Parameter] = [.intensity, .sharpness, .attackTime, .decayTime, .releaseTime]
        let curves = parameters.flatMap { parameter in
            (0..<Int.random(in: 0...2, using: &random)).map { _ in
                let times = Set((0..<Int.random(in: 1...40, using: &random)).map { _ in time(2500) }).sorted()
                return ParameterCurve(
                    parameter: parameter,
                    points: times.map {
                        .init(at: $0, value: .random(in: parameter == .intensity ? 0...1 : -1...1, using: &random))
                    })
            }
        }
        return try Pattern(name: "x", summary: "number \(number)", tracks: [.events(events)], parameterCurves: curves)
    }

    @Test("Events and curves lose nothing on the way to AHAP and back", arguments: 0..<20)
    func events(number: Int) throws {
        let pattern = try random(number)
        let (first, file) = try again(pattern)
        #expect(file.losses.isEmpty)
        #expect((first.tracks, first.summary) == (pattern.tracks, pattern.summary))
        // A curve that another takes over from is cut there; what is felt is the same, to the bit.
        let frames = Timeline(first).frames.filter { $0.level != .off }
        #expect(frames.allSatisfy { pattern.level(at: $0.offset) == $0.level })
        #expect(first.duration == pattern.duration)
        for offset in stride(from: 0, to: pattern.duration.count, by: 12_345_678) {
            #expect(first.level(at: Nanoseconds(offset)) == pattern.level(at: Nanoseconds(offset)))
        }
        let second = try again(first)
        #expect((second.pattern, second.file.text) == (first, file.text))
    }

    @Test("Keyframes become events and curves that are felt the same, with a note", arguments: BuiltInPatterns.all)
    func keyframes(pattern: Pattern) throws {
        let (read, file) = try again(pattern)
        var losses = pattern.transition == .snappy ? [] : ["How it takes over from what plays before it is left out."]
        if pattern.isCall { losses.append("That it is a call is left out.") }
        if let meaning = pattern.meaning { losses.append("That it means `\(meaning)` is left out.") }
        if pattern.isForLights { losses.append("That it is for lights is left out.") }
        #expect(Array(file.losses.dropLast()) == losses)
        #expect(file.losses.last?.utf8.starts(with: "AHAP has no keyframes".utf8) == true)
        #expect(read.duration == pattern.duration)
        for frame in Timeline(pattern).frames where frame.level.isOn {
            let level = read.level(at: frame.offset)
            #expect(abs(level.intensity.value - frame.level.intensity.value) < 0.005)
            guard frame.level.intensity.value >= 0.05 else { continue }
            #expect(abs(level.sharpness.value - frame.level.sharpness.value) < 0.005)
        }
        // Nor is there anything where there was nothing.
        for frame in Timeline(read).frames {
            #expect(abs(pattern.level(at: frame.offset).intensity.value - frame.level.intensity.value) < 0.055)
        }
    }

    /// With silence in between, and any curve that has no velocity of its own.
    private func randomKeyframes(_ number: Int) throws -> Pattern {
        var random = SplitMix64(seed: UInt64(number))
        let tracks = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            var at = Nanoseconds.milliseconds(.random(in: 0...50, using: &random))
            return Pattern.Track.keyframes(
                (0..<Int.random(in: 2...8, using: &random)).map { _ in
                    defer { at += Nanoseconds(.random(in: 5_000_000...300_000_000, using: &random)) }
                    let isSilent = Int.random(in: 0..<3, using: &random) == 0
                    let curves: [Easing] = [.linear, .easeIn, .easeOut, .easeInOut, .step, .spring(.snappy)]
                    return Keyframe(
                        at: at, intensity: isSilent ? .zero : Intensity(clamping: .random(in: 0...0.5, using: &random)),
                        sharpness: Sharpness(clamping: .random(in: 0...1, using: &random)),
                        curve: curves.randomElement(using: &random) ?? .linear)
                })
        }
        return try Pattern(name: "x", tracks: tracks)
    }

    @Test("Keyframes are as strong and as sharp from either format", arguments: 0..<15)
    func glides(number: Int) throws {
        let pattern = try randomKeyframes(number)
        for format in [PatternFormat.ahap, .haptic] {
            let file = try PatternFiles.write(pattern, as: format)
            let read = try PatternFiles.read(Array(file.text.utf8), file: "x.\(format)").pattern
            #expect(read.duration == pattern.duration)
            for frame in Timeline(pattern).frames where frame.level.isOn {
                let level = read.level(at: frame.offset)
                #expect(abs(level.intensity.value - frame.level.intensity.value) < 0.0025, "\(format) at \(frame.offset)")
                #expect(abs(level.sharpness.value - frame.level.sharpness.value) < 0.0025, "\(format) at \(frame.offset)")
            }
        }
    }

    @Test("An event of more than 30 s is written in parts, without a seam")
    func long() throws {
        let event = HapticEvent(
            at: .seconds(1), kind: .continuous(duration: .seconds(50), sustained: true), intensity: .one, sharpness: .zero,
            attack: .milliseconds(500), release: .seconds(2))
        let pattern = try Pattern(name: "x", tracks: [.events([event])])
        let (read, file) = try again(pattern)
        #expect(read.onlyEvents?.map(\.at) == [.seconds(1), .seconds(31)])
        #expect(
            file.losses == ["Where an event's release is longer than 1s, up to 2s, it is written as that, the longest there is."])
        for second in 0..<51 {
            let at = Nanoseconds.seconds(Int64(second))
            #expect(read.level(at: at) == pattern.level(at: at))
        }
        let fading = HapticEvent(
            at: .zero, kind: .continuous(duration: .seconds(40), sustained: false), intensity: .one, sharpness: .zero,
            decay: .milliseconds(500))
        let losses = try again(try Pattern(name: "x", tracks: [.events([fading])])).file.losses
        #expect(losses.first?.utf8.starts(with: "An event that fades".utf8) == true)
    }

    @Test("More glides and jumps than a pattern may have curves are refused")
    func tooMany() throws {
        let keyframes = (0...400).map { index in
            let isStep = index % 2 == 0
            return Keyframe(
                at: .milliseconds(Int64(20 * index)), intensity: Intensity(clamping: isStep ? 1 : 0.3), sharpness: .zero,
                curve: isStep ? .step : .linear)
        }
        let pattern = try Pattern(name: "x", tracks: [.keyframes(keyframes)])
        let error = #expect(throws: UnwritablePattern.self) { try PatternFiles.write(pattern, as: .ahap) }
        #expect(error?.description.contains("keep it as yaml") == true)
    }
}
